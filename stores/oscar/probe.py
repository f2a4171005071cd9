"""Reading the whole product list."""

from __future__ import annotations

from playwright.async_api import Page

from rpa import (
    Carrier,
    Invalid,
    Matching,
    Probe,
    ProbeError,
    Reading,
    Row,
    StoreDown,
    Throttled,
)
from stores.oscar.pages import ProductsPage, ProductsShown

__all__ = ["ProductList"]

_TAB = "products"


class ProductList(Probe):
    """Every product of the shop, by UPC.

    The list is plain SQL: what landed is there at once. The store trims both UPC and title and
    changes nothing else; it takes ``AB-1`` and ``ab-1`` as two products, so they are two here. A
    create that died half way leaves a product without a stock record, which the store writes
    after everything else.
    """

    name = "oscar-products"
    matching = Matching(
        Carrier.EXACT, str.strip, frozenset({_TAB}), marks=("stock",), compare=("title",)
    )

    async def read(self, page: Page, url: str, reading: Reading) -> None:
        """Read every page of the list.

        Raises:
            ProbeError: The list cannot be read.
        """
        products = ProductsPage(page, url)
        seen: set[str] = set()
        number, pages, total = 0, 1, None
        while number < pages:
            number += 1
            try:
                shown = await products.open(number)
            except (StoreDown, Throttled, Invalid) as error:
                raise ProbeError(str(error)) from error
            if number == 1:
                pages, total = shown.pages, shown.total
            elif (shown.number, shown.pages, shown.total) != (number, pages, total):
                reading.doubt(f"the list changed while page {number} was read")
            if shown.filters:
                reading.doubt(f"the list is filtered: {', '.join(shown.filters)}")
            _take(shown, seen, reading)
        if total is not None and len(seen) != total:
            reading.doubt(f"the list says it has {total} products, {len(seen)} were read")
        reading.tab_read(_TAB, total)


def _take(shown: ProductsShown, seen: set[str], reading: Reading) -> None:
    """Take in one page's rows, each product once.

    Raises:
        ProbeError: A row is not as rows are.
    """
    for record, cells in shown.rows:
        try:
            upc, title, stock = cells["UPC"], cells["Title"], cells["Stock records"]
        except KeyError as missing:
            raise ProbeError(f"the product list has no column {missing}") from None
        if not record:
            raise ProbeError(f"the row of {title!r} shows no product id")
        if record in seen:  # the rows moved: another was pushed over the edge, unread
            reading.doubt(f"the list changed while it was read: product {record} came twice")
            continue
        seen.add(record)
        # A product with variants has no stock records of its own and shows a dash.
        marks = {"stock": stock.isdecimal() and int(stock) > 0}
        reading.add(Row(record, upc, {"title": title}, marks=marks))
