"""`docs/journal-format.md` shows real lines, and names every member there is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from rpa.core.record import Record
from rpa.core.snapshot import unit_from_json
from rpa.journal.header import Header, read_header
from rpa.journal.record_line import MAX_LINE, VERSION, decode_record, unseal

PAGE = Path(__file__).parents[2] / "docs" / "journal-format.md"
TEXT = PAGE.read_text("utf-8")
LINES = re.findall(r"^\{.*\}$", TEXT, re.MULTILINE)


def test_its_lines_are_real_ones() -> None:
    header, armed, released, unit = (line.encode() for line in LINES)
    assert read_header(PAGE, header).shop == "temu:6650013"
    assert [decode_record(each).event for each in (armed, released)] == ["armed", "released"]
    members = unseal(unit)
    del members["sum"]
    assert unit_from_json(members).status == "skipped"


def test_it_names_every_member() -> None:
    named = set(re.findall(r"`(\w+)`", TEXT))
    assert named >= {field.name for field in (*fields(Record), *fields(Header))}


def test_it_tells_the_version_and_the_longest_line() -> None:
    assert f"this page describes {VERSION}" in TEXT
    assert f"{MAX_LINE // 2**20} MiB" in TEXT
