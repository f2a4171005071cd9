"""What a scan says about one unit: the V cases that the judge decides."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rpa.core.judge import baseline_for, combine, judge, same_carrier
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
from rpa.core.normalise import collapse_spaces, compose, fold_case, nfkc, unescape_entities

SHOP = "店铺-上海"
TABS = frozenset({"在售", "审核中"})
MATCHING = Matching(
    Carrier.EXACT,
    compose(unescape_entities, nfkc, collapse_spaces),
    TABS,
    compare=("title", "price"),
    settle=20.0,
    again=5.0,
)
OLD = Row("r0", "老款-00", {"title": "老款"})
BASELINE = Baseline(frozenset(), 1, "r0", taken=0.0)
OVER = 100.0  # when the request was known to be over
NOW = OVER + 60


def expect(carrier: str = "红色T恤-01", **more: Any) -> Expected:
    return Expected(SHOP, carrier, since=OVER, **more)


def reading(*rows: Row, **more: Any) -> Scan:
    """A whole reading in which the control is seen, unless told otherwise."""
    told = {"shop": SHOP, "complete": True, "tabs": TABS, "taken": NOW, **more}
    return Scan(rows=(OLD, *rows), **told)


def verdict(scan: Scan, expected: Expected | None = None, **more: Any) -> Verdict:
    baseline = more.pop("baseline", BASELINE)
    matching = more.pop("matching", MATCHING)
    return judge(expected or expect(), baseline, scan, matching, more.pop("now", NOW), **more)


def second(expected: Expected | None = None) -> Expected:
    """The same, after a first reading that found nothing."""
    return replace(expected or expect(), absent_at=NOW - MATCHING.again)


MINE = Row("r1", "红色T恤-01", {"title": "红色T恤🔥", "price": "19.90"})


# Landed.


def test_one_new_record_with_the_key_has_landed() -> None:
    found = verdict(reading(MINE))
    assert (found.kind, found.records) == (VerdictKind.LANDED, ("r1",))


def test_a_landing_needs_no_whole_reading() -> None:
    """V01, V06, V21 the other way round: what is seen is there, whatever else was not read."""
    cut = reading(MINE, complete=False, tabs=frozenset(), total=99, reason="captcha")
    assert verdict(cut, now=OVER).kind is VerdictKind.LANDED


def test_two_records_have_landed_more_than_once() -> None:
    found = verdict(reading(MINE, replace(MINE, record="r2")))
    assert (found.kind, found.records) == (VerdictKind.MULTIPLE, ("r1", "r2"))


def test_a_record_without_its_stock_has_landed_partly() -> None:
    """L08"""
    matching = replace(MATCHING, marks=("stock", "image"))
    partly = replace(MINE, marks={"stock": False, "image": True})
    found = verdict(reading(partly), matching=matching)
    assert (found.kind, found.why) == (VerdictKind.PARTLY, "the record lacks stock")
    bare = verdict(reading(MINE), matching=matching)
    assert (bare.kind, bare.why) == (VerdictKind.PARTLY, "the record lacks stock, image")
    whole = replace(MINE, marks={"stock": True, "image": True})
    assert verdict(reading(whole), matching=matching).kind is VerdictKind.LANDED


def test_other_fields_than_were_sent_have_landed_altered() -> None:
    sent = expect(fields={"title": "红色T恤🔥", "price": "20.00"})
    found = verdict(reading(MINE), sent)
    assert found.kind is VerdictKind.ALTERED
    assert "price: sent '20.00', shown '19.90'" in found.why
    assert "title" not in found.why


@pytest.mark.parametrize(
    ("sent", "shown", "kind"),
    [
        ("19.90", "19.9", VerdictKind.LANDED),
        ("20", "20.00", VerdictKind.LANDED),
        ("-0.50", "-0.5", VerdictKind.LANDED),
        ("200", "20", VerdictKind.ALTERED),
        ("007", "7", VerdictKind.ALTERED),
        ("1e3", "1000", VerdictKind.ALTERED),
        ("20.", "20", VerdictKind.ALTERED),
        ("V1.10", "V1.1", VerdictKind.ALTERED),
    ],
)
def test_an_amount_is_one_however_many_zeros_follow(
    sent: str, shown: str, kind: VerdictKind
) -> None:
    found = verdict(reading(replace(MINE, fields={"price": shown})), expect(fields={"price": sent}))
    assert found.kind is kind


def test_only_declared_and_shown_fields_are_compared() -> None:
    sent = expect(fields={"title": "红色T恤🔥", "note": "x"})
    assert verdict(reading(replace(MINE, fields={"note": "y"})), sent).kind is VerdictKind.LANDED
    assert verdict(reading(MINE), expect(fields={"note": "x"})).kind is VerdictKind.LANDED


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("A & B <C>", "A &amp; B &lt;C&gt;"),  # V09
        ("A & B", "A &amp;amp; B"),  # V09
        ("红色\u00a0T恤\u200b", "红色 T恤"),  # V12
        ("红色  T恤", "红色 T恤"),  # V13
        ("红色\u3000T恤", "红色 T恤"),  # V13
        ("ＳＫＵ-１", "SKU-1"),
    ],
)
def test_what_the_shop_is_declared_to_tidy_is_no_difference(sent: str, shown: str) -> None:
    found = verdict(
        reading(Row("r1", shown, {"title": shown})), expect(sent, fields={"title": sent})
    )
    assert found.kind is VerdictKind.LANDED


def test_case_is_a_difference_unless_declared() -> None:
    """V14"""
    shown = reading(Row("r1", "11111m"))
    assert verdict(shown, second(expect("11111M"))).kind is VerdictKind.ABSENT
    folding = replace(MATCHING, normalise=compose(MATCHING.normalise, fold_case))
    assert verdict(shown, expect("11111M"), matching=folding).kind is VerdictKind.LANDED


def test_part_of_a_key_is_not_the_key() -> None:
    """V19: unit-1 and unit-10."""
    one, ten = Row("r1", "unit-1"), Row("r10", "unit-10")
    for_one = second(expect("unit-1", siblings=frozenset({"unit-10"})))
    for_ten = second(expect("unit-10", siblings=frozenset({"unit-1"})))
    assert verdict(reading(one, ten), for_one).records == ("r1",)
    assert verdict(reading(one, ten), for_ten).records == ("r10",)
    assert verdict(reading(ten), for_one).kind is VerdictKind.ABSENT
    assert verdict(reading(one), for_ten).kind is VerdictKind.ABSENT


# What was there before.


def test_only_records_that_were_not_there_before_count() -> None:
    """V20: a colleague's copy of an hour ago."""
    baseline = baseline_for("红色T恤-01", reading(MINE), MATCHING)
    assert baseline.matching == {"r1"}
    found = verdict(reading(MINE), second(), baseline=baseline)
    assert found.kind is VerdictKind.INCONCLUSIVE
    assert "before our first attempt" in found.why
    mine = verdict(reading(MINE, replace(MINE, record="r2")), baseline=baseline)
    assert (mine.kind, mine.records) == (VerdictKind.LANDED, ("r2",))


