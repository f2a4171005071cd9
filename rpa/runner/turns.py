"""Turns: so many shops at a time, and one shop per account.

A seller ERP keeps the current shop on the server, so two sessions of one account would switch each
other's shop; a store that keeps none says so with `parallel_sessions`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rpa.config import Project, ShopConfig
from rpa.runner.load import load_store

__all__ = ["Turns"]


class Turns:
    """Hands out turns; as many at a time as the project says, else about the core count."""

    def __init__(self, project: Project) -> None:
        self._slots = asyncio.Semaphore(project.slots or max(1, os.cpu_count() or 1))
        self._accounts: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def turn(self, shop: ShopConfig) -> AsyncIterator[None]:
        """Wait for a shop's turn, which lasts as long as the block."""
        async with self._account(shop), self._slots:
            yield

    def _account(self, shop: ShopConfig) -> asyncio.Lock:
        if shop.account is None or getattr(load_store(shop.store), "parallel_sessions", False):
            return asyncio.Lock()
        return self._accounts.setdefault(f"{shop.store}/{shop.account}", asyncio.Lock())
