"""Looking at a journal without touching it: what is in it, and what is wrong with it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from rpa.core.fold import History
from rpa.core.record import Record
from rpa.core.states import Status
from rpa.errors import JournalDamaged, JournalError, JournalTooNew
from rpa.journal.files import Files
from rpa.journal.header import Header
from rpa.journal.lines import Lines
from rpa.journal.names import segment_file
from rpa.journal.record_line import VERSION
from rpa.journal.segment import Segment, open_file

__all__ = ["Damage", "Report", "check", "export", "peek"]


@dataclass(frozen=True, slots=True)
class Damage:
    """Something wrong in a journal file.

    Attributes:
        path: The file.
        line: The line's number, from 1; 0 if it is not about a line.
        byte: Where that line begins, from 0.
        why: What is wrong, for people.
    """

    path: Path
    line: int
    byte: int
    why: str


@dataclass(slots=True)
class Report:
    """What `check` found.

    Attributes:
        path: The journal.
        version: Format version of its header; 0 if there is no header to read.
        header: What it says of itself; None if that cannot be read.
        lines: Whole lines in order, up to the first damage, the header among them.
        seq: Records written in the journal's whole life, up to the first damage.
        units: How many units have each status.
        tail: Bytes after the last newline of a sound journal: just being written, or torn; the
            next run mends them.
        damage: The first fault of each damaged file, the journal itself first.
        generations: Files of older generations that are there, oldest first.
        missing: Generations whose file is not there any more; `export` begins after them.
        torn: Side files with torn tails.
        too_new: What a newer version wrote, so that this one can say no more.
    """

    path: Path
    version: int = 0
    header: Header | None = None
    lines: int = 0
    seq: int = 0
    units: dict[Status, int] = field(default_factory=dict)
    tail: int = 0
    damage: list[Damage] = field(default_factory=list)
    generations: list[Path] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    torn: list[Path] = field(default_factory=list)
    too_new: str = ""

    @property
    def sound(self) -> bool:
        """Whether a run could start on it; damage in older generations does not stop one."""
        return not self.too_new and all(each.path != self.path for each in self.damage)


def peek(path: Path) -> History:
    """Say what a journal holds now, without its locks; units are read when they are asked for.

    Raises:
        FileNotFoundError: There is no journal.
        JournalError: It cannot be read, is damaged or too new.
    """
    return Segment.open(path, Files(), os.O_RDONLY).history


def check(path: Path) -> Report:
    """Read a journal and its older generations from end to end, and change nothing.

    Raises:
        FileNotFoundError: There is no journal.
        JournalError: A file cannot be read at all.
    """
    report = Report(path, torn=sorted(path.parent.glob(f"{path.name}.torn-*")))
    segment = _read_through(path, report)
    if segment is None:
        return report
    report.version, report.header = VERSION, segment.lines.header
    report.lines = report.damage[0].line - 1 if report.damage else segment.lines.line
    report.tail = segment.lines.tail if report.sound else 0
    report.seq = segment.history.seq
    report.units = dict(Counter(unit.status for unit in segment.history.units.values()))
    segment.close()
    for number in range(1, report.header.generation):
        kept = segment_file(path, number)
        if kept.exists():
            report.generations.append(kept)
            older = _read_through(kept, report)
            if older is not None:
                older.close()
        else:
            report.missing.append(number)
    return report


def export(path: Path) -> Iterator[Record]:
    """Give every record that is still there, oldest first, over all generations.

    Raises:
        FileNotFoundError: There is no journal.
        JournalError: A file is damaged, too new, or cannot be read.
    """
    with closing(open_file(path)) as file:
        current = Lines(path, file)  # first, so that a compaction meanwhile does not matter
        for number in range(1, current.header.generation):
            kept = segment_file(path, number)
            if kept.exists():
                with closing(open_file(kept)) as older:
                    yield from _records(Lines(kept, older))
        yield from _records(current)


def _read_through(path: Path, report: Report) -> Segment | None:
    """Read a file as far as it is sound; note what is wrong."""
    file = open_file(path)
    try:
        segment = Segment(path, file)
    except JournalError as error:
        file.close()
        _note(report, error)
        return None
    try:
        segment.catch_up()
    except JournalError as error:
        _note(report, error)
    return segment


def _note(report: Report, error: JournalError) -> None:
    match error:
        case JournalDamaged():
            report.damage.append(Damage(error.path, error.line, error.byte, error.why))
        case JournalTooNew():
            report.too_new = str(error)
        case _:
            raise error


def _records(lines: Lines) -> Iterator[Record]:
    missing = lines.header.units
    for batch in lines.batches():
        snapshot, batch = batch[:missing], batch[missing:]
        missing -= len(snapshot)
        lines.passed(snapshot)
        yield from filter(None, lines.records(batch))
        lines.passed(batch)
