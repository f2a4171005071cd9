"""What every journal can do; see `jsonl` for the one on disk and `memory` for the one in tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rpa.core.fold import History
from rpa.core.record import Record

__all__ = ["Journal", "Reach", "nowhere"]

Reach = Callable[[str], None]
"""Called with the name of each kill point as it is reached; tests die there."""


def nowhere(point: str) -> None:
    """Reach a kill point without dying: what a real run does."""


class Journal(Protocol):
    """One shop's append-only memory."""

    @property
    def history(self) -> History:
        """What the records say, as of the last append or refresh."""

    def append(self, record: Record) -> Record:
        """Check a record against the newest state and make it part of the journal.

        Returns:
            The record with its sequence number and time. If its event is in
            `rpa.core.record.DURABLE`, it is on disk when this returns.

        Raises:
            Conflict: The state moved since it was read, or never allowed this; nothing written.
            JournalUnwritable: It could not be made durable; the journal takes nothing more.
        """

    def refresh(self) -> History:
        """Take in what other processes appended, and return the history."""

    def close(self) -> None:
        """Let go of files and locks."""
