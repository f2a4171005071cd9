"""The only memory: an append-only journal per shop."""

from __future__ import annotations

from rpa.journal.base import Journal, Reach, nowhere
from rpa.journal.check import Damage, Report, check, export, peek
from rpa.journal.compact import Compacted, compact
from rpa.journal.jsonl import JsonlJournal
from rpa.journal.lock import RunLock
from rpa.journal.memory import MemoryJournal

__all__ = [
    "Compacted",
    "Damage",
    "Journal",
    "JsonlJournal",
    "MemoryJournal",
    "Reach",
    "Report",
    "RunLock",
    "check",
    "compact",
    "export",
    "nowhere",
    "peek",
]