def test_a_later_baseline_would_hide_the_landing() -> None:
    """Why only the first armed record's baseline counts."""
    later = baseline_for("红色T恤-01", reading(MINE), MATCHING)
    assert verdict(reading(MINE)).kind is VerdictKind.LANDED
    assert verdict(reading(MINE), baseline=later).kind is not VerdictKind.LANDED


@pytest.mark.parametrize(
    "scan",
    [
        reading(complete=False, reason="page 2 of 3 was not read"),
        reading(tabs=frozenset({"在售"})),
        reading(total=7),
        reading(OLD),
    ],
)
def test_a_baseline_that_was_not_whole_proves_no_landing(scan: Scan) -> None:
    baseline = baseline_for("红色T恤-01", scan, MATCHING)
    assert not baseline.whole
    found = verdict(reading(MINE), baseline=baseline)
    assert found.kind is VerdictKind.INCONCLUSIVE
    assert "may be older" in found.why


def test_a_baseline_survives_the_journal() -> None:
    scan = reading(MINE, Row("r9", "红色T恤-0?"), Row("r8", "红色T恤-"))
    baseline = baseline_for("红色T恤-01", scan, MATCHING)
    assert baseline.matching == {"r1"}
    assert baseline.alike == {"r8"}
    assert baseline.control == "r0"
    assert baseline.whole
    assert Baseline.from_json(json.loads(json.dumps(baseline.to_json()))) == baseline


def test_the_control_is_a_live_record() -> None:
    rows = (Row("r1", "a", status=RowStatus.TRASHED), Row("r2", "b"))
    scan = Scan(SHOP, rows, True, TABS, 0.0)
    assert baseline_for("x", scan, MATCHING).control == "r2"
    assert baseline_for("x", replace(scan, rows=()), MATCHING).control is None


