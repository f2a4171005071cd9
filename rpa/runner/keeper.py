"""Keeping a shop's session: opened late, opened again if its browser dies."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from loguru import logger

from rpa.config import Project, ShopConfig
from rpa.config.mask import Masker
from rpa.gate.evidence import Evidence
from rpa.gate.rules import SubmitRule
from rpa.gate.saved import SavedSession
from rpa.gate.session import SessionOptions, ShopSession, open_session
from rpa.journal.base import Reach, nowhere
from rpa.runner.retrying import Sleep, retrying
from rpa.runner.store import Store

__all__ = ["Keeper", "keep_session"]


class Keeper:
    """Gives the shop's live session, whatever happened to the last one. Made by `keep_session`."""

    def __init__(
        self,
        project: Project,
        shop: ShopConfig,
        store: Store,
        masker: Masker,
        options: SessionOptions,
        rules: tuple[SubmitRule, ...],
        sleep: Sleep,
        reach: Reach,
    ) -> None:
        self._shop, self._store, self._masker = shop, store, masker
        self._options, self._rules, self._sleep, self._reach = options, rules, sleep, reach
        self._saved = SavedSession(project.session(shop.name))
        self._stack = AsyncExitStack()
        self._session: ShopSession | None = None
        self.evidence: Evidence | None = None

    async def live(self) -> ShopSession:
        """The session, open and logged in; opened anew where the browser is gone.

        Raises:
            StoreDown: The store does not answer, several times.
            LoginFailed: The store refused the credentials.
            WrongShop: The account leads to another shop.
            BrowserMissing: There is no Chromium.
        """
        if self._session is not None and await self._session.lives():
            return self._session
        if self._session is not None:
            logger.warning("the browser of {} died; opening another", self._shop.name)
        await self.close()
        async for attempt in retrying(self._sleep):
            with attempt:
                self._session = await self._stack.enter_async_context(
                    open_session(
                        self._shop,
                        self._store,
                        self._saved,
                        self._masker,
                        self._options,
                        self._reach,
                        self._rules,
                    )
                )
        if self._session is None:
            raise AssertionError("a retry loop ends with a value or an error")
        return self._session

    async def enter_again(self) -> ShopSession:
        """The session, proven logged in; logs in again where it has ended."""
        session = await self.live()
        await session.enter(self._saved, self._masker)
        return session

    async def close(self) -> None:
        """Close browser and egress."""
        self._session = None
        if self.evidence is not None:
            self.evidence.forget_context()
        await self._stack.aclose()
        self._stack = AsyncExitStack()


@asynccontextmanager
async def keep_session(
    project: Project,
    shop: ShopConfig,
    store: Store,
    masker: Masker,
    options: SessionOptions,
    rules: tuple[SubmitRule, ...],
    sleep: Sleep,
    reach: Reach = nowhere,
) -> AsyncIterator[Keeper]:
    """Keep a shop's session until the block ends; nothing is opened before it is asked for."""
    keeper = Keeper(project, shop, store, masker, options, rules, sleep, reach)
    try:
        yield keeper
    finally:
        await keeper.close()
