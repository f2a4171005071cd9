"""Judge: what a scan says about a suspected unit.

Landing is shown by what is there; absence only by a reading that could not have missed it. So the
two directions are not symmetrical: one new live row with the key is a landing whatever else the
scan lacks, while absence needs the right shop, every tab, the whole range, a positive control,
settled time, and all of that twice. Whatever falls between is inconclusive, and a person decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rpa.core.kept import Kin, traces
from rpa.core.model import (
    Baseline,
    Carrier,
    Expected,
    Matching,
    Row,
    RowStatus,
    Scan,
    Verdict,
    VerdictKind,
)
from rpa.core.normalise import explain_difference

__all__ = ["baseline_for", "combine", "judge", "same_carrier"]


def same_carrier(carrier: str, row: Row, matching: Matching) -> bool:
    """Say whether a row carries exactly this key under the store's equality."""
    return matching.normalise(row.carrier) == matching.normalise(carrier)


def baseline_for(carrier: str, scan: Scan, matching: Matching) -> Baseline:
    """Cut from a scan what the judge will later need for one unit."""
    mine = traces(carrier, matching)
    kin = {row.record: mine.kin(row.carrier) for row in scan.rows}
    return Baseline(
        matching=frozenset(record for record, how in kin.items() if how is Kin.SAME),
        total=scan.total,
        control=next((row.record for row in scan.rows if row.status is RowStatus.LIVE), None),
        taken=scan.taken,
        alike=frozenset(r for r, how in kin.items() if how in (Kin.REMAINDER, Kin.DOUBTFUL)),
        whole=_missing_part(scan, matching) is None,
    )


def judge(
    expected: Expected,
    baseline: Baseline,
    scan: Scan,
    matching: Matching,
    now: float,
    known: frozenset[str] = frozenset(),
) -> Verdict:
    """Decide what a scan says about one unit.

    Args:
        expected: What a landing would look like, from the armed record.
        baseline: What the shop showed before the unit's *first* attempt.
        scan: What the probe read now.
        matching: What the store declares about its list.
        now: Seconds of the wall clock.
        known: Records this journal knows to exist, as further positive controls.
    """
    if scan.shop != expected.shop:
        return _inconclusive(f"the list belongs to {scan.shop!r}, not to {expected.shop!r}")
    fresh = [row for row in scan.rows if row.record not in baseline.matching]
    mine = [row for row in fresh if same_carrier(expected.carrier, row, matching)]
    live = [row for row in mine if row.status is RowStatus.LIVE]
    if live and _shared(expected, matching):
        return _inconclusive("another unit of this batch has the same key", live)
    if live and not baseline.whole:
        return _inconclusive("the list was not read whole before, so this may be older", live)
    if live:
        return _landed(expected, live, matching)
    for status, why in (
        (RowStatus.PENDING, "the shop is still processing it"),
        (RowStatus.TRASHED, "a record with this key is in the trash"),
    ):
        found = [row for row in mine if row.status is status]
        if found:
            return _inconclusive(why, found)
    others = [row for row in fresh if row.record not in baseline.alike]
    return _remainder(expected, baseline, others, matching) or _absent(
        expected, baseline, scan, matching, now, known
    )


def _landed(expected: Expected, live: list[Row], matching: Matching) -> Verdict:
    records = tuple(row.record for row in live)
    if len(live) > 1:
        return Verdict(VerdictKind.MULTIPLE, f"{len(live)} records carry this key", records)
    row = live[0]
    if lacks := _lacks(row, matching):
        return Verdict(VerdictKind.PARTLY, lacks, records)
    shown, sent = row.fields, expected.fields
    altered = [name for name in matching.compare if _differs(shown, sent, name, matching)]
    if altered:
        changes = "; ".join(
            f"{name}: {explain_difference(sent[name], shown[name])}" for name in altered
        )
        return Verdict(VerdictKind.ALTERED, changes, records)
    return Verdict(VerdictKind.LANDED, "one new record carries this key", records)


def _lacks(row: Row, matching: Matching) -> str:
    missing = [mark for mark in matching.marks if not row.marks.get(mark, False)]
    return f"the record lacks {', '.join(missing)}" if missing else ""


def _shared(expected: Expected, matching: Matching) -> bool:
    mine = matching.normalise(expected.carrier)
    return any(matching.normalise(other) == mine for other in expected.siblings)


def _differs(
    shown: Mapping[str, str], sent: Mapping[str, str], name: str, matching: Matching
) -> bool:
    if name not in shown or name not in sent:
        return False
    return _amount(matching.normalise(shown[name])) != _amount(matching.normalise(sent[name]))


def _amount(text: str) -> str:
    """Write 12.50 as 12.5, and leave everything else alone: 007 is not 7."""
    if re.fullmatch(r"-?[0-9]+\.[0-9]+", text):
        return text.rstrip("0").rstrip(".")
    return text


