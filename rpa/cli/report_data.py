"""What a report says, as plain data: a batch's units as they are now, and what one run did."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from rpa.cli.details import details
from rpa.cli.find import Found
from rpa.cli.journals import ShopJournal, journals_of
from rpa.cli.masking import masked, masker_of
from rpa.cli.timeline import Timeline, read_run
from rpa.cli.unit_row import unit_row
from rpa.config import Project
from rpa.core.record import Record
from rpa.core.states import Status
from rpa.core.view import UnitView
from rpa.journal import export, peek
from rpa.runner.batch import Manifest

__all__ = ["MOST_STORIES", "report_data"]

MOST_STORIES: Final = 1000
"""Units that are told with their whole story; of the others a report says only how they stand."""
_FIRST: Final = (
    *(Status.UNKNOWN, Status.CHANGED, Status.DEAD, Status.FAILED, Status.SUBMITTING),
    *(Status.FILLED, Status.SELECTED, Status.PENDING, Status.SUBMITTED, Status.SKIPPED),
)
"""Statuses in the order in which a person wants to hear of them."""


def report_data(project: Project, manifest: Manifest) -> dict[str, Any]:
    """Gather a run's report.

    Args:
        project: The project.
        manifest: The run.

    Raises:
        JournalError: A journal is damaged or cannot be read.
    """
    journals = journals_of(project, manifest.shops)
    units = [found for journal in journals for found in _batch(project, manifest, journal)]
    units.sort(key=lambda found: _FIRST.index(found.view.status))
    stories = _stories(units[:MOST_STORIES])
    timeline = read_run(journals, manifest.run)
    span = timeline.span
    return {
        "run": manifest.run,
        "flow": manifest.flow,
        "source": manifest.source,
        "edition": manifest.edition,
        "batch": manifest.batch,
        "began": _iso(span[0]) if span else None,
        "ended": _iso(span[1]) if span else None,
        "seconds": round(span[1] - span[0], 1) if span else 0.0,
        "written": _iso(time.time()),
        "counts": _counts(units),
        "shops": [
            {"shop": journal.shop, "counts": _counts(u for u in units if u.journal == journal)}
            for journal in journals
        ],
        "units": [
            details(project, found, stories[found.view.key]) for found in units[:MOST_STORIES]
        ],
        "rest": [_row(project, found) for found in units[MOST_STORIES:]],
        **_told(project, timeline),
    }


def _batch(project: Project, manifest: Manifest, journal: ShopJournal) -> Iterator[Found]:
    """The batch's units in one shop, as they are now; a unit never begun is as good as new."""
    try:
        views = peek(journal.path).units
    except FileNotFoundError:
        views = {}
    for unit in manifest.units(project, journal.identity):
        view = views.get(unit.key) or UnitView(unit.key, unit.identity, unit.edition)
        yield Found(journal, view)


def _stories(units: Iterable[Found]) -> dict[str, list[Record]]:
    """Every record of these units, by key, in one reading of each journal."""
    wanted: dict[ShopJournal, set[str]] = defaultdict(set)
    for found in units:
        wanted[found.journal].add(found.view.key)
    stories: dict[str, list[Record]] = defaultdict(list)
    for journal, keys in wanted.items():
        if journal.path.exists():
            for record in export(journal.path):
                if record.unit in keys:
                    stories[record.unit].append(record)
    return stories


def _counts(units: Iterable[Found]) -> dict[str, int]:
    counted = Counter(found.view.status for found in units)
    return {status.value: counted[status] for status in Status if counted[status]}


def _row(project: Project, found: Found) -> dict[str, Any]:
    shop = found.journal.shop
    row: dict[str, Any] = masked(unit_row(shop, found.view), masker_of(project, shop))
    return row


def _told(project: Project, timeline: Timeline) -> dict[str, Any]:
    """What the run did, in plain data and masked."""
    maskers = {shop: masker_of(project, shop) for shop in timeline.lanes}
    lanes = [
        {"shop": shop, "bars": masked([asdict(bar) for bar in bars], maskers[shop])}
        for shop, bars in timeline.lanes.items()
    ]
    return {
        "lanes": lanes,
        "errors": [masked(row, maskers[row["shop"]]) for row in _by_time(timeline.errors)],
        "verdicts": [masked(row, maskers[row["shop"]]) for row in _by_time(timeline.verdicts)],
    }


def _by_time(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: str(row["time"]))


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
