"""Opening shops outside a run, to look and not to submit: for plan, exam and login.

The run lock is taken all the same: a second session of the same shop may log the first one out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from loguru import logger
from playwright.async_api import Error as PlaywrightError

from rpa.config import Project, ShopConfig
from rpa.config.mask import Masker
from rpa.errors import RpaError
from rpa.gate.session import SessionOptions
from rpa.journal import RunLock
from rpa.runner.keeper import Keeper, keep_session
from rpa.runner.load import load_store, use_project
from rpa.runner.log import log_to
from rpa.runner.perform import one_line
from rpa.runner.store import Store
from rpa.runner.turns import Turns

__all__ = ["Visit", "visit_shops"]

T = TypeVar("T")


@dataclass(frozen=True)
class Visit:
    """A shop that may be looked at.

    Attributes:
        shop: Which.
        store: Its adapter.
        keeper: Gives its session.
    """

    shop: ShopConfig
    store: Store
    keeper: Keeper


async def visit_shops(
    project: Project,
    shops: Iterable[ShopConfig],
    options: SessionOptions,
    look: Callable[[Visit], Awaitable[T]],
) -> dict[str, T | RpaError]:
    """Look at shops, several at a time; a shop that fails does not keep the others.

    Args:
        project: The project.
        shops: Which.
        options: How to open a browser.
        look: What to do in each.

    Returns:
        What was found, or what went wrong, by shop name.
    """
    masker = Masker()
    use_project(project.root)
    log_to(project.home / "logs" / "commands.log", masker, "-")
    turns = Turns(project)

    async def one(shop: ShopConfig) -> T | RpaError:
        try:
            async with turns.turn(shop):
                return await _visit(project, shop, options, masker, look)
        except RpaError as error:
            logger.error("{}: {}", shop.name, error)
            error.args = (masker.text(str(error)),)
            return error

    listed = list(shops)
    found = await asyncio.gather(*(one(shop) for shop in listed))
    return {shop.name: result for shop, result in zip(listed, found, strict=True)}


async def _visit(
    project: Project,
    shop: ShopConfig,
    options: SessionOptions,
    masker: Masker,
    look: Callable[[Visit], Awaitable[T]],
) -> T:
    store = load_store(shop.store)(shop.url)
    with RunLock(project.journal(shop.name)):
        async with keep_session(project, shop, store, masker, options, (), asyncio.sleep) as keeper:
            try:
                return await look(Visit(shop, store, keeper))
            except PlaywrightError as error:
                raise RpaError(f"shop {shop.name}: the browser failed: {one_line(error)}") from None
