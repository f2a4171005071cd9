"""Pruning: evidence goes by age and by size; what somebody still has to decide about stays."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

__all__ = ["prune"]


def prune(
    folder: Path, held: Iterable[str], days: float, megabytes: float, now: float
) -> list[Path]:
    """Drop evidence by age, then by size, oldest first; what a held unit points at stays.

    Args:
        folder: A shop's evidence folder.
        held: Evidence names that must stay.
        days: Older evidence goes.
        megabytes: Evidence beyond this goes.
        now: Seconds of the wall clock.

    Returns:
        What was dropped.
    """
    kept = {folder / name for name in held}
    files = [path for path in folder.rglob("*") if path.is_file() and path not in kept]
    aged = sorted(((path.stat().st_mtime, path) for path in files), reverse=True)
    oldest = now - days * 86400
    room = megabytes * 1e6
    dropped = []
    for modified, path in aged:
        room -= path.stat().st_size
        if modified < oldest or room < 0:
            path.unlink(missing_ok=True)
            dropped.append(path)
    return dropped
