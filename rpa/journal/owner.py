"""Who runs a shop now, as seen from outside; waits for nobody and is in nobody's way."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from filelock import lock_descriptor, unlock_descriptor

from rpa.journal.names import owner_note, run_lock

__all__ = ["Owner", "read_owner", "who_runs"]


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that holds a shop's run lock.

    Attributes:
        pid: Its process id.
        host: The computer it runs on.
        since: UTC, ISO 8601.
    """

    pid: int
    host: str
    since: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}, since {self.since}"


def read_owner(path: Path) -> Owner | None:
    """Read who holds a journal's run lock, or held it last; None if the note is gone or half there.

    Args:
        path: The shop's journal.
    """
    try:
        note = json.loads(owner_note(path).read_bytes())
        return Owner(note["pid"], note["host"], note["since"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def who_runs(path: Path) -> Owner | None:
    """Say which process runs a shop.

    Args:
        path: The shop's journal.

    Returns:
        Its owner; None if nobody runs it, whatever an ended run may have left lying about.
    """
    owner = read_owner(path)
    return owner if owner and _locked(run_lock(path)) else None


def _locked(path: Path) -> bool:
    """Ask the lock itself: a note outlives a process that was killed.

    Only a note that lies about makes us take the lock for a moment, so that a run which begins
    in that moment is as good as never turned away.
    """
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        if not lock_descriptor(fd, blocking=False):
            return True
        unlock_descriptor(fd)
        return False
    finally:
        os.close(fd)
