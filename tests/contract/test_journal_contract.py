"""What every journal promises, whatever it keeps its records in.

A new kind of journal joins by adding its way of opening to `OPENERS`, and to `SHARED` if two
openings of it see one set of records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rpa.core.states import Event, Status, SubmitState
from rpa.errors import Conflict, JournalUnwritable
from rpa.journal import Journal, MemoryJournal
from tests.support.journals import (
    STEP,
    at_noon,
    flying,
    landing,
    opened,
    record,
    state_of,
    submit,
    write,
)

Opener = Callable[[], Journal]

OPENERS: dict[str, Callable[[Path], Journal]] = {
    "memory": lambda root: MemoryJournal(clock=at_noon),
    "jsonl": lambda root: opened(root / "店铺一.jsonl", shop="shop-1"),
}
SHARED = [kind for kind in OPENERS if kind != "memory"]


def _opener(kind: str, root: Path) -> Iterator[Opener]:
    journals: list[Journal] = []

    def open_one() -> Journal:
        journals.append(OPENERS[kind](root))
        return journals[-1]

    yield open_one
    for journal in journals:
        journal.close()


@pytest.fixture(params=OPENERS)
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    for opener in _opener(request.param, tmp_path):
        yield opener()


@pytest.fixture(params=SHARED)
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    yield from _opener(request.param, tmp_path)


def test_a_new_journal_knows_nothing(journal: Journal) -> None:
    assert not journal.history.units
    assert journal.history.seq == 0


def test_append_numbers_and_dates(journal: Journal) -> None:
    written = [journal.append(each) for each in landing("1")]
    assert [each.seq for each in written] == [1, 2, 3, 4, 5, 6, 7]
    assert {each.time for each in written} == {"2025-11-30T12:00:00.000Z"}
    assert journal.history.seq == 7


def test_append_folds(journal: Journal) -> None:
    write(journal, "1")
    unit = journal.history.units["1"]
    assert unit.status is Status.SUBMITTED
    assert unit.identity == {"sku": "红色T恤-1"}
    assert unit.submits[STEP].result == {"record": "商品-1"}


def test_a_number_or_time_of_the_caller_is_not_believed(journal: Journal) -> None:
    written = journal.append(record("1", Event.STARTED, seq=99, time="yesterday"))
    assert (written.seq, written.time) == (1, "2025-11-30T12:00:00.000Z")


def test_append_returns_what_reading_would(journal: Journal) -> None:
    sent = record("1", Event.STARTED, data={"pair": (1, 2), "中": {3: "三"}}, evidence=("a.jpg",))
    written = journal.append(sent)
    assert written.data == {"pair": [1, 2], "中": {"3": "三"}}
    assert written.evidence == ("a.jpg",)


def test_an_event_the_table_forbids_is_a_conflict_and_changes_nothing(journal: Journal) -> None:
    write(journal, "1")
    before = state_of(journal.history)
    with pytest.raises(Conflict, match=r"armed of unit 1 was not written: .*landed"):
        journal.append(submit("1", Event.ARMED, attempt=2))
    assert state_of(journal.history) == before
    assert journal.append(record("2", Event.STARTED)).seq == 8


def test_a_second_release_of_one_request_is_a_conflict(journal: Journal) -> None:
    journal.append(record("1", Event.STARTED))
    for each in flying("1"):
        journal.append(each)
    with pytest.raises(Conflict, match="create"):
        journal.append(submit("1", Event.RELEASED))
    assert journal.history.units["1"].submits[STEP].state is SubmitState.RELEASED


def test_another_item_under_one_key_is_a_conflict(journal: Journal) -> None:
    write(journal, "1")
    with pytest.raises(Conflict, match="红色T恤-1"):
        journal.append(record("1", Event.CHANGED, identity={"sku": "蓝色"}))


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ({"price": object()}, TypeError),
        ({"picture": b"\xff"}, TypeError),
        ({"price": float("nan")}, ValueError),
        ({"text": "中" * 6_000_000}, ValueError),
    ],
    ids=["object", "bytes", "nan", "longer than a line may be"],
)
def test_what_json_cannot_hold_is_refused_and_changes_nothing(
    journal: Journal, data: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        journal.append(record("1", Event.STARTED, data=data))
    assert not journal.history.units
    assert journal.append(record("1", Event.STARTED)).seq == 1


def test_a_field_of_a_wrong_type_is_refused(journal: Journal) -> None:
    with pytest.raises(ValueError, match="attempt is 'one'"):
        journal.append(record("1", Event.STARTED, attempt="one"))  # type: ignore[arg-type]
    assert not journal.history.units


@pytest.mark.parametrize("text", ["a\nb\r\n", "\u2028\u2029\x85", "\ud83d", "\x00", "𠮷😀", '"\\'])
def test_any_text_a_page_can_hold_comes_back(journal: Journal, text: str) -> None:
    written = journal.append(record("1", Event.STARTED, data={"text": text}))
    assert written.data["text"] == text


def test_a_closed_journal_takes_nothing(journal: Journal) -> None:
    journal.append(record("1", Event.STARTED))
    journal.close()
    journal.close()
    with pytest.raises(JournalUnwritable, match="closed"):
        journal.append(record("2", Event.STARTED))


def test_order_of_records_decides_and_not_their_time(tmp_path: Path) -> None:
    """J09: the clock steps back between a doubt and its verdict."""
    times = iter([2000.0, 2001.0, 2002.0, 2003.0, 1000.0, 999.0])
    journal = MemoryJournal(clock=lambda: next(times))
    journal.append(record("1", Event.STARTED))
    for each in flying("1"):
        journal.append(each)
    journal.append(submit("1", Event.LOST))
    late = journal.append(submit("1", Event.LANDED, result={"record": "7"}))
    assert late.time < journal.records[0].time
    assert journal.history.units["1"].status is Status.SUBMITTED


def test_what_was_appended_is_there_after_opening_again(shared: Opener) -> None:
    first = shared()
    write(first, "1", "2")
    first.append(record("3", Event.STARTED, data={"text": "\ud83d\u2028\n"}))
    before = state_of(first.history)
    first.close()
    assert state_of(shared().history) == before


def test_another_opening_sees_new_records_at_refresh(shared: Opener) -> None:
    mine, theirs = shared(), shared()
    write(theirs, "1")
    assert not mine.history.units
    assert mine.refresh().units["1"].status is Status.SUBMITTED
    assert mine.history.seq == 7


def test_append_meets_the_newest_state(shared: Opener) -> None:
    """J19: the writer that slept gets a conflict, and its record is nowhere."""
    stale, other = shared(), shared()
    stale.append(record("1", Event.STARTED))
    for each in flying("1"):
        stale.append(each)
    other.append(submit("1", Event.RESTARTED))
    other.append(submit("1", Event.CONFIRMED_NOT_LANDED, by="王", why="not in the list"))
    with pytest.raises(Conflict):
        stale.append(submit("1", Event.ACCEPTED, record="7"))
    assert stale.history.units["1"].status is Status.FAILED
    assert state_of(shared().history) == state_of(stale.history)


def test_a_person_may_confirm_while_a_run_is_on(shared: Opener) -> None:
    run, person = shared(), shared()
    run.append(record("1", Event.STARTED))
    for each in (*flying("1"), submit("1", Event.LOST)):
        run.append(each)
    person.append(submit("1", Event.CONFIRMED_LANDED, by="王", result={"record": "7"}))
    write(run, "2")
    assert run.history.units["1"].status is Status.SUBMITTED
    assert [run.history.seq, person.refresh().seq] == [12, 12]
