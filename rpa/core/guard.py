"""Guard: what an event must satisfy besides the tables; every check comes before any change.

The tables know states. They cannot know which attempt a writer belongs to, which of several
requests it speaks of, or what other steps of the unit are up to; this file does.
"""

from __future__ import annotations

from typing import Final

from rpa.core.record import Record
from rpa.core.states import Event, SubmitState
from rpa.core.view import StepView, UnitView
from rpa.errors import IllegalTransition

__all__ = ["SIGHTINGS", "check_submit", "check_unit"]

SIGHTINGS: Final = frozenset({Event.LANDED, Event.ALTERED, Event.MULTIPLE, Event.PARTLY})
"""Verdicts that say something of ours is there."""

_VERDICTS = SIGHTINGS | {Event.ABSENT, Event.INCONCLUSIVE}
_OF_AN_ATTEMPT = frozenset({Event.STARTED, Event.FINISHED, Event.FAILED, Event.COMPLETED})
_SETTLED = (SubmitState.READY, SubmitState.REFUSED)
_IN_HAND = (SubmitState.ARMED, SubmitState.RELEASED)


def check_unit(unit: UnitView, record: Record) -> None:
    """Refuse an event of the unit that is stale or lacks what it must carry.

    Raises:
        IllegalTransition: It does.
    """
    event = record.event
    begins = event is Event.STARTED and not record.step
    if event in _OF_AN_ATTEMPT and record.attempt < unit.attempt + begins:
        raise _stale(record, unit.attempt)
    if event is Event.CHANGED and not isinstance(record.data.get("arguments"), dict):
        raise IllegalTransition(f"unit {unit.key}: {event} must carry the row's arguments")


def check_submit(unit: UnitView, step: StepView, record: Record) -> None:
    """Refuse an event of a submit step that the tables alone would let through.

    Raises:
        IllegalTransition: A stale attempt, a request armed or released twice, a verdict about
            something never armed, doubt about nothing, or a second step while another is open.
    """
    event = record.event
    for other in (unit.doubtful, unit.in_flight):
        if other is not None and other is not step:
            raise IllegalTransition(
                f"unit {unit.key}: {other.name} is {other.state}; settle it before {step.name}"
            )
    if event in _VERDICTS and step.first is None:
        raise IllegalTransition(f"{step.name} was never armed, so there is nothing to judge")
    if event is Event.INCONCLUSIVE and step.state in _SETTLED and not record.data.get("records"):
        raise IllegalTransition(f"{step.name} is {step.state}; only a record can bring doubt back")
    _check_attempt(unit, step, record)
    if event is Event.ARMED:
        _check_arming(step, record)
    elif event is Event.RELEASED:
        request = record.data.get("request")
        if request not in step.armed or request in step.released:
            raise IllegalTransition(f"request {request} of {step.name} may not be released")


def _check_attempt(unit: UnitView, step: StepView, record: Record) -> None:
    """Arming is the unit's attempt; everything after is of the attempt that armed it."""
    arming = record.event is Event.ARMED
    last = unit.attempt if arming else step.attempt
    if (arming or step.first is not None) and record.attempt != last:
        raise _stale(record, last)


def _check_arming(step: StepView, record: Record) -> None:
    request = record.data.get("request")
    if not isinstance(request, str):
        raise IllegalTransition(f"arming {step.name} must name the request")
    if step.state in _IN_HAND and request in step.armed:
        raise IllegalTransition(f"request {request} of {step.name} is already armed")


def _stale(record: Record, last: int) -> IllegalTransition:
    what = f"{record.event} of {record.step or 'the unit'}"
    return IllegalTransition(
        f"{what} speaks of attempt {record.attempt}; the last one is attempt {last}"
    )
