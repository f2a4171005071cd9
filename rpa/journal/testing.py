"""What tests of journals and of everything above them need: a failing disk and a strict witness.

Both stand outside the code they look at: `FaultyFiles` is given to a journal in place of the file
system, `OrderMonitor` wraps a journal and is one.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Literal

from rpa.core.fold import History
from rpa.core.record import Record
from rpa.core.states import Event, SubmitState
from rpa.journal.base import Journal
from rpa.journal.files import Files

__all__ = ["Call", "FaultyFiles", "OrderMonitor", "OrderViolation", "WatchedFiles"]

Call = Literal["write", "fsync"]
"""A kind of call that can fail."""

_PROVEN = frozenset({SubmitState.READY, SubmitState.REFUSED, SubmitState.DENIED})
_PROOFS = frozenset({Event.ABSENT, Event.REFUSED, Event.REJECTED, Event.CONFIRMED_NOT_LANDED})


class FaultyFiles(Files):
    """A file system whose n-th call fails.

    Args:
        nth: Which call of its kind fails, from 1.
        call: The kind: ``write`` (also renaming and cutting) or ``fsync`` (also of directories).
        number: The error, such as `errno.ENOSPC` or `errno.EIO`.
        forever: Every later call of the kind fails as well.
        short: A failing write takes half of the bytes, without any error.

    Attributes:
        calls: How many calls of the kind were made.
    """

    def __init__(
        self,
        nth: int,
        call: Call = "write",
        number: int = errno.ENOSPC,
        *,
        forever: bool = False,
        short: bool = False,
    ) -> None:
        self._nth, self._call, self._number = nth, call, number
        self._forever, self._short = forever, short
        self.calls = 0

    @property
    def fired(self) -> bool:
        """Whether a call has failed."""
        return self.calls >= self._nth

    def _fails(self, call: Call) -> bool:
        if call != self._call:
            return False
        self.calls += 1
        return self.calls == self._nth or (self._forever and self.fired)

    def _check(self, call: Call) -> None:
        if self._fails(call):
            raise OSError(self._number, os.strerror(self._number))

    def write(self, fd: int, data: bytes) -> int:
        """Write, or fail."""
        if self._short and self._fails("write"):
            return super().write(fd, data[: len(data) // 2])
        if not self._short:
            self._check("write")
        return super().write(fd, data)

    def truncate(self, fd: int, size: int) -> None:
        """Cut, or fail."""
        self._check("write")
        super().truncate(fd, size)

    def rename(self, source: Path, target: Path) -> None:
        """Rename, or fail."""
        self._check("write")
        super().rename(source, target)

    def fsync(self, fd: int) -> None:
        """Sync, or fail."""
        self._check("fsync")
        super().fsync(fd)

    def fsync_dir(self, directory: Path) -> None:
        """Sync a directory, or fail."""
        self._check("fsync")
        super().fsync_dir(directory)


class WatchedFiles(Files):
    """A file system that knows what would not survive a power cut.

    Attributes:
        unsynced: Open files that were written to since their last sync.
    """

    def __init__(self) -> None:
        self.unsynced: set[int] = set()

    def open(self, path: Path, flags: int) -> int:
        """Open; the number may have belonged to another file before."""
        fd = super().open(path, flags)
        self.unsynced.discard(fd)
        return fd

    def write(self, fd: int, data: bytes) -> int:
        """Write, and note that it is not on disk yet."""
        self.unsynced.add(fd)
        return super().write(fd, data)

    def fsync(self, fd: int) -> None:
        """Sync, and note that."""
        super().fsync(fd)
        self.unsynced.discard(fd)


class OrderViolation(AssertionError):
    """Something was let go that the journal did not cover."""


class OrderMonitor:
    """A journal that takes nothing on trust.

    It keeps its own books, apart from the state tables, and raises `OrderViolation` for

    - a release whose arming (same unit, step, attempt and request) was not appended before it,
      by this process, and returned;
    - a record that `append` returned although it is not on disk (with `files`);
    - an arming after a release that nobody has proven or declared not landed.

    Args:
        journal: The journal to watch.
        files: The file system that journal writes through.
    """

    def __init__(self, journal: Journal, files: WatchedFiles | None = None) -> None:
        self._journal, self._files = journal, files
        self._armed: set[tuple[object, ...]] = set()
        self._out = {
            (key, step_key)
            for key, unit in journal.history.units.items()
            for step_key, step in unit.submits.items()
            if step.released and step.state not in _PROVEN
        }

    @property
    def history(self) -> History:
        """The journal's history."""
        return self._journal.history

    def append(self, record: Record) -> Record:
        """Check the order, append, and check that it is durable.

        Raises:
            OrderViolation: The order of `design.md` is broken.
        """
        step = (record.unit, record.step_key)
        request = (*step, record.attempt, record.data.get("request"))
        if record.event is Event.RELEASED and request not in self._armed:
            raise OrderViolation(f"released without an arming on disk: {record}")
        if record.event is Event.ARMED and step in self._out:
            raise OrderViolation(f"armed again, and nothing shows that it did not land: {record}")
        written = self._journal.append(record)
        self._check_durable(written)
        if record.event is Event.ARMED:
            self._armed.add(request)
        elif record.event is Event.RELEASED:
            self._out.add(step)
        elif record.event in _PROOFS:
            self._out.discard(step)
        return written

    def _check_durable(self, record: Record) -> None:
        lesser = (Event.STARTED, Event.FINISHED, Event.FAILED)
        if self._files is not None and record.event not in lesser and self._files.unsynced:
            raise OrderViolation(f"append returned before this was on disk: {record}")

    def refresh(self) -> History:
        """Take in what others appended."""
        return self._journal.refresh()

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()
