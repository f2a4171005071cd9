"""The listing flow's declaration: what it needs of a store, and the items it takes."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.async_api import Page

from fixtures.pictures import write_picture
from flows.list_product import ListProduct, ProductItem
from rpa import FlowError, Store, Submit
from rpa.inputs import read_items
from rpa.runner.load import load_flow, load_store

SAMPLE = Path(__file__).parents[3] / "fixtures" / "data" / "listing_items.csv"


class Bare(Store):
    """A store that sells nothing."""

    name = "bare"
    submits: ClassVar[Mapping[str, Submit]] = {}

    async def log_in(self, page: Page, username: str, password: str) -> None:
        """Nobody is asked for a password."""

    async def logged_in(self, page: Page) -> bool:
        return True

    async def identity(self, page: Page) -> str | None:
        return None


def test_a_store_without_a_form_for_products_is_named_at_once() -> None:
    with pytest.raises(FlowError, match=r"store bare has no product_form\(page\)"):
        ListProduct(Bare("http://127.0.0.1"))


def test_flow_and_store_are_found_by_name_and_fit() -> None:
    flow = load_flow("list_product")
    store = load_store("oscar")("http://127.0.0.1")
    assert flow is ListProduct
    assert isinstance(flow(store), ListProduct)
    assert [(step.name, step.state) for step in flow.steps] == [
        ("open_form", "selected"),
        ("fill", "filled"),
        ("save", ""),
    ]
    [rule] = flow.steps[-1].submit_of(store).rules
    assert rule.name == "create"


def test_the_sample_items_are_products(tmp_path: Path) -> None:
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            path = tmp_path / row["image"]
            path.parent.mkdir(exist_ok=True)
            write_picture(path, row["sku"])
    batch = read_items(SAMPLE, ProductItem, folder=tmp_path)
    first = batch.items[0].item
    assert len(batch.items) == 5
    assert (first.sku, str(first.price), first.stock, first.category) == (
        "0017-DRESS",
        "129.00",
        25,
        "服装",
    )
    assert first.identity() == {"sku": "0017-DRESS"}