def _remainder(
    expected: Expected, baseline: Baseline, rows: list[Row], matching: Matching
) -> Verdict | None:
    """Look for what a lossy shop may have kept of our key; None if there is nothing like it."""
    carrier, mine = expected.carrier, traces(expected.carrier, matching)
    others = {matching.normalise(other) for other in expected.siblings}
    kin = [(mine.kin(row.carrier), row) for row in rows if row.status is not RowStatus.FAILED]
    sure = [row for how, row in kin if how is Kin.REMAINDER]
    maybe = [
        row
        for how, row in kin
        if how is Kin.DOUBTFUL and matching.normalise(row.carrier) not in others
    ]
    if not sure and not maybe:
        return None
    rival = any(
        other.startswith(matching.normalise(row.carrier)) for row in sure for other in others
    )
    only = sure[0] if len(sure) == 1 and not maybe and not rival else None
    if only is None or only.status is not RowStatus.LIVE or not baseline.whole:
        return _inconclusive("a new record carries what may be left of this key", sure + maybe)
    lacks = _lacks(only, matching)
    why = f"the shop cut the key: {explain_difference(carrier, only.carrier)}"
    why += f"; {lacks}" if lacks else ""
    return Verdict(VerdictKind.PARTLY if lacks else VerdictKind.ALTERED, why, (only.record,))


def _absent(
    expected: Expected,
    baseline: Baseline,
    scan: Scan,
    matching: Matching,
    now: float,
    known: frozenset[str],
) -> Verdict:
    if baseline.matching:
        return _inconclusive("a record with this key was there before our first attempt")
    if matching.carrier in (Carrier.COUNT, Carrier.FINGERPRINT):
        return _inconclusive(f"a key carried by {matching.carrier} cannot prove absence")
    doubt = _unsound(baseline, scan, matching, known) or _unsettled(expected, scan, matching, now)
    if doubt:
        return _inconclusive(doubt)
    if expected.nothing_left:
        why = "nothing was released, and the list does not show it"
        return Verdict(VerdictKind.ABSENT, why, clean=True)
    if expected.absent_at is None or scan.taken - expected.absent_at < matching.again:
        why = "one reading found nothing; a second is needed"
        return Verdict(VerdictKind.INCONCLUSIVE, why, clean=True)
    return Verdict(VerdictKind.ABSENT, "two whole readings found nothing", clean=True)


def _unsound(
    baseline: Baseline, scan: Scan, matching: Matching, known: frozenset[str]
) -> str | None:
    """Say why this scan could have missed a record, if it could."""
    missing = _missing_part(scan, matching)
    if missing is not None:
        return missing
    controls = known | ({baseline.control} if baseline.control else set())
    if controls.isdisjoint(row.record for row in scan.rows):
        return "no record that must be there was seen (positive control)"
    return None


def _missing_part(scan: Scan, matching: Matching) -> str | None:
    """Say which part of the list a scan has not seen, by its own account."""
    if not scan.complete:
        return scan.reason or "the list was not read to its end"
    unread = matching.tabs - scan.tabs
    if unread:
        return f"these tabs were not read: {', '.join(sorted(unread))}"
    records = [row.record for row in scan.rows]
    if len(set(records)) != len(records):
        return "the list showed a record twice, so it may have hidden another"
    if scan.total is not None and scan.total != len(records):
        return f"the list says {scan.total} records, {len(records)} were read"
    return None


def _unsettled(expected: Expected, scan: Scan, matching: Matching, now: float) -> str | None:
    """Say why it may still be on its way, if it may."""
    if expected.since is None:
        return "the request is not known to be over"
    waited = min(scan.taken, now) - expected.since
    if waited < matching.settle:
        return f"only {max(waited, 0):.0f} s of {matching.settle:.0f} s settle time have passed"
    return None


def _inconclusive(why: str, rows: list[Row] | None = None) -> Verdict:
    return Verdict(VerdictKind.INCONCLUSIVE, why, tuple(row.record for row in rows or ()))


_STRONGEST_FIRST = (
    VerdictKind.MULTIPLE,
    VerdictKind.PARTLY,
    VerdictKind.ALTERED,
    VerdictKind.LANDED,
)


def combine(verdicts: Sequence[Verdict]) -> Verdict:
    """Make one verdict of several lists' verdicts about one unit.

    What any list shows is there; absence needs every list. Of two doubts the one that is not a
    sound first reading weighs more.
    """
    for kind in _STRONGEST_FIRST:
        for verdict in verdicts:
            if verdict.kind is kind:
                return verdict
    doubts = [verdict for verdict in verdicts if verdict.kind is VerdictKind.INCONCLUSIVE]
    return min(doubts or verdicts, key=lambda verdict: verdict.clean)
