"""Tidying up after a run: old evidence goes, except for units somebody still has to look at."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rpa.config import Project
from rpa.core.states import Status
from rpa.gate.prune import prune
from rpa.journal import peek

__all__ = ["prune_evidence"]

_DONE: Final = (Status.SUBMITTED, Status.SKIPPED)
_OWN: Final = 12  # hex digits of the unit key that its files' names begin with


def prune_evidence(
    project: Project, shop: str, clock: Callable[[], float] = time.time
) -> list[Path]:
    """Drop a shop's evidence by age and size; what belongs to an unfinished unit stays.

    Args:
        project: Says how old and how large evidence may become.
        shop: Shop name.
        clock: Seconds of the wall clock.

    Returns:
        What was dropped.

    Raises:
        JournalError: The journal cannot be read; nothing was dropped.
    """
    folder = project.evidence(shop)
    try:
        units = peek(project.journal(shop)).units.values()
    except FileNotFoundError:
        return []
    kept: set[str] = set()
    for unit in units:
        if unit.status not in _DONE:
            kept.update(unit.evidence)  # names a list's pictures too
            own = folder.glob(f"*/{unit.key[:_OWN]}-*")  # and its traces, which no record names
            kept.update(path.relative_to(folder).as_posix() for path in own)
    return prune(folder, kept, project.evidence_days, project.evidence_mb, clock())
