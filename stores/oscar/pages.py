"""The dashboard's pages: where things are and how a person uses them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import urlencode, urlsplit

from playwright.async_api import Locator, Page

from rpa import (
    BeforeSubmit,
    Invalid,
    LoginFailed,
    ProbeError,
    check_answer,
    collapse_spaces,
    explain_difference,
    visit,
)

__all__ = ["DeletePage", "Listing", "LoginPage", "ProductForm", "ProductsPage", "ProductsShown"]


class Listing(Protocol):
    """What the form for a new product wants to know."""

    @property
    def sku(self) -> str:
        """Becomes the UPC, which the shop keeps unique, and the partner's SKU."""

    @property
    def title(self) -> str:
        """The product's title."""

    @property
    def description(self) -> str:
        """Plain text; may be empty."""

    @property
    def price(self) -> Decimal:
        """In the shop's currency."""

    @property
    def stock(self) -> int:
        """Pieces."""

    @property
    def category(self) -> str:
        """As the form's list of categories shows it."""

    @property
    def image(self) -> Path:
        """The picture's file."""


class LoginPage:
    """The dashboard's login page."""

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        self._url = url

    async def open(self) -> None:
        """Open it."""
        await visit(self._page, f"{self._url}/dashboard/login/")

    async def log_in(self, username: str, password: str) -> None:
        """Fill and send the form.

        Raises:
            LoginFailed: The store says the credentials are wrong.
            StoreDown: The store does not answer as it should.
        """
        page = self._page
        await page.get_by_label("Username").fill(username)
        await page.get_by_label("Password").fill(password)
        async with page.expect_navigation(wait_until="domcontentloaded") as landed:
            await page.get_by_role("button", name="Login").click(no_wait_after=True)
        await check_answer(await landed.value)
        refusal = page.locator("#dashboard_login_form .alert-danger")
        if await refusal.count():
            said = collapse_spaces(await refusal.inner_text())
            raise LoginFailed(f"{self._url} refuses {username!r}: {said}")


_PREVIEW: Final = "document.querySelector('#id_images-0-original-image img')"


class ProductForm:
    """The form for a new product.

    Args:
        page: Where to work.
        url: The shop's address.
        product_type: Slug of the product type.
    """

    def __init__(self, page: Page, url: str, product_type: str) -> None:
        self._page = page
        self._address = f"{url}/dashboard/catalogue/products/create/{product_type}/"
        self._form = page.locator("#create_update_product_form")

    async def open(self) -> None:
        """Open a fresh form and wait until its scripts are at work: they would undo the filling."""
        await visit(self._page, self._address)
        await self._page.wait_for_function("window.tinymce?.get('id_description')?.initialized")

    async def fill(self, listing: Listing) -> None:
        """Fill in everything, and read every value back.

        Raises:
            BeforeSubmit: A value did not stay.
            Invalid: The shop cannot take a value.
        """
        await self._put("title", listing.title)
        await self._put("upc", listing.sku)
        await self._describe(listing.description)
        await self._section("Categories")
        await self._choose("productcategory_set-0-category", listing.category)
        await self._section("Images")
        await self._picture(listing.image)
        await self._section("Stock and pricing")
        await self._choose("stockrecords-0-partner")
        await self._put("stockrecords-0-partner_sku", listing.sku)
        await self._put("stockrecords-0-num_in_stock", str(listing.stock))
        await self._put("stockrecords-0-price", format(listing.price, "f"))
        await self._check_valid()

    async def save(self) -> None:
        """Click the button that creates the product, and wait for nothing."""
        await self._form.get_by_role("button", name="Save", exact=True).click(no_wait_after=True)

    def _field(self, name: str) -> Locator:
        return self._form.locator(f'[name="{name}"]')

    async def _section(self, name: str) -> None:
        await self._page.locator("#product_update_tabs").get_by_role("link", name=name).click()

    async def _put(self, name: str, text: str) -> None:
        field = self._field(name)
        await field.fill(text)
        kept = await field.input_value()
        if kept == text:
            return
        if text.startswith(kept) and str(len(kept)) == await field.get_attribute("maxlength"):
            raise Invalid(f"{name}: the shop keeps {len(kept)} characters, not {len(text)}: {text}")
        raise BeforeSubmit(f"{name} did not stay: {explain_difference(text, kept)}")

    async def _describe(self, text: str) -> None:
        body = self._form.frame_locator("#id_description_ifr").locator("body")
        await body.fill(text)
        kept = await self._page.evaluate(
            "tinymce.get('id_description').getContent({format: 'text'})"
        )
        sent, kept = collapse_spaces(text), collapse_spaces(kept)
        if kept != sent:
            raise BeforeSubmit(f"description did not stay: {explain_difference(sent, kept)}")

    async def _choose(self, name: str, label: str | None = None) -> None:
        """Choose an option by what it says; without a label, the only one there is."""
        field = self._field(name)
        options = field.locator('option:not([value=""])')
        labels = [text.strip() for text in await options.all_text_contents()]
        at = [at for at, text in enumerate(labels) if label in (None, text)]
        if len(at) != 1:
            wanted = "the only one" if label is None else repr(label)
            raise Invalid(f"{name}: {wanted} is to be chosen of {', '.join(labels) or 'none'}")
        value = await options.nth(at[0]).get_attribute("value")
        await field.select_option(value=value)
        if await field.input_value() != value:
            raise BeforeSubmit(f"{name} did not stay at {labels[at[0]]!r}")

    async def _picture(self, path: Path) -> None:
        """Choose the picture and wait until the page shows it: then it was read to its end."""
        field = self._field("images-0-original")
        await field.set_input_files(path)
        await self._page.wait_for_function(f"({_PREVIEW}).src && ({_PREVIEW}).complete")
        if not await self._page.evaluate(f"({_PREVIEW}).naturalWidth"):
            raise Invalid(f"picture {path.name}: the browser cannot show it")
        kept = await field.evaluate("field => Array.from(field.files, file => file.name)")
        if kept != [path.name]:
            raise BeforeSubmit(f"picture {path.name} did not stay: the form holds {kept}")

    async def _check_valid(self) -> None:
        """Find what the browser itself would refuse to send, which would look like a dead click."""
        wrong = await self._form.locator("input:invalid, select:invalid").evaluate_all(
            "fields => fields.map(field => field.name + ': ' + field.validationMessage)"
        )
        if wrong:
            raise Invalid("; ".join(wrong))


