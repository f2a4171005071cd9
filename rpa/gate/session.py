"""One shop's session: its own browser behind its own egress, gated, logged in, proven.

The order of opening is what makes it safe: egress first, then the browser, then the gate, and only
then the first page. A saved session is tried before a login, and after every login the saved file
is proven in a fresh context, because some shops keep their session where no file can hold it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from loguru import logger
from playwright.async_api import Browser, BrowserContext, Dialog, Page, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from rpa.config import ShopConfig
from rpa.config.mask import Masker
from rpa.errors import BeforeSubmit, LoginFailed, StoreDown, WrongShop
from rpa.gate.browser import find_browser, launch_args, without_window
from rpa.gate.by_hand import wait_for_person
from rpa.gate.egress import Egress
from rpa.gate.gate import SubmitGate
from rpa.gate.rules import SubmitRule
from rpa.gate.saved import SavedSession
from rpa.gate.visit import store_down
from rpa.journal.base import Reach, nowhere

__all__ = ["Door", "SessionOptions", "ShopSession", "open_session"]

_VIEWPORT: Final = {"width": 1366, "height": 900}  # the same with and without a window
_STEP_WAIT: Final = 15_000  # milliseconds for one page action
_CLOSE_WAIT: Final = 5.0  # seconds
_LOOK_EVERY: Final = 1.0  # seconds between two looks whether the browser is there


class Door(Protocol):
    """What a session needs to know of a store: how to come in, and whose place it is."""

    async def log_in(self, page: Page, username: str, password: str) -> None:
        """Log in."""

    async def logged_in(self, page: Page) -> bool:
        """Open a page that needs a session and say whether it is shown."""

    async def identity(self, page: Page) -> str | None:
        """Read whose shop the page is."""

    def rules(self) -> tuple[SubmitRule, ...]:
        """Every submit rule of the store."""


@dataclass(frozen=True)
class SessionOptions:
    """How to open a browser.

    Attributes:
        headed: Show the window.
        slow_mo: Milliseconds to wait after each action, for people who watch.
        browser: A Chromium of the user's choice.
        by_hand: Seconds in which a person logs in, in the window; without, the credentials do.
    """

    headed: bool = False
    slow_mo: float = 0.0
    browser: str | None = None
    by_hand: float | None = None


class ShopSession:
    """A shop's browser, open and logged in. Made by `open_session`."""

    def __init__(
        self,
        shop: ShopConfig,
        door: Door,
        browser: Browser,
        context: BrowserContext,
        gate: SubmitGate,
        egress: Egress | None,
        by_hand: float | None = None,
    ) -> None:
        self.shop = shop
        self._by_hand = by_hand
        self.gate = gate
        self._door = door
        self._browser = browser
        self.context = context
        self._egress = egress
        self._page: Page | None = None
        self.dead = asyncio.Event()
        self.dialog: str = "refuse"
        self.dialogs: list[str] = []
        browser.on("disconnected", lambda _: self.dead.set())
        context.on("dialog", self._on_dialog)

    @property
    def fail_closed(self) -> bool:
        """Nothing can leave once this process is gone."""
        return self._egress is not None

    @property
    def alive(self) -> bool:
        """The browser was not seen to die."""
        return not self.dead.is_set()

    async def lives(self) -> bool:
        """Look whether the browser is there: a driver that dies tells nobody."""
        if self.alive and await self.gate.gone():
            self.dead.set()
        return self.alive

    async def watch(self) -> None:
        """Look again and again, so that nothing waits for a browser that is gone."""
        while await self.lives():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.dead.wait(), _LOOK_EVERY)

    async def page(self) -> Page:
        """The page steps work on; a new one where the last is gone."""
        if self._page is None or self._page.is_closed():
            self._page = await self.context.new_page()
            self._page.set_default_timeout(_STEP_WAIT)
        return self._page

    async def renew_page(self) -> None:
        """Close every page, and with them whatever they still had under way."""
        for page in self.context.pages if self.fail_closed else [self._page]:
            if page is not None and not await _closes(page):
                self.dead.set()  # a browser that cannot close a page is replaced
        self._page = None

    @asynccontextmanager
    async def fresh_page(self, *, anonymous: bool = False) -> AsyncIterator[Page]:
        """A page that no cache, service worker or earlier visit can fool.

        Args:
            anonymous: Without the shop's session; what a logged-out person sees.
        """
        if not self.fail_closed and not anonymous:
            page = await self.context.new_page()
            await page.set_extra_http_headers({"Cache-Control": "no-cache"})
            try:
                yield page
            finally:
                await _closes(page)
            return
        state = None if anonymous else await self.context.storage_state(indexed_db=True)
        context = await self._browser.new_context(
            **_context_options(self.shop, self._egress),
            storage_state=state,
            service_workers="block",
        )
        context.set_default_timeout(_STEP_WAIT)
        try:
            yield await context.new_page()
        finally:
            await _closes(context)

    async def check_identity(self, page: Page) -> None:
        """Read whose shop the page is, as it stands.

        Raises:
            WrongShop: It is another's, or nobody's.
        """
        seen = await self._door.identity(page)
        if seen != self.shop.identity:
            raise WrongShop(
                f"shop {self.shop.name}: the page belongs to {seen!r}, "
                f"rpa.toml says {self.shop.identity!r}"
            )

    async def enter(self, saved: SavedSession, masker: Masker) -> None:
        """Be logged in as the right shop: by the saved session, else with the credentials.

        Raises:
            LoginFailed: The store refused the credentials.
            StoreDown: The store does not answer.
            WrongShop: The account leads to another shop.
        """
        page = await self.page()
        with _down_as_error(self.shop):
            if not await self._door.logged_in(page):
                await self._log_in(page, saved, masker)
            try:
                await self.check_identity(page)
            except WrongShop:
                saved.forget()  # or the next run would find itself in the wrong shop again
                raise
        masker.add(*[cookie.get("value", "") for cookie in await self.context.cookies()])

    async def _log_in(self, page: Page, saved: SavedSession, masker: Masker) -> None:
        logger.info("logging in to {}", self.shop.name)
        if self._by_hand is None:
            await self._use_credentials(page, masker)
        else:
            await wait_for_person(self.context, self._door, self.shop.name, self._by_hand)
        if not await self._door.logged_in(page):
            raise LoginFailed(
                f"shop {self.shop.name}: the store did not let us in; "
                f"check shops.{self.shop.name}.username and .password in rpa.toml"
            )
        state: Any = await self.context.storage_state(indexed_db=True)
        written = saved.save(state)
        async with self.fresh_page() as fresh:
            if written and not await self._door.logged_in(fresh):
                saved.forget()
                logger.warning("{} keeps its session where no file can hold it", self.shop.name)

    async def _use_credentials(self, page: Page, masker: Masker) -> None:
        username, password = self.shop.credentials()
        masker.add(password)
        await self._door.log_in(page, username, password)

    def _on_dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        answer = dialog.accept() if self.dialog == "accept" else dialog.dismiss()
        asyncio.ensure_future(answer).add_done_callback(lambda done: done.exception())


