"""Fold: from records to what is true now.

`History.apply` checks an event against the tables before it changes anything, so a journal that
applies an event before writing it can never write an illegal one. A history is one shop's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rpa.core.record import Record
from rpa.core.states import (
    SUBMIT,
    Event,
    Status,
    SubmitState,
    UnitEvent,
    advance_submit,
    advance_unit,
)
from rpa.errors import IllegalTransition

__all__ = ["History", "StepView", "UnitView"]

_SUBMIT_EVENTS = frozenset(event for row in SUBMIT.values() for event in row)
_UNIT_EVENTS = {
    Event.STARTED: UnitEvent.BEGAN,
    Event.EXHAUSTED: UnitEvent.DIED,
    Event.COMPLETED: UnitEvent.COMPLETED,
    Event.CHANGED: UnitEvent.CHANGED,
    Event.RESTORED: UnitEvent.RESTORED,
    Event.ADOPTED: UnitEvent.ADOPTED,
    Event.SKIPPED: UnitEvent.SKIPPED,
}
_PREPARED = {"selected": UnitEvent.SELECTED, "filled": UnitEvent.FILLED}
_HELD_STATES = {
    SubmitState.PARTLY: "landed partly",
    SubmitState.FOREIGN: "the shop already shows this key, and no attempt of ours explains it",
    SubmitState.CONTESTED: "it was confirmed as not landed, and now the shop shows it",
}


@dataclass(slots=True)
class StepView:
    """What is known about one submit step.

    Attributes:
        state: Where its machine stands.
        attempt: The attempt that armed it last; 0 if it was never armed.
        first: Payload of its first armed record; verdicts use only this baseline.
        last: Payload of its last armed record; verdicts compare with these arguments.
        armed: Declared requests armed in this attempt.
        released: Declared requests released in this attempt.
        result: The landing's payload (record ids); empty until it landed.
        since: Wall-clock seconds at which the last attempt was known to be over.
        absent_at: Wall-clock seconds of a first clean reading that found nothing.
    """

    name: str
    state: SubmitState = SubmitState.READY
    attempt: int = 0
    first: Mapping[str, Any] | None = None
    last: Mapping[str, Any] | None = None
    armed: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)
    since: float | None = None
    absent_at: float | None = None


@dataclass(slots=True)
class UnitView:
    """What is known about one unit.

    Attributes:
        status: In the words people see.
        attempts: Attempts begun since the unit was new or requeued.
        held: Why it waits for a person; empty if it does not.
        submits: Its submit steps, by step key.
        results: Journaled results of finished read and prepare steps, by step key.
        finished: Step keys finished since the last landing or attempt, in order.
        settled: Step keys finished before a landing: never done again.
        arguments: Arguments of the last landing, or those a person accepted since.
        proposed: For a changed unit, the arguments its row has now.
        error: The last failure.
        evidence: Evidence files, oldest first.
    """

    key: str
    identity: Mapping[str, str]
    edition: str = ""
    flow: str = ""
    run: str = ""
    status: Status = Status.PENDING
    attempts: int = 0
    held: str = ""
    submits: dict[str, StepView] = field(default_factory=dict)
    results: dict[str, Any] = field(default_factory=dict)
    finished: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    arguments: Mapping[str, Any] | None = None
    proposed: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None
    evidence: tuple[str, ...] = ()

    @property
    def doubtful(self) -> StepView | None:
        """The step a probe or a person has to settle, if there is one."""
        open_states = (SubmitState.UNKNOWN, *_HELD_STATES)
        return next((step for step in self.submits.values() if step.state in open_states), None)

    @property
    def in_flight(self) -> StepView | None:
        """The step that is armed or released, if there is one."""
        flying = (SubmitState.ARMED, SubmitState.RELEASED)
        return next((step for step in self.submits.values() if step.state in flying), None)


class History:
    """All units of one shop's journal."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.units: dict[str, UnitView] = {}
        self.seq = 0
        for record in records:
            self.apply(record)

    def apply(self, record: Record) -> UnitView:
        """Take one record in.

        Raises:
            IllegalTransition: The tables do not allow it; nothing was changed.
        """
        unit = self.units.get(record.unit)
        if unit is None:
            unit = UnitView(record.unit, record.identity, record.edition)
        if unit.identity != record.identity:
            raise IllegalTransition(
                f"key {record.unit} means {dict(unit.identity)}, not {dict(record.identity)}"
            )
        if record.event in _SUBMIT_EVENTS:
            _apply_submit(unit, record)
        else:
            _apply_unit(unit, record)
        unit.flow, unit.run = record.flow or unit.flow, record.run or unit.run
        unit.evidence += record.evidence
        unit.error = record.error if record.error is not None else unit.error
        self.units[record.unit] = unit
        self.seq = max(self.seq, record.seq)
        return unit


