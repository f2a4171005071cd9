"""``rpa journal``: check, export and compact."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from rpa.cli.journal import Format
from rpa.config import Project
from rpa.journal import RunLock, export, peek
from rpa.journal.names import segment_file
from tests.cli.conftest import OTHER, SHOP, Rpa, RpaJson
from tests.support.projects import EVERYTHING, Teller


def test_sound_journals_are_said_to_be(told: Project, rpa: Rpa, rpa_json: RpaJson) -> None:
    documents = rpa_json("journal", "check")["journals"]
    assert [one["shop"] for one in documents] == [SHOP, OTHER]
    first = documents[0]
    assert first["sound"]
    assert first["identity"] == f"id-{SHOP}"
    assert sum(first["units"].values()) == len(EVERYTHING)
    assert first["records"] == len(list(export(told.journal(SHOP))))
    shown = rpa("journal", "check")
    assert shown.exit_code == 0
    assert "sound" in shown.stdout
    assert "tore" not in shown.stdout


def test_damage_is_named_by_line_and_byte(told: Project, rpa: Rpa, rpa_json: RpaJson) -> None:
    path = told.journal(OTHER)
    lines = path.read_bytes().split(b"\n")
    lines[3] = lines[3].replace(b"select", b"selekt")
    path.write_bytes(b"\n".join(lines))
    byte = sum(len(line) + 1 for line in lines[:3])
    documents = rpa_json("journal", "check", exit_code=6)["journals"]
    assert [one["sound"] for one in documents] == [True, False]
    damage = documents[1]["damage"]
    assert [(d["path"], d["line"], d["byte"]) for d in damage] == [(str(path), 4, byte)]
    shown = rpa("journal", "check")
    assert shown.exit_code == 6
    assert f"line 4 (byte {byte})" in shown.stdout
    assert rpa("journal", "check", "--shop", SHOP).exit_code == 0


def test_a_newer_version_is_not_called_damage(told: Project, rpa: Rpa) -> None:
    path = told.journal(OTHER)
    path.write_bytes(path.read_bytes().replace(b'"v":1', b'"v":9'))
    shown = rpa("journal", "check")
    assert shown.exit_code == 6
    assert "written by a newer version" in shown.stdout
    assert "format version 9" in shown.stdout


def test_a_torn_tail_and_lost_generations_are_told_and_do_no_harm(told: Project, rpa: Rpa) -> None:
    path = told.journal(SHOP)
    with path.open("ab") as journal:
        journal.write(b'{"v":1,"seq":')
    shown = rpa("journal", "check")
    assert shown.exit_code == 0
    assert "13 bytes follow the last line" in shown.stdout
    assert rpa("journal", "compact").exit_code == 0
    segment_file(path, 1).unlink()
    shown = rpa("journal", "check")
    assert shown.exit_code == 0
    assert "generations 1 are gone" in shown.stdout
    assert "torn-1" in shown.stdout


def test_an_older_generation_that_is_damaged_is_told_apart(told: Project, rpa: Rpa) -> None:
    path = told.journal(SHOP)
    assert rpa("journal", "compact").exit_code == 0
    old = segment_file(path, 1)
    old.write_bytes(old.read_bytes().replace(b"started", b"startet", 1))
    shown = rpa("journal", "check")
    assert shown.exit_code == 6
    assert "an older generation is damaged" in shown.stdout
    assert rpa("status").exit_code == 0


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The JSON lines of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def test_every_record_is_exported_with_its_shop(told: Project, rpa: Rpa, tmp_path: Path) -> None:
    output = tmp_path / "导出.jsonl"
    result = rpa("journal", "export", "--output", str(output))
    assert result.exit_code == 0
    rows = lines_of(output)
    records = {shop: list(export(told.journal(shop))) for shop in (SHOP, OTHER)}
    assert [(row["shop"], row["seq"]) for row in rows] == [
        (shop, record.seq) for shop, mine in records.items() for record in mine
    ]
    assert f"{len(rows)} records in {output}" in result.stderr.replace("\n", "")
    armed = next(row for row in rows if row["event"] == "armed")
    assert armed["label"] == "unit-1"
    assert armed["data"]["arguments"]["title"].startswith("夏季纯棉圆领短袖T恤")
    result = rpa("journal", "export", "--shop", OTHER)
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        row for row in rows if row["shop"] == OTHER
    ]


def test_csv_opens_in_a_spreadsheet(told: Project, rpa: Rpa, tmp_path: Path) -> None:
    output = tmp_path / "导出.csv"
    assert rpa("journal", "export", "--format", Format.CSV, "-o", str(output)).exit_code == 0
    assert output.read_bytes().startswith(b"\xef\xbb\xbfshop,label,")
    with output.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == sum(len(list(export(told.journal(shop)))) for shop in (SHOP, OTHER))
    skipped = next(row for row in rows if row["event"] == "skipped")
    assert (skipped["shop"], skipped["label"]) == (SHOP, "unit-11")
    assert json.loads(skipped["data"]) == {"by": "王芳", "note": "停售"}
    assert skipped["error"] == ""


def test_older_generations_are_exported_too(told: Project, rpa: Rpa) -> None:
    before = rpa("journal", "export").stdout
    assert rpa("journal", "compact").exit_code == 0
    assert rpa("journal", "export").stdout == before


def test_an_export_that_fails_leaves_no_file(told: Project, rpa: Rpa, tmp_path: Path) -> None:
    path = told.journal(OTHER)
    path.write_bytes(path.read_bytes().replace(b"accepted", b"accented", 1))
    output = tmp_path / "out.jsonl"
    assert rpa("journal", "export", "-o", str(output)).exit_code == 6
    assert not list(tmp_path.glob("out*"))
    assert rpa("journal", "export", "-o", str(tmp_path / "no" / "out")).exit_code == 2


def test_compaction_makes_shorter_and_forgets_nothing(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    path = told.journal(SHOP)
    before = {key: unit.status for key, unit in peek(path).units.items()}
    size = path.stat().st_size
    first = rpa_json("journal", "compact")["journals"][0]
    assert (first["before"], first["after"]) == (size, path.stat().st_size)
    assert first["after"] < size
    assert Path(first["kept"]).stat().st_size == size
    assert {key: unit.status for key, unit in peek(path).units.items()} == before
    assert rpa_json("journal", "compact")["journals"][0]["kept"] is None


def test_a_shop_that_runs_is_left_alone_and_the_others_are_compacted(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    with RunLock(told.journal(SHOP)):
        first, second = rpa_json("journal", "compact", exit_code=75)["journals"]
        assert "locked by another run" in first["error"]
        assert second["generation"] == 2
        result = rpa("journal", "compact", "--shop", SHOP)
        assert result.exit_code == 75
        assert "locked by another run" in result.stderr
    assert rpa("journal", "compact").exit_code == 0


def test_no_journal_at_all(project: Project, rpa: Rpa) -> None:
    for command in ("check", "export", "compact"):
        result = rpa("journal", command)
        assert result.exit_code == 2
        assert "`rpa run` begins one" in result.stderr
    teller = Teller(project, OTHER)
    teller.journal.close()
    assert rpa("journal", "check").exit_code == 0
    assert rpa("journal", "check", "--shop", SHOP).exit_code == 2
