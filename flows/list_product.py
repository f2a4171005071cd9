"""List a product with one picture: in any store that has a form for it."""

from __future__ import annotations

from typing import Annotated, Protocol, runtime_checkable

from playwright.async_api import Page
from pydantic import Field

from rpa import (
    Flow,
    FlowError,
    Item,
    ItemCode,
    Money,
    PictureFile,
    Store,
    prepare,
    submit,
)

__all__ = ["ListProduct", "ProductForm", "ProductItem", "SellsProducts"]


class ProductItem(Item):
    """One product to list.

    Attributes:
        sku: The seller's own code; the shop shows it and keeps it unique.
        title: As the shop's list will show it.
        description: Plain text.
        price: In the shop's currency.
        stock: Pieces.
        category: As the shop's own form names it.
        image: The picture's file.
    """

    identity_fields = ("sku",)

    sku: ItemCode
    title: Annotated[str, Field(min_length=1)]
    description: str = ""
    price: Money
    stock: Annotated[int, Field(ge=0)]
    category: str
    image: PictureFile


class ProductForm(Protocol):
    """A store's form for a new product, on a page."""

    async def open(self) -> None:
        """Open a fresh form and wait until it is ready to be filled."""

    async def fill(self, listing: ProductItem, /) -> None:
        """Fill in everything, wait until the picture is uploaded, and read every value back.

        Raises:
            BeforeSubmit: A value did not stay.
            Invalid: The shop cannot take a value.
        """

    async def save(self) -> None:
        """Click the button that lists the product; nothing else."""


@runtime_checkable
class SellsProducts(Protocol):
    """A store that has such a form."""

    def product_form(self, page: Page) -> ProductForm:
        """The form, on a page."""


class ListProduct(Flow[ProductItem]):
    """List a product.

    Raises:
        FlowError: The store has no form for products.
    """

    effect = "list-product"

    def __init__(self, adapter: Store) -> None:
        super().__init__(adapter)
        if not isinstance(adapter, SellsProducts):
            raise FlowError(f"flow ListProduct: store {adapter.name} has no product_form(page)")
        self._products: SellsProducts = adapter

    @prepare(state="selected")
    async def open_form(self, page: Page, item: ProductItem) -> None:
        """Open the form for a new product."""
        await self._products.product_form(page).open()

    @prepare(state="filled")
    async def fill(self, page: Page, item: ProductItem) -> None:
        """Fill it in."""
        await self._products.product_form(page).fill(item)

    @submit("list_product", carrier="sku", shows=("title",))
    async def save(self, page: Page, item: ProductItem) -> None:
        """Click the button that lists the product."""
        await self._products.product_form(page).save()
