"""The names of the files beside a journal."""

from __future__ import annotations

from pathlib import Path

__all__ = [
    "append_lock",
    "beside",
    "new_file",
    "owner_note",
    "run_lock",
    "segment_file",
    "torn_file",
]


def beside(path: Path, ending: str) -> Path:
    """Name a file beside the journal: its own name and an ending."""
    return path.with_name(f"{path.name}.{ending}")


def append_lock(path: Path) -> Path:
    """The file whose lock every append holds for a moment."""
    return beside(path, "append.lock")


def run_lock(path: Path) -> Path:
    """The file whose lock a run holds for its whole life."""
    return beside(path, "run.lock")


def owner_note(path: Path) -> Path:
    """The file that says who holds the run lock, for people."""
    return beside(path, "run.owner")


def new_file(path: Path) -> Path:
    """A journal file that is not whole yet; never read, overwritten by the next try."""
    return beside(path, "new")


def torn_file(path: Path, number: int) -> Path:
    """Where the bytes of a torn tail are kept."""
    return beside(path, f"torn-{number}")


def segment_file(path: Path, generation: int) -> Path:
    """Where a generation is kept after a compaction."""
    return path.with_name(f"{path.stem}.g{generation}{path.suffix}")
