"""The back office's pages: where things are and how a person uses them.

Every page is drawn by the server in one piece, so what is missing once it has loaded is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import urlencode

from playwright.async_api import Locator, Page

from rpa import (
    BeforeSubmit,
    Invalid,
    LoggedOut,
    LoginFailed,
    ProbeError,
    check_answer,
    collapse_spaces,
    explain_difference,
    visit,
)

__all__ = [
    "CopyForm",
    "Copying",
    "ListPage",
    "ListShown",
    "Listing",
    "LoginPage",
    "ProductForm",
    "ProductPage",
]


class Offer(Protocol):
    """What every form that makes a product wants to know."""

    @property
    def sku(self) -> str:
        """The merchant code; the shop keeps it unique only if it is told to."""

    @property
    def title(self) -> str:
        """At most 120 characters."""

    @property
    def price(self) -> Decimal:
        """In yuan."""

    @property
    def stock(self) -> int:
        """Pieces."""


class Copying(Offer, Protocol):
    """What the copy form wants to know."""

    @property
    def remark(self) -> str:
        """Shown in the copy records; may be empty."""


class Listing(Offer, Protocol):
    """What the form for a new product wants to know."""

    @property
    def description(self) -> str:
        """Plain text; may be empty."""

    @property
    def category(self) -> str:
        """As the form's list shows it, such as ``Clothing 服饰``."""

    @property
    def image(self) -> Path:
        """The picture's file."""


async def _open(page: Page, address: str) -> None:
    """Open a page that needs a session.

    Raises:
        LoggedOut: The login page came instead.
    """
    await visit(page, address)
    if await page.locator("[data-login-page]").count():
        raise LoggedOut(f"{address} shows the login page: the session has ended")


class LoginPage:
    """The login page."""

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        self._url = url

    async def open(self) -> None:
        """Open it."""
        await visit(self._page, f"{self._url}/login")

    async def log_in(self, username: str, password: str) -> None:
        """Fill and send the form.

        Raises:
            LoginFailed: The store says the credentials are wrong.
            StoreDown: The store does not answer as it should.
        """
        page = self._page
        await page.get_by_label("Account").fill(username)
        await page.get_by_label("Password").fill(password)
        async with page.expect_navigation(wait_until="domcontentloaded") as landed:
            await page.get_by_role("button", name="Log in").click(no_wait_after=True)
        await check_answer(await landed.value)
        refusal = page.locator("[data-form-error]")
        if await refusal.count():
            said = collapse_spaces(await refusal.inner_text())
            raise LoginFailed(f"{self._url} refuses {username!r}: {said}")


