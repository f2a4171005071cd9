"""Evidence: pictures around each submit, and traces once something has gone wrong.

Evidence never decides anything and its failure never changes an outcome: it is for people.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

from loguru import logger
from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from rpa.config.mask import Masker

__all__ = ["Evidence"]

_PICTURE_WAIT: Final = 3000  # milliseconds; a hung page must not hold the unit
_LEFT: Final = "context was destroyed"
_LARGEST_TRACE: Final = 20 * 1024 * 1024
_HIDE: Final = "input[type=password], [autocomplete=one-time-code], [data-secret]"


class Evidence:
    """One shop's evidence folder during one run.

    Args:
        folder: The shop's evidence folder.
        run: The run's id; names a folder inside it.
        masker: Knows the secrets to keep out of traces.
        tracing: Trace from the start, not only after the first failure.
    """

    def __init__(self, folder: Path, run: str, masker: Masker, *, tracing: bool = False) -> None:
        self._folder = folder / run
        self._run = run
        self._masker = masker
        self._asked = tracing
        self._tracing = tracing
        self._started = False

    async def picture(self, page: Page, name: str) -> tuple[str, ...]:
        """Take a picture of what a person would see.

        Returns:
            Its name for the journal; empty where the page gave none.
        """
        path = self._free(name)
        for last in (False, True):
            try:
                await self._take(page, path)
                return (f"{self._run}/{path.name}",)
            except (PlaywrightError, OSError) as error:
                if not last and _LEFT in str(error):
                    continue  # it was on its way elsewhere; what comes next is what counts
                logger.debug("no picture {}: {}", name, str(error).splitlines()[0])
                break
        return ()

    async def _take(self, page: Page, path: Path) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        await page.screenshot(
            path=path,
            type="jpeg",
            quality=50,
            scale="css",
            timeout=_PICTURE_WAIT,
            mask=[page.locator(_HIDE)],
        )

    def _free(self, name: str) -> Path:
        """A name no picture has yet: a canary and the rest are two processes of one run."""
        path, number = self._folder / f"{name}.jpg", 1
        while path.exists():
            number += 1
            path = self._folder / f"{name}-{number}.jpg"
        return path

    async def begin(self, context: BrowserContext) -> None:
        """Begin a unit's trace, if tracing is on."""
        if not self._tracing:
            return
        with contextlib.suppress(PlaywrightError):
            if not self._started:
                await context.tracing.start(snapshots=True, screenshots=False)
                self._started = True
            await context.tracing.start_chunk()

    async def succeeded(self, context: BrowserContext, name: str) -> None:
        """End the trace of a unit that went well; it is kept only where traces were asked for."""
        if self._started:
            await self._end(context, name if self._asked else None)

    async def failed(self, context: BrowserContext, name: str) -> None:
        """End the trace of a unit that did not go well, and trace from now on."""
        if self._started:
            await self._end(context, name)
        self._tracing = True

    async def _end(self, context: BrowserContext, name: str | None) -> None:
        with contextlib.suppress(PlaywrightError):
            if name is None:
                await context.tracing.stop_chunk()
                return
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._folder / f"{name}.trace.zip"
            await context.tracing.stop_chunk(path=path)
            self._masker.add(*(cookie.get("value", "") for cookie in await context.cookies()))
            self._masker.archive(path)
            if path.stat().st_size > _LARGEST_TRACE:
                logger.warning("trace {} is too large and was dropped", path.name)
                path.unlink()

    def forget_context(self) -> None:
        """The browser context was replaced; the next trace starts anew in the next one."""
        self._started = False
