"""The Oscar probe on the real product list: whole, or it says why not."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route

from fixtures.pictures import picture
from rpa.core.model import Scan
from rpa.verify.scan import read_list
from stores.oscar import Oscar
from stores.oscar.pages import DeletePage
from stores.oscar.probe import ProductList
from tests.support.chromium import plain_page
from tests.support.oscar import OscarFarm, OscarShop, start_oscar
from tests.support.oscar_client import DashboardClient

pytestmark = [
    pytest.mark.browser,
    pytest.mark.store_oscar,
    pytest.mark.long,
    pytest.mark.asyncio(loop_scope="module"),
]

MANY = 45  # and the seed product: three pages of the list
LIST = re.compile(r"/dashboard/catalogue/\?")


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OscarFarm]:
    """One shop with three pages of products, two of which nobody but capitals tell apart."""
    with start_oscar(tmp_path_factory.mktemp("oscar"), ["many", "bare"]) as running:
        client = login(running.shops["many"])
        form = client.product_form("商品 & <b>", "", "1.00", 1)
        for sku in ("Case-1", "CASE-1", *(f"P-{number:02}" for number in range(MANY - 2))):
            told = {"upc": sku, "stockrecords-0-partner_sku": sku}
            assert client.save(form | told)[0] == 302
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with plain_page() as page:
        assert page.context.browser
        yield page.context.browser


@pytest_asyncio.fixture(loop_scope="module")
async def page(browser: Browser, farm: OscarFarm) -> AsyncIterator[Page]:
    """A page that is logged in to the shop with many products."""
    context = await browser.new_context()
    context.set_default_timeout(15_000)
    page = await context.new_page()
    await enter(page, farm.shops["many"])
    yield page
    await context.close()


def login(shop: OscarShop) -> DashboardClient:
    client = DashboardClient(shop)
    assert client.login()
    return client


async def enter(page: Page, shop: OscarShop) -> None:
    await Oscar(shop.url).log_in(page, shop.account, shop.password)


async def scan(page: Page, shop: OscarShop) -> Scan:
    return await read_list(page, Oscar(shop.url), ProductList(), time.time)


async def doctor(page: Page, change: Callable[[str], str], where: str = "page=1") -> None:
    """Change what the browser gets of one page of the list."""

    async def handle(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, body=change(await answer.text()))

    await page.route(re.compile(rf"/dashboard/catalogue/\?.*{where}"), handle)


async def test_every_page_is_read(page: Page, farm: OscarFarm) -> None:
    seen = await scan(page, farm.shops["many"])
    held = farm.ledger()["many"]
    assert (seen.shop, seen.complete, seen.reason) == ("many", True, None)
    assert (seen.total, len(seen.rows), seen.tabs) == (46, 46, frozenset({"products"}))
    assert {(row.record, row.carrier, row.fields["title"]) for row in seen.rows} == {
        (str(one.id), one.upc, one.title) for one in held
    }
    assert all(row.marks == {"stock": True} for row in seen.rows)


async def test_products_that_differ_in_capitals_are_two(page: Page, farm: OscarFarm) -> None:
    """The store takes both, so a probe that takes them for one would lose a unit."""
    seen = await scan(page, farm.shops["many"])
    equal = ProductList.matching.normalise
    for sku in ("Case-1", "CASE-1"):
        assert [row.carrier for row in seen.rows if equal(row.carrier) == equal(sku)] == [sku]


async def test_a_filtered_list_is_doubted(page: Page, farm: OscarFarm) -> None:
    async def narrow(route: Route) -> None:
        await route.continue_(url=f"{route.request.url}&upc=P-0")

    await page.route(LIST, narrow)
    seen = await scan(page, farm.shops["many"])
    assert (seen.complete, seen.reason) == (False, "the list is filtered: upc=P-0")
    assert len(seen.rows) == 10


async def test_rows_that_come_late_are_waited_for(page: Page, farm: OscarFarm) -> None:
    late = """<script>
      const body = document.querySelector("table tbody"), rows = [...body.children];
      body.replaceChildren();
      setTimeout(() => body.replaceChildren(...rows), 1500);
    </script></body>"""
    await doctor(page, lambda html: html.replace("</body>", late))
    seen = await scan(page, farm.shops["many"])
    assert (seen.complete, len(seen.rows)) == (True, 46)


async def test_a_page_that_is_cut_off_is_doubted(page: Page, farm: OscarFarm) -> None:
    await doctor(page, lambda html: html[: html.rindex('<tr class="odd">')], "page=3")
    seen = await scan(page, farm.shops["many"])
    assert not seen.complete
    assert seen.reason == "the list changed while page 3 was read"  # it shows no page number


async def test_missing_rows_are_doubted(page: Page, farm: OscarFarm) -> None:
    row = re.compile(r'<tr class="even">.*?</tr>', re.DOTALL)
    await doctor(page, lambda html: row.sub("", html, count=2), "page=2")
    seen = await scan(page, farm.shops["many"])
    assert seen.reason == "the list says it has 46 products, 44 were read"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda html: "", "is not the product list"),
        (lambda html: html.replace(">UPC ", ">Code "), "no column 'UPC'"),
        (lambda html: html.replace('value="1"/>', "/>"), "shows no product id"),
        (lambda html: html.replace("<tbody", "<thead").replace("</tbody", "</thead"), "Timeout"),
    ],
)
async def test_a_page_that_is_not_as_it_was_is_doubted(
    page: Page, farm: OscarFarm, change: Callable[[str], str], said: str
) -> None:
    page.set_default_timeout(3_000)
    for number in (1, 2, 3):
        await doctor(page, change, f"page={number}")
    seen = await scan(page, farm.shops["many"])
    assert not seen.complete
    assert said in str(seen.reason)


@pytest.mark.parametrize("status", [404, 429, 500, 503])
async def test_a_store_that_is_down_is_doubted(page: Page, farm: OscarFarm, status: int) -> None:
    await page.route(LIST, lambda route: route.fulfill(status=status, body="<h1>…</h1>"))
    seen = await scan(page, farm.shops["many"])
    assert (seen.shop, seen.complete, seen.rows) == (None, False, ())
    assert f"answers {status}" in str(seen.reason)


async def test_a_logged_out_page_is_doubted(page: Page, farm: OscarFarm) -> None:
    await page.context.clear_cookies()
    seen = await scan(page, farm.shops["many"])
    assert (seen.shop, seen.complete, seen.rows) == (None, False, ())
    assert "/dashboard/login/" in str(seen.reason)
    assert "is not the product list" in str(seen.reason)


async def test_a_list_that_changes_meanwhile_is_doubted(page: Page, farm: OscarFarm) -> None:
    shop = farm.shops["many"]
    client = login(shop)

    async def meanwhile(route: Route) -> None:
        assert (await asyncio.to_thread(client.create, "插队", "A-0", "1.00", 1))[0] == 302
        await route.continue_()

    await page.route(re.compile("page=2"), meanwhile, times=1)
    seen = await scan(page, shop)
    assert seen.reason == "the list changed while page 2 was read"
    assert len({row.record for row in seen.rows}) == len(seen.rows) == 46
    [record] = [one.id for one in farm.ledger()["many"] if one.upc == "A-0"]
    assert client.delete(record)[0] == 302


async def test_an_empty_list_says_so(page: Page, farm: OscarFarm) -> None:
    shop = farm.shops["bare"]
    await enter(page, shop)
    deleting = DeletePage(page, shop.url)
    await deleting.open("1")
    async with page.expect_navigation(url="**/dashboard/catalogue/"):
        await deleting.delete()
    seen = await scan(page, shop)
    assert (seen.shop, seen.complete, seen.total, seen.rows) == ("bare", True, 0, ())


async def test_a_half_made_product_is_marked(browser: Browser, tmp_path: Path) -> None:
    with start_oscar(tmp_path, ["shop-a"], atomic=False) as farm:
        shop = farm.shops["shop-a"]
        (shop.data / "media").write_text("a file where the folder must be", "utf-8")
        assert login(shop).create("半成品", "HALF-1", "1.00", 1, picture("half"))[0] == 500
        (shop.data / "media").unlink()
        context = await browser.new_context()
        page = await context.new_page()
        await enter(page, shop)
        seen = await scan(page, shop)
        await context.close()
    assert seen.complete
    assert {row.carrier: row.marks["stock"] for row in seen.rows} == {
        "SEED-shop-a": True,
        "HALF-1": False,
    }
