"""The back office adapter: its pages, its flows and its probes in a real browser."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route

from fixtures.backoffice.ledger import Landed
from fixtures.pictures import write_picture
from flows.copy_listing import CopyItem, CopyListing
from flows.list_product import ListProduct, ProductItem
from rpa import (
    BeforeSubmit,
    FlowError,
    Invalid,
    LoggedOut,
    LoginFailed,
    Probe,
    RowStatus,
    StoreDown,
)
from rpa.core.model import Row, Scan
from rpa.verify.scan import read_list
from stores.backoffice import Backoffice
from stores.backoffice.probe import CopyRecords, ProductList
from stores.oscar import Oscar
from tests.support.backoffice import BackofficeServer, ShopAccess, start_backoffice
from tests.support.backoffice_seller import Seller, seller_of
from tests.support.chromium import plain_browser

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

TITLE = "手工陶瓷茶壶 A & B <礼盒>"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BackofficeServer]:
    names = [f"shop-{number}" for number in range(100)]
    with start_backoffice(tmp_path_factory.mktemp("backoffice"), names) as server:
        yield server


@pytest.fixture(scope="module")
def unused(running: BackofficeServer) -> Iterator[ShopAccess]:
    return iter(running.shops.values())


@pytest.fixture
def server(running: BackofficeServer) -> BackofficeServer:
    running.reset()
    return running


@pytest.fixture
def shop(server: BackofficeServer, unused: Iterator[ShopAccess]) -> ShopAccess:
    """A shop that no other test works in."""
    return next(unused)


@pytest.fixture
def store(shop: ShopAccess) -> Backoffice:
    return Backoffice(shop.url.rstrip("/"))


@pytest_asyncio.fixture(loop_scope="module")
async def seller(shop: ShopAccess) -> AsyncIterator[Seller]:
    """Makes records without a browser."""
    async with seller_of(shop) as logged_in:
        yield logged_in


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with plain_browser() as launched:
        yield launched


@pytest_asyncio.fixture(loop_scope="module")
async def outside(browser: Browser) -> AsyncIterator[Page]:
    """A page that is logged in nowhere."""
    context = await browser.new_context()
    context.set_default_timeout(15_000)
    yield await context.new_page()
    await context.close()


@pytest_asyncio.fixture(loop_scope="module")
async def page(outside: Page, store: Backoffice, shop: ShopAccess) -> Page:
    """A page that is logged in to the shop."""
    await store.log_in(outside, shop.account, shop.password)
    return outside


def good(**fields: Any) -> CopyItem:
    told = {"source_id": "SRC-1003", "price": "149.00", "stock": "30", "sku": "unit-3"}
    return CopyItem.model_validate({**told, "title": TITLE, "remark": "主推款\n第二行", **fields})


def product(folder: Path, **fields: Any) -> ProductItem:
    write_picture(folder / "茶壶.png", "茶壶")
    told = {
        "sku": "茶壶-1",
        "title": TITLE,
        "description": "手工 & 礼盒。\n第二行",
        "price": "88.5",
    }
    more = {"stock": "7", "category": "Home 家居", "image": str(folder / "茶壶.png")}
    return ProductItem.model_validate({**told, **more, **fields})


async def read(page: Page, store: Backoffice, probe: Probe) -> Scan:
    return await read_list(page, store, probe, time.time)


def row(scan: Scan, carrier: str) -> Row:
    [found] = [row for row in scan.rows if row.carrier == carrier]
    return found


async def test_who_is_logged_in_and_where(
    server: BackofficeServer, store: Backoffice, shop: ShopAccess, outside: Page
) -> None:
    assert await store.identity(outside) is None
    assert not await store.logged_in(outside)
    # The login page shows the shop's id to anybody.
    assert await outside.locator("[data-shop-id]").get_attribute("data-shop-id") == shop.identity
    assert await store.identity(outside) is None
    await store.log_in(outside, shop.account, shop.password)
    assert await store.logged_in(outside)
    assert await store.identity(outside) == shop.identity
    other = Backoffice(server.shops["shop-99"].url.rstrip("/"))
    assert not await other.logged_in(outside)


async def test_a_wrong_password_is_named(
    store: Backoffice, shop: ShopAccess, outside: Page
) -> None:
    with pytest.raises(LoginFailed, match=r"refuses .*: Wrong account or password 账号或密码错误"):
        await store.log_in(outside, shop.account, "不对")
    assert not await store.logged_in(outside)


async def test_the_flow_copies_a_good(
    server: BackofficeServer, shop: ShopAccess, store: Backoffice, page: Page
) -> None:
    await CopyListing(store).run(page, good())
    await page.wait_for_url("**/copies?created=*")
    [line] = server.ledger(shop.name)
    assert (line.effect, line.key, line.title) == ("copy", "unit-3", TITLE)
    assert line.detail["source_id"] == "SRC-1003"
    assert line.detail["remark"] == "主推款\r\n第二行"
    records, products = await both(page, store)
    assert row(records, "unit-3").record == f"copy:{line.record_id}"
    assert row(records, "unit-3").fields == {"title": TITLE}
    made = row(products, "unit-3")
    assert made.record == f"product:{line.detail['product_id']}"
    assert made.fields == {"title": TITLE, "price": "149.00"}
    assert made.marks == {"stock": True}


async def test_the_flow_lists_a_product_with_its_picture(
    server: BackofficeServer, shop: ShopAccess, store: Backoffice, page: Page, tmp_path: Path
) -> None:
    await ListProduct(store).run(page, product(tmp_path))
    await page.wait_for_url("**/products?tab=on_sale&created=*")
    image, line = server.ledger(shop.name)
    assert (image.effect, image.key) == ("image", "茶壶.png")
    assert (line.effect, line.key, line.title) == ("product", "茶壶-1", TITLE)
    assert line.detail == {"price": "88.5", "stock": 7, "status": "on_sale", "images": 1}
    await page.goto(f"{store.url}/products/{line.record_id}")
    assert await page.locator("[data-field=category]").inner_text() == "Home 家居"
    described = page.locator("[data-field=description]")
    assert await described.text_content() == "手工 & 礼盒。\n第二行"


async def test_the_copying_flow_is_for_this_store_alone() -> None:
    with pytest.raises(FlowError, match="oscar has no copy form"):
        CopyListing(Oscar("http://127.0.0.1:1"))


async def test_a_login_that_is_answered_with_a_failure_says_nothing_of_the_password(
    server: BackofficeServer, shop: ShopAccess, store: Backoffice, outside: Page
) -> None:
    server.fault("status_503_before", "login")
    with pytest.raises(StoreDown, match="login answers 503"):
        await store.log_in(outside, shop.account, shop.password)
    await store.log_in(outside, shop.account, shop.password)
    assert await store.logged_in(outside)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"source_id": "SRC-9999"}, "copies/new.source=SRC-9999 answers 404"),
        ({"title": "长" * 121}, "title: the shop keeps 120 characters, not 121"),
        ({"remark": "注" * 201}, "remark: the shop keeps 200 characters, not 201"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
async def test_what_the_shop_will_never_take_is_found_before_the_click(
    server: BackofficeServer,
    shop: ShopAccess,
    store: Backoffice,
    page: Page,
    changed: dict[str, str],
    why: str,
) -> None:
    with pytest.raises(Invalid, match=why):
        await CopyListing(store).run(page, good(**changed))
    assert server.wire(shop.name)[1:] == []  # nothing after the login


async def test_a_category_that_the_form_does_not_offer(
    store: Backoffice, page: Page, tmp_path: Path
) -> None:
    with pytest.raises(Invalid, match="category: '服装' is not one of Clothing 服饰, Home 家居"):
        await ListProduct(store).run(page, product(tmp_path, category="服装"))


@pytest.mark.parametrize("field", ["title", "price", "stock", "sku", "remark"])
async def test_a_value_that_does_not_stay_is_found_before_the_click(
    server: BackofficeServer, shop: ShopAccess, store: Backoffice, page: Page, field: str
) -> None:
    # A page script that tidies up what is typed, as shops' own do.
    await page.add_init_script(
        "document.addEventListener('input', (event) => {"
        f" if (event.target.name === '{field}') event.target.value += '9'; }})"
    )
    with pytest.raises(BeforeSubmit, match=f"{field} did not stay: sent .* shown .*"):
        await CopyListing(store).run(page, good())
    assert server.ledger(shop.name) == []


@pytest.mark.parametrize("form", ["copy_form", "create_form"])
@pytest.mark.parametrize(
    ("mode", "error"),
    [
        ("expired_session", LoggedOut),
        ("login_page_200", LoggedOut),
        ("white_page", BeforeSubmit),
        ("status_503_before", BeforeSubmit),
    ],
)
async def test_a_form_that_does_not_come(
    server: BackofficeServer,
    store: Backoffice,
    page: Page,
    form: str,
    mode: str,
    error: type[Exception],
) -> None:
    server.fault(mode, form)
    opening = {
        "copy_form": lambda: store.copy_form(page).open("SRC-1001"),
        "create_form": lambda: store.product_form(page).open(),
    }
    with pytest.raises(error):
        await opening[form]()


async def both(page: Page, store: Backoffice) -> tuple[Scan, Scan]:
    return await read(page, store, CopyRecords()), await read(page, store, ProductList())


async def test_the_lists_are_read_whole_over_three_pages_and_every_tab(
    server: BackofficeServer, store: Backoffice, shop: ShopAccess, seller: Seller, page: Page
) -> None:
    marks = await seller.copy_fields("")
    for number in range(41):
        await seller.post("copies", {**marks, "sku": f"货-{number:02}"})
    await seller.create("草稿-1")
    records, products = await both(page, store)
    for scan, of in ((records, "copy"), (products, "product")):
        assert scan.reason is None
        assert scan.complete
        assert scan.shop == shop.identity
        assert scan.total == len(scan.rows)
        assert {r.carrier for r in scan.rows} >= {line.key for line in lines(server, of)}
    assert {r.record for r in records.rows} >= {f"copy:{line.record_id}" for line in lines(server)}
    assert len(records.rows) == 42  # with the sample every shop has
    assert products.tabs == {"on_sale", "draft", "review", "off_shelf", "trash"}
    assert row(products, "草稿-1").status is RowStatus.LIVE


def lines(server: BackofficeServer, effect: str = "copy") -> list[Landed]:
    return [line for line in server.ledger(shop.name) if line.effect == effect]


async def test_a_late_record_is_not_there_yet(
    server: BackofficeServer, store: Backoffice, seller: Seller, page: Page
) -> None:
    server.fault("late_record", "copy", seconds=6.0)
    await seller.copy("迟-1")
    before = await both(page, store)
    assert all(scan.complete for scan in before)
    assert not any(r.carrier == "迟-1" for scan in before for r in scan.rows)
    await page.wait_for_timeout(6_000)
    assert [row(scan, "迟-1").status for scan in await both(page, store)] == [RowStatus.LIVE] * 2


@pytest.mark.parametrize(
    ("mode", "then"),
    [("processing_then_done", RowStatus.LIVE), ("processing_then_failed", RowStatus.FAILED)],
)
async def test_a_record_that_is_still_processing(
    server: BackofficeServer,
    store: Backoffice,
    seller: Seller,
    page: Page,
    mode: str,
    then: RowStatus,
) -> None:
    server.fault(mode, "copy", seconds=4.0)
    await seller.copy("办-1")
    records, products = await both(page, store)
    assert row(records, "办-1").status is RowStatus.PENDING
    assert not any(r.carrier == "办-1" for r in products.rows)
    await page.wait_for_timeout(4_000)
    records, products = await both(page, store)
    assert row(records, "办-1").status is then
    assert any(r.carrier == "办-1" for r in products.rows) is (then is RowStatus.LIVE)


async def test_a_product_in_the_trash_is_told_apart(
    server: BackofficeServer, shop: ShopAccess, store: Backoffice, seller: Seller, page: Page
) -> None:
    await seller.copy("弃-1")
    products = await read(page, store, ProductList())
    trash = store.product_page(page)
    await trash.open(row(products, "弃-1").record)
    await trash.trash()
    await page.wait_for_url("**/products/*?saved=1")
    assert [line.effect for line in server.ledger(shop.name)] == ["copy", "status"]
    records, products = await both(page, store)
    assert products.complete
    assert row(products, "弃-1").status is RowStatus.TRASHED
    assert row(records, "弃-1").status is RowStatus.LIVE


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("expired_session", "shows the login page"),
        ("login_page_200", "shows the login page"),
        ("white_page", "is not the list"),
        ("status_503_before", "answers 503"),
        ("empty_list", "says: Security check needed 请完成安全验证"),
        ("drop_before_commit", "does not answer"),
    ],
)
@pytest.mark.parametrize(("probe", "on"), [(CopyRecords(), "records"), (ProductList(), "list")])
async def test_a_list_that_cannot_be_read_is_never_whole(
    server: BackofficeServer,
    store: Backoffice,
    page: Page,
    probe: Probe,
    on: str,
    mode: str,
    why: str,
) -> None:
    server.fault(mode, on, times=None)
    scan = await read(page, store, probe)
    assert not scan.complete
    assert scan.reason is not None
    assert why in scan.reason


async def test_a_list_that_serves_fewer_pages_than_it_counts_is_not_whole(
    server: BackofficeServer, store: Backoffice, seller: Seller, page: Page
) -> None:
    marks = await seller.copy_fields("")
    for number in range(20):
        await seller.post("copies", {**marks, "sku": f"货-{number:02}"})
    for probe, on in ((CopyRecords(), "records"), (ProductList(), "list")):
        server.fault("page_cap", on, times=None, pages=1)
        scan = await read(page, store, probe)
        assert scan.reason == "the list says 21 records, 20 were read"


@pytest.mark.parametrize(
    ("probe", "left_over"),
    [
        (CopyRecords(), "sku=别的"),
        (ProductList(), "sku=别的"),
        (ProductList(), "title=别的"),
        (ProductList(), "tab=trash"),
    ],
    ids=["records", "sku", "title", "tab"],
)
async def test_a_filter_that_stuck_is_never_the_whole_list(
    store: Backoffice, page: Page, probe: Probe, left_over: str
) -> None:
    async def stick(route: Route) -> None:
        # The server believes the first value of a name.
        before, after = route.request.url.split("?")
        await route.continue_(url=f"{before}?{left_over}&{after}")

    await page.route("**/copies?*", stick)
    await page.route("**/products?*", stick)
    scan = await read(page, store, probe)
    assert not scan.complete
    assert "is filtered by" in (scan.reason or "")


async def test_a_product_that_moves_between_tabs_while_they_are_read(
    store: Backoffice, seller: Seller, page: Page, server: BackofficeServer, shop: ShopAccess
) -> None:
    await seller.create("移-1")  # a draft
    [line] = server.ledger(shop.name)
    fields = {**await seller.marks(), "status": "on_sale"}

    async def move(route: Route) -> None:
        await seller.post(f"products/{line.record_id}/status", fields)
        await route.continue_()

    await page.route("**/products?tab=draft*", move)
    scan = await read(page, store, ProductList())
    assert not any(r.carrier == "移-1" for r in scan.rows)
    assert "the tabs changed while they were read" in (scan.reason or "")
