"""Decide: from what is true now to what to do next with a unit."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from rpa.core.fold import UnitView
from rpa.core.keys import canonical
from rpa.core.retry import MAX_ATTEMPTS
from rpa.core.states import Status, SubmitState

__all__ = ["Act", "decide"]


class Act(StrEnum):
    """What to do next with a unit. Imperatives."""

    DO = "do"
    SKIP = "skip"
    HOLD = "hold"
    PROBE = "probe"
    RECORD_RESTART = "record restart"
    RECORD_CHANGE = "record change"
    RECORD_RESTORED = "record restored"
    BURY = "bury"


def decide(
    unit: UnitView | None,
    arguments: Mapping[str, Any] | None = None,
    max_attempts: int = MAX_ATTEMPTS,
) -> Act:
    """Say what to do next.

    Args:
        unit: What the journal says of the unit; None if it was never heard of.
        arguments: The arguments its row has now; None if it has no row any more.
        max_attempts: Attempts after which a unit is dead.
    """
    if unit is None:
        return Act.DO
    match unit.status:
        case Status.SUBMITTING:
            return Act.RECORD_RESTART
        case Status.UNKNOWN:
            return _in_doubt(unit)
        case Status.SUBMITTED:
            return Act.RECORD_CHANGE if _changed(unit, arguments) else Act.SKIP
        case Status.CHANGED:
            return _on_change(unit, arguments)
        case Status.DEAD:
            return Act.HOLD
        case Status.SKIPPED:
            return Act.SKIP
        case Status.FAILED if unit.attempts >= max_attempts:
            return Act.BURY
        case _:
            return Act.DO


def _in_doubt(unit: UnitView) -> Act:
    step = unit.doubtful
    return Act.PROBE if step is not None and step.state is SubmitState.UNKNOWN else Act.HOLD


def _changed(unit: UnitView, arguments: Mapping[str, Any] | None) -> bool:
    if arguments is None or unit.arguments is None:
        return False
    return canonical(arguments) != canonical(unit.arguments)


def _on_change(unit: UnitView, arguments: Mapping[str, Any] | None) -> Act:
    if arguments is None:
        return Act.HOLD
    if not _changed(unit, arguments):
        return Act.RECORD_RESTORED
    if canonical(arguments) != canonical(unit.proposed):
        return Act.RECORD_CHANGE
    return Act.HOLD
