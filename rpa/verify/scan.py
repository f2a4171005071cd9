"""Scans: one honest reading of a shop's list, in a context that nothing can fool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from loguru import logger
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from rpa.core.model import Scan
from rpa.errors import ProbeError, StepError
from rpa.gate.session import ShopSession
from rpa.verify.probe import Probe, Reading

__all__ = ["IdentityReader", "read_list", "scan"]

_LONGEST: Final = 120_000  # milliseconds for one page load of a long list

Clock = Callable[[], float]
Look = Callable[[Page], Awaitable[None]]


class IdentityReader(Protocol):
    """What a scan needs of a store."""

    @property
    def url(self) -> str:
        """The shop's address."""

    async def identity(self, page: Page) -> str | None:
        """Read whose shop the page is."""


async def scan(
    session: ShopSession, store: IdentityReader, probe: Probe, clock: Clock, look: Look
) -> Scan:
    """Read a shop's list in a fresh context.

    Never raises for what the shop does: whatever goes wrong makes the scan incomplete, and an
    incomplete scan proves no absence.

    Args:
        session: The shop's session.
        store: The store's adapter.
        probe: Which list.
        clock: Seconds of the wall clock.
        look: Is shown the page afterwards, to take a picture of it.
    """
    try:
        async with session.fresh_page() as page:
            result = await read_list(page, store, probe, clock)
            await look(page)
            return result
    except PlaywrightError as error:
        reading = Reading(clock())
        reading.doubt(f"the browser failed: {error.message.splitlines()[0]}")
        return reading.scan(probe.matching.tabs)


async def read_list(page: Page, store: IdentityReader, probe: Probe, clock: Clock) -> Scan:
    """Let a probe read on a page, and make a scan of what it says.

    The identity is read last, from the list's own page: what was read before a switch of shops
    must not count for the shop after it.
    """
    reading = Reading(clock())
    page.set_default_navigation_timeout(_LONGEST)
    try:
        await probe.read(page, store.url, reading)
    except (ProbeError, StepError, PlaywrightError) as error:
        reading.doubt(f"{probe.name}: {str(error).splitlines()[0]}")
    try:
        reading.shop = await store.identity(page)
    except PlaywrightError as error:
        reading.doubt(f"no identity to be read: {error.message.splitlines()[0]}")
    result = reading.scan(probe.matching.tabs)
    logger.info(
        "{} read {} rows of {}: {}",
        probe.name,
        len(result.rows),
        result.shop,
        "whole" if result.complete else result.reason,
    )
    return result