# Absent.


def test_absence_needs_two_whole_readings() -> None:
    first = verdict(reading())
    assert (first.kind, first.clean) == (VerdictKind.INCONCLUSIVE, True)
    assert "a second is needed" in first.why
    again = verdict(reading(), second())
    assert (again.kind, again.clean) == (VerdictKind.ABSENT, True)


def test_the_second_reading_must_not_follow_at_once() -> None:
    soon = replace(expect(), absent_at=NOW - MATCHING.again + 0.5)
    assert verdict(reading(), soon).kind is VerdictKind.INCONCLUSIVE
    before = replace(expect(), absent_at=NOW + 3600)  # the clock was set back in between
    assert verdict(reading(), before).kind is VerdictKind.INCONCLUSIVE


def test_once_is_enough_where_nothing_was_released() -> None:
    assert verdict(reading(), expect(nothing_left=True)).kind is VerdictKind.ABSENT


def test_nothing_released_alone_decides_nothing() -> None:
    nothing = expect(nothing_left=True)
    assert verdict(reading(complete=False), nothing).kind is VerdictKind.INCONCLUSIVE
    assert verdict(reading(MINE), nothing).kind is VerdictKind.LANDED
    assert verdict(reading(taken=OVER), nothing).kind is VerdictKind.INCONCLUSIVE


@pytest.mark.parametrize(
    ("scan", "why"),
    [
        (reading(complete=False, reason="第 2 页没有读"), "第 2 页没有读"),  # V01, V02, V07, V18
        (reading(complete=False), "not read to its end"),
        (reading(tabs=frozenset({"在售"})), "these tabs were not read: 审核中"),  # V16
        (reading(tabs=frozenset()), "these tabs were not read: 在售, 审核中"),
        (reading(Row("r2", "b"), Row("r2", "b")), "showed a record twice"),  # V06
        (reading(total=45), "the list says 45 records, 1 were read"),  # V06
        (reading(total=0), "the list says 0 records, 1 were read"),
    ],
)
def test_a_reading_that_could_have_missed_it_proves_no_absence(scan: Scan, why: str) -> None:
    for expected in (second(), expect(nothing_left=True)):
        found = verdict(scan, expected)
        assert (found.kind, found.clean) == (VerdictKind.INCONCLUSIVE, False)
        assert why in found.why


def test_an_empty_list_without_a_control_proves_nothing() -> None:
    """V08, V17, V21: the search ignores the code; a captcha empties the list."""
    empty = Scan(SHOP, (), True, TABS, NOW, total=0)
    for baseline in (BASELINE, replace(BASELINE, control=None)):
        found = verdict(empty, second(), baseline=baseline)
        assert found.kind is VerdictKind.INCONCLUSIVE
        assert "positive control" in found.why


def test_any_known_record_is_a_control() -> None:
    sold = replace(reading(), rows=(Row("r7", "别的"),))
    assert verdict(sold, second()).kind is VerdictKind.INCONCLUSIVE
    assert verdict(sold, second(), known=frozenset({"r7"})).kind is VerdictKind.ABSENT
    assert verdict(sold, second(), known=frozenset({"r8"})).kind is VerdictKind.INCONCLUSIVE


@pytest.mark.parametrize("shop", [None, "店铺-北京", "", "店铺-上海 "])
def test_another_shop_says_nothing(shop: str | None) -> None:
    for expected in (second(), expect(nothing_left=True)):
        for rows in ((), (MINE,)):
            found = verdict(reading(*rows, shop=shop), expected)
            assert found.kind is VerdictKind.INCONCLUSIVE
            assert SHOP in found.why


def test_absence_waits_for_the_settle_time() -> None:
    """V03: not in the list yet."""
    early = verdict(reading(taken=OVER + 19.9), second())
    assert early.kind is VerdictKind.INCONCLUSIVE
    assert early.why == "only 20 s of 20 s settle time have passed"
    late = replace(second(), absent_at=OVER)
    assert verdict(reading(taken=OVER + 20), late).kind is VerdictKind.ABSENT


def test_settling_is_counted_to_when_reading_began() -> None:
    assert verdict(reading(taken=OVER + 1), second(), now=OVER + 999).kind is (
        VerdictKind.INCONCLUSIVE
    )
    ahead = verdict(reading(taken=OVER + 999), second(), now=OVER - 50)  # the clock was set back
    assert ahead.kind is VerdictKind.INCONCLUSIVE
    assert ahead.why.startswith("only 0 s")


