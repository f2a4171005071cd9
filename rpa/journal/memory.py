"""A journal without a file, for tests of flows and stores."""

from __future__ import annotations

import time
from collections.abc import Callable

from rpa.core.fold import History
from rpa.core.record import Record
from rpa.errors import JournalUnwritable
from rpa.journal.stamp import take

__all__ = ["MemoryJournal"]


class MemoryJournal:
    """Takes exactly what the journal on disk takes, and keeps it in a list.

    Args:
        clock: Seconds of the wall clock.

    Attributes:
        records: What was appended, oldest first.
    """

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._clock, self._history, self._closed = clock, History(), False
        self.records: list[Record] = []

    @property
    def history(self) -> History:
        """What the records say."""
        return self._history

    def append(self, record: Record) -> Record:
        """Take a record in; see `rpa.journal.base.Journal.append`."""
        if self._closed:
            raise JournalUnwritable("this journal is closed")
        stamped, _ = take(self._history, record, self._clock())
        self.records.append(stamped)
        return stamped

    def refresh(self) -> History:
        """Return the history; nobody else can have written."""
        return self._history

    def close(self) -> None:
        """Take nothing more."""
        self._closed = True
