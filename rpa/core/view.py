"""View: what is known about one unit and its submit steps, as a fold of records leaves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rpa.core.states import Status, SubmitState

__all__ = ["HELD", "StepView", "UnitView"]

HELD: Final = {
    SubmitState.PARTLY: "landed partly",
    SubmitState.FOREIGN: "the shop already shows this key, and no attempt of ours explains it",
    SubmitState.CONTESTED: "it was confirmed as not landed, and now the shop shows it",
}
"""Submit states that wait for a person, with what to tell them."""

_DOUBTFUL: Final = frozenset({SubmitState.UNKNOWN, *HELD})
_IN_FLIGHT: Final = frozenset({SubmitState.ARMED, SubmitState.RELEASED})


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
        absent_at: Wall-clock seconds of a first clean reading that found nothing, if nothing has
            cast doubt on it since.
        denied: A person said it did not land, and nothing was released since.
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
    denied: bool = False


@dataclass(slots=True, weakref_slot=True)
class UnitView:
    """What is known about one unit.

    Attributes:
        status: In the words people see.
        attempt: Number of its last attempt, never reset; the next one is one more.
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
    attempt: int = 0
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
        return next((step for step in self.submits.values() if step.state in _DOUBTFUL), None)

    @property
    def in_flight(self) -> StepView | None:
        """The step that is armed or released, if there is one."""
        return next((step for step in self.submits.values() if step.state in _IN_FLIGHT), None)

    def key_of(self, step: StepView) -> str:
        """The step key of one of its submit steps."""
        return next(key for key, known in self.submits.items() if known is step)
