"""Copy a supplier's good into a shop: choose it, set its parameters, submit."""

from __future__ import annotations

from typing import Annotated

from playwright.async_api import Page
from pydantic import Field

from rpa import Flow, FlowError, Item, ItemCode, Money, Store, prepare, submit
from stores.backoffice import Backoffice

__all__ = ["CopyItem", "CopyListing"]


class CopyItem(Item):
    """One good to copy.

    Attributes:
        source_id: The supplier's code of the good.
        title: As the shop will show it.
        price: In the shop's currency.
        stock: Pieces.
        sku: The seller's own code; the copy records show it as merchant code.
        remark: For the seller's own people.
    """

    identity_fields = ("sku",)

    source_id: ItemCode
    title: Annotated[str, Field(min_length=1)]
    price: Money
    stock: Annotated[int, Field(ge=0)]
    sku: ItemCode
    remark: str = ""


class CopyListing(Flow[CopyItem]):
    """Copy a good into the shop.

    Raises:
        FlowError: It was given another store.
    """

    effect = "copy-listing"
    store = Backoffice

    def __init__(self, adapter: Store) -> None:
        super().__init__(adapter)
        if not isinstance(adapter, Backoffice):
            raise FlowError(f"flow CopyListing: store {adapter.name} has no copy form")
        self._shop = adapter

    @prepare(state="selected")
    async def select(self, page: Page, item: CopyItem) -> None:
        """Open the copy form of the good."""
        await self._shop.copy_form(page).open(item.source_id)

    @prepare(state="filled")
    async def fill(self, page: Page, item: CopyItem) -> None:
        """Fill in the parameters."""
        await self._shop.copy_form(page).fill(item)

    @submit("copy", carrier="sku", shows=("title", "price"))
    async def copy(self, page: Page, item: CopyItem) -> None:
        """Click the button that copies."""
        await self._shop.copy_form(page).copy()
