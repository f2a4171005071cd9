"""What a plan says of a unit, for every way a unit can stand."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from flows.copy_listing import CopyItem
from rpa.core.view import UnitView
from rpa.journal import peek
from rpa.runner.batch import Planned
from rpa.runner.preview import Preview, Prospect, preview, seen_there
from rpa.runner.unit import Unit
from tests.support.projects import EVERYTHING, Teller, make_project

P = Prospect
ITEM = CopyItem(source_id="SRC-1", title="商品", price=Decimal("45.90"), stock=100, sku="unit-1")
PROSPECTS = {
    "unit-1": P.SUBMITTED,
    "unit-2": P.SUBMITTED,
    "unit-3": P.DOUBT,
    "unit-4": P.DEAD,
    "unit-5": P.SUBMITTED,  # its row is again what landed
    "unit-6": P.HELD,
    "unit-7": P.RETRY,
    "unit-8": P.DOUBT,
    "unit-9": P.NEW,
    "unit-10": P.DOUBT,
    "unit-11": P.SKIPPED,
    "unit-12": P.HELD,
    "unit-13": P.NEW,
}


@pytest.fixture
def teller(tmp_path: Path) -> Teller:
    """A shop with a unit of every kind."""
    teller = Teller(make_project(tmp_path, "杭州一店"), "杭州一店")
    teller.tell_everything()
    teller.journal.close()
    return teller


def previewed(teller: Teller, sku: str, **now: str) -> Preview:
    """What a plan says of a unit whose row says this now."""
    views: dict[str, UnitView] = {
        view.identity["sku"]: view
        for view in peek(teller.project.journal(teller.shop)).units.values()
    }
    arguments = {**teller.arguments(sku), **now}
    unit = Planned(Unit(teller.key(sku), {"sku": sku}), ITEM, arguments)
    return preview(views.get(sku), unit)


def test_every_unit_has_its_prospect(teller: Teller) -> None:
    assert EVERYTHING.keys() < PROSPECTS.keys()
    assert {sku: previewed(teller, sku).prospect for sku in PROSPECTS} == PROSPECTS


@pytest.mark.parametrize(
    ("sku", "why"),
    [
        ("unit-4", "第 3 行：找不到货源 SRC-1004"),
        ("unit-7", "/source answered 503"),
        ("unit-12", "the record lacks stock"),
        ("unit-1", ""),
    ],
)
def test_a_reason_is_given_where_there_is_one(teller: Teller, sku: str, why: str) -> None:
    assert previewed(teller, sku).why == why


def test_a_changed_row_shows_what_landed_and_what_it_says_now(teller: Teller) -> None:
    seen = previewed(teller, "unit-1", price="46.90", title="新标题")
    assert seen.prospect is P.CHANGED
    assert seen.changes["price"] == ("45.90", "46.90")
    assert list(seen.changes) == ["title", "price"]
    assert seen.changes["title"][1] == "新标题"


def test_a_row_that_changed_again_is_compared_with_what_landed(teller: Teller) -> None:
    seen = previewed(teller, "unit-5", price="51.90")
    assert (seen.prospect, seen.changes) == (P.CHANGED, {"price": ("45.90", "51.90")})


def test_what_the_shop_shows_already_names_the_records(teller: Teller) -> None:
    seen = seen_there(previewed(teller, "unit-13"), ("copy:7001",))
    assert (seen.prospect, seen.records) == (P.FOREIGN, ("copy:7001",))
