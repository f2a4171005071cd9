"""`rpa journal check` and `export`: they say what is there, and touch nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpa.core.states import Event, Status
from rpa.errors import JournalDamaged, JournalError
from rpa.journal import check, compact, export, peek
from rpa.journal.header import Header
from tests.support.journals import at_noon, landing, opened, record, state_of, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal in its third generation, with a torn tail once mended."""
    path = tmp_path / "店铺.jsonl"
    for unit in ("1", "2"):
        write(opened(path, shop="shop-1"), unit)
        compact(path, clock=at_noon)
    with path.open("ab") as file:
        file.write(b"{torn")
    write(opened(path), "3")
    opened(path).append(record("4", Event.STARTED))
    return path


def everything(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


def test_a_sound_journal(path: Path) -> None:
    before = everything(path)
    report = check(path)
    assert report.sound
    assert (report.version, report.header) == (1, Header("shop-1", 3, 2, 14))
    assert (report.lines, report.seq, report.tail) == (1 + 2 + 8, 22, 0)
    assert report.units == {Status.SUBMITTED: 3, Status.PENDING: 1}
    assert [each.name for each in report.generations] == ["店铺.g1.jsonl", "店铺.g2.jsonl"]
    assert [each.name for each in report.torn] == ["店铺.jsonl.torn-1"]
    assert (report.damage, report.missing, report.too_new) == ([], [], "")
    assert everything(path) == before


def test_a_tail_is_counted_and_left(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\0" * 17)
    before = everything(path)
    report = check(path)
    assert report.sound
    assert report.tail == 17
    assert state_of(peek(path)) == state_of(peek(path))
    assert [each.seq for each in export(path)] == list(range(1, 23))
    assert everything(path) == before


def test_damage_is_named_with_file_line_and_byte(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"seq":18', b'"seq":81'))
    kept = path.with_name("店铺.g1.jsonl")
    kept.write_bytes(b"{}\n" + kept.read_bytes())
    before = everything(path)

    report = check(path)
    assert not report.sound
    places = [(each.path.name, each.line, each.byte, each.why) for each in report.damage]
    start = path.read_bytes().index(b'{"v":1,"seq":81')
    assert places == [
        ("店铺.jsonl", 7, start, "the checksum does not match"),
        ("店铺.g1.jsonl", 1, 0, "the checksum does not match"),
    ]
    assert report.seq == 17
    assert report.lines == 6
    assert everything(path) == before
    with pytest.raises(JournalDamaged):
        list(export(path))


def test_damage_in_an_older_generation_stops_no_run(path: Path) -> None:
    path.with_name("店铺.g2.jsonl").write_bytes(b"")
    report = check(path)
    assert [each.why for each in report.damage] == ["the file is empty"]
    assert report.sound
    opened(path).append(record("5", Event.STARTED))


def test_a_newer_version_is_said_and_left(path: Path) -> None:
    for content in (b'{"kind":"journal","v":7}\n', path.read_bytes() + b'{"v":7}\n'):
        path.write_bytes(content)
        report = check(path)
        assert not report.sound
        assert "format version 7; this build reads up to 1" in report.too_new
        assert path.read_bytes() == content


def test_a_missing_journal_and_one_that_cannot_be_read(tmp_path: Path) -> None:
    for look in (check, peek, lambda path: list(export(path))):
        with pytest.raises(FileNotFoundError):
            look(tmp_path / "none.jsonl")
        with pytest.raises(JournalError, match="cannot be read: Is a directory"):
            look(tmp_path)


def test_export_gives_every_record_of_every_generation(path: Path) -> None:
    told = [*landing("1"), *landing("2"), *landing("3"), record("4", Event.STARTED)]
    records = list(export(path))
    assert [each.seq for each in records] == list(range(1, 23))
    assert [(each.unit, each.event, each.data) for each in records] == [
        (each.unit, each.event, each.data) for each in told
    ]


def test_an_older_generation_may_be_thrown_away(path: Path) -> None:
    path.with_name("店铺.g1.jsonl").unlink()
    report = check(path)
    assert report.sound
    assert report.missing == [1]
    assert [each.seq for each in export(path)] == list(range(8, 23))


def test_a_compaction_while_exporting_changes_nothing(path: Path) -> None:
    records = export(path)
    first = next(records)
    compact(path, clock=at_noon)
    write(opened(path), "5")
    assert [first.seq, *(each.seq for each in records)] == list(range(1, 23))


def test_peek_reads_what_opening_reads(path: Path) -> None:
    before = everything(path)
    seen = peek(path)
    assert state_of(seen) == state_of(opened(path).history)
    assert everything(path) == before