class _Form:
    """A form of the back office: every value put in is read back."""

    def __init__(self, page: Page, name: str) -> None:
        self.at = page.get_by_role("form", name=name, exact=True)
        self._name = name

    async def check_there(self) -> None:
        """Make sure that the page shows the form.

        Raises:
            BeforeSubmit: It does not.
        """
        if await self.at.count() != 1:
            raise BeforeSubmit(f"{self.at.page.url} does not show the form {self._name!r}")

    def field(self, name: str) -> Locator:
        """A field by the name it is sent under."""
        return self.at.locator(f'[name="{name}"]')

    async def put(self, name: str, text: str) -> None:
        """Fill a text field.

        Raises:
            BeforeSubmit: The text did not stay.
            Invalid: It is longer than the shop takes.
        """
        field, wanted = self.field(name), text.replace("\r\n", "\n")
        await field.fill(wanted)
        kept = await field.input_value()
        if kept == wanted:
            return
        if wanted.startswith(kept) and str(len(kept)) == await field.get_attribute("maxlength"):
            raise Invalid(f"{name}: the shop keeps {len(kept)} characters, not {len(wanted)}")
        raise BeforeSubmit(f"{name} did not stay: {explain_difference(wanted, kept)}")

    async def put_offer(self, offer: Offer) -> None:
        """Fill in what every form that makes a product has."""
        await self.put("title", offer.title)
        await self.put("sku", offer.sku)
        await self.put("price", format(offer.price, "f"))
        await self.put("stock", str(offer.stock))
        await self.choose("status", "On sale 在售")

    async def choose(self, name: str, label: str) -> None:
        """Choose an option by what it says.

        Raises:
            BeforeSubmit: The choice did not stay.
            Invalid: There is no such option.
        """
        field = self.field(name)
        labels = [text.strip() for text in await field.locator("option").all_text_contents()]
        if labels.count(label) != 1:
            raise Invalid(f"{name}: {label!r} is not one of {', '.join(labels)}")
        await field.select_option(index=labels.index(label))
        kept = await field.locator("option:checked").inner_text()
        if kept.strip() != label:
            raise BeforeSubmit(f"{name} did not stay at {label!r}: it shows {kept.strip()!r}")

    async def check_valid(self) -> None:
        """Find what the browser itself would refuse to send, which would look like a dead click.

        Raises:
            Invalid: There is something; names field and reason.
        """
        wrong = await self.at.locator(":invalid").evaluate_all(
            "fields => fields.map(field => field.name + ': ' + field.validationMessage)"
        )
        if wrong:
            raise Invalid("; ".join(wrong))

    async def press(self, button: str) -> None:
        """Click a button, and wait for nothing."""
        await self.at.get_by_role("button", name=button).click(no_wait_after=True)


class CopyForm:
    """The form that copies a source good into the shop."""

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        self._url = url
        self._form = _Form(page, "Copy 复制")

    async def open(self, source_id: str) -> None:
        """Open a fresh form for a source good.

        Raises:
            Invalid: There is no such good.
            LoggedOut: The session has ended.
        """
        query = urlencode({"source": source_id})
        await _open(self._page, f"{self._url}/copies/new?{query}")
        await self._form.check_there()
        kept = await self._form.field("source_id").input_value()
        if kept != source_id:
            raise Invalid(f"the form copies {kept!r}, not {source_id!r}")

    async def fill(self, copying: Copying) -> None:
        """Fill in everything, and read every value back.

        Raises:
            BeforeSubmit: A value did not stay.
            Invalid: The shop cannot take a value.
        """
        form = self._form
        await form.put_offer(copying)
        await form.put("remark", copying.remark)
        await form.check_valid()

    async def copy(self) -> None:
        """Click the button that copies."""
        await self._form.press("提交复制 Copy")


class ProductForm:
    """The form for a new product whose picture goes to the image space first."""

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        self._url = url
        self._form = _Form(page, "New product 发布商品")

    async def open(self) -> None:
        """Open a fresh form.

        Raises:
            LoggedOut: The session has ended.
        """
        await _open(self._page, f"{self._url}/products/new?images=space")
        await self._form.check_there()

    async def fill(self, listing: Listing) -> None:
        """Fill in everything, and read every value back. The picture leaves with `save`.

        Raises:
            BeforeSubmit: A value did not stay.
            Invalid: The shop cannot take a value.
        """
        form = self._form
        await form.put_offer(listing)
        await form.choose("category", listing.category)
        await form.put("description", listing.description)
        pictures = form.at.locator("[data-pictures]")
        await pictures.set_input_files(listing.image)
        kept = await pictures.evaluate("field => Array.from(field.files, file => file.name)")
        if kept != [listing.image.name]:
            raise BeforeSubmit(f"picture {listing.image.name} did not stay: the form holds {kept}")
        await form.check_valid()

    async def save(self) -> None:
        """Click the button that uploads the picture and publishes the product."""
        await self._form.press("发布商品 Publish")


class ProductPage:
    """The page of one product."""

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        self._url = url
        self._form = _Form(page, "Status 状态")

    async def open(self, record: str) -> None:
        """Open it.

        Args:
            record: The product's id, with or without ``product:`` before it.

        Raises:
            Invalid: There is no such product.
            LoggedOut: The session has ended.
        """
        await _open(self._page, f"{self._url}/products/{record.removeprefix('product:')}")
        await self._form.check_there()
        await self._form.choose("status", "Trash 回收站")

    async def trash(self) -> None:
        """Click the button that moves the product to the trash."""
        await self._form.press("Move 移动")


