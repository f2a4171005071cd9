"""One journal file, read as far as it is whole.

Bytes are split at newlines before anything is decoded, so that a record cut inside a Chinese
character spoils nothing but itself. What follows the last newline is the *tail*: perhaps a record
that another process is just writing, perhaps one that a crash cut off. Only `rpa.journal.tail`,
under the append lock, can tell the two apart.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn, Self

from rpa.core.fold import History
from rpa.core.record import Record
from rpa.errors import IllegalTransition, JournalDamaged, JournalError, JournalTooNew
from rpa.journal.files import Files
from rpa.journal.header import read_header
from rpa.journal.record_line import (
    MAX_LINE,
    BadLine,
    NewerVersion,
    decode_lines,
    decode_record,
    sound,
    unseal,
)
from rpa.journal.units import SnapshotFile, SnapshotUnits

__all__ = ["Segment"]

_CHUNK: Final = 1024 * 1024
_OVERLAP: Final = 64  # bytes before our position that must still be what we read there


class Segment:
    """An open journal file and what its records say, up to `offset`.

    Attributes:
        header: Its first line.
        history: What its records say.
        offset: The byte after the last whole line that was read.
        line: The number of that line, from 1.
    """

    def __init__(self, path: Path, fd: int) -> None:
        self.path, self.file = path, SnapshotFile(fd)
        self.offset, self.line = 0, 0
        self._last = b""
        self.header = read_header(path, self._first_line())
        self._units = SnapshotUnits(self.file)
        self._missing = self.header.units
        self.history = History(units=self._units, seq=self.header.seq)

    @classmethod
    def open(cls, path: Path, files: Files) -> Self:
        """Open a journal file for reading and appending, and read it.

        Raises:
            FileNotFoundError: There is none.
            JournalError: It cannot be read, is damaged or too new.
        """
        try:
            fd = files.open(path, os.O_RDWR | os.O_APPEND)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise JournalError(f"{path} cannot be opened: {error.strerror}") from error
        segment = cls(path, fd)
        segment.catch_up()
        return segment

    @property
    def tail(self) -> int:
        """How many bytes follow the last newline."""
        return os.fstat(self.file.fd).st_size - self.offset

    @property
    def current(self) -> bool:
        """Whether the file is still the one its path names; not after a compaction."""
        mine, named = os.fstat(self.file.fd), os.stat(self.path)
        return (mine.st_dev, mine.st_ino) == (named.st_dev, named.st_ino)

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()

    def catch_up(self) -> None:
        """Read the whole lines that were written since the last time.

        Raises:
            JournalDamaged: A line is not what it should be; names line and byte.
            JournalTooNew: A newer version wrote a line.
            JournalError: The file was changed behind our back, or cannot be read.
        """
        try:
            if self.tail:
                self._check_overlap()
                with _no_garbage_collection():
                    for lines in self._batches():
                        self._take(lines)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be read: {error.strerror}") from error
        if self._missing:
            self._damaged(0, [], f"the snapshot lacks {self._missing} of its units")

    def wrote(self, line: bytes) -> None:
        """Note that this line, already in the history, was appended to the file."""
        self.offset += len(line)
        self.line += 1
        self._last = line[-_OVERLAP:]

    def _first_line(self) -> bytes:
        try:
            data = self.file.read(0, _CHUNK)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be read: {error.strerror}") from error
        first, newline, _ = data.partition(b"\n")
        if not newline:
            why = "it has no header line" if data else "the file is empty"
            raise JournalDamaged(self.path, 1, 0, why)
        self.wrote(first + newline)
        return first

    def _check_overlap(self) -> None:
        start = self.offset - len(self._last)
        if self.file.read(start, len(self._last)) != self._last:
            raise JournalError(
                f"{self.path} was changed by another program near byte {self.offset} while it was "
                f"in use; close that program, look with `rpa journal check`, then start again"
            )

    def _batches(self) -> Iterator[list[bytes]]:
        pending, position = b"", self.offset
        while chunk := self.file.read(position, _CHUNK):
            position += len(chunk)
            *lines, rest = chunk.split(b"\n")
            if lines:
                lines[0] = pending + lines[0]
                pending = rest
                yield lines
            else:
                pending += rest
            if len(pending) > MAX_LINE:
                self._damaged(0, [], f"a line longer than {MAX_LINE} bytes")

    def _take(self, lines: list[bytes]) -> None:
        if self._missing:
            mine, lines = lines[: self._missing], lines[self._missing :]
            self._index(mine)
            self._missing -= len(mine)
            self._passed(mine)
        if lines:
            self._fold(lines)
            self._passed(lines)

    def _passed(self, lines: list[bytes]) -> None:
        self.offset += sum(map(len, lines)) + len(lines)
        self.line += len(lines)
        self._last = (lines[-1] + b"\n")[-_OVERLAP:]

    def _index(self, lines: list[bytes]) -> None:
        """Note where each unit of the snapshot is, without reading more than its key."""
        start = self.offset
        for index, line in enumerate(lines):
            body = line.removesuffix(b"\r")
            if not sound(body) or not body.startswith(b'{"key":"'):
                self._explain(lines, index)
            end = body.index(b'"', 8)
            key = body[8:end]
            plain = b"\\" not in key
            self._units.add(key.decode() if plain else json.loads(body)["key"], start, len(body))
            start += len(line) + 1

    def _explain(self, lines: list[bytes], index: int) -> NoReturn:
        try:
            unseal(lines[index].removesuffix(b"\r"))
            why = "not a unit of the snapshot"
        except BadLine as error:
            why = str(error)
        except NewerVersion as error:
            self._too_new(error)
        self._damaged(index, lines, why)

    def _fold(self, lines: list[bytes]) -> None:
        records: Sequence[Record | None] = decode_lines(lines) or self._one_by_one(lines)
        history, seq = self.history, self.history.seq
        for index, record in enumerate(records):
            seq += 1
            if record is None:  # a blank line, as editors leave them
                seq -= 1
                continue
            if record.seq != seq:
                self._damaged(index, lines, f"record {record.seq} where {seq} should be")
            try:
                history.apply(record)
            except IllegalTransition as error:
                self._damaged(index, lines, f"it does not follow: {error}")

    def _one_by_one(self, lines: list[bytes]) -> Sequence[Record | None]:
        records: list[Record | None] = []
        for index, line in enumerate(lines):
            body = line.removesuffix(b"\r")
            try:
                records.append(decode_record(body) if body else None)
            except BadLine as error:
                self._damaged(index, lines, str(error))
            except NewerVersion as error:
                self._too_new(error)
        return records

    def _damaged(self, index: int, lines: list[bytes], why: str) -> NoReturn:
        byte = self.offset + sum(map(len, lines[:index])) + index
        raise JournalDamaged(self.path, self.line + index + 1, byte, why)

    def _too_new(self, error: NewerVersion) -> NoReturn:
        raise JournalTooNew(
            f"{self.path}: {error}. It was left as it is; use the version of rpa that wrote it."
        )


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
