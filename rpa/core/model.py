"""The nouns of the core: what was expected, what a scan read, what a verdict says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

__all__ = [
    "Baseline",
    "Carrier",
    "Expected",
    "Matching",
    "Row",
    "RowStatus",
    "Scan",
    "Verdict",
    "VerdictKind",
]


class Carrier(StrEnum):
    """Where the shop itself shows a unit's key, strongest first."""

    EXACT = "exact"
    RECORD_ID = "record_id"
    FINGERPRINT = "fingerprint"
    COUNT = "count"


class RowStatus(StrEnum):
    """What a row in the shop's list counts as."""

    LIVE = "live"
    PENDING = "pending"  # accepted, still processing: not yet a fact
    FAILED = "failed"  # the shop's own final word that it did not land
    TRASHED = "trashed"


class VerdictKind(StrEnum):
    """What a verdict says."""

    LANDED = "landed"
    ALTERED = "altered"
    PARTLY = "partly"
    MULTIPLE = "multiple"
    ABSENT = "absent"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the shop's own list, as read.

    Attributes:
        record: The shop's id of the record; distinct within a scan.
        carrier: The text of the column that carries unit keys, or of the fingerprint.
        fields: Item fields the list shows, as shown.
        status: Whether the row counts.
        time: The shop's own time text; for people only.
        marks: Completeness marks such as ``stock``; false means that effect is missing.
    """

    record: str
    carrier: str
    fields: Mapping[str, str] = field(default_factory=dict)
    status: RowStatus = RowStatus.LIVE
    time: str | None = None
    marks: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scan:
    """What a probe read, and how much it may claim.

    Attributes:
        shop: The identity seen on the page, None if none was seen.
        rows: Every row read, over all tabs and pages.
        complete: The whole range was read and nothing was cut, skipped or still loading.
        tabs: The tabs that were read to their end.
        total: The list's own total, if it shows one.
        taken: When reading began, in seconds of the wall clock.
        reason: Why the scan is incomplete, for people; None if it is complete.
    """

    shop: str | None
    rows: tuple[Row, ...]
    complete: bool
    tabs: frozenset[str]
    taken: float
    total: int | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Matching:
    """What a store declares about its list: how to compare, and when absence may be believed.

    Attributes:
        carrier: The class of the key carrier.
        normalise: The store's equality: what it does to text on the way in.
        tabs: Every tab a record of this kind can be found in.
        marks: Marks that must be true before a record counts as whole.
        compare: Fields that must read the same for an unaltered landing.
        settle: Seconds after the connection is known dead before absence may be believed;
            includes the store's declared processing time.
        again: Seconds between two readings that both find nothing.
        max_length: Longest carrier text the store keeps, if it cuts.
    """

    carrier: Carrier
    normalise: Callable[[str], str]
    tabs: frozenset[str]
    marks: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    settle: float = 0.0
    again: float = 1.0
    max_length: int | None = None


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the shop showed before a unit was armed for the first time.

    Attributes:
        matching: Records that already matched this unit's carrier.
        total: The list's own total then.
        control: A record seen then that a later honest scan must still show.
        taken: When that scan began, in seconds of the wall clock.
        alike: Records that carried something a lossy shop might have kept of this unit's carrier.
        whole: That scan saw the whole list, so that what it did not show was not there.
    """

    matching: frozenset[str]
    total: int | None
    control: str | None
    taken: float
    alike: frozenset[str] = frozenset()
    whole: bool = True

    def to_json(self) -> dict[str, Any]:
        """Write it for the armed record."""
        return {
            "matching": sorted(self.matching),
            "total": self.total,
            "control": self.control,
            "taken": self.taken,
            "alike": sorted(self.alike),
            "whole": self.whole,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read it back from an armed record."""
        return cls(
            matching=frozenset(data["matching"]),
            total=data["total"],
            control=data["control"],
            taken=data["taken"],
            alike=frozenset(data["alike"]),
            whole=data["whole"],
        )


@dataclass(frozen=True, slots=True)
class Expected:
    """What a landing of one unit would look like, from its armed record.

    Attributes:
        shop: The identity the list must show.
        carrier: The text that carries the key.
        fields: The fields that were submitted and the list shows.
        since: When the connection or process was known dead, in seconds of the wall clock;
            None if it is not known to be dead yet.
        nothing_left: A fail-closed session's journal shows that nothing was released.
        absent_at: When an earlier reading found nothing, in seconds of the wall clock.
        siblings: Carriers of the other units of the batch, for a store that cuts text.
    """

    shop: str
    carrier: str
    fields: Mapping[str, str] = field(default_factory=dict)
    since: float | None = None
    nothing_left: bool = False
    absent_at: float | None = None
    siblings: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a scan says about one unit, and why.

    Attributes:
        kind: The verdict.
        why: One sentence for people.
        records: The shop's records it rests on.
        clean: The scan itself was sound and showed nothing: a first reading for absence.
    """

    kind: VerdictKind
    why: str
    records: tuple[str, ...] = ()
    clean: bool = False
