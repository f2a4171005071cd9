"""Fold: from records to what is true now.

`History.apply` checks an event against the tables and `guard` before it changes anything, so a
journal that applies an event before writing it can never write an illegal one. A history is one
shop's.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping

from rpa.core.guard import SIGHTINGS, check_submit, check_unit
from rpa.core.record import Record
from rpa.core.states import (
    SUBMIT,
    UNIT,
    Event,
    SubmitState,
    UnitEvent,
    advance_submit,
    advance_unit,
)
from rpa.core.view import HELD, StepView, UnitView
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


class History:
    """All units of one shop's journal.

    Args:
        records: What happened, oldest first.
        units: What an earlier fold found, for a journal that continues from a snapshot; may
            read each unit only when it is asked for.
        seq: The last record that `units` contains.
    """

    def __init__(
        self,
        records: Iterable[Record] = (),
        units: MutableMapping[str, UnitView] | None = None,
        seq: int = 0,
    ) -> None:
        self.units: MutableMapping[str, UnitView] = {} if units is None else units
        self.seq = seq
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


def _moved(unit: UnitView, record: Record) -> UnitEvent | None:
    """Say what a record of the unit means for its status; None if nothing."""
    match record.event:
        case Event.FAILED if record.step_key in unit.submits and _settles_itself(unit):
            return None  # the submit's own outcome record has moved the unit already
        case Event.FAILED:
            return UnitEvent.DIED if record.data.get("permanent") else UnitEvent.FAILED
        case Event.FINISHED:
            return _PREPARED.get(record.data.get("state", ""))
        case Event.REQUEUED:
            return UnitEvent.REQUEUED_IN_DOUBT if unit.doubtful else UnitEvent.REQUEUED
        case Event.STARTED if record.step:
            return None  # a step began; only an attempt's beginning moves the unit
        case event:
            return _UNIT_EVENTS[event]


def _settles_itself(unit: UnitView) -> bool:
    return UnitEvent.FAILED not in UNIT[unit.status]


def _apply_unit(unit: UnitView, record: Record) -> None:
    event, moved = record.event, _moved(unit, record)
    status = advance_unit(unit.status, moved) if moved else unit.status
    check_unit(unit, record)
    unit.status = status
    if event is Event.STARTED and not record.step:
        unit.attempt = record.attempt
        unit.attempts += 1
        unit.held, unit.finished = "", ()
    elif event is Event.FINISHED:
        if record.step_key not in unit.submits:
            unit.finished += (record.step_key,)
            unit.results[record.step_key] = record.data.get("result")
    elif event is Event.REQUEUED:
        # A doubt that only a person can settle stays one, whoever asks for another look.
        unit.held = HELD.get(unit.doubtful.state, "") if unit.doubtful else ""
        unit.attempts, unit.error = 0, None
    elif event is Event.SKIPPED:
        unit.held = ""
    elif event in (Event.CHANGED, Event.RESTORED, Event.ADOPTED):
        _apply_change(unit, record)


def _apply_change(unit: UnitView, record: Record) -> None:
    if record.event is Event.CHANGED:
        unit.proposed = record.data["arguments"]
        unit.held = "its row has changed since it landed"
        return
    if record.event is Event.ADOPTED:
        unit.arguments = unit.proposed
    unit.proposed, unit.held = None, ""


def _apply_submit(unit: UnitView, record: Record) -> None:
    event = record.event
    step = unit.submits.get(record.step_key) or StepView(record.step)
    state, moved = advance_submit(step.state, event)
    if step.denied and event in SIGHTINGS:
        state, moved = advance_submit(SubmitState.DENIED, event)
    check_submit(unit, step, record)
    if moved is UnitEvent.LANDED and not (step.last or {}).get("final", True):
        moved = UnitEvent.STEP_LANDED
    status = advance_unit(unit.status, moved) if moved else unit.status
    unit.submits[record.step_key] = step
    step.state, unit.status = state, status
    _take_in(step, record)
    unit.held = _held(state, moved, record)
    if state is SubmitState.LANDED:
        step.result = record.data.get("result", {})
        unit.settled, unit.finished = unit.settled + unit.finished, ()
        unit.arguments = (step.last or {}).get("arguments", unit.arguments)


def _take_in(step: StepView, record: Record) -> None:
    """Keep what a submit's record carries besides its event."""
    match record.event:
        case Event.ARMED:
            if record.attempt != step.attempt:
                step.armed, step.released, step.since, step.absent_at = (), (), None, None
            step.attempt = record.attempt
            step.armed += (record.data["request"],)
            step.last = record.data
            step.first = step.first or record.data
        case Event.RELEASED:
            step.released += (record.data["request"],)
            step.denied = False
        case Event.CONFIRMED_NOT_LANDED:
            step.denied = True
        case Event.INCONCLUSIVE | Event.PARTLY:
            # Two readings that find nothing must follow each other: a sighting, or a reading that
            # could not be trusted, makes the next one the first again.
            found = record.data.get("absent_at")
            step.absent_at = found if found is None else step.absent_at or found
    step.since = record.data.get("since", step.since)


def _held(state: SubmitState, moved: UnitEvent | None, record: Record) -> str:
    if state in HELD:
        return str(record.data.get("why") or HELD[state])
    if state is SubmitState.UNKNOWN and moved is UnitEvent.HELD:
        return str(record.data.get("why") or "the probe could not decide")
    return ""
