"""Every (state, event) pair of both tables, legal or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest

from rpa.core.states import (
    SUBMIT,
    UNIT,
    Event,
    Status,
    SubmitState,
    UnitEvent,
    advance_submit,
    advance_unit,
)
from rpa.errors import IllegalTransition

T = TypeVar("T")
E, S, U, P = Event, SubmitState, UnitEvent, Status

# Written out by hand from the design, so that a change of the table has to be made twice.
SUBMIT_LEGAL = {
    (S.READY, E.ARMED): (S.ARMED, U.ARMED),
    (S.READY, E.FOUND): (S.FOREIGN, U.HELD),
    (S.READY, E.LANDED): (S.LANDED, U.LANDED),
    (S.READY, E.ALTERED): (S.LANDED, U.LANDED),
    (S.READY, E.MULTIPLE): (S.LANDED, U.LANDED),
    (S.READY, E.PARTLY): (S.PARTLY, U.HELD),
    (S.READY, E.INCONCLUSIVE): (S.UNKNOWN, U.HELD),
    (S.ARMED, E.ARMED): (S.ARMED, None),
    (S.ARMED, E.NOT_SENT): (S.READY, U.NOT_LANDED),
    (S.ARMED, E.RELEASED): (S.RELEASED, None),
    (S.ARMED, E.LOST): (S.UNKNOWN, U.DOUBTED),
    (S.ARMED, E.AMBIGUOUS): (S.UNKNOWN, U.DOUBTED),
    (S.ARMED, E.RESTARTED): (S.UNKNOWN, U.DOUBTED),
    (S.RELEASED, E.RELEASED): (S.RELEASED, None),
    (S.RELEASED, E.ANSWERED): (S.RELEASED, None),
    (S.RELEASED, E.ACCEPTED): (S.LANDED, U.LANDED),
    (S.RELEASED, E.REFUSED): (S.REFUSED, U.NOT_LANDED),
    (S.RELEASED, E.REJECTED): (S.REFUSED, U.REJECTED),
    (S.RELEASED, E.LOST): (S.UNKNOWN, U.DOUBTED),
    (S.RELEASED, E.AMBIGUOUS): (S.UNKNOWN, U.DOUBTED),
    (S.RELEASED, E.RESTARTED): (S.UNKNOWN, U.DOUBTED),
    (S.UNKNOWN, E.LANDED): (S.LANDED, U.LANDED),
    (S.UNKNOWN, E.ALTERED): (S.LANDED, U.LANDED),
    (S.UNKNOWN, E.MULTIPLE): (S.LANDED, U.LANDED),
    (S.UNKNOWN, E.PARTLY): (S.PARTLY, U.HELD),
    (S.UNKNOWN, E.ABSENT): (S.READY, U.NOT_LANDED),
    (S.UNKNOWN, E.INCONCLUSIVE): (S.UNKNOWN, U.HELD),
    (S.UNKNOWN, E.CONFIRMED_LANDED): (S.LANDED, U.LANDED),
    (S.UNKNOWN, E.CONFIRMED_NOT_LANDED): (S.DENIED, U.NOT_LANDED),
    (S.REFUSED, E.ARMED): (S.ARMED, U.ARMED),
    (S.REFUSED, E.LANDED): (S.LANDED, U.LANDED),
    (S.REFUSED, E.ALTERED): (S.LANDED, U.LANDED),
    (S.REFUSED, E.MULTIPLE): (S.LANDED, U.LANDED),
    (S.REFUSED, E.PARTLY): (S.PARTLY, U.HELD),
    (S.REFUSED, E.INCONCLUSIVE): (S.UNKNOWN, U.HELD),
    (S.DENIED, E.ARMED): (S.ARMED, U.ARMED),
    (S.DENIED, E.LANDED): (S.CONTESTED, U.HELD),
    (S.DENIED, E.ALTERED): (S.CONTESTED, U.HELD),
    (S.DENIED, E.MULTIPLE): (S.CONTESTED, U.HELD),
    (S.DENIED, E.PARTLY): (S.CONTESTED, U.HELD),
    (S.PARTLY, E.LANDED): (S.LANDED, U.LANDED),
    (S.PARTLY, E.ALTERED): (S.LANDED, U.LANDED),
    (S.PARTLY, E.MULTIPLE): (S.LANDED, U.LANDED),
    (S.PARTLY, E.PARTLY): (S.PARTLY, U.HELD),
    (S.PARTLY, E.ABSENT): (S.READY, U.NOT_LANDED),
    (S.PARTLY, E.INCONCLUSIVE): (S.PARTLY, U.HELD),
    (S.PARTLY, E.CONFIRMED_LANDED): (S.LANDED, U.LANDED),
    (S.PARTLY, E.CONFIRMED_NOT_LANDED): (S.DENIED, U.NOT_LANDED),
    (S.FOREIGN, E.CONFIRMED_LANDED): (S.LANDED, U.LANDED),
    (S.FOREIGN, E.CONFIRMED_NOT_LANDED): (S.DENIED, U.NOT_LANDED),
    (S.CONTESTED, E.CONFIRMED_LANDED): (S.LANDED, U.LANDED),
    (S.CONTESTED, E.CONFIRMED_NOT_LANDED): (S.DENIED, U.NOT_LANDED),
}
_PREPARING = {
    (status, event): became
    for status in (P.PENDING, P.SELECTED, P.FILLED)
    for event, became in (
        (U.BEGAN, P.PENDING),
        (U.SELECTED, P.SELECTED),
        (U.FILLED, P.FILLED),
        (U.FAILED, P.FAILED),
        (U.DIED, P.DEAD),
        (U.ARMED, P.SUBMITTING),
        (U.COMPLETED, P.SUBMITTED),
        (U.SKIPPED, P.SKIPPED),
        (U.HELD, P.UNKNOWN),
        (U.LANDED, P.SUBMITTED),
        (U.STEP_LANDED, P.PENDING),
    )
}
UNIT_LEGAL = {
    **_PREPARING,
    (P.FAILED, U.BEGAN): P.PENDING,
    (P.FAILED, U.DIED): P.DEAD,
    (P.FAILED, U.SKIPPED): P.SKIPPED,
    (P.FAILED, U.REQUEUED): P.PENDING,
    (P.FAILED, U.HELD): P.UNKNOWN,
    (P.FAILED, U.LANDED): P.SUBMITTED,
    (P.FAILED, U.STEP_LANDED): P.PENDING,
    (P.SUBMITTING, U.NOT_LANDED): P.FAILED,
    (P.SUBMITTING, U.REJECTED): P.DEAD,
    (P.SUBMITTING, U.DOUBTED): P.UNKNOWN,
    (P.SUBMITTING, U.LANDED): P.SUBMITTED,
    (P.SUBMITTING, U.STEP_LANDED): P.PENDING,
    (P.UNKNOWN, U.HELD): P.UNKNOWN,
    (P.UNKNOWN, U.NOT_LANDED): P.FAILED,
    (P.UNKNOWN, U.LANDED): P.SUBMITTED,
    (P.UNKNOWN, U.STEP_LANDED): P.PENDING,
    (P.UNKNOWN, U.SKIPPED): P.SKIPPED,
    (P.UNKNOWN, U.REQUEUED_IN_DOUBT): P.UNKNOWN,
    (P.DEAD, U.REQUEUED): P.PENDING,
    (P.DEAD, U.SKIPPED): P.SKIPPED,
    (P.DEAD, U.HELD): P.UNKNOWN,
    (P.DEAD, U.LANDED): P.SUBMITTED,
    (P.DEAD, U.STEP_LANDED): P.DEAD,
    (P.SKIPPED, U.REQUEUED): P.PENDING,
    (P.SKIPPED, U.REQUEUED_IN_DOUBT): P.UNKNOWN,
    (P.SUBMITTED, U.CHANGED): P.CHANGED,
    (P.CHANGED, U.CHANGED): P.CHANGED,
    (P.CHANGED, U.RESTORED): P.SUBMITTED,
    (P.CHANGED, U.ADOPTED): P.SUBMITTED,
}


@pytest.mark.parametrize("event", Event)
@pytest.mark.parametrize("state", SubmitState)
def test_submit_pair(state: SubmitState, event: Event) -> None:
    if (state, event) in SUBMIT_LEGAL:
        assert advance_submit(state, event) == SUBMIT_LEGAL[state, event]
    else:
        with pytest.raises(IllegalTransition, match=f"{state} cannot have {event}"):
            advance_submit(state, event)


@pytest.mark.parametrize("event", UnitEvent)
@pytest.mark.parametrize("status", Status)
def test_unit_pair(status: Status, event: UnitEvent) -> None:
    if (status, event) in UNIT_LEGAL:
        assert advance_unit(status, event) == UNIT_LEGAL[status, event]
    else:
        with pytest.raises(IllegalTransition, match=f"{status} cannot be {event}"):
            advance_unit(status, event)


def _reachable(start: T, edges: dict[T, set[T]]) -> set[T]:
    seen, todo = {start}, [start]
    while todo:
        for after in edges[todo.pop()] - seen:
            seen.add(after)
            todo.append(after)
    return seen


def _submit_edges() -> dict[SubmitState, set[SubmitState]]:
    return {state: {became for became, _ in row.values()} for state, row in SUBMIT.items()}


def _unit_edges() -> dict[Status, set[Status]]:
    return {status: set(row.values()) for status, row in UNIT.items()}


def test_every_state_can_be_reached() -> None:
    assert _reachable(SubmitState.READY, _submit_edges()) == set(SubmitState)
    assert _reachable(Status.PENDING, _unit_edges()) == set(Status)


def test_no_dead_end_but_landed() -> None:
    ends = {state for state, after in _submit_edges().items() if not after}
    assert ends == {SubmitState.LANDED}
    for state in SubmitState:
        assert SubmitState.LANDED in _reachable(state, _submit_edges()), state
    for status in Status:
        assert Status.SUBMITTED in _reachable(status, _unit_edges()), status


def test_every_event_has_a_place() -> None:
    placed = {event for row in SUBMIT.values() for event in row}
    of_the_unit = {
        *(Event.STARTED, Event.FINISHED, Event.FAILED, Event.COMPLETED, Event.EXHAUSTED),
        *(Event.CHANGED, Event.RESTORED, Event.ADOPTED, Event.SKIPPED, Event.REQUEUED),
    }
    assert placed | of_the_unit == set(Event)
    assert not placed & of_the_unit
    assert {event for row in UNIT.values() for event in row} == set(UnitEvent)


def _coupled() -> Iterable[UnitEvent]:
    return {moved for row in SUBMIT.values() for _, moved in row.values() if moved is not None}


def test_what_a_plain_failure_cannot_do() -> None:
    """A submitting or doubtful unit is moved by its submit, by a verdict or by a person only."""
    persons = {UnitEvent.SKIPPED, UnitEvent.REQUEUED_IN_DOUBT}
    for status in (Status.SUBMITTING, Status.UNKNOWN):
        assert set(UNIT[status]) <= {*_coupled(), UnitEvent.STEP_LANDED, *persons}