@asynccontextmanager
async def open_session(
    shop: ShopConfig,
    door: Door,
    saved: SavedSession,
    masker: Masker,
    options: SessionOptions,
    reach: Reach = nowhere,
    rules: Sequence[SubmitRule] = (),
) -> AsyncIterator[ShopSession]:
    """Open a shop's session and close it in the order that keeps everything shut.

    Args:
        shop: Which shop.
        door: The store's adapter.
        saved: Its saved session.
        masker: Learns the session's secrets.
        options: How to open the browser.
        reach: Kill points.
        rules: Submit rules a flow declares besides the store's.

    Raises:
        BrowserMissing: There is no Chromium.
        LoginFailed: The store refused the credentials.
        StoreDown: The store does not answer.
        WrongShop: The account leads to another shop.
    """
    async with AsyncExitStack() as stack:
        attached = shop.browser.cdp is not None
        egress = None if attached else Egress(shop.upstream())
        if egress is not None:
            await stack.enter_async_context(egress)
        playwright = await stack.enter_async_context(async_playwright())
        browser = await _browser(playwright, shop, options, egress)
        stack.push_async_callback(_closes, browser)
        gate = SubmitGate(shop.url, {*door.rules(), *rules}, egress, reach)
        await gate.install(browser)
        if egress is not None:
            stack.callback(egress.freeze)
        context = await _context(browser, shop, saved, egress)
        session = ShopSession(shop, door, browser, context, gate, egress, options.by_hand)
        if attached:
            stack.push_async_callback(session.renew_page)
        stack.callback(asyncio.ensure_future(session.watch()).cancel)
        await session.enter(saved, masker)
        yield session


async def _browser(
    playwright: Playwright, shop: ShopConfig, options: SessionOptions, egress: Egress | None
) -> Browser:
    if shop.browser.cdp is not None:
        try:
            return await playwright.chromium.connect_over_cdp(shop.browser.cdp)
        except PlaywrightError as error:
            raise BeforeSubmit(
                f"shop {shop.name}: no browser to attach to at {shop.browser.cdp}; start it with "
                f"--remote-debugging-port ({error.message.splitlines()[0]})"
            ) from None
    choice = await find_browser(playwright, options.browser or shop.browser.executable)
    if not options.headed:
        choice = without_window(choice)
    return await playwright.chromium.launch(
        executable_path=choice.executable,
        channel=choice.channel,
        headless=not options.headed,
        slow_mo=options.slow_mo,
        args=launch_args(),
        proxy={"server": egress.server_url} if egress else None,
        handle_sigint=False,
        handle_sigterm=False,
    )


async def _context(
    browser: Browser, shop: ShopConfig, saved: SavedSession, egress: Egress | None
) -> BrowserContext:
    if egress is None:
        return browser.contexts[0]
    state: Any = saved.load()
    return await browser.new_context(**_context_options(shop, egress), storage_state=state)


def _context_options(shop: ShopConfig, egress: Egress | None) -> dict[str, Any]:
    return {
        "proxy": {"server": egress.server_url} if egress else None,
        "locale": shop.locale,
        "timezone_id": shop.time_zone,
        "viewport": _VIEWPORT,
    }


async def _closes(what: Page | BrowserContext | Browser) -> bool:
    """Close something, and say whether it closed.

    Closing has no deadline of its own, and a page that is closed while it takes in an answer was
    seen to hang for ever.
    """
    try:
        async with asyncio.timeout(_CLOSE_WAIT):
            await what.close()
    except TimeoutError:
        logger.warning("a {} does not close", type(what).__name__.lower())
        return False
    except PlaywrightError:
        pass  # it is gone already
    return True


@contextlib.contextmanager
def _down_as_error(shop: ShopConfig) -> Any:
    """Say "the store is down" in our own words; nothing was sent yet, so waiting will do."""
    try:
        yield
    except PlaywrightError as error:
        if store_down(error) or "Timeout" in error.message:
            first = error.message.splitlines()[0]
            raise StoreDown(f"shop {shop.name}: {shop.url} does not answer ({first})") from None
        raise
