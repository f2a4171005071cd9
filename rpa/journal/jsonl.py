"""The journal on disk: one file per shop, one line per record.

Theory of operation. Every append, from whatever process, holds the append lock while it reads
what others appended, folds its own record into that newest state and writes it. So a writer that
slept through the other's records meets the state table, gets a `Conflict` and writes nothing.
The record is folded *before* it is written: an event the table does not know never reaches the
file. It goes out in one write that ends with its newline, and is synced before `append` returns
if anything outside the journal will follow from it; lesser records ride on the next sync.

After an error from the disk nobody knows what is durable. The journal then takes nothing more:
every later append raises, the shop stops, and the next opening reads what is really there. A
record that reached the file although its append raised is harmless, because nothing was done on
its strength: an armed step that was never clicked is looked at by the probe like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from rpa.core.fold import History
from rpa.core.record import DURABLE, Record
from rpa.errors import Conflict, JournalError, JournalUnwritable, WrongShop
from rpa.journal.base import Reach, nowhere
from rpa.journal.files import Files
from rpa.journal.header import Header
from rpa.journal.lock import AppendLock
from rpa.journal.names import new_file
from rpa.journal.segment import Segment
from rpa.journal.stamp import take
from rpa.journal.tail import mend_tail

__all__ = ["MIN_FREE", "JsonlJournal"]

MIN_FREE: Final = 32 * 1024 * 1024
"""Free bytes a disk must have before a run's first record: two of the longest."""


class JsonlJournal:
    """One shop's journal file, open for reading and appending; see `open`.

    For one thread: the locks keep processes apart, and other openings, not threads that share one.
    """

    def __init__(
        self,
        path: Path,
        lock: AppendLock,
        segment: Segment,
        clock: Callable[[], float],
        reach: Reach,
        files: Files,
    ) -> None:
        self.path = path
        self._lock, self._segment = lock, segment
        self._clock, self._reach, self._files = clock, reach, files
        self._broken: JournalError | None = None
        self._roomy = False
        self._certain = True  # the history is exactly what the file says up to its offset

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        clock: Callable[[], float],
        shop: str = "",
        create: bool = True,
        reach: Reach = nowhere,
        files: Files | None = None,
    ) -> Self:
        """Open a shop's journal, and mend the tail a crash may have left.

        Args:
            path: The file.
            clock: Seconds of the wall clock, for the records' time.
            shop: The shop's identity; written into a new file, compared with an old one.
            create: Begin a journal if there is none.
            reach: Told each kill point as it is reached.
            files: The file system; tests give one that fails.

        Raises:
            FileNotFoundError: There is no journal and `create` is false.
            JournalDamaged: A line in the middle is not a record; nothing was changed.
            JournalTooNew: A newer version wrote it; nothing was changed.
            JournalUnwritable: A new file or a mended tail cannot be made durable.
            JournalError: It cannot be read.
            WrongShop: It belongs to another shop.
        """
        files = files or Files()
        if not create and not _exists(path):
            raise FileNotFoundError(f"{path}: no journal; `rpa run` begins one")
        lock = _append_lock(path, files)
        try:
            with lock.held():
                if create and not _exists(path):
                    _begin(path, shop, files, reach)
                segment = _open_segment(path, shop, files)
        except BaseException:
            lock.close()
            raise
        return cls(path, lock, segment, clock, reach, files)

    @property
    def history(self) -> History:
        """What the records say, as of the last append or refresh."""
        return self._segment.history

    @property
    def generation(self) -> int:
        """Which compaction wrote the file; 1 if none did."""
        return self._segment.lines.header.generation

    def append(self, record: Record) -> Record:
        """Check, number and write a record; see `rpa.journal.base.Journal.append`."""
        with self._exclusively():
            self._make_sure_of_room()
            self._catch_up()
            self._certain = False
            try:
                stamped, line = take(self.history, record, self._clock())
            except (Conflict, TypeError, ValueError):
                self._certain = True  # all or nothing
                raise
            self._write(stamped, line)
            self._certain = True
        return stamped

    def refresh(self) -> History:
        """Take in what other processes appended, and return the history."""
        with self._exclusively():
            self._catch_up()
        return self.history

    def close(self) -> None:
        """Let go of the file and its lock; idempotent."""
        if not isinstance(self._broken, _Closed):
            self._broken = _Closed(f"{self.path} is closed")
            self._segment.close()
            self._lock.close()

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        """Hold the append lock; after any error of journal or disk, never again."""
        if self._broken is not None:
            raise JournalUnwritable(f"the journal takes nothing more: {self._broken}")
        try:
            with self._lock.held():
                yield
        except JournalError as error:
            self._broken = error
            raise
        except OSError as error:
            self._broken = JournalUnwritable(f"{self.path}: {error}")
            raise self._broken from error

    def _make_sure_of_room(self) -> None:
        if self._roomy:
            return
        free = self._files.free(self.path.parent)
        if free < MIN_FREE:
            raise JournalUnwritable(
                f"{self.path}: only {free} bytes are free on its disk; "
                f"make room for {MIN_FREE}, then start again"
            )
        self._roomy = True

    def _catch_up(self) -> None:
        if self._certain and self._segment.current:
            self._certain = False
            self._segment.catch_up()
            mend_tail(self._segment, self._files)
        else:  # compacted or restored by another process, or an interrupt came in between
            self._segment = _open_segment(self.path, self._segment.lines.header.shop, self._files)
        self._certain = True

    def _write(self, record: Record, line: bytes) -> None:
        fd, event = self._segment.file.fd, record.event
        self._reach(f"journal.before_write:{event}")
        try:
            self._files.write_all(fd, line)
            self._reach(f"journal.written:{event}")
            if event in DURABLE:
                self._files.fsync(fd)
                self._reach(f"journal.synced:{event}")
        except OSError as error:
            raise JournalUnwritable(
                f"{self.path}: {event} of unit {record.unit} is not on disk: {error}"
            ) from error
        self._segment.wrote(line)


class _Closed(JournalError):
    """Somebody closed it."""


def _exists(path: Path) -> bool:
    """Say whether there is a journal; a disk that cannot say so is not one that says no."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error}") from error
    return True


def _append_lock(path: Path, files: Files) -> AppendLock:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return AppendLock(path, files)
    except OSError as error:
        raise JournalUnwritable(f"{path} cannot be locked: {error}") from error


def _begin(path: Path, shop: str, files: Files, reach: Reach) -> None:
    """Make a new journal appear whole: header first, then the name."""
    new = new_file(path)
    try:
        files.write_new(new, Header(shop).line())
        reach("journal.begun")
        files.replace(new, path)
        files.fsync_dir(path.parent)
    except OSError as error:
        raise JournalUnwritable(f"{path} cannot be begun: {error}") from error


def _open_segment(path: Path, shop: str, files: Files) -> Segment:
    segment = Segment.open(path, files)
    owner = segment.lines.header.shop
    if shop and owner and shop != owner:
        segment.close()
        raise WrongShop(f"{path} belongs to shop {owner!r}, not to {shop!r}")
    mend_tail(segment, files)
    return segment
