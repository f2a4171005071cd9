"""A person at the back office: every form filled and sent in a real browser, by its labels."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.support.backoffice import BackofficeServer, start_backoffice
from tests.support.chromium import plain_page

pytestmark = pytest.mark.browser
PNG = b"\x89PNG\r\n\x1a\n" + b"picture"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BackofficeServer]:
    with start_backoffice(tmp_path / "data") as running:
        yield running


@pytest_asyncio.fixture
async def page(server: BackofficeServer) -> AsyncIterator[Page]:
    shop = server.shops["shop-a"]
    async with plain_page() as opened:
        complaints: list[str] = []
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        await opened.goto(server.url)
        await opened.get_by_role("link", name=shop.identity).click()
        await opened.get_by_label("Account").fill(shop.account)
        await opened.get_by_label("Password").fill(shop.password)
        await opened.get_by_role("button", name="Log in").click()
        yield opened
        assert complaints == []


async def fill_listing(page: Page, sku: str) -> None:
    await page.get_by_label("Title").fill("手工陶瓷茶壶 A & B <礼盒>")
    await page.get_by_label("Merchant code").fill(sku)
    await page.get_by_label("Price").fill("88.50")
    await page.get_by_label("Stock").fill("7")


async def test_copy_a_good_to_the_shop(server: BackofficeServer, page: Page) -> None:
    await page.get_by_role("link", name="Source goods").click()
    good = page.locator("[data-source-id=SRC-1008]")
    await good.get_by_role("link", name="Copy to shop").click()
    await fill_listing(page, "unit-1")
    await page.get_by_label("Remark").fill("第一批")
    await page.get_by_role("button", name="提交复制 Copy").click()
    row = page.locator("[data-list=copy-records] tr[data-record-id]").first
    await expect(row.locator("[data-field=sku]")).to_have_text("unit-1")
    await expect(row.locator("[data-field=remark]")).to_have_text("第一批")
    [line] = server.ledger()
    assert await page.locator("[data-created]").get_attribute("data-created") == line.record_id
    assert line.title == "手工陶瓷茶壶 A & B <礼盒>"


@pytest.mark.parametrize(
    ("kind", "effects"),
    [
        ("Pictures with the form", ["product"]),
        ("By image space", ["image", "image", "product"]),
    ],
)
async def test_publish_a_product_with_two_pictures(
    server: BackofficeServer, page: Page, tmp_path: Path, kind: str, effects: list[str]
) -> None:
    files = [tmp_path / "红.png", tmp_path / "蓝.png"]
    for file in files:
        file.write_bytes(PNG)
    await page.get_by_role("link", name="New product").click()
    await page.get_by_role("link", name=kind).click()
    await fill_listing(page, "unit-2")
    await page.get_by_label("Pictures").set_input_files(files)
    await page.get_by_role("button", name="发布商品 Publish").click()
    await page.wait_for_url("**/products?tab=on_sale&created=*")
    await page.locator("tr[data-record-id] a").first.click()
    await expect(page.locator("[data-images]")).to_have_attribute("data-images", "2")
    assert [line.effect for line in server.ledger()] == effects
    await page.get_by_role("link", name="Image space").click()
    await expect(page.locator("[data-used]")).to_have_attribute("data-used", str(len(effects) - 1))


async def test_a_failed_upload_is_told_and_publishes_nothing(
    server: BackofficeServer, page: Page, tmp_path: Path
) -> None:
    file = tmp_path / "红.png"
    file.write_bytes(PNG)
    await page.goto(f"{server.shops['shop-a'].url}products/new?images=space")
    await fill_listing(page, "unit-3")
    await page.get_by_label("Pictures").set_input_files(file)
    server.fault("status_503_before", "image")
    publish = page.get_by_role("button", name="发布商品 Publish")
    await publish.click()
    await expect(page.locator("[data-upload-error]")).to_have_text(
        "Upload failed 上传失败: HTTP 503"
    )
    assert server.ledger() == []
    await publish.click()
    await page.wait_for_url("**created=*")
    assert [line.effect for line in server.ledger()] == ["image", "product"]


async def test_upload_to_the_image_space_alone(
    server: BackofficeServer, page: Page, tmp_path: Path
) -> None:
    file = tmp_path / "合同.pdf"
    file.write_bytes(b"%PDF-1.7")
    await page.get_by_role("link", name="Image space").click()
    upload = page.get_by_role("button", name="Upload")
    await page.get_by_label("Picture").set_input_files(file)
    await upload.click()
    await expect(page.locator("[data-upload-error]")).to_contain_text("合同.pdf")
    file = tmp_path / "红.png"
    file.write_bytes(PNG)
    await page.get_by_label("Picture").set_input_files(file)
    await upload.click()
    await expect(page.locator("[data-field=file]")).to_have_text("红.png")
    assert [line.key for line in server.ledger()] == ["红.png"]


async def test_change_the_price_and_the_tab_of_a_product(
    server: BackofficeServer, page: Page
) -> None:
    await page.get_by_role("link", name="Products").click()
    await page.locator("tr[data-record-id] a").first.click()
    await page.get_by_label("Price 价格 (¥)").fill("61")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("[data-field=price]")).to_have_text("¥61.00")
    await page.get_by_label("Move to").select_option(label="Trash 回收站")
    await page.get_by_role("button", name="Move").click()
    await page.get_by_role("link", name="Back to list").click()
    await expect(page.locator("tr[data-record-id]")).to_have_count(1)
    await expect(page.locator("[data-filter-tab]")).to_have_attribute("data-filter-tab", "trash")
    assert [line.effect for line in server.ledger()] == ["price", "status"]


async def test_chromium_sends_a_copy_again_when_its_connection_is_dropped(
    server: BackofficeServer, page: Page
) -> None:
    """Case D01, why the gate exists: one click, two records, and a page that looks well."""
    await page.goto(f"{server.shops['shop-a'].url}copies/new?source=SRC-1001")
    await page.get_by_label("Merchant code").fill("unit-4")
    server.fault("commit_then_drop", "copy")
    await page.get_by_role("button", name="提交复制 Copy").click()
    await page.wait_for_url("**/copies?created=*")
    assert [line.key for line in server.ledger()] == ["unit-4", "unit-4"]
    assert [request.outcome for request in server.wire() if request.route == "copy"] == [
        "committed",
        "committed",
    ]
