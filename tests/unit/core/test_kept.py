"""What lossy shops keep of a key: V10, V11, and what must not be taken for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rpa.core.judge import baseline_for
from rpa.core.kept import Kin, traces
from rpa.core.model import Carrier, Matching, Row, RowStatus, VerdictKind
from tests.unit.core.test_judge import BASELINE, MATCHING, expect, reading, second, verdict

FIRE = "红色T恤🔥限时"
LIMITED = replace(MATCHING, max_length=12)
LONG = "夏季新款红色短袖T恤大码-001"
LONG_TWIN = "夏季新款红色短袖T恤大码-002"
KEPT = LONG[:12]


@pytest.mark.parametrize(
    ("carrier", "shown", "kin"),
    [
        (FIRE, FIRE, Kin.SAME),
        (FIRE, f" {FIRE}\u200b", Kin.SAME),
        (FIRE, "红色T恤", Kin.REMAINDER),  # cut at the four-byte character
        (FIRE, "红色T恤限时", Kin.DOUBTFUL),  # it was dropped
        (FIRE, "红色T恤?限时", Kin.DOUBTFUL),
        (FIRE, "??T?????", Kin.DOUBTFUL),
        (FIRE, "红色T恤\ufffd限时", Kin.DOUBTFUL),
        ("红色\u3000Ａ1", "???1", Kin.DOUBTFUL),  # the wide blank and letter went as well
        ("Ａ1🔥", "Ａ1?", Kin.DOUBTFUL),
        (FIRE, "红色T恤限", Kin.DOUBTFUL),  # dropped, then cut
        (FIRE, "红色", Kin.NONE),
        (FIRE, "", Kin.NONE),
        (FIRE, "蓝色T恤", Kin.NONE),
        (FIRE, "??", Kin.NONE),
        ("新款🔥", "新款", Kin.DOUBTFUL),  # exactly the cut, but too short to be sure of
        ("🔥红色", "", Kin.DOUBTFUL),
        ("🔥红", "红", Kin.DOUBTFUL),
        ("unit-10", "unit-1", Kin.DOUBTFUL),
        ("unit-1", "unit-10", Kin.NONE),
        ("unit-10", "", Kin.NONE),
        ("A1", "A", Kin.NONE),
    ],
)
def test_kin(carrier: str, shown: str, kin: Kin) -> None:
    assert traces(carrier, MATCHING).kin(shown) is kin


@pytest.mark.parametrize(
    ("carrier", "shown", "kin"),
    [
        (LONG, KEPT, Kin.REMAINDER),
        (LONG, KEPT[:-1], Kin.DOUBTFUL),
        (LONG, KEPT[:3], Kin.NONE),
        ("夏季新款红色短袖T恤衫 大码", "夏季新款红色短袖T恤衫", Kin.REMAINDER),  # cut at a blank
        ("夏季  新款红色短袖T恤大码", "夏季 新款红色短袖T恤", Kin.REMAINDER),  # cut, then tidied
        ("夏季  新款红色短袖T恤大码", "夏季 新款红色短袖T恤大", Kin.REMAINDER),  # tidied, then cut
        ("夏季新款🔥红色短袖T恤大码-001", "夏季新款", Kin.REMAINDER),  # the other loss comes first
        ("红色  T恤大码001🔥", "红色 T恤大码001", Kin.REMAINDER),
        ("夏季新款🔥", "夏季新款🔥", Kin.SAME),
    ],
)
def test_kin_in_a_shop_that_cuts(carrier: str, shown: str, kin: Kin) -> None:
    assert traces(carrier, LIMITED).kin(shown) is kin


def test_a_blank_left_by_the_cut_may_stay() -> None:
    exact = Matching(Carrier.EXACT, str, frozenset(), max_length=5)
    assert traces("unit 10", exact).kin("unit ") is Kin.REMAINDER
    assert traces("unit 10", exact).kin("unit") is Kin.REMAINDER


def test_a_remainder_has_landed_altered() -> None:
    found = verdict(reading(Row("r1", "红色T恤")), expect(FIRE))
    assert (found.kind, found.records) == (VerdictKind.ALTERED, ("r1",))
    assert "U+1F525 FIRE" in found.why
    assert verdict(reading(Row("r1", KEPT)), expect(LONG), matching=LIMITED).kind is (
        VerdictKind.ALTERED
    )


def test_a_remainder_without_its_stock_has_landed_partly() -> None:
    found = verdict(
        reading(Row("r1", KEPT)), expect(LONG), matching=replace(LIMITED, marks=("库存",))
    )
    assert found.kind is VerdictKind.PARTLY
    assert "lacks 库存" in found.why


def test_a_remainder_that_fits_two_units_is_nobodys() -> None:
    """V11"""
    twins = expect(LONG, siblings=frozenset({LONG_TWIN}))
    found = verdict(reading(Row("r1", KEPT)), second(twins), matching=LIMITED)
    assert (found.kind, found.records) == (VerdictKind.INCONCLUSIVE, ("r1",))


def test_two_remainders_are_nobodys() -> None:
    rows = (Row("r1", KEPT), Row("r2", KEPT))
    found = verdict(reading(*rows), second(expect(LONG)), matching=LIMITED)
    assert (found.kind, found.records) == (VerdictKind.INCONCLUSIVE, ("r1", "r2"))


def test_a_sure_and_a_doubtful_remainder_are_nobodys() -> None:
    rows = (Row("r1", "红色T恤"), Row("r2", "红色T恤限时"))
    assert verdict(reading(*rows), second(expect(FIRE))).kind is VerdictKind.INCONCLUSIVE


@pytest.mark.parametrize("shown", ["红色T恤限时", "红色T恤?限时", "红色T恤限"])
def test_a_doubtful_remainder_forbids_absence(shown: str) -> None:
    found = verdict(reading(Row("r1", shown)), second(expect(FIRE)))
    assert (found.kind, found.records, found.clean) == (VerdictKind.INCONCLUSIVE, ("r1",), False)


def test_a_doubtful_remainder_that_is_another_units_key_is_that_units() -> None:
    other = second(expect("unit-10", siblings=frozenset({"unit-1"})))
    assert verdict(reading(Row("r1", "unit-1")), other).kind is VerdictKind.ABSENT
    alone = second(expect("unit-10"))
    assert verdict(reading(Row("r1", "unit-1")), alone).kind is VerdictKind.INCONCLUSIVE


def test_record_ids_known_from_another_list_explain_nothing() -> None:
    """Copy record 5 and product 5 are two things."""
    known = frozenset({"r1"})
    for key, row in ((LONG, Row("r1", KEPT)), (FIRE, Row("r1", FIRE))):
        found = verdict(reading(row), second(expect(key)), matching=LIMITED, known=known)
        assert found.kind in (VerdictKind.ALTERED, VerdictKind.LANDED)


def test_an_old_remainder_says_nothing() -> None:
    """Last week's product of the cut name is not today's."""
    old = reading(Row("r1", "红色T恤"))
    baseline = baseline_for(FIRE, old, MATCHING)
    assert not baseline.matching
    assert baseline.alike == {"r1"}
    assert verdict(old, second(expect(FIRE)), baseline=baseline).kind is VerdictKind.ABSENT


@pytest.mark.parametrize("status", [RowStatus.PENDING, RowStatus.TRASHED])
def test_a_remainder_that_is_not_live_is_no_landing(status: RowStatus) -> None:
    found = verdict(reading(Row("r1", "红色T恤", status=status)), second(expect(FIRE)))
    assert found.kind is VerdictKind.INCONCLUSIVE


def test_a_remainder_the_shop_refused_is_no_record() -> None:
    failed = reading(Row("r1", "红色T恤", status=RowStatus.FAILED))
    assert verdict(failed, second(expect(FIRE))).kind is VerdictKind.ABSENT


def test_a_remainder_needs_a_whole_baseline() -> None:
    found = verdict(
        reading(Row("r1", "红色T恤")), second(expect(FIRE)), baseline=replace(BASELINE, whole=False)
    )
    assert found.kind is VerdictKind.INCONCLUSIVE