def _apply_unit(unit: UnitView, record: Record) -> None:
    event = record.event
    if event is Event.FAILED:
        moved: UnitEvent | None = (
            UnitEvent.DIED if record.data.get("permanent") else UnitEvent.FAILED
        )
    elif event is Event.FINISHED:
        moved = _PREPARED.get(record.data.get("state", ""))
    elif event is Event.REQUEUED:
        moved = UnitEvent.REQUEUED_IN_DOUBT if unit.doubtful else UnitEvent.REQUEUED
    elif event is Event.STARTED and record.step:
        moved = None  # a step began; only an attempt's beginning moves the unit
    else:
        moved = _UNIT_EVENTS[event]
    status = advance_unit(unit.status, moved) if moved else unit.status
    unit.status = status
    if event is Event.STARTED and not record.step:
        unit.attempts += 1
        unit.held, unit.finished = "", ()
    elif event is Event.FINISHED:
        if record.step_key not in unit.submits:
            unit.finished += (record.step_key,)
            unit.results[record.step_key] = record.data.get("result")
    elif event is Event.REQUEUED:
        unit.attempts, unit.held, unit.error = 0, "", None
    elif event in (Event.CHANGED, Event.RESTORED, Event.ADOPTED):
        _apply_change(unit, record)


def _apply_change(unit: UnitView, record: Record) -> None:
    if record.event is Event.CHANGED:
        unit.proposed = record.data["arguments"]
        return
    if record.event is Event.ADOPTED:
        unit.arguments = unit.proposed
    unit.proposed = None


def _apply_submit(unit: UnitView, record: Record) -> None:
    event = record.event
    step = unit.submits.get(record.step_key) or StepView(record.step)
    state, moved = advance_submit(step.state, event)
    _check_requests(step, record)
    if moved is UnitEvent.LANDED and not (step.last or {}).get("final", True):
        moved = UnitEvent.STEP_LANDED
    status = advance_unit(unit.status, moved) if moved else unit.status
    unit.submits[record.step_key] = step
    step.state, unit.status = state, status
    if event is Event.ARMED:
        _arm(step, record)
    elif event is Event.RELEASED:
        step.released += (record.data["request"],)
    step.since = record.data.get("since", step.since)
    step.absent_at = record.data.get("absent_at", step.absent_at)
    unit.held = _held(state, moved, record)
    if state is SubmitState.LANDED:
        step.result = record.data.get("result", {})
        unit.settled, unit.finished = unit.settled + unit.finished, ()
        unit.arguments = (step.last or {}).get("arguments", unit.arguments)


def _check_requests(step: StepView, record: Record) -> None:
    """Refuse a second arming or release of one declared request, and a stale attempt."""
    event, request = record.event, record.data.get("request")
    again = step.state in (SubmitState.ARMED, SubmitState.RELEASED)
    if event is Event.ARMED and again and request in step.armed:
        raise IllegalTransition(f"request {request} of {record.step} is already armed")
    if event is Event.RELEASED and (request in step.released or request not in step.armed):
        raise IllegalTransition(f"request {request} of {record.step} may not be released")
    if step.attempt and record.attempt < step.attempt:
        raise IllegalTransition(
            f"attempt {record.attempt} of {record.step} is over; {step.attempt} is the last"
        )


def _arm(step: StepView, record: Record) -> None:
    if record.attempt != step.attempt:
        step.armed, step.released, step.since, step.absent_at = (), (), None, None
    step.attempt = record.attempt
    step.armed += (record.data["request"],)
    step.last = record.data
    step.first = step.first or record.data


def _held(state: SubmitState, moved: UnitEvent | None, record: Record) -> str:
    if state in _HELD_STATES:
        return str(record.data.get("why") or _HELD_STATES[state])
    if state is SubmitState.UNKNOWN and moved is UnitEvent.HELD:
        return str(record.data.get("why") or "the probe could not decide")
    return ""
