"""One journal file and what its records say, read as far as it is whole."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from rpa.core.fold import History
from rpa.errors import IllegalTransition, JournalError
from rpa.journal.files import Files
from rpa.journal.lines import Lines
from rpa.journal.record_line import sound
from rpa.journal.units import OpenFile, SnapshotUnits

__all__ = ["Segment", "open_file"]

_KEY = b'{"key":"'


class Segment:
    """An open journal file and its history.

    Attributes:
        lines: The position behind the last line that was folded.
        history: What the records up to there say.
    """

    def __init__(self, path: Path, file: OpenFile) -> None:
        self.path, self.file = path, file
        self.lines = Lines(path, file)
        self._units = SnapshotUnits(self.file)
        self._missing = self.lines.header.units
        units = self._units if self._missing else {}
        self.history = History(units=units, seq=self.lines.header.seq)

    @classmethod
    def open(cls, path: Path, files: Files, flags: int = os.O_RDWR | os.O_APPEND) -> Self:
        """Open a journal file and read it.

        Raises:
            FileNotFoundError: There is none.
            JournalError: It cannot be read, is damaged or too new.
        """
        file = open_file(path, files, flags)
        try:
            segment = cls(path, file)
            segment.catch_up()
        except BaseException:
            file.close()
            raise
        return segment

    @property
    def current(self) -> bool:
        """Whether the file is still the one its path names; not after a compaction."""
        mine, named = os.fstat(self.file.fd), self.path.stat()
        return (mine.st_dev, mine.st_ino) == (named.st_dev, named.st_ino)

    def catch_up(self) -> None:
        """Fold the whole lines that were written since the last time.

        Raises:
            JournalDamaged: A line is not what it should be; names line and byte.
            JournalTooNew: A newer version wrote a line.
            JournalError: The file was changed behind our back, or cannot be read.
        """
        if self.lines.tail:
            self.lines.check_overlap()
            with _no_garbage_collection():
                for lines in self.lines.batches():
                    self._take(lines)
        if self._missing:
            self.lines.damaged(0, [], f"the snapshot lacks {self._missing} of its units")

    def wrote(self, line: bytes) -> None:
        """Note that this line, already in the history, was appended to the file."""
        self.lines.passed([line[:-1]])

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()

    def _take(self, lines: list[bytes]) -> None:
        if self._missing:
            mine, lines = lines[: self._missing], lines[self._missing :]
            self._index(mine)
            self._missing -= len(mine)
            self.lines.passed(mine)
        if lines:
            self._fold(lines)
            self.lines.passed(lines)

    def _index(self, lines: list[bytes]) -> None:
        """Note where each unit of the snapshot is, without reading more than its key."""
        start = self.lines.offset
        for index, line in enumerate(lines):
            body = line.removesuffix(b"\r")
            if not sound(body) or not body.startswith(_KEY):
                self.lines.explain(index, lines, "not a unit of the snapshot")
            key = body[len(_KEY) : body.index(b'"', len(_KEY))]
            plain = b"\\" not in key
            self._units.add(key.decode() if plain else json.loads(body)["key"], start, len(body))
            start += len(line) + 1

    def _fold(self, lines: list[bytes]) -> None:
        history, seq = self.history, self.history.seq
        for index, record in enumerate(self.lines.records(lines)):
            if record is None:
                continue
            seq += 1
            if record.seq != seq:
                why = f"record {record.seq} stands where {seq} should be"
                self.lines.damaged(index, lines, why)
            try:
                history.apply(record)
            except (IllegalTransition, TypeError) as error:  # the latter: a line made by hand
                self.lines.damaged(index, lines, f"it does not follow: {error}")


def open_file(path: Path, files: Files | None = None, flags: int = os.O_RDONLY) -> OpenFile:
    """Open a journal file.

    Raises:
        FileNotFoundError: There is none.
        JournalError: It is there and cannot be opened.
    """
    try:
        return OpenFile(path, (files or Files()).open(path, flags))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise JournalError(f"{path} cannot be opened: {error.strerror}") from error


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Spare a long read the collector, which would walk all that was read again and again."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
