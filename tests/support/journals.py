"""Records as a run writes them, for tests of journals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rpa.core.fold import History
from rpa.core.record import Record
from rpa.core.snapshot import unit_to_json
from rpa.core.states import Event
from rpa.journal import Journal, JsonlJournal

NOON = 1_764_504_000.0  # 2025-11-30 12:00:00 UTC
STEP = "copy"


def at_noon() -> float:
    """A clock that stands still."""
    return NOON


def record(unit: str, event: Event, attempt: int = 1, **members: Any) -> Record:
    """A record of a unit as a whole, in Chinese."""
    usual = {"identity": {"sku": f"红色T恤-{unit}"}, "flow": "copy_listing/1", "run": "r1"}
    return Record(unit=unit, event=event, attempt=attempt, **{**usual, **members})


def submit(unit: str, event: Event, attempt: int = 1, **data: Any) -> Record:
    """A record of the unit's submit step; keyword arguments become its payload."""
    if event is Event.ARMED:
        arguments = {"title": f"保温杯 {unit} 500ml", "price": "19.90"}
        data = {"request": "create", "arguments": arguments, "final": True, **data}
    if event is Event.RELEASED:
        data = {"request": "create", **data}
    return record(unit, event, attempt, step=STEP, step_key=STEP, data=data)


def landing(unit: str) -> Iterator[Record]:
    """The whole story of a unit that lands: seven records."""
    yield record(unit, Event.STARTED)
    yield record(unit, Event.STARTED, step="fill", step_key="fill")
    yield record(unit, Event.FINISHED, step="fill", step_key="fill", data={"state": "filled"})
    yield from flying(unit)
    yield submit(unit, Event.ANSWERED, status=302)
    yield submit(unit, Event.ACCEPTED, result={"record": f"商品-{unit}"})


def flying(unit: str) -> Iterator[Record]:
    """Armed and released, and then nothing."""
    yield submit(unit, Event.ARMED)
    yield submit(unit, Event.RELEASED)


def write(journal: Journal, *units: str) -> None:
    """Let these units land."""
    for unit in units:
        for each in landing(unit):
            journal.append(each)


def opened(path: Path, **options: Any) -> JsonlJournal:
    """Open a journal at noon."""
    return JsonlJournal.open(path, clock=at_noon, **options)


def state_of(history: History) -> dict[str, Any]:
    """Everything a history knows, as plain values to compare."""
    units = [unit_to_json(history.units[key]) for key in history.units]
    return {"seq": history.seq, "units": units}
