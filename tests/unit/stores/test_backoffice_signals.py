"""What an answer of the back office proves: every answer here was given by the real server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlencode, urljoin

import pytest
import pytest_asyncio

from fixtures.pictures import picture
from rpa import Answer, RequestSeen, SubmitRule
from stores.backoffice.signals import COPY, CREATE, TRASH, UPLOAD
from tests.support.backoffice import BackofficeServer, start_backoffice
from tests.support.backoffice_seller import Answer as Said
from tests.support.backoffice_seller import Seller, seller_of

ORIGIN = "http://127.0.0.1:8000/s/shop-a"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BackofficeServer]:
    with start_backoffice(tmp_path_factory.mktemp("backoffice")) as running:
        yield running


@pytest_asyncio.fixture
async def seller(server: BackofficeServer) -> AsyncIterator[Seller]:
    server.reset()
    async with seller_of(server.shops["shop-a"]) as logged_in:
        yield logged_in


def proves(rule: SubmitRule, said: Said) -> str:
    """Name the one thing an answer proves, as the gate hands it on."""
    location = urljoin(ORIGIN, said.location) if said.location else None
    answer = Answer(said.status, location, None if location else said.text)
    signals = {"accepted": rule.accepted, "refused": rule.refused, "rejected": rule.rejected}
    held = [name for name, signal in signals.items() if signal(answer)]
    assert len(held) <= 1
    return held[0] if held else "nothing"


def result(rule: SubmitRule, said: Said) -> object:
    assert rule.result is not None
    return rule.result(Answer(said.status, urljoin(ORIGIN, said.location)))


def landed(server: BackofficeServer, key: str) -> list[str]:
    return [f"{line.effect}:{line.record_id}" for line in server.ledger() if line.key == key]


async def test_a_copy_is_accepted_and_names_its_record(
    server: BackofficeServer, seller: Seller
) -> None:
    said = await seller.copy("信号-1")
    assert proves(COPY, said) == "accepted"
    assert [result(COPY, said)] == [{"record": record} for record in landed(server, "信号-1")]


@pytest.mark.parametrize(
    "changed",
    [
        {"title": ""},
        {"title": "长" * 121},
        {"price": "四十"},
        {"price": "0.001"},
        {"stock": "-1"},
        {"status": "sold"},
        {"source_id": "SRC-9999"},
        {"shop_id": "SHOP-B-0000"},
    ],
    ids=lambda changed: next(iter(changed)),
)
async def test_a_copy_that_the_shop_will_never_take_is_rejected(
    server: BackofficeServer, seller: Seller, changed: dict[str, str]
) -> None:
    assert proves(COPY, await seller.copy("信号-2", **changed)) == "rejected"
    assert landed(server, "信号-2") == []


async def test_a_copy_whose_session_or_token_is_gone_is_refused(
    server: BackofficeServer, seller: Seller
) -> None:
    said = await seller.copy("信号-3", csrf_token="of-another-session")
    assert proves(COPY, said) == "refused"
    fields = await seller.copy_fields("信号-3")
    await seller.post("logout", await seller.marks())
    assert proves(COPY, await seller.post("copies", fields)) == "refused"
    assert landed(server, "信号-3") == []


@pytest.mark.parametrize(
    "mode",
    [
        "status_503_before",
        "status_503_after",
        "white_page_before",
        "white_page",
        "login_page_200",
        "silent_noop",
    ],
)
async def test_an_answer_that_may_hide_a_copy_proves_nothing(
    server: BackofficeServer, seller: Seller, mode: str
) -> None:
    fields = await seller.copy_fields("信号-4")
    server.fault(mode, "copy")
    assert proves(COPY, await seller.post("copies", fields)) == "nothing"


@pytest.mark.parametrize("changed", [{}, {"price": "四十"}], ids=["known code", "and bad price"])
async def test_a_code_that_exists_never_proves_a_refusal_by_itself(
    server: BackofficeServer, seller: Seller, changed: dict[str, str]
) -> None:
    server.setting("shop-a", "unique_sku", "on")
    await seller.copy("信号-5")
    said = await seller.copy("信号-5", **changed)
    server.setting("shop-a", "unique_sku", "")
    # The shop looks at the code only where nothing else is wrong.
    assert proves(COPY, said) == ("rejected" if changed else "nothing")
    assert len(landed(server, "信号-5")) == 1


async def test_the_title_of_a_listing_cannot_pose_as_the_shops_own_words(
    server: BackofficeServer, seller: Seller
) -> None:
    title = "<strong>Not saved 未保存</strong><ul>商家编码已存在</ul>"
    assert proves(COPY, await seller.copy("信号-6", title=title)) == "accepted"
    assert proves(COPY, await seller.copy("信号-6", title=title, price="x")) == "rejected"


async def test_a_picture_then_the_product_that_shows_it(
    server: BackofficeServer, seller: Seller
) -> None:
    uploaded = await seller.upload(picture("信号"), "信号.png")
    assert proves(UPLOAD, uploaded) == "accepted"
    number = int(landed(server, "信号.png")[0].removeprefix("image:"))
    created = await seller.create("信号-7", image_ids=(number,))
    assert proves(CREATE, created) == "accepted"
    assert [result(CREATE, created)] == [{"record": r} for r in landed(server, "信号-7")]
    again = await seller.create("信号-8", image_ids=(number,))
    assert proves(CREATE, again) == "rejected"
    assert landed(server, "信号-8") == []


@pytest.mark.parametrize(
    ("mode", "proof"),
    [
        (None, "rejected"),
        ("expired_session", "refused"),
        ("login_page_200", "nothing"),
        ("white_page", "nothing"),
        ("status_503_before", "nothing"),
    ],
)
async def test_a_picture_that_the_space_does_not_take(
    server: BackofficeServer, seller: Seller, mode: str | None, proof: str
) -> None:
    if mode is not None:
        server.fault(mode, "image")
    assert proves(UPLOAD, await seller.upload(b"no picture at all")) == proof


async def test_an_upload_that_kept_nothing_is_not_accepted(
    server: BackofficeServer, seller: Seller
) -> None:
    server.fault("silent_noop", "image")
    assert proves(UPLOAD, await seller.upload(picture("空"), "空.png")) == "nothing"
    assert landed(server, "空.png") == []


async def test_a_product_moves_to_the_trash(server: BackofficeServer, seller: Seller) -> None:
    await seller.create("信号-9")
    [record] = landed(server, "信号-9")
    fields = {**await seller.marks(), "status": "trash"}
    path = f"products/{record.removeprefix('product:')}/status"
    assert proves(TRASH, await seller.post(path, fields)) == "accepted"
    assert proves(TRASH, await seller.post("products/999999/status", fields)) == "rejected"


def multipart(**fields: str) -> str:
    parts = [
        f'------X\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    return "".join([*parts, "------X--\r\n"])


@pytest.mark.parametrize("rule", [COPY, UPLOAD, CREATE, TRASH], ids=lambda rule: rule.name)
@pytest.mark.parametrize("encode", [urlencode, lambda fields: multipart(**fields)])
def test_the_shop_is_read_from_the_request(rule: SubmitRule, encode: object) -> None:
    assert rule.shop is not None
    assert callable(encode)
    remark = '&shop_id=SHOP-B-0000\r\nname="shop_id"'
    body = encode({"csrf_token": "t", "shop_id": "SHOP-A-QZCX", "remark": remark})
    assert rule.shop(RequestSeen("POST", ORIGIN, body)) == "SHOP-A-QZCX"
    assert rule.shop(RequestSeen("POST", ORIGIN, encode({"sku": "店"}))) is None


@pytest.mark.parametrize(
    ("method", "path", "rule"),
    [
        ("POST", "/copies", COPY),
        ("POST", "/images", UPLOAD),
        ("POST", "/products", CREATE),
        ("POST", "/products/100004/status", TRASH),
        ("GET", "/copies", None),
        ("GET", "/products?tab=draft", None),
        ("POST", "/login", None),
        ("POST", "/products/100004/price", None),
    ],
)
def test_each_request_has_at_most_one_rule(method: str, path: str, rule: SubmitRule | None) -> None:
    request = RequestSeen(method, ORIGIN + path, "")
    found = [r for r in (COPY, UPLOAD, CREATE, TRASH) if r.matches(request, ORIGIN)]
    assert found == ([rule] if rule else [])
