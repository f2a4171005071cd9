"""The seller back office as a store: one shop of it, below ``/s/NAME``."""

from __future__ import annotations

from typing import ClassVar

from playwright.async_api import Page

from rpa import Store, Submit, visit
from stores.backoffice.pages import CopyForm, LoginPage, ProductForm, ProductPage
from stores.backoffice.probe import CopyRecords, ProductList
from stores.backoffice.signals import COPY, CREATE, TRASH, UPLOAD

__all__ = ["Backoffice"]


class Backoffice(Store):
    """A shop of the seller back office."""

    name = "backoffice"
    submits: ClassVar = {
        "copy": Submit(rules=(COPY,), probes=(CopyRecords(), ProductList())),
        "list_product": Submit(rules=(UPLOAD, CREATE), probes=(ProductList(),)),
        "delete_product": Submit(rules=(TRASH,), probes=(ProductList(),)),
    }
    # A session belongs to one shop, and its cookie's path keeps it from every other.
    parallel_sessions = True

    async def log_in(self, page: Page, username: str, password: str) -> None:
        """Log in with the shop's account.

        Raises:
            LoginFailed: The store says the credentials are wrong.
        """
        login = LoginPage(page, self.url)
        await login.open()
        await login.log_in(username, password)

    async def logged_in(self, page: Page) -> bool:
        """Open the shop's first page and say whether the store shows it."""
        await visit(page, f"{self.url}/")
        return await self.identity(page) is not None

    async def identity(self, page: Page) -> str | None:
        """Read the shop's id from the page's head.

        The login page shows the id too, to whoever asks for it: there it proves nothing.
        """
        named = page.locator("body:not([data-login-page]) [data-shop-id]")
        found = await named.evaluate_all("marks => marks.map(mark => mark.dataset.shopId)")
        return found[0] or None if len(found) == 1 else None

    def copy_form(self, page: Page) -> CopyForm:
        """The form that copies a source good into the shop, on a page."""
        return CopyForm(page, self.url)

    def product_form(self, page: Page) -> ProductForm:
        """The form for a new product, on a page."""
        return ProductForm(page, self.url)

    def product_page(self, page: Page) -> ProductPage:
        """The page of one product, on a page."""
        return ProductPage(page, self.url)
