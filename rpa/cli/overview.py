"""The overview: what each shop's journal comes to, and what in it waits for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rpa.cli.journals import ShopJournal
from rpa.cli.masking import masked, masker_of
from rpa.cli.unit_row import DEAD, HELD, unit_row
from rpa.config import Project
from rpa.core.states import Status
from rpa.core.view import UnitView
from rpa.errors import JournalError
from rpa.journal import peek
from rpa.journal.owner import Owner, who_runs
from rpa.journal.units import statuses

__all__ = ["Overview", "look"]


@dataclass
class Overview:
    """What one shop's journal comes to.

    Attributes:
        journal: The shop and its journal.
        owner: The process that runs the shop now.
        counts: Its units by status, in the order of `Status`.
        units: Those that are held or dead, or all, as plain data.
        error: Why the journal cannot be read; empty if it can.
    """

    journal: ShopJournal
    owner: Owner | None = None
    counts: dict[str, int] = field(default_factory=dict)
    units: list[dict[str, Any]] = field(default_factory=list)
    error: str = ""

    def only(self, statuses: Collection[Status]) -> list[dict[str, Any]]:
        """The listed units that have one of these statuses."""
        return [unit for unit in self.units if unit["status"] in statuses]

    def document(self) -> dict[str, Any]:
        """It as ``--json`` gives it."""
        return {
            "shop": self.journal.shop,
            "configured": self.journal.configured,
            "counts": self.counts,
            "held": self.only(HELD),
            "dead": self.only(DEAD),
            "running": asdict(self.owner) if self.owner else None,
            "error": self.error,
        }


def look(
    project: Project,
    journal: ShopJournal,
    *,
    every: bool = False,
    among: Collection[str] | None = None,
) -> Overview:
    """Look at one shop.

    Args:
        project: The project.
        journal: The shop's journal.
        every: List every unit, not only those that are held or dead.
        among: Keys of the units to look at, also of those not begun yet; None looks at all that
            the journal knows.
    """
    found = Overview(journal, who_runs(journal.path))
    units: Mapping[str, UnitView] = {}
    try:
        units = peek(journal.path).units
        there = [(key, status) for key, status in statuses(units) if among is None or key in among]
        listed = [units[key] for key, status in there if every or status in (*HELD, *DEAD)]
    except FileNotFoundError:
        there, listed = [], []  # nothing was ever begun in this shop
    except JournalError as error:
        found.error = str(error)
        return found
    counted = Counter(status for _, status in there)
    counted[Status.PENDING] += sum(key not in units for key in among or ())
    found.counts = {status.value: counted[status] for status in Status if counted[status]}
    masker = masker_of(project, journal.shop)
    found.units = [masked(unit_row(journal.shop, view), masker) for view in listed]
    return found