@dataclass(frozen=True, slots=True)
class ProductsShown:
    """One page of the product list, as shown.

    Attributes:
        rows: Each row's product id and the texts of its cells, by the column's heading.
        number: Which page this is.
        pages: How many there are.
        total: How many products the list says it has; None if it does not say.
        filters: What narrows the list.
    """

    rows: list[tuple[str, dict[str, str]]]
    number: int
    pages: int
    total: int | None
    filters: list[str]


_EMPTY: Final = "No products found."
_ROWS: Final = "table tbody tr"
_READ: Final = """() => {
  const all = (where, within = document) => [...within.querySelectorAll(where)];
  const text = (node) => node.textContent.trim();
  const numbers = (where) => all(where).map(text).flatMap((said) => said.match(/\\d+/g) ?? []);
  const heads = all("table thead th").map(text);
  const rows = all("table tbody tr").map((row) => [
    row.querySelector("input.selected_product")?.getAttribute("value") ?? "",
    Object.fromEntries(all("td", row).map((cell, at) => [heads[at] ?? "", text(cell)])),
  ]);
  const [number, pages] = numbers(".pagination .page-item.disabled .page-link");
  const total = numbers(".bulk-actions .all")[0] ?? numbers(".page-records-count")[0];
  const allowed = ["sort", "page"];
  const filters = all("#search_product_form input")
    .filter((field) => field.value && !allowed.includes(field.name))
    .map((field) => field.name + "=" + field.value);
  return {rows, number, pages, total, filters};
}"""


class ProductsPage:
    """The product list."""

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        self._url = url

    def address(self, number: int = 1) -> str:
        """The list's address, in an order that edits do not change; products without UPC by age."""
        query = [("sort", "upc"), ("sort", "date_updated"), ("page", str(number))]
        return f"{self._url}/dashboard/catalogue/?{urlencode(query)}"

    async def here(self) -> bool:
        """Say whether the page is the list, and not the login page instead of it."""
        form = self._page.locator("#search_product_form")
        return urlsplit(self._page.url).path == "/dashboard/catalogue/" and await form.count() == 1

    async def open(self, number: int = 1) -> ProductsShown:
        """Open one page of it."""
        await visit(self._page, self.address(number))
        return await self.shown()

    async def search(self, upc: str) -> ProductsShown:
        """Search by UPC, as a person does; where none is equal, the shop shows those like it."""
        await visit(self._page, self.address())
        form = self._page.locator("#search_product_form")
        await form.get_by_label("UPC").fill(upc)
        async with self._page.expect_navigation(wait_until="domcontentloaded") as landed:
            await form.get_by_role("button", name="Search").click(no_wait_after=True)
        await check_answer(await landed.value)
        return await self.shown()

    async def shown(self) -> ProductsShown:
        """Read the page, once it shows rows or says that there are none.

        Raises:
            ProbeError: It is another page.
        """
        if not await self.here():
            raise ProbeError(f"{self._page.url} is not the product list")
        rows, empty = self._page.locator(_ROWS), self._page.get_by_text(_EMPTY, exact=True)
        await rows.or_(empty).first.wait_for(state="attached")
        said: dict[str, Any] = await self._page.evaluate(_READ)
        if await empty.count() and not said["rows"]:
            said["total"] = 0
        return ProductsShown(
            rows=[(record, cells) for record, cells in said["rows"]],
            number=int(said.get("number") or 1),
            pages=int(said.get("pages") or 1),
            total=None if said.get("total") is None else int(said["total"]),
            filters=said["filters"],
        )


class DeletePage:
    """The page that asks before a product is deleted."""

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        self._url = url

    async def open(self, record: str) -> None:
        """Open it for one product."""
        await visit(self._page, f"{self._url}/dashboard/catalogue/products/{record}/delete/")

    async def delete(self) -> None:
        """Click the button that deletes, and wait for nothing."""
        form = self._page.locator("#delete_product_form")
        await form.get_by_role("button", name="Delete").click(no_wait_after=True)
