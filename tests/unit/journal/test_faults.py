"""The fault loop: the n-th write or fsync fails, for every n until none does.

Whatever fails, once or for ever, in whole or in half: what `append` returned is there, at most the
one record whose append raised is there besides, and going on leads to the same end as no fault.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rpa.core.fold import History
from rpa.core.record import Record
from rpa.core.states import Event
from rpa.errors import JournalUnwritable
from rpa.journal import Journal, check, compact, export
from rpa.journal.testing import Call, FaultyFiles
from tests.support.journals import at_noon, landing, opened, record, state_of

STORY = [each for unit in ("1", "2", "3") for each in landing(unit)]
FAULTS = [
    ("write", errno.ENOSPC, False, False),
    ("write", errno.EIO, True, False),
    ("write", errno.ENOSPC, False, True),
    ("write", errno.ENOSPC, True, True),
    ("fsync", errno.EIO, False, False),
    ("fsync", errno.ENOSPC, True, False),
]
NAMES = ["full once", "broken for ever", "short once", "short for ever", "fsync once", "no fsync"]
every_fault = pytest.mark.parametrize(("call", "number", "forever", "short"), FAULTS, ids=NAMES)


def faulty(nth: int, call: Call, number: int, forever: bool, short: bool) -> FaultyFiles:
    return FaultyFiles(nth, call, number, forever=forever, short=short)


@contextmanager
def may_fail(*whys: str) -> Iterator[None]:
    """Let the fault come out, in one of these words."""
    try:
        yield
    except JournalUnwritable as error:
        if not any(why in str(error) for why in whys):
            raise


def tell(journal: Journal) -> int:
    """Append what is not there yet; say how much is there."""
    for each in STORY[journal.history.seq :]:
        journal.append(each)
    return journal.history.seq


def told(count: int) -> dict[str, object]:
    """What the first records of the story come to."""
    numbered: list[Record] = []
    for seq, each in enumerate(STORY[:count], start=1):
        members = {name: getattr(each, name) for name in each.__slots__}
        numbered.append(Record(**{**members, "seq": seq}))
    return state_of(History(numbered))


def returned(path: Path, files: FaultyFiles) -> int:
    """Run into the fault; say how many appends returned before it."""
    journal = opened(path, files=files)
    count = 0
    try:
        for each in STORY:
            journal.append(each)
            count += 1
    except JournalUnwritable:
        with pytest.raises(JournalUnwritable, match="takes nothing more"):
            journal.append(record("9", Event.STARTED))
    return count


@every_fault
def test_the_nth_fault_of_a_run_loses_nothing(
    tmp_path: Path, call: Call, number: int, forever: bool, short: bool
) -> None:
    nth, fired = 0, True
    while fired:
        nth += 1
        path = tmp_path / str(nth) / "店铺.jsonl"
        files, count = faulty(nth, call, number, forever, short), 0
        with may_fail("cannot be begun"):
            count = returned(path, files)
        fired = files.fired

        again = opened(path)
        assert again.history.seq in (count, count + 1) if fired else (count,)
        assert state_of(again.history) == told(again.history.seq)
        assert tell(again) == len(STORY)
        assert state_of(opened(path).history) == told(len(STORY))
        assert check(path).sound
    assert nth > 5


@every_fault
def test_the_nth_fault_while_mending_loses_nothing(
    tmp_path: Path, call: Call, number: int, forever: bool, short: bool
) -> None:
    nth, fired = 0, True
    while fired:
        nth += 1
        path = tmp_path / str(nth) / "店铺.jsonl"
        first = opened(path)
        for each in STORY[:10]:
            first.append(each)
        with path.open("ab") as file:
            file.write('{"v":1,"seq":11,"unit":"中'.encode())
        files = faulty(nth, call, number, forever, short)
        with may_fail("torn tail cannot be cut"):
            opened(path, files=files)
        fired = files.fired
        again = opened(path)
        assert state_of(again.history) == told(10)
        assert tell(again) == len(STORY)
    assert nth > 2


@every_fault
def test_the_nth_fault_of_a_compaction_changes_nothing(
    tmp_path: Path, call: Call, number: int, forever: bool, short: bool
) -> None:
    nth, fired = 0, True
    while fired:
        nth += 1
        path = tmp_path / str(nth) / "店铺.jsonl"
        tell(opened(path))
        files = faulty(nth, call, number, forever, short)
        with may_fail("was not compacted", "cannot be locked"):
            assert compact(path, clock=at_noon, files=files).generation == 2
        fired = files.fired
        assert state_of(opened(path).history) == told(len(STORY))

        opened(path).append(record("4", Event.STARTED))
        assert compact(path, clock=at_noon).generation in (2, 3)
        assert [each.seq for each in export(path)] == list(range(1, len(STORY) + 2))
        assert check(path).sound
    assert nth > 2
