"""The whole lines of a journal file, in batches, with line and byte of whatever is wrong.

Bytes are split at newlines before anything is decoded, so that a record cut inside a Chinese
character spoils nothing but itself. What follows the last newline is the *tail*: perhaps a record
that another process is just writing, perhaps one that a crash cut off. Only `rpa.journal.tail`,
under the append lock, can tell the two apart.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NoReturn

from rpa.core.record import Record
from rpa.errors import JournalDamaged, JournalError
from rpa.journal.header import Header, read_header, too_new
from rpa.journal.record_line import (
    MAX_LINE,
    BadLine,
    NewerVersion,
    decode_lines,
    decode_record,
    unseal,
)
from rpa.journal.units import OpenFile

__all__ = ["Lines"]

_CHUNK: Final = 64 * 1024  # what a processor's cache holds while it is decoded and folded
_OVERLAP: Final = 64  # bytes before our position that must still be what we read there


class Lines:
    """A position in an open journal file; begins after the header.

    Attributes:
        header: The first line.
        offset: The byte after the last line that was passed.
        line: The number of that line, from 1.
    """

    def __init__(self, path: Path, file: OpenFile) -> None:
        self.path, self.file = path, file
        self.offset, self.line = 0, 0
        self._last = b""
        self.header = self._read_header()

    @property
    def tail(self) -> int:
        """How many bytes follow the position; after reading, those after the last newline."""
        return os.fstat(self.file.fd).st_size - self.offset

    def check_overlap(self) -> None:
        """Make sure that the file still ends, at our position, as it did when we were there.

        Raises:
            JournalError: It does not: something that is not rpa wrote into it.
        """
        start = self.offset - len(self._last)
        if self.file.read(start, len(self._last)) != self._last:
            raise JournalError(
                f"{self.path} was changed by another program near byte {self.offset} while it was "
                f"in use; close that program, look with `rpa journal check`, then start again"
            )

    def batches(self) -> Iterator[list[bytes]]:
        """Give the whole lines after the position, some at a time; the caller passes them."""
        pending: list[bytes] = []  # parts of one long line; adding them up would be quadratic
        position, length = self.offset, 0
        while chunk := self.file.read(position, _CHUNK):
            position += len(chunk)
            *lines, rest = chunk.split(b"\n")
            if lines:
                lines[0] = b"".join([*pending, lines[0]])
                yield lines
                pending, length = [], 0
            pending.append(rest)
            length += len(rest)
            if length > MAX_LINE:
                self.damaged(0, [], f"a line longer than {MAX_LINE} bytes")

    def passed(self, lines: Sequence[bytes]) -> None:
        """Move the position behind these lines."""
        if not lines:
            return
        self.offset += sum(map(len, lines)) + len(lines)
        self.line += len(lines)
        self._last = (lines[-1] + b"\n")[-_OVERLAP:]

    def records(self, lines: list[bytes]) -> Iterable[Record | None]:
        """Read the lines at the position as records; None for a blank line, as editors leave them.

        Those before a wrong line are given before the error is raised.

        Raises:
            JournalDamaged: One is not a record.
            JournalTooNew: A newer version wrote one.
        """
        return decode_lines(lines) or (
            self._one(index, lines) if line.rstrip(b"\r") else None
            for index, line in enumerate(lines)
        )

    def explain(self, index: int, lines: list[bytes], why: str) -> NoReturn:
        """Raise what is wrong with a line: its checksum, its version, or else what the caller says.

        Raises:
            JournalDamaged: Always, unless
            JournalTooNew: a newer version wrote it.
        """
        try:
            unseal(lines[index].removesuffix(b"\r"))
        except BadLine as error:
            why = str(error)
        except NewerVersion as error:
            raise too_new(self.path, error) from None
        self.damaged(index, lines, why)

    def damaged(self, index: int, lines: list[bytes], why: str) -> NoReturn:
        """Raise damage at one of the lines at the position."""
        byte = self.offset + sum(map(len, lines[:index])) + index
        raise JournalDamaged(self.path, self.line + index + 1, byte, why)

    def _one(self, index: int, lines: list[bytes]) -> Record:
        try:
            return decode_record(lines[index].removesuffix(b"\r"))
        except BadLine as error:
            self.damaged(index, lines, str(error))
        except NewerVersion as error:
            raise too_new(self.path, error) from None

    def _read_header(self) -> Header:
        data = self.file.read(0, _CHUNK)
        first, newline, _ = data.partition(b"\n")
        if not newline:
            self.damaged(0, [], "it has no header line" if data else "the file is empty")
        header = read_header(self.path, first)
        self.passed([first])
        return header
