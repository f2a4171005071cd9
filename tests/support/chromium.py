"""A plain Chromium page, without any gate: what a person at the back office has."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Page, async_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_QUIET = (
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@asynccontextmanager
async def plain_page() -> AsyncIterator[Page]:
    """A page of the system's Chromium, or of Playwright's own where there is none."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found, args=_QUIET)
        try:
            yield await browser.new_page(viewport={"width": 1360, "height": 860})
        finally:
            await browser.close()
