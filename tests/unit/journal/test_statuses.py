"""Counting units by status without reading them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpa.core.states import Event, Status
from rpa.journal import compact, peek
from rpa.journal.units import SnapshotUnits, statuses
from tests.support.journals import at_noon, flying, opened, record, submit, write

EXPECTED = {
    "landed": Status.SUBMITTED,
    '"status":"dead"': Status.SUBMITTED,
    "长" * 60: Status.SUBMITTED,
    "unknown": Status.UNKNOWN,
    "new": Status.PENDING,
    "later": Status.SKIPPED,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A compacted journal, and one unit that moved since."""
    path = tmp_path / "店铺.jsonl"
    journal = opened(path)
    write(journal, "landed", '"status":"dead"', "长" * 60)
    journal.append(record("unknown", Event.STARTED))
    for each in (*flying("unknown"), submit("unknown", Event.LOST, since=5.0)):
        journal.append(each)
    for unit in ("new", "later"):
        journal.append(record(unit, Event.STARTED))
    journal.close()
    compact(path, clock=at_noon)
    journal = opened(path)
    journal.append(record("later", Event.SKIPPED, data={"by": "王"}))
    journal.close()
    return path


def test_statuses_are_those_of_the_units(path: Path) -> None:
    units = peek(path).units
    assert isinstance(units, SnapshotUnits)
    assert dict(statuses(units)) == EXPECTED
    assert {key: unit.status for key, unit in units.items()} == EXPECTED


def test_a_journal_without_a_snapshot_is_counted_alike(tmp_path: Path) -> None:
    journal = opened(tmp_path / "s.jsonl")
    write(journal, "landed")
    assert dict(statuses(journal.history.units)) == {"landed": Status.SUBMITTED}
    journal.close()


def test_counting_does_not_read_units_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    units = peek(path).units
    assert isinstance(units, SnapshotUnits)
    plain = [key for key in EXPECTED if len(key) < 20 and '"' not in key and key != "later"]
    lengths: list[int] = []
    read = units._file.read

    def counted(start: int, length: int) -> bytes:
        lengths.append(length)
        return read(start, length)

    monkeypatch.setattr(units._file, "read", counted)
    assert [units.status(key) for key in plain] == [EXPECTED[key] for key in plain]
    assert lengths
    assert max(lengths) <= 128
