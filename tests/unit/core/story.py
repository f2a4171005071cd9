"""Builders these tests share: records as the runner writes them, and how to look at a history."""

from __future__ import annotations

import copy
from typing import Any

from rpa.core.fold import History
from rpa.core.record import Record
from rpa.core.snapshot import unit_to_json
from rpa.core.states import Event

IDENTITY = {"sku": "红色T恤-01"}
UNIT = "9f8c2a" + "0" * 26
SUBMIT = "copy"


def record(event: Event, *, unit: str = UNIT, attempt: int = 1, **more: Any) -> Record:
    """A record of the unit as a whole."""
    return Record(unit, more.pop("identity", IDENTITY), event, attempt=attempt, **more)


def of_submit(
    event: Event, *, step: str = SUBMIT, attempt: int = 1, unit: str = UNIT, **data: Any
) -> Record:
    """A record of a submit step; keyword arguments become its payload."""
    if event in (Event.ARMED, Event.RELEASED):
        data.setdefault("request", "create")
    return record(event, unit=unit, attempt=attempt, step=step, step_key=step, data=data)


def told(*events: Event | Record, attempt: int = 1) -> History:
    """A history of these events; bare events are those of the one submit step."""
    history = History([record(Event.STARTED, attempt=attempt)])
    for event in events:
        history.apply(event if isinstance(event, Record) else of_submit(event, attempt=attempt))
    return history


def state_of(history: History) -> dict[str, Any]:
    """Everything a history knows, as plain values to compare."""
    units = {key: unit_to_json(history.units[key]) for key in history.units}
    return copy.deepcopy({"seq": history.seq, "units": units})
