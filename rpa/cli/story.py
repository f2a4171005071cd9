"""A unit's story: every record there is of it, with what people need to follow it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rpa.cli.words import event_in_words, why
from rpa.core.record import Record
from rpa.errors import JournalError
from rpa.journal import export

__all__ = ["records_of", "story_row", "units_of_run"]


def records_of(path: Path, key: str) -> list[Record]:
    """Every record of a unit that is still there, oldest first.

    Raises:
        JournalError: A file is damaged or cannot be read.
    """
    return [record for record in export(path) if record.unit == key]


def units_of_run(path: Path, run: str) -> frozenset[str]:
    """Keys of the units that a run wrote about; none if the journal cannot be read to its end."""
    try:
        return frozenset(record.unit for record in export(path) if record.run == run)
    except (FileNotFoundError, JournalError):
        return frozenset()  # whoever looks at the units themselves says what is wrong


def story_row(record: Record, evidence: Path) -> dict[str, Any]:
    """One record as plain data.

    Args:
        record: What happened.
        evidence: The shop's evidence folder.
    """
    return {
        "seq": record.seq,
        "time": record.time,
        "run": record.run,
        "attempt": record.attempt,
        "step": record.step,
        "event": record.event.value,
        "words": event_in_words(record),
        "why": why(record),
        "by": record.data.get("by", ""),
        "evidence": [_place(evidence / name) for name in record.evidence],
    }


def _place(path: Path) -> dict[str, Any]:
    return {"path": str(path), "kept": path.is_file()}
