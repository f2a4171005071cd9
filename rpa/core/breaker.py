"""Breaker: when a shop must pause, while the others go on."""

from __future__ import annotations

from dataclasses import dataclass

from rpa.core.states import Event

__all__ = ["Breaker"]

_DOUBTS = frozenset({Event.LOST, Event.AMBIGUOUS})
_ANSWERS = frozenset({Event.ACCEPTED, Event.REFUSED, Event.REJECTED, Event.LANDED})


@dataclass(slots=True)
class Breaker:
    """Counts unknowns in a row; opens on too many of them or on one duplicate.

    Attributes:
        limit: Unknowns in a row that open it.
        reason: Why it is open; empty while it is closed.
    """

    limit: int = 3
    reason: str = ""
    _in_a_row: int = 0

    def see(self, event: Event) -> None:
        """Take one recorded event in."""
        if event in _DOUBTS:
            self._in_a_row += 1
            if self._in_a_row >= self.limit:
                self.reason = f"{self._in_a_row} submits in a row ended unknown"
        elif event in _ANSWERS:
            self._in_a_row = 0
        elif event is Event.MULTIPLE:
            self.reason = "a unit landed more than once"
