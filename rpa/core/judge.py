"""Judge: what a scan says about a suspected unit.

Landing is shown by what is there; absence only by a reading that could not have missed it. So the
two directions are not symmetrical: one new live row with the key is a landing whatever else the
scan lacks, while absence needs the right shop, every tab, the whole range, a positive control,
settled time, and all of that twice. Whatever falls between is inconclusive, and a person decides.
"""

from __future__ import annotations

from collections.abc import Mapping

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

__all__ = ["baseline_for", "judge", "same_carrier"]

_MIN_PREFIX = 4  # a shorter common beginning says nothing about a cut text


def same_carrier(carrier: str, row: Row, matching: Matching) -> bool:
    """Say whether a row carries exactly this key under the store's equality."""
    return matching.normalise(row.carrier) == matching.normalise(carrier)


def baseline_for(carrier: str, scan: Scan, matching: Matching) -> Baseline:
    """Cut from a whole scan what the judge will later need for one unit."""
    mine = frozenset(row.record for row in scan.rows if same_carrier(carrier, row, matching))
    control = next((row.record for row in scan.rows if row.status is RowStatus.LIVE), None)
    return Baseline(mine, scan.total, control, scan.taken)


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
    if live:
        return _landed(expected, live, matching)
    cut = [row for row in fresh if row not in mine and _is_cut_of(row, expected, matching)]
    if cut:
        return _cut(expected, cut, matching)
    for status, why in (
        (RowStatus.PENDING, "the shop is still processing it"),
        (RowStatus.TRASHED, "a record with this key is in the trash"),
    ):
        found = [row for row in mine if row.status is status]
        if found:
            return _inconclusive(why, found)
    return _absent(expected, baseline, scan, matching, now, known)


def _landed(expected: Expected, live: list[Row], matching: Matching) -> Verdict:
    records = tuple(row.record for row in live)
    if len(live) > 1:
        return Verdict(VerdictKind.MULTIPLE, f"{len(live)} records carry this key", records)
    row = live[0]
    missing = [mark for mark in matching.marks if not row.marks.get(mark, False)]
    if missing:
        why = f"the record lacks {', '.join(missing)}"
        return Verdict(VerdictKind.PARTLY, why, records)
    shown, sent = row.fields, expected.fields
    altered = [name for name in matching.compare if _differs(shown, sent, name, matching)]
    if altered:
        changes = "; ".join(
            f"{name}: sent {sent[name]!r}, shown {shown[name]!r}" for name in altered
        )
        return Verdict(VerdictKind.ALTERED, changes, records)
    return Verdict(VerdictKind.LANDED, "one new record carries this key", records)


def _shared(expected: Expected, matching: Matching) -> bool:
    mine = matching.normalise(expected.carrier)
    return any(matching.normalise(other) == mine for other in expected.siblings)


def _differs(
    shown: Mapping[str, str], sent: Mapping[str, str], name: str, matching: Matching
) -> bool:
    if name not in shown or name not in sent:
        return False
    return matching.normalise(shown[name]) != matching.normalise(sent[name])


def _is_cut_of(row: Row, expected: Expected, matching: Matching) -> bool:
    """Say whether the row's carrier may be what a lossy store kept of ours."""
    whole, kept = matching.normalise(expected.carrier), matching.normalise(row.carrier)
    if not kept or kept == whole or not whole.startswith(kept):
        return False
    if matching.max_length is not None:
        return len(kept) >= matching.max_length - 1
    lost = whole[len(kept)]
    return len(kept) >= _MIN_PREFIX and ord(lost) > 0xFFFF  # cut at a four-byte character


def _cut(expected: Expected, cut: list[Row], matching: Matching) -> Verdict:
    records = tuple(row.record for row in cut)
    rivals = [
        other
        for other in expected.siblings
        if any(matching.normalise(other).startswith(matching.normalise(row.carrier)) for row in cut)
    ]
    if len(cut) > 1 or rivals:
        return _inconclusive("the shop cut the key, and the rest fits several units", cut)
    why = f"the shop kept {cut[0].carrier!r} of {expected.carrier!r}"
    return Verdict(VerdictKind.ALTERED, why, records)


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
    controls = known | ({baseline.control} if baseline.control else set())
    if not controls & set(records):
        return "no record that must be there was seen (positive control)"
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
