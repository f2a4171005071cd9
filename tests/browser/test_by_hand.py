"""Logging in by hand: we watch the window and touch nothing in it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rpa.errors import LoginFailed
from rpa.gate.by_hand import wait_for_person
from stores.backoffice import Backoffice
from tests.support.backoffice import start_backoffice
from tests.support.chromium import plain_page

pytestmark = pytest.mark.browser


async def test_a_person_who_logs_in_is_noticed(tmp_path: Path) -> None:
    with start_backoffice(tmp_path, ["shop-a"]) as server:
        shop = server.shops["shop-a"]
        async with plain_page() as page:
            await page.goto(shop.url)
            store = Backoffice(shop.url.rstrip("/"))
            waiting = asyncio.ensure_future(wait_for_person(page.context, store, "shop-a", 60))
            await page.get_by_label("Account").fill(shop.account)
            await page.get_by_label("Password").fill(shop.password)
            await asyncio.sleep(1.5)
            assert not waiting.done()
            assert await page.get_by_label("Account").input_value() == shop.account
            await page.get_by_role("button", name="Log in").click()
            await waiting


async def test_nobody_comes(tmp_path: Path) -> None:
    with start_backoffice(tmp_path, ["shop-a"]) as server:
        shop = server.shops["shop-a"]
        store = Backoffice(shop.url.rstrip("/"))
        async with plain_page() as page:
            await page.goto(shop.url)
            with pytest.raises(LoginFailed, match="nobody logged in within 2 s"):
                await wait_for_person(page.context, store, "shop-a", 2)
            context = page.context
            waiting = asyncio.ensure_future(wait_for_person(context, store, "shop-a", 60))
            await page.close()
            with pytest.raises(LoginFailed, match="closed before anybody"):
                await waiting