@dataclass(frozen=True, slots=True)
class ListShown:
    """One page of a list, as shown.

    Attributes:
        rows: Each row's record id and the texts of its cells, by their names.
        number: Which page this is.
        pages: How many there are.
        total: How many records the list says it has.
        filters: What narrows the list; the empty ones too.
        tabs: How many records each tab says it has; empty where there are no tabs.
    """

    rows: list[tuple[str, dict[str, str]]]
    number: int
    pages: int
    total: int
    filters: dict[str, str]
    tabs: dict[str, int]


_READ: Final = """(name) => {
  const all = (where, within = document) => [...within.querySelectorAll(where)];
  const table = document.querySelector(`table[data-list="${name}"]`);
  const mark = (key) => document.querySelector(`.pager [data-${key}]`)?.dataset[key] ?? "";
  const state = (cell) => cell.querySelector("[data-status]")?.dataset.status;
  const own = (cell) => [...cell.childNodes].filter((node) => node.nodeName !== "SMALL");
  const text = (cell) => own(cell).map((node) => node.textContent).join("").trim();
  const cells = (row) => all("td[data-field]", row).map((cell) =>
    [cell.dataset.field, state(cell) ?? text(cell)]);
  const filters = [...(table?.attributes ?? [])].filter((at) => at.name.startsWith("data-filter-"));
  return {
    there: table !== null,
    login: document.querySelector("[data-login-page]") !== null,
    notice: document.querySelector(".banner.warn, .banner.error")?.textContent.trim() ?? "",
    rows: all("tbody tr", table ?? document.createElement("i"))
      .map((row) => [row.dataset.recordId ?? "", Object.fromEntries(cells(row))]),
    empty: document.querySelector("[data-empty]") !== null,
    total: mark("total"), number: mark("page"), pages: mark("pages"),
    filters: Object.fromEntries(filters.map((at) => [at.name.slice(12), at.value])),
    tabs: Object.fromEntries(all("a[data-tab]").map((tab) =>
      [tab.dataset.tab, Number(/\\((\\d+)\\)\\s*$/.exec(tab.textContent)?.[1] ?? -1)])),
  };
}"""


class ListPage:
    """A list of the shop: copy records or products."""

    def __init__(self, page: Page, url: str, path: str, name: str) -> None:
        self._page = page
        self._address = f"{url}{path}"
        self._name = name

    async def open(self, number: int = 1, **filters: str) -> ListShown:
        """Open one page of it and read what it shows.

        Raises:
            ProbeError: It is another page, or does not say how much there is.
        """
        query = urlencode({**filters, "page": str(number)})
        await visit(self._page, f"{self._address}?{query}")
        return await self.shown()

    async def shown(self) -> ListShown:
        """Read what the page shows.

        Raises:
            ProbeError: It is another page, or does not say how much there is.
        """
        said: dict[str, Any] = await self._page.evaluate(_READ, self._name)
        where = self._page.url
        if said["login"]:
            raise ProbeError(f"{where} shows the login page")
        if not said["there"]:
            raise ProbeError(f"{where} is not the list {self._name}")
        if said["notice"]:
            raise ProbeError(f"{where} says: {collapse_spaces(said['notice'])}")
        counts = [said[name] for name in ("number", "pages", "total")]
        if not all(count.isdecimal() for count in counts):
            raise ProbeError(f"{where} does not say how many records it has")
        number, pages, total = map(int, counts)
        if said["empty"] is bool(said["rows"]):
            raise ProbeError(f"{where} shows neither records nor that there are none")
        return ListShown(
            rows=[(record, cells) for record, cells in said["rows"]],
            number=number,
            pages=pages,
            total=total,
            filters=said["filters"],
            tabs=said["tabs"],
        )
