"""Reading the copy records and the product list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from playwright.async_api import Page

from rpa import (
    Carrier,
    Invalid,
    Matching,
    Probe,
    ProbeError,
    Reading,
    Row,
    RowStatus,
    StoreDown,
    Throttled,
)
from stores.backoffice.pages import ListPage, ListShown

__all__ = ["CopyRecords", "ProductList"]

# Seconds in which the shop is done with a request whose connection is gone, a record that it
# still processes included.
_SETTLE: Final = 10.0

_RECORDS: Final = "records"
_COPY_STATUS: Final = {
    "processing": RowStatus.PENDING,
    "done": RowStatus.LIVE,
    "failed": RowStatus.FAILED,
}
_TABS: Final = ("on_sale", "draft", "review", "off_shelf", "trash")

TakeRow = Callable[[str, dict[str, str]], Row]


class CopyRecords(Probe):
    """Every copy record of the shop, by merchant code. The shop trims text and does no more."""

    name = "backoffice-copies"
    matching = Matching(
        Carrier.EXACT, str.strip, frozenset({_RECORDS}), compare=("title",), settle=_SETTLE
    )

    async def read(self, page: Page, url: str, reading: Reading) -> None:
        """Read every page of the records.

        Raises:
            ProbeError: The list cannot be read.
        """
        records = ListPage(page, url, "/copies", "copy-records")
        last = await _read_pages(records, {"sku": ""}, _copy_row, reading, set())
        reading.tab_read(_RECORDS, last.total)


class ProductList(Probe):
    """Every product of the shop over all tabs, by merchant code; the trash is one of them."""

    name = "backoffice-products"
    matching = Matching(
        Carrier.EXACT,
        str.strip,
        frozenset(_TABS),
        marks=("stock",),
        compare=("title", "price"),
        settle=_SETTLE,
    )

    async def read(self, page: Page, url: str, reading: Reading) -> None:
        """Read every page of every tab.

        Raises:
            ProbeError: The list cannot be read.
        """
        products = ListPage(page, url, "/products", "products")
        seen: set[str] = set()
        read: dict[str, int] = {}
        for tab in _TABS:
            filters = {"tab": tab, "sku": "", "title": ""}
            last = await _read_pages(products, filters, _product_row, reading, seen)
            reading.tab_read(tab, last.total)
            read[tab] = last.total
            if set(last.tabs) != set(_TABS):
                raise ProbeError(f"the product list has other tabs: {', '.join(last.tabs)}")
        # A product that moved from a tab not read yet to one read before was never seen.
        if last.tabs != read:
            reading.doubt(f"the tabs changed while they were read: {read}, then {last.tabs}")


async def _read_pages(
    pages: ListPage, filters: dict[str, str], row: TakeRow, reading: Reading, seen: set[str]
) -> ListShown:
    """Read a list to its end under exactly these filters; gives its last page."""
    before = len(seen)
    first = shown = await _open(pages, 1, filters)
    for number in range(1, first.pages + 1):
        if number > 1:
            shown = await _open(pages, number, filters)
        if (shown.number, shown.pages, shown.total) != (number, first.pages, first.total):
            reading.doubt(f"the list changed while page {number} was read")
        for record, cells in shown.rows:
            taken = _row(row, record, cells)
            if taken.record in seen:  # the rows moved: another went over the edge, unread
                reading.doubt(f"the list changed while it was read: {taken.record} came twice")
                continue
            seen.add(taken.record)
            reading.add(taken)
    if len(seen) - before != first.total:
        reading.doubt(f"the list says {first.total} records, {len(seen) - before} were read")
    return shown


async def _open(pages: ListPage, number: int, filters: dict[str, str]) -> ListShown:
    asked = {name: value for name, value in filters.items() if value}
    try:
        shown = await pages.open(number, **asked)
    except (StoreDown, Throttled, Invalid) as error:
        raise ProbeError(str(error)) from error
    if shown.filters != filters:
        raise ProbeError(f"the list is filtered by {shown.filters}, not by {filters}")
    return shown


def _row(take: TakeRow, record: str, cells: dict[str, str]) -> Row:
    if not record:
        raise ProbeError(f"a row shows no record id: {cells}")
    try:
        return take(record, cells)
    except KeyError as missing:
        raise ProbeError(f"row {record} of the list lacks, or does not know, {missing}") from None


def _copy_row(record: str, cells: dict[str, str]) -> Row:
    return Row(
        f"copy:{record}",
        cells["sku"],
        {"title": cells["title"]},
        _COPY_STATUS[cells["status"]],
        cells["created"],
    )


def _product_row(record: str, cells: dict[str, str]) -> Row:
    if cells["status"] not in _TABS:
        raise KeyError(cells["status"])
    return Row(
        f"product:{record}",
        cells["sku"],
        {"title": cells["title"], "price": cells["price"].removeprefix("¥")},
        RowStatus.TRASHED if cells["status"] == "trash" else RowStatus.LIVE,
        cells["created"],
        marks={"stock": cells["stock"].isdecimal()},
    )
