"""Counting a batch's units, and what the count means for the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from rpa.core.fold import History
from rpa.core.states import Status

if TYPE_CHECKING:
    from rpa.runner.batch import Planned

__all__ = ["count", "exit_code", "worst"]

_HELD: Final = (Status.UNKNOWN, Status.CHANGED)
_LEFT: Final = (
    Status.PENDING,
    Status.SELECTED,
    Status.FILLED,
    Status.SUBMITTING,
    Status.FAILED,
    Status.DEAD,
)
_SEVERITY: Final = (6, 5, 1, 137, 143, 130, 75, 2, 3, 4, 0)


def count(history: History, batch: Iterable[Planned]) -> dict[str, int]:
    """Count a batch's units by status."""
    statuses: Counter[str] = Counter()
    for planned in batch:
        view = history.units.get(planned.unit.key)
        statuses[view.status if view else Status.PENDING] += 1
    return {status: statuses[status] for status in Status if statuses[status]}


def exit_code(counts: Mapping[str, int], spared: int = 0) -> int:
    """Say how a batch ended: 0 all submitted, 3 units held, 4 units left.

    Args:
        counts: The batch's units by status.
        spared: How many of the pending ones nobody asked for this time.
    """
    if any(counts.get(status) for status in _HELD):
        return 3
    return 4 if sum(counts.get(status, 0) for status in _LEFT) > spared else 0


def worst(codes: Iterable[int]) -> int:
    """The exit code of several shops: the one a person must look at first."""
    found = set(codes)
    known = [code for code in _SEVERITY if code in found]
    return known[0] if known else next(iter(found), 0)
