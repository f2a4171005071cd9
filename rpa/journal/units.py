"""Units of a snapshot, each read from the file only when somebody asks for it.

A shop that has landed 100,000 units keeps every key for ever, but a run looks at a few hundred.
So the mapping holds a position for each key, and a view only for those that changed since.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from rpa.core.snapshot import unit_from_json
from rpa.core.states import Status
from rpa.core.view import UnitView
from rpa.errors import JournalError
from rpa.journal.record_line import MAX_LINE, unseal

__all__ = ["OpenFile", "SnapshotUnits", "statuses"]

_STATUS: Final = b'"status":"'  # after the key; quotes inside the key are escaped
_ENOUGH: Final = 128  # bytes that hold key and status, unless the key is an odd one


class OpenFile:
    """An open journal file, read at positions; closed by `close` or with its last user."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path, self.fd = path, fd

    def read(self, start: int, length: int) -> bytes:
        """Read bytes from a position; fewer only at the file's end.

        Raises:
            JournalError: The disk cannot be read, or the journal is closed.
        """
        if self.fd < 0:
            raise JournalError(f"{self.path} is closed; open it again to read its units")
        try:
            os.lseek(self.fd, start, os.SEEK_SET)
            return os.read(self.fd, length)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be read: {error.strerror}") from error

    def close(self) -> None:
        """Let go of the file."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)

    __del__ = close  # a history outlives its journal when a compaction replaces the file


class SnapshotUnits(MutableMapping[str, UnitView]):
    """Units by key, in the order in which they were first heard of."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._units: dict[str, UnitView | int] = {}
        self._read: WeakValueDictionary[str, UnitView] = WeakValueDictionary()

    def add(self, key: str, start: int, length: int) -> None:
        """Note where a unit's line is."""
        self._units[key] = start * MAX_LINE + length

    def raw(self, key: str) -> bytes | None:
        """Give a unit's line, without its newline, if it did not change since the snapshot."""
        place = self._units[key]
        if not isinstance(place, int):
            return None
        return self._file.read(*divmod(place, MAX_LINE))

    def status(self, key: str) -> Status:
        """Say a unit's status without reading the rest of it."""
        place = self._units[key]
        if isinstance(place, int):
            start, length = divmod(place, MAX_LINE)
            _, found, rest = self._file.read(start, min(length, _ENOUGH)).partition(_STATUS)
            status, end, _ = rest.partition(b'"')
            if found and end:
                return Status(status.decode())
        return self[key].status

    def __getitem__(self, key: str) -> UnitView:
        place = self._units[key]
        if not isinstance(place, int):
            return place
        view = self._read.get(key)  # one object for a unit as long as somebody holds it
        if view is None:
            view = self._read[key] = self._decode(key, *divmod(place, MAX_LINE))
        return view

    def _decode(self, key: str, start: int, length: int) -> UnitView:
        try:
            members = unseal(self._file.read(start, length))
            del members["sum"]
            return unit_from_json(members)
        except (ValueError, TypeError) as error:  # sound when it was opened, and not any more
            path = self._file.path
            raise JournalError(
                f"{path} (byte {start}): unit {key} cannot be read: {error}"
            ) from error

    def __setitem__(self, key: str, view: UnitView) -> None:
        self._units[key] = view

    def __delitem__(self, key: str) -> None:
        del self._units[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._units)

    def __len__(self) -> int:
        return len(self._units)

    def __contains__(self, key: object) -> bool:
        return key in self._units


def statuses(units: Mapping[str, UnitView]) -> Iterator[tuple[str, Status]]:
    """Give every unit's key and status; does not read whole what a snapshot only points at."""
    for key in units:
        yield key, units.status(key) if isinstance(units, SnapshotUnits) else units[key].status
