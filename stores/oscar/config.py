"""django-oscar as a store: the dashboard of one shop, in English."""

from __future__ import annotations

from typing import ClassVar

from playwright.async_api import Page

from rpa import Store, Submit, visit
from stores.oscar.pages import LoginPage, ProductForm, ProductsPage
from stores.oscar.probe import ProductList
from stores.oscar.signals import CREATE, DELETE

__all__ = ["Oscar"]


class Oscar(Store):
    """A shop of django-oscar 4.

    Attributes:
        product_type: Slug of the product type new products get, as the create form's address
            shows it; a shop with another one subclasses.
    """

    name = "oscar"
    submits: ClassVar = {
        "list_product": Submit(rules=(CREATE,), probes=(ProductList(),)),
        "delete_product": Submit(rules=(DELETE,), probes=(ProductList(),)),
    }
    # Every shop is a site with sessions of its own, and no session keeps a "current shop".
    parallel_sessions = True
    product_type: ClassVar[str] = "general"

    async def log_in(self, page: Page, username: str, password: str) -> None:
        """Log in with the account's e-mail address.

        Raises:
            LoginFailed: The store says the credentials are wrong.
        """
        login = LoginPage(page, self.url)
        await login.open()
        await login.log_in(username, password)

    async def logged_in(self, page: Page) -> bool:
        """Open the product list and say whether the store shows it."""
        products = ProductsPage(page, self.url)
        await visit(page, products.address())
        return await products.here() and await self.identity(page) is not None

    async def identity(self, page: Page) -> str | None:
        """Read the shop's name from the bar every dashboard page has and the login page lacks."""
        brand = page.locator("nav.navbar-accounts a.navbar-brand")
        names = [name.strip() for name in await brand.all_text_contents()]
        return names[0] or None if len(names) == 1 else None

    def product_form(self, page: Page) -> ProductForm:
        """The form for a new product, on a page."""
        return ProductForm(page, self.url, self.product_type)