def test_a_request_that_may_still_be_under_way_is_not_absent() -> None:
    found = verdict(reading(), replace(second(), since=None))
    assert found.kind is VerdictKind.INCONCLUSIVE
    assert found.why == "the request is not known to be over"


def test_pending_is_not_landed_yet() -> None:
    """U10"""
    found = verdict(reading(replace(MINE, status=RowStatus.PENDING)), second())
    assert (found.kind, found.records) == (VerdictKind.INCONCLUSIVE, ("r1",))
    assert "processing" in found.why


def test_trash_is_told_and_proves_nothing() -> None:
    """V15"""
    trashed = replace(MINE, status=RowStatus.TRASHED)
    found = verdict(reading(trashed), second())
    assert (found.kind, found.records) == (VerdictKind.INCONCLUSIVE, ("r1",))
    assert "trash" in found.why
    beside = verdict(reading(trashed, replace(MINE, record="r2")))
    assert (beside.kind, beside.records) == (VerdictKind.LANDED, ("r2",))


def test_the_shops_final_no_is_no_record() -> None:
    failed = reading(replace(MINE, status=RowStatus.FAILED))
    assert verdict(failed).kind is VerdictKind.INCONCLUSIVE  # even so it takes two readings
    assert verdict(failed, second()).kind is VerdictKind.ABSENT


@pytest.mark.parametrize("carrier", [Carrier.COUNT, Carrier.FINGERPRINT])
def test_a_weak_carrier_may_prove_landing_but_never_absence(carrier: Carrier) -> None:
    weak = replace(MATCHING, carrier=carrier)
    assert verdict(reading(MINE), matching=weak).kind is VerdictKind.LANDED
    for expected in (second(), expect(nothing_left=True)):
        found = verdict(reading(), expected, matching=weak)
        assert (found.kind, found.clean) == (VerdictKind.INCONCLUSIVE, False)
        assert f"carried by {carrier}" in found.why


@pytest.mark.parametrize("carrier", [Carrier.EXACT, Carrier.RECORD_ID])
def test_a_strong_carrier_may_prove_absence(carrier: Carrier) -> None:
    strong = replace(MATCHING, carrier=carrier)
    assert verdict(reading(), second(), matching=strong).kind is VerdictKind.ABSENT


def test_two_units_with_one_key_cannot_be_told_apart() -> None:
    shared = second(expect(siblings=frozenset({"红色T恤-02", "红色Ｔ恤-01"})))
    found = verdict(reading(MINE), shared)
    assert (found.kind, found.records) == (VerdictKind.INCONCLUSIVE, ("r1",))
    assert "same key" in found.why
    assert verdict(reading(), shared).kind is VerdictKind.ABSENT


# Several lists.


def of(kind: VerdictKind, why: str = "", clean: bool = False) -> Verdict:
    return Verdict(kind, why, clean=clean)


@pytest.mark.parametrize(
    ("kinds", "strongest"),
    [
        ("landed inconclusive", "landed"),
        ("absent landed", "landed"),
        ("landed altered", "altered"),
        ("altered partly landed", "partly"),
        ("partly multiple", "multiple"),
        ("absent inconclusive", "inconclusive"),
        ("absent absent", "absent"),
    ],
)
def test_what_any_list_shows_is_there_and_absence_needs_all(kinds: str, strongest: str) -> None:
    verdicts = [of(VerdictKind(kind), kind) for kind in kinds.split()]
    for order in (verdicts, verdicts[::-1]):
        assert combine(order).kind is VerdictKind(strongest)


def test_of_two_doubts_the_worse_one_counts() -> None:
    first = of(VerdictKind.INCONCLUSIVE, "a second is needed", clean=True)
    cut = of(VerdictKind.INCONCLUSIVE, "not read to its end")
    assert combine([first, cut]) is combine([cut, first]) is cut
    absent = of(VerdictKind.ABSENT, clean=True)
    assert combine([absent, first]) is combine([first, absent]) is first


def test_same_carrier_is_the_stores_equality() -> None:
    assert same_carrier("A & B", Row("r", "Ａ &amp; B"), MATCHING)
    assert not same_carrier("A & B", Row("r", "A + B"), MATCHING)
