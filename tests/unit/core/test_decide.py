"""What to do next with a unit."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rpa.core.decide import Act, decide
from rpa.core.fold import UnitView
from rpa.core.record import Record
from rpa.core.states import Event, Status
from tests.unit.core.story import IDENTITY, UNIT, of_submit, record, told

E = Event
OLD, NEW, NEWER = {"title": "红", "price": "19.9"}, {"title": "蓝"}, {"title": "绿"}
LANDED = (of_submit(E.ARMED, arguments=OLD), of_submit(E.RELEASED), of_submit(E.ACCEPTED))
CHANGED = (*LANDED, record(E.CHANGED, data={"arguments": NEW}))


def view(*events: Event | Record) -> UnitView:
    return told(*events).units[UNIT]


def test_a_unit_never_heard_of_is_done() -> None:
    assert decide(None, NEW) is Act.DO


@pytest.mark.parametrize(
    ("events", "act"),
    [
        ((), Act.DO),  # L01: nothing is skipped because it was once begun
        ((record(E.FINISHED, data={"state": "selected"}),), Act.DO),
        ((record(E.FINISHED, data={"state": "filled"}),), Act.DO),
        ((record(E.FAILED),), Act.DO),
        ((E.ARMED,), Act.RECORD_RESTART),  # D17, U12: never back to pending
        ((E.ARMED, E.RELEASED), Act.RECORD_RESTART),
        ((E.ARMED, E.RESTARTED), Act.PROBE),
        ((E.ARMED, E.RELEASED, E.LOST), Act.PROBE),
        ((E.ARMED, E.RELEASED, E.LOST, E.INCONCLUSIVE), Act.PROBE),
        ((E.ARMED, E.RELEASED, E.LOST, E.PARTLY), Act.HOLD),
        ((E.FOUND,), Act.HOLD),
        ((E.ARMED, E.LOST, E.CONFIRMED_NOT_LANDED, E.LANDED), Act.HOLD),
        ((E.ARMED, E.LOST, E.CONFIRMED_NOT_LANDED), Act.DO),
        ((E.ARMED, E.LOST, E.ABSENT), Act.DO),
        ((E.ARMED, E.NOT_SENT), Act.DO),
        ((E.ARMED, E.RELEASED, E.REFUSED), Act.DO),
        ((E.ARMED, E.RELEASED, E.REJECTED), Act.HOLD),
        ((E.ARMED, E.LOST, E.LANDED), Act.SKIP),
        ((of_submit(E.ARMED, final=False), E.RELEASED, E.ACCEPTED), Act.DO),
        ((record(E.SKIPPED),), Act.SKIP),
        ((E.ARMED, E.LOST, record(E.SKIPPED)), Act.SKIP),
        ((E.ARMED, E.LOST, record(E.SKIPPED), record(E.REQUEUED)), Act.PROBE),
        ((record(E.FAILED), record(E.EXHAUSTED)), Act.HOLD),
        ((record(E.FAILED), record(E.EXHAUSTED), record(E.REQUEUED)), Act.DO),
    ],
)
def test_act(events: tuple[Event | Record, ...], act: Act) -> None:
    assert decide(view(*events)) is act


def test_three_attempts_and_it_is_buried() -> None:
    events: list[Event | Record] = []
    for attempt in (2, 3):
        events += [record(E.FAILED, attempt=attempt - 1), record(E.STARTED, attempt=attempt)]
        assert decide(view(*events)) is Act.DO
    events.append(record(E.FAILED, attempt=3))
    assert decide(view(*events)) is Act.BURY
    assert decide(view(*events), max_attempts=4) is Act.DO
    events += [record(E.EXHAUSTED), record(E.REQUEUED)]
    assert decide(view(*events)) is Act.DO


def test_a_landed_unit_is_skipped_while_its_row_says_the_same() -> None:
    landed = view(*LANDED)
    assert decide(landed, OLD) is Act.SKIP
    assert decide(landed, {"price": Decimal("19.90"), "title": "红"}) is Act.SKIP
    assert decide(landed, None) is Act.SKIP  # its row is gone
    assert decide(landed, NEW) is Act.RECORD_CHANGE
    assert decide(view(E.ARMED, E.RELEASED, E.ACCEPTED), NEW) is Act.SKIP  # nothing to compare


def test_a_changed_unit_waits_for_a_person_unless_its_row_moves() -> None:
    changed = view(*CHANGED)
    assert decide(changed, NEW) is Act.HOLD
    assert decide(changed, None) is Act.HOLD
    assert decide(changed, OLD) is Act.RECORD_RESTORED
    assert decide(changed, NEWER) is Act.RECORD_CHANGE


def test_an_adopted_change_is_what_counts_from_then_on() -> None:
    adopted = view(*CHANGED, record(E.ADOPTED))
    assert decide(adopted, NEW) is Act.SKIP
    assert decide(adopted, OLD) is Act.RECORD_CHANGE


def test_doubt_without_a_step_is_held() -> None:
    """No fold leaves one so; were there one, nobody may act on it."""
    assert decide(UnitView(UNIT, IDENTITY, status=Status.UNKNOWN)) is Act.HOLD
