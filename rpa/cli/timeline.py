"""The timeline of a run: what each shop was at, when, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from rpa.cli.journals import ShopJournal
from rpa.cli.words import event_in_words, why
from rpa.core.keys import label
from rpa.core.record import Record
from rpa.core.states import Event
from rpa.journal import export

__all__ = ["TONES", "Bar", "Timeline", "read_run"]

_E = Event
TONES: Final[Mapping[Event, str]] = {
    **dict.fromkeys((_E.ACCEPTED, _E.LANDED, _E.CONFIRMED_LANDED, _E.COMPLETED), "good"),
    **dict.fromkeys((_E.LOST, _E.AMBIGUOUS, _E.RESTARTED, _E.INCONCLUSIVE), "held"),
    **dict.fromkeys((_E.ALTERED, _E.MULTIPLE, _E.PARTLY, _E.FOUND, _E.CHANGED), "held"),
    **dict.fromkeys((_E.FAILED, _E.NOT_SENT, _E.REFUSED, _E.REJECTED, _E.EXHAUSTED), "bad"),
    _E.ABSENT: "open",
}
"""How good or bad an event is for its unit; events not here say nothing of that."""
_VERDICTS: Final = frozenset(
    {_E.LANDED, _E.ALTERED, _E.MULTIPLE, _E.PARTLY, _E.ABSENT, _E.INCONCLUSIVE}
)


@dataclass(frozen=True)
class Bar:
    """A stretch in which a shop was at one unit.

    Attributes:
        unit: The unit's key.
        label: The unit, for people.
        tone: How it ended, as `TONES` says.
        begin: Seconds of the wall clock.
        end: Likewise.
        words: What came of it.
    """

    unit: str
    label: str
    tone: str
    begin: float
    end: float
    words: str


@dataclass
class Timeline:
    """What one run wrote.

    Attributes:
        lanes: Each shop's bars, in order of time.
        errors: What went wrong, as plain data.
        verdicts: What probes found, as plain data.
    """

    lanes: dict[str, list[Bar]] = field(default_factory=dict)
    errors: list[dict[str, Any]] = field(default_factory=list)
    verdicts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def span(self) -> tuple[float, float] | None:
        """When it began and ended, in seconds of the wall clock; None if it wrote nothing."""
        bars = [bar for lane in self.lanes.values() for bar in lane]
        if not bars:
            return None
        return min(bar.begin for bar in bars), max(bar.end for bar in bars)


def read_run(journals: Iterable[ShopJournal], run: str) -> Timeline:
    """Read what a run wrote into these journals.

    Raises:
        JournalError: One is damaged or cannot be read.
    """
    timeline = Timeline()
    for journal in journals:
        mine = _told(_records(journal, run), journal.shop, timeline)
        groups = groupby(mine, key=lambda record: record.unit)
        timeline.lanes[journal.shop] = [_bar(list(records)) for _, records in groups]
    return timeline


def _records(journal: ShopJournal, run: str) -> Iterator[Record]:
    try:
        yield from (record for record in export(journal.path) if record.run == run)
    except FileNotFoundError:
        return


def _told(records: Iterable[Record], shop: str, timeline: Timeline) -> Iterator[Record]:
    """Pass records on, and list those that tell of an error or a verdict."""
    for record in records:
        row = {
            "time": record.time,
            "shop": shop,
            "unit": record.unit,
            "label": label(record.identity, record.edition),
            "tone": TONES.get(record.event, ""),
            "words": event_in_words(record),
            "why": why(record),
        }
        if record.event in _VERDICTS:
            timeline.verdicts.append(row)
        elif record.error is not None:
            timeline.errors.append(row)
        yield record


def _bar(records: list[Record]) -> Bar:
    first, last = records[0], records[-1]
    # A submit step ends with a record of its own, which says no more than its outcome did.
    telling = [r for r in records if r.event in TONES and not r.data.get("outcome")]
    return Bar(
        unit=first.unit,
        label=label(first.identity, first.edition),
        tone=TONES[telling[-1].event] if telling else "open",
        begin=_seconds(first.time),
        end=_seconds(last.time),
        words=event_in_words(telling[-1] if telling else last),
    )


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp()
