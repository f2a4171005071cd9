"""The witnesses themselves: each must be able to accuse."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from rpa.core.states import Event
from rpa.journal import MemoryJournal
from rpa.journal.testing import FaultyFiles, OrderMonitor, OrderViolation, WatchedFiles
from tests.support.journals import flying, landing, opened, record, submit


def started(journal: MemoryJournal | None = None) -> OrderMonitor:
    monitor = OrderMonitor(journal or MemoryJournal())
    monitor.append(record("1", Event.STARTED))
    return monitor


def test_a_whole_landing_is_in_order(tmp_path: Path) -> None:
    files = WatchedFiles()
    monitor = OrderMonitor(opened(tmp_path / "a.jsonl", files=files), files)
    for each in landing("1"):
        assert monitor.append(each).event is each.event
    assert monitor.refresh() is monitor.history
    monitor.close()


def test_a_release_without_arming_is_seen() -> None:
    monitor = started()
    with pytest.raises(OrderViolation, match="released without an arming"):
        monitor.append(submit("1", Event.RELEASED))


@pytest.mark.parametrize(("attempt", "request_"), [(2, "create"), (1, "upload")])
def test_a_release_of_another_attempt_or_request_is_seen(attempt: int, request_: str) -> None:
    monitor = started()
    monitor.append(submit("1", Event.ARMED))
    with pytest.raises(OrderViolation, match="released without an arming"):
        monitor.append(submit("1", Event.RELEASED, attempt, request=request_))


def test_an_arming_by_another_process_does_not_cover_our_release() -> None:
    journal = MemoryJournal()
    started(journal).append(submit("1", Event.ARMED))
    with pytest.raises(OrderViolation):
        OrderMonitor(journal).append(submit("1", Event.RELEASED))


@pytest.mark.parametrize("again", [False, True], ids=["same process", "next process"])
def test_arming_after_a_release_without_proof_is_seen(again: bool) -> None:
    journal = MemoryJournal()
    monitor = started(journal)
    for each in (*flying("1"), submit("1", Event.LOST)):
        monitor.append(each)
    if again:
        monitor = OrderMonitor(journal)
    with pytest.raises(OrderViolation, match="nothing shows that it did not land"):
        monitor.append(submit("1", Event.ARMED, 2))


@pytest.mark.parametrize("again", [False, True], ids=["same process", "next process"])
@pytest.mark.parametrize("proof", [Event.REFUSED, Event.CONFIRMED_NOT_LANDED, Event.ABSENT])
def test_arming_after_proof_is_in_order(proof: Event, again: bool) -> None:
    journal = MemoryJournal()
    monitor = started(journal)
    for each in flying("1"):
        monitor.append(each)
    if proof is not Event.REFUSED:
        monitor.append(submit("1", Event.LOST))
    monitor.append(submit("1", proof))
    if again:
        monitor = OrderMonitor(journal)
    monitor.append(record("1", Event.STARTED, 2))
    monitor.append(submit("1", Event.ARMED, 2))
    monitor.append(submit("1", Event.RELEASED, 2))


class Forgetful(WatchedFiles):
    """A disk whose fsync does nothing."""

    def fsync(self, fd: int) -> None:
        return


def test_a_journal_that_returns_before_the_disk_is_seen(tmp_path: Path) -> None:
    files = Forgetful()
    monitor = OrderMonitor(opened(tmp_path / "a.jsonl", files=files), files)
    monitor.append(record("1", Event.STARTED))
    with pytest.raises(OrderViolation, match="before this was on disk"):
        monitor.append(submit("1", Event.ARMED))


@pytest.mark.parametrize(("forever", "fails"), [(False, [2]), (True, [2, 3, 4])])
def test_the_nth_write_fails(tmp_path: Path, forever: bool, fails: list[int]) -> None:
    files = FaultyFiles(2, number=errno.EIO, forever=forever)
    failed = []
    for nth in (1, 2, 3, 4):
        assert files.fired == (nth > 2)
        try:
            files.write_new(tmp_path / f"{nth}", b"whole")
        except OSError as error:
            assert error.errno == errno.EIO  # noqa: PT017  # which calls fail is the point
            failed.append(nth)
    assert failed == fails
    assert files.calls == 4


def test_a_short_write_takes_half(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="only 5 of 10 bytes"):
        FaultyFiles(1, short=True).write_new(tmp_path / "a", b"0123456789")
    assert (tmp_path / "a").read_bytes() == b"01234"
