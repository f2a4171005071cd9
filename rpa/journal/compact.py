"""Compaction: a new generation of the journal that begins with what its past came to.

Every unit's whole view goes into the new file, so nothing is decided differently afterwards; only
the story of how it came about stays behind, in the old generation's file, for `rpa show`.
Whoever has the old file open notices under the append lock that the path names another one.

The path names a whole journal at every moment: the new file is made under another name, synced,
and put in the old one's place in one step, after the old one has got its second name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rpa.core.snapshot import unit_to_json
from rpa.errors import JournalError, JournalUnwritable
from rpa.journal.base import Reach, nowhere
from rpa.journal.files import Files
from rpa.journal.header import Header
from rpa.journal.lock import AppendLock, RunLock
from rpa.journal.names import new_file, segment_file
from rpa.journal.record_line import seal
from rpa.journal.segment import Segment
from rpa.journal.tail import mend_tail
from rpa.journal.units import SnapshotUnits

__all__ = ["Compacted", "compact"]

_BLOCK: Final = 256  # lines per write
_SAMPLE: Final = 64 * 1024  # bytes that tell two journals apart; records carry their times


@dataclass(frozen=True, slots=True)
class Compacted:
    """What a compaction did.

    Attributes:
        generation: The journal's generation now.
        units: How many units it knows.
        before: Bytes of the old file.
        after: Bytes of the new one.
        kept: Where the old one is now; None if there was nothing to do.
    """

    generation: int
    units: int
    before: int
    after: int
    kept: Path | None


def compact(
    path: Path,
    *,
    clock: Callable[[], float],
    held: RunLock | None = None,
    reach: Reach = nowhere,
    files: Files | None = None,
) -> Compacted:
    """Write a shop's journal anew, shorter.

    Args:
        path: The journal.
        clock: Seconds of the wall clock.
        held: The shop's run lock, if the caller has it already.
        reach: Told each kill point as it is reached.
        files: The file system; tests give one that fails.

    Raises:
        FileNotFoundError: There is no journal.
        ShopLocked: A run is on.
        JournalDamaged: It is damaged; nothing was changed.
        JournalTooNew: A newer version wrote it; nothing was changed.
        JournalUnwritable: The disk does not let us; the old generation is in its place, or the
            new one is, and either says the same.
    """
    files = files or Files()
    if not path.exists():
        raise FileNotFoundError(f"{path}: no journal to compact")
    with ExitStack() as stack:
        try:
            if held is None:
                stack.enter_context(RunLock(path, clock=clock, files=files))
            lock = AppendLock(path, files)
            stack.callback(lock.close)
            stack.enter_context(lock.held())
            segment = Segment.open(path, files)
            stack.callback(segment.close)
            mend_tail(segment, files)
            return _rewrite(segment, files, reach)
        except (OSError, ValueError) as error:  # the latter: a unit too long for a line
            raise JournalUnwritable(f"{path} was not compacted: {error}") from error


def _rewrite(segment: Segment, files: Files, reach: Reach) -> Compacted:
    path, old, history = segment.path, segment.lines.header, segment.history
    before = segment.lines.offset
    if history.seq == old.seq:  # nothing happened since the last compaction
        return Compacted(old.generation, len(history.units), before, before, None)
    new = Header(old.shop, old.generation + 1, len(history.units), history.seq)
    kept = segment_file(path, old.generation)
    _refuse_to_lose(kept, path)
    _write_lines(new_file(path), _lines(new, segment), files)
    reach("compact.written")
    files.keep(path, kept)
    files.fsync_dir(path.parent)
    reach("compact.kept")
    segment.close()  # Windows replaces no file that is open
    files.replace(new_file(path), path)
    reach("compact.replaced")
    files.fsync_dir(path.parent)
    reach("compact.synced")
    return Compacted(new.generation, new.units, before, path.stat().st_size, kept)


def _refuse_to_lose(kept: Path, path: Path) -> None:
    """Only a second name or copy of the journal itself, left by a crash, may be replaced."""
    if not kept.exists():
        return
    with kept.open("rb") as there, path.open("rb") as here:
        beginning = there.read(_SAMPLE)
        if here.read(len(beginning)) != beginning:
            raise JournalError(f"{kept} is in the way and is not an older {path.name}; move it")


def _lines(header: Header, segment: Segment) -> Iterator[bytes]:
    yield header.line()
    units = segment.history.units
    for key in units:
        raw = units.raw(key) if isinstance(units, SnapshotUnits) else None
        yield raw + b"\n" if raw is not None else seal(unit_to_json(units[key]))


def _write_lines(path: Path, lines: Iterator[bytes], files: Files) -> None:
    fd = files.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        block: list[bytes] = []
        for line in lines:
            block.append(line)
            if len(block) == _BLOCK:
                files.write_all(fd, b"".join(block))
                block.clear()
        files.write_all(fd, b"".join(block))
        files.fsync(fd)
    finally:
        os.close(fd)
