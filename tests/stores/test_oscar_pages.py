"""The Oscar adapter's pages and its listing flow, in a real browser on the real dashboard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Request, Route

from fixtures.oscar.ledger import Product
from fixtures.pictures import picture
from flows.list_product import ListProduct, ProductItem
from rpa import BeforeSubmit, Invalid, LoginFailed
from stores.oscar import Oscar
from stores.oscar.pages import DeletePage, ProductsPage
from tests.support.chromium import plain_page
from tests.support.oscar import OscarFarm, OscarShop
from tests.support.oscar_client import DashboardClient

pytestmark = [
    pytest.mark.browser,
    pytest.mark.store_oscar,
    pytest.mark.asyncio(loop_scope="module"),
]

DESCRIPTION = "精梳棉 & 男女同款。\n第二行 <b>不是</b> 粗体。"


@pytest.fixture
def shop(oscar: OscarFarm) -> OscarShop:
    return oscar.shops["shop-a"]


@pytest.fixture
def store(shop: OscarShop) -> Oscar:
    return Oscar(shop.url)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with plain_page() as page:
        assert page.context.browser
        yield page.context.browser


@pytest_asyncio.fixture(loop_scope="module")
async def outside(browser: Browser) -> AsyncIterator[Page]:
    """A page that is logged in nowhere."""
    context = await browser.new_context()
    context.set_default_timeout(15_000)
    yield await context.new_page()
    await context.close()


@pytest_asyncio.fixture(loop_scope="module")
async def page(outside: Page, store: Oscar, shop: OscarShop) -> Page:
    """A page that is logged in to the shop."""
    await store.log_in(outside, shop.account, shop.password)
    return outside


def product(folder: Path, sku: str, **fields: Any) -> ProductItem:
    path = folder / f"{sku}.png"
    path.write_bytes(picture(sku))
    told = {"title": "圆领短袖T恤", "price": "39.90", "stock": "120", "category": "服装"}
    return ProductItem.model_validate({**told, "sku": sku, "image": str(path), **fields})


def found(farm: OscarFarm, sku: str) -> list[Product]:
    return [one for one in farm.ledger()["shop-a"] if one.upc == sku]


def posts(page: Page) -> list[Request]:
    """Every POST the page sends from now on."""
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    return sent


async def test_login_shows_whose_shop_it_is(
    outside: Page, oscar: OscarFarm, store: Oscar, shop: OscarShop
) -> None:
    assert await store.identity(outside) is None  # a blank page
    assert not await store.logged_in(outside)
    assert await store.identity(outside) is None  # the login page
    await store.log_in(outside, shop.account, shop.password)
    assert await store.identity(outside) == "shop-a"
    assert await store.logged_in(outside)
    assert await store.identity(outside) == "shop-a"
    other = Oscar(oscar.shops["shop-b"].url)
    assert not await other.logged_in(outside)
    await other.log_in(outside, shop.account, shop.password)
    assert await other.identity(outside) == "shop-b"


async def test_a_wrong_password_is_said_and_lets_nobody_in(
    outside: Page, store: Oscar, shop: OscarShop
) -> None:
    with pytest.raises(LoginFailed, match=r"'admin@example.com'.* correct username and password"):
        await store.log_in(outside, shop.account, "错误的密码")
    assert not await store.logged_in(outside)


async def test_an_ended_session_is_noticed(page: Page, store: Oscar) -> None:
    assert await store.logged_in(page)
    await page.get_by_role("button", name="Log out").click()
    assert not await store.logged_in(page)
    assert await store.identity(page) is None


async def test_a_product_lands_whole(
    page: Page, oscar: OscarFarm, store: Oscar, shop: OscarShop, tmp_path: Path
) -> None:
    item, flow = product(tmp_path, "PAGE-1", description=DESCRIPTION), ListProduct(store)
    sent = posts(page)
    await flow.open_form(page, item)
    await flow.fill(page, item)
    assert await store.identity(page) == "shop-a"
    assert (sent, found(oscar, "PAGE-1")) == ([], [])
    async with page.expect_navigation(url="**/dashboard/catalogue/"):
        await flow.save(page, item)
    assert len(sent) == 1
    [landed] = found(oscar, "PAGE-1")
    assert (landed.title, str(landed.price), landed.stock) == ("圆领短袖T恤", "39.90", 120)
    assert (landed.partner_sku, landed.images, landed.stock_records) == ("PAGE-1", 1, 1)
    stored = [one.read_bytes() for one in (shop.data / "media").rglob("images/**/PAGE-1*.png")]
    assert stored == [picture("PAGE-1")]
    client = DashboardClient(shop)
    assert client.login()
    edit = client.get(f"/dashboard/catalogue/products/{landed.id}/")[1].decode()
    assert "selected>服装</option>" in edit
    assert "精梳棉 &amp;amp; 男女同款。" in edit
    assert "第二行 &amp;lt;b&amp;gt;不是&amp;lt;/b&amp;gt; 粗体。" in edit


async def test_a_slow_shop_does_not_hold_the_click(
    page: Page, oscar: OscarFarm, store: Oscar, tmp_path: Path
) -> None:
    item, flow = product(tmp_path, "PAGE-SLOW"), ListProduct(store)
    await flow.open_form(page, item)
    await flow.fill(page, item)
    held: asyncio.Future[Route] = asyncio.get_running_loop().create_future()
    await page.route("**/create/**", lambda route: held.set_result(route))
    await flow.save(page, item)  # raises if it waits for an answer that does not come
    post = await held
    assert found(oscar, "PAGE-SLOW") == []
    async with page.expect_navigation(url="**/dashboard/catalogue/"):
        await post.continue_()
    assert len(found(oscar, "PAGE-SLOW")) == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"category": "鞋靴"}, "'鞋靴' is to be chosen of All, 服装"),
        ({"price": "39.9050"}, "stockrecords-0-price: .*valid value"),
        ({"sku": "长" * 65}, "upc: the shop keeps 64 characters, not 65"),
    ],
)
async def test_what_the_shop_cannot_take_is_said_before_anything_is_sent(
    page: Page, store: Oscar, tmp_path: Path, fields: dict[str, str], said: str
) -> None:
    item = product(tmp_path, **({"sku": "PAGE-BAD"} | fields))
    flow, sent = ListProduct(store), posts(page)
    await flow.open_form(page, item)
    with pytest.raises(Invalid, match=said):
        await flow.fill(page, item)
    assert sent == []


async def test_a_picture_the_browser_cannot_show_is_refused(
    page: Page, store: Oscar, tmp_path: Path
) -> None:
    item = product(tmp_path, "PAGE-BROKEN")
    item.image.write_bytes(picture("whole")[:40] + bytes(400))
    flow, sent = ListProduct(store), posts(page)
    await flow.open_form(page, item)
    with pytest.raises(Invalid, match=r"PAGE-BROKEN\.png: the browser cannot show it"):
        await flow.fill(page, item)
    assert sent == []


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("target.name === 'title' && (target.value = '')", "title did not stay"),
        ("target.name === 'title' && (target.value += ' 2')", "title did not stay"),
        ("target.type === 'file' && setTimeout(() => (target.value = ''))", "picture .*not stay"),
    ],
)
async def test_a_value_that_does_not_stay_is_noticed(
    page: Page, store: Oscar, tmp_path: Path, script: str, said: str
) -> None:
    listen = f"addEventListener('input', ({{target}}) => {script}, true)"
    await page.add_init_script(listen)
    item, flow = product(tmp_path, "PAGE-WIPED"), ListProduct(store)
    await flow.open_form(page, item)
    with pytest.raises(BeforeSubmit, match=said):
        await flow.fill(page, item)


async def test_search_finds_the_equal_one_or_those_like_it(page: Page, shop: OscarShop) -> None:
    client = DashboardClient(shop)
    assert client.login()
    for sku in ("搜-1", "搜-10", "搜-11"):
        assert client.create("搜索", sku, "1.00", 1)[0] == 302
    products = ProductsPage(page, shop.url)
    equal, like = await products.search("搜-1"), await products.search("搜-")
    assert [cells["UPC"] for _, cells in equal.rows] == ["搜-1"]
    assert [cells["UPC"] for _, cells in like.rows] == ["搜-1", "搜-10", "搜-11"]
    assert (like.total, like.filters) == (3, ["upc=搜-"])
    none = await products.search("没有这个")
    assert (none.rows, none.total) == ([], 0)


async def test_a_product_is_deleted_once(page: Page, oscar: OscarFarm, shop: OscarShop) -> None:
    client = DashboardClient(shop)
    assert client.login()
    assert client.create("删除", "PAGE-DELETE", "1.00", 1)[0] == 302
    [record] = found(oscar, "PAGE-DELETE")
    before = len(oscar.ledger()["shop-a"])
    deleting = DeletePage(page, shop.url)
    await deleting.open(str(record.id))
    async with page.expect_navigation(url="**/dashboard/catalogue/"):
        await deleting.delete()
    assert (found(oscar, "PAGE-DELETE"), len(oscar.ledger()["shop-a"])) == ([], before - 1)
    with pytest.raises(Invalid, match="answers 404"):
        await deleting.open(str(record.id))
