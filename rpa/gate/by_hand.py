"""Logging in by hand: a person does it in the window, and we watch until a shop is shown."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final, Protocol

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from rpa.errors import LoginFailed

__all__ = ["wait_for_person"]

_LOOK_EVERY: Final = 1.0  # seconds


class _Sign(Protocol):
    async def identity(self, page: Page) -> str | None:
        """Read whose shop the page is."""


async def wait_for_person(context: BrowserContext, sign: _Sign, shop: str, seconds: float) -> None:
    """Wait until some page of the window shows a shop; no page is touched meanwhile.

    Args:
        context: The window's context.
        sign: Reads whose shop a page is.
        shop: Shop name, for the error.
        seconds: How long a person may take.

    Raises:
        LoginFailed: Nobody logged in, or the window was closed.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while context.pages:
                for page in context.pages:
                    with contextlib.suppress(PlaywrightError):  # it is just going elsewhere
                        if await sign.identity(page) is not None:
                            return
                await asyncio.sleep(_LOOK_EVERY)
            raise LoginFailed(f"shop {shop}: the window was closed before anybody had logged in")
    raise LoginFailed(f"shop {shop}: nobody logged in within {seconds:.0f} s")
