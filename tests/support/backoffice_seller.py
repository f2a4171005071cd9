"""A seller without a browser: logs in to one shop and sends the forms its pages would send."""

from __future__ import annotations

import html
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

import aiohttp
from multidict import CIMultiDictProxy
from yarl import URL

from tests.support.backoffice import ShopAccess

_FIELD = re.compile(r'data-field="([a-z]+)"[^>]*>(.*?)</td>', re.DOTALL)
_ROW = re.compile(r'<tr data-record-id="([^"]+)">(.*?)</tr>', re.DOTALL)
_TAG = re.compile(r"<[^>]+>")


@dataclass(frozen=True)
class Answer:
    """What came back, redirects not followed."""

    status: int
    location: str
    text: str
    headers: CIMultiDictProxy[str]

    def rows(self) -> list[dict[str, str]]:
        """The rows of the page's list, by the names of its ``data-field`` marks."""
        return [
            {name: html.unescape(_TAG.sub("", cell)).strip() for name, cell in _FIELD.findall(row)}
            for _, row in _ROW.findall(self.text)
        ]

    def mark(self, name: str) -> str:
        """The value of the page's first ``data-NAME`` attribute.

        Raises:
            LookupError: The page has none.
        """
        found = re.search(rf'data-{name}="([^"]*)"', self.text)
        if found is None:
            raise LookupError(f"no data-{name} in {self.text[:300]!r}")
        return html.unescape(found[1])


class Seller:
    """A logged-in session of one shop; paths are below the shop's address."""

    def __init__(self, session: aiohttp.ClientSession, shop: ShopAccess) -> None:
        self.session = session
        self.shop = shop

    async def login(self, password: str | None = None) -> Answer:
        """Send the login form."""
        fields = {"account": self.shop.account, "password": password or self.shop.password}
        return await self.post("login", {**fields, "next": ""})

    async def get(self, path: str) -> Answer:
        """Open a page."""
        async with self.session.get(self.shop.url + path, allow_redirects=False) as response:
            return await _answer(response)

    async def post(self, path: str, data: dict[str, str] | aiohttp.FormData) -> Answer:
        """Send a form exactly as given."""
        async with self.session.post(
            self.shop.url + path, data=data, allow_redirects=False
        ) as response:
            return await _answer(response)

    async def marks(self) -> dict[str, str]:
        """The hidden fields every form of this session carries."""
        page = await self.get("copies/new?source=SRC-1001")
        token = re.search(r'name="csrf_token" value="([^"]+)"', page.text)
        assert token, page.text
        return {"csrf_token": token[1], "shop_id": self.shop.identity}

    async def copy_fields(self, sku: str, /, **changed: str) -> dict[str, str]:
        """A whole copy form for one merchant code."""
        fields = {
            "source_id": "SRC-1001",
            "title": f"夏季纯棉T恤 {sku}",
            "sku": sku,
            "price": "39.90",
            "stock": "100",
            "status": "on_sale",
            "remark": "备注",
        }
        return {**await self.marks(), **fields, **changed}

    async def copy(self, sku: str, /, **changed: str) -> Answer:
        """Send a copy form."""
        return await self.post("copies", await self.copy_fields(sku, **changed))

    async def create(
        self, sku: str, *, pictures: tuple[bytes, ...] = (), image_ids: tuple[int, ...] = ()
    ) -> Answer:
        """Send a product form, with its pictures inside or named by their image space ids."""
        form = _form(await self.marks())
        listing = {"title": f"陶瓷茶壶 {sku}", "sku": sku, "price": "88.5", "stock": "7"}
        for name, value in {**listing, "status": "draft", "category": "home"}.items():
            form.add_field(name, value)
        for content in pictures:
            form.add_field("image", content, filename="红.png", content_type="image/png")
        for number in image_ids:
            form.add_field("image_id", str(number))
        return await self.post("products", form)

    async def upload(self, content: bytes, file_name: str = "红.png") -> Answer:
        """Send a picture to the image space, as the page's script does."""
        form = _form(await self.marks())
        form.add_field("image", content, filename=file_name, content_type="image/png")
        return await self.post("images", form)

    def send_raw(self, path: str, fields: dict[str, str]) -> bytes:
        """Post a form on a connection of its own and read until its end.

        Raises:
            ConnectionResetError: The server ended the connection with RST.
        """
        target = urlsplit(self.shop.url + path)
        cookies = self.session.cookie_jar.filter_cookies(URL(self.shop.url))
        cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
        body = urlencode(fields).encode()
        head = (
            f"POST {target.path} HTTP/1.1\r\nHost: {target.netloc}\r\nConnection: close\r\n"
            f"Cookie: {cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        received = b""
        with socket.create_connection((target.hostname, target.port), timeout=20) as connection:
            connection.sendall(head.encode() + body)
            while piece := connection.recv(65536):
                received += piece
        return received


def _form(fields: dict[str, str]) -> aiohttp.FormData:
    return aiohttp.FormData(fields, quote_fields=False)  # file names as browsers send them


async def _answer(response: aiohttp.ClientResponse) -> Answer:
    return Answer(
        status=response.status,
        location=response.headers.get("Location", ""),
        text=await response.text(errors="replace"),
        headers=response.headers,
    )


@asynccontextmanager
async def seller_of(shop: ShopAccess, *, logged_in: bool = True) -> AsyncIterator[Seller]:
    """A seller of one shop for the time of an ``async with`` block."""
    jar = aiohttp.CookieJar(unsafe=True)  # cookies of bare addresses such as 127.0.0.1
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        seller = Seller(session, shop)
        if logged_in:
            answer = await seller.login()
            assert answer.status == 302, answer
        yield seller
