"""A plain Chromium, without any gate: what a person at the back office has."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, Page, async_playwright

from rpa.gate.browser import find_browser, launch_args, without_window


@asynccontextmanager
async def plain_browser() -> AsyncIterator[Browser]:
    """Whatever Chromium there is; installed if there is none."""
    async with async_playwright() as playwright:
        found = without_window(await find_browser(playwright))
        browser = await playwright.chromium.launch(
            executable_path=found.executable, channel=found.channel, args=launch_args()
        )
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def plain_page() -> AsyncIterator[Page]:
    """A page of a browser of its own."""
    async with plain_browser() as browser:
        yield await browser.new_page(viewport={"width": 1360, "height": 860})


def executable() -> str:
    """A Chromium's own file, for a browser that is started by hand."""

    async def find() -> str | None:
        async with async_playwright() as playwright:
            return (await find_browser(playwright)).executable

    found = asyncio.run(find())
    assert found is not None, "a channel has no file to start by hand"
    return found
