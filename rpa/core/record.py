"""The record: one thing that happened, as every journal keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rpa.core.states import Event

__all__ = ["DURABLE", "Record"]

DURABLE: Final = frozenset(Event) - {Event.STARTED, Event.FINISHED, Event.FAILED}
"""Events that must be on disk before anything follows from them."""


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that happened to one unit.

    Attributes:
        unit: The unit key.
        identity: The item's identity fields, so that the journal can be read without the key.
        event: What happened.
        flow: The flow's name and version, as ``name/version``.
        run: The run that wrote it; empty for a person's word outside a run.
        edition: The unit's edition, for people.
        step: The step's name; empty for events of the unit as a whole.
        step_key: The step's key; see `rpa.core.keys.step_key`.
        attempt: The unit's attempt, from 1.
        data: The event's payload; plain JSON values, never a secret.
        error: ``class``, ``message`` and, where known, ``status`` of a failure.
        evidence: Names of evidence files.
        seq: Position in the journal, from 1; set by the journal.
        time: UTC, ISO 8601, for people only; set by the journal.
    """

    unit: str
    identity: Mapping[str, str]
    event: Event
    flow: str = ""
    run: str = ""
    edition: str = ""
    step: str = ""
    step_key: str = ""
    attempt: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    evidence: tuple[str, ...] = ()
    seq: int = 0
    time: str = ""
