"""One unit in one row, as lists of units show it."""

from __future__ import annotations

from typing import Any, Final

from rpa.cli.words import waits_for
from rpa.core.fold import UnitView
from rpa.core.keys import label
from rpa.core.states import Status

__all__ = ["DEAD", "HELD", "unit_row"]

HELD: Final = (Status.UNKNOWN, Status.CHANGED)
"""Statuses that wait for a verdict or a person's word."""
DEAD: Final = (Status.DEAD,)
"""Statuses that only a person can end."""


def unit_row(shop: str, view: UnitView) -> dict[str, Any]:
    """A unit as plain data."""
    return {
        "shop": shop,
        "unit": view.key,
        "label": label(view.identity, view.edition),
        "status": view.status.value,
        "attempts": view.attempts,
        "why": waits_for(view),
        "error": (view.error or {}).get("message", ""),
        "run": view.run,
    }
