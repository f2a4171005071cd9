"""A unit's story: every record there is of it, with what people need to follow it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from rpa.cli.words import event_in_words, why
from rpa.core.keys import canonical
from rpa.core.normalise import explain_difference
from rpa.core.record import Record
from rpa.journal import export
from rpa.journal.lines import Lines
from rpa.journal.names import segment_file
from rpa.journal.segment import open_file

__all__ = ["differences", "lost_generations", "records_of", "story_row", "traces_of"]


def records_of(path: Path, key: str) -> list[Record]:
    """Every record of a unit that is still there, oldest first.

    Raises:
        JournalError: A file is damaged or cannot be read.
    """
    return [record for record in export(path) if record.unit == key]


def lost_generations(path: Path) -> list[int]:
    """Older generations of a journal whose files are gone, so that stories begin after them."""
    with closing(open_file(path)) as file:
        generation = Lines(path, file).header.generation
    return [number for number in range(1, generation) if not segment_file(path, number).exists()]


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


def traces_of(records: Iterable[Record], evidence: Path) -> list[str]:
    """Traces kept of a unit's attempts; no record names them, for they are ready after the last.

    Args:
        records: The unit's records.
        evidence: The shop's evidence folder.
    """
    attempts = dict.fromkeys((r.run, r.unit[:12], r.attempt) for r in records if r.run)
    paths = (evidence / run / f"{unit}-{attempt}.trace.zip" for run, unit, attempt in attempts)
    return [str(path) for path in paths if path.is_file()]


def differences(
    landed: Mapping[str, Any] | None, now: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """Old and new arguments side by side, for a unit whose row has changed; else nothing.

    Returns:
        For each field ``field``, ``landed``, ``now``, ``same``, and in ``difference`` how two
        texts differ that may look alike.
    """
    if landed is None or now is None:
        return []
    rows = []
    for name in dict.fromkeys([*landed, *now]):
        old, new = landed.get(name), now.get(name)
        told = explain_difference(old, new) if isinstance(old, str) and isinstance(new, str) else ""
        rows.append(
            {
                "field": name,
                "landed": old,
                "now": new,
                "same": canonical(old) == canonical(new),
                "difference": told,
            }
        )
    return rows


def _place(path: Path) -> dict[str, Any]:
    return {"path": str(path), "kept": path.is_file()}
