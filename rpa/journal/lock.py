"""The two locks of a shop: one for a run's whole life, one for the moment of an append.

Both are locks of the operating system on a file of their own, so that they vanish with a process
that was killed, whatever it left behind. The lock files stay for ever: deleting one would let two
processes each lock a file of that name. Across two computers, or in a synced folder, such locks
protect nothing; `rpa doctor` says so.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from filelock import lock_descriptor, unlock_descriptor
from loguru import logger

from rpa.errors import JournalUnwritable, ShopLocked
from rpa.journal.files import Files
from rpa.journal.names import append_lock, owner_note, run_lock
from rpa.journal.owner import read_owner

__all__ = ["AppendLock", "RunLock"]

_PATIENCE: Final = 60.0  # seconds; a compaction of a huge journal holds the lock for some of them
_FIRST_PAUSE: Final = 0.0005
_LONGEST_PAUSE: Final = 0.01
_OPEN: Final = os.O_RDWR | os.O_CREAT


class AppendLock:
    """The short lock that every append takes; its file stays open because opening costs most."""

    def __init__(self, path: Path, files: Files, patience: float = _PATIENCE) -> None:
        self._path, self._patience = append_lock(path), patience
        self._fd = files.open(self._path, _OPEN)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold it.

        Raises:
            JournalUnwritable: Somebody held it for a minute, as a frozen process would.
        """
        try:
            self._acquire()
            yield
        finally:  # also after an interrupt in the middle of acquiring; unlocking twice is allowed
            unlock_descriptor(self._fd)

    def _acquire(self) -> None:
        pause, end = _FIRST_PAUSE, time.monotonic() + self._patience
        while not lock_descriptor(self._fd, blocking=False):
            if time.monotonic() > end:
                raise JournalUnwritable(
                    f"{self._path} has been locked for {self._patience:g} s; "
                    f"is another rpa process of this shop frozen?"
                )
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._fd)


class RunLock:
    """One run at a time for a shop.

    Args:
        path: The shop's journal.
        clock: Seconds of the wall clock, for the note.
        files: The file system.

    Raises:
        ShopLocked: Another process holds it; names that process.
        JournalUnwritable: The disk does not let us.
    """

    def __init__(
        self, path: Path, *, clock: Callable[[], float] = time.time, files: Files | None = None
    ) -> None:
        self._note, files = owner_note(path), files or Files()
        self._fd = -1
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = files.open(run_lock(path), _OPEN)
            if not lock_descriptor(self._fd, blocking=False):
                raise ShopLocked(f"{path.stem} is locked by another run: {_owner(path)}")
            if self._note.exists():
                logger.warning("{} was left by a run that is gone: {}", path, _owner(path))
            files.write_new(self._note, _describe(clock()))
        except BaseException as error:
            self._close()
            if isinstance(error, OSError):
                raise JournalUnwritable(f"{path} cannot be locked: {error}") from error
            raise

    def release(self) -> None:
        """Let the next run in."""
        with suppress(OSError):  # only a note; the lock is what counts
            self._note.unlink()
        self._close()

    def _close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def _describe(now: float) -> bytes:
    since = datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
    owner = {"host": socket.gethostname(), "pid": os.getpid(), "since": since}
    return json.dumps(owner, ensure_ascii=False).encode()


def _owner(path: Path) -> str:
    return str(read_owner(path) or "its owner left no note")
