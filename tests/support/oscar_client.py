"""Plain HTTP into the store's dashboard, to put in what a test then expects to find."""

import re
import secrets
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener

from .oscar import OscarShop

_LIST = "/dashboard/catalogue/"
_CREATE = f"{_LIST}products/create/general/"


class DashboardClient:
    """One logged-in person without a browser."""

    def __init__(self, shop: OscarShop) -> None:
        self.shop = shop
        self.cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.cookies), _Stay())

    def get(self, path: str) -> tuple[int, bytes]:
        """Return status and body of a page, redirects not followed."""
        return self._send(Request(self.shop.url + path))[:2]

    def login(self, password: str | None = None) -> bool:
        """Log in with the shop's account; True if the dashboard let us in."""
        path = "/dashboard/login/"
        form = _fields(self.get(path)[1])
        form |= {"username": self.shop.account, "password": password or self.shop.password}
        body = urlencode(form).encode()
        return self._send(Request(self.shop.url + path, body))[0] == 302

    def create(
        self, title: str, upc: str, price: str, stock: int, picture: bytes | None = None
    ) -> tuple[int, str]:
        """Save a product through the create form; returns status and Location.

        302 to ``/dashboard/catalogue/`` means that the store took it, 200 that it refused.
        """
        form = self.product_form(title, upc, price, stock)
        status, _, location = self.save(form, picture)
        return status, location

    def product_form(self, title: str, upc: str, price: str, stock: int) -> dict[str, str]:
        """Open the create form and fill it in; returns what a browser would send."""
        page = self.get(_CREATE)[1]
        return _fields(page) | {
            "title": title,
            "upc": upc,
            "productcategory_set-0-category": _option(page, "All"),
            "stockrecords-0-partner": _option(page, self.shop.name),
            "stockrecords-0-partner_sku": upc,
            "stockrecords-0-price": price,
            "stockrecords-0-num_in_stock": str(stock),
            "action": "save",
        }

    def save(self, form: dict[str, str], picture: bytes | None = None) -> tuple[int, bytes, str]:
        """Send a filled create form; returns status, body and Location."""
        boundary = secrets.token_hex(16)
        request = Request(self.shop.url + _CREATE, _multipart(form, picture, boundary))
        request.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
        return self._send(request)

    def delete(self, record: int) -> tuple[int, bytes, str]:
        """Delete a product, whether it is there or not; returns status, body and Location."""
        form = _fields(self.get(_LIST)[1])
        path = f"{_LIST}products/{record}/delete/"
        body = urlencode({"csrfmiddlewaretoken": form["csrfmiddlewaretoken"]}).encode()
        return self._send(Request(self.shop.url + path, body))

    def forget(self, kind: str) -> None:
        """Lose the session's cookie ("sid") or the token's ("csrf")."""
        for cookie in list(self.cookies):
            if cookie.name == f"{kind}_{self.shop.name}":
                self.cookies.clear(cookie.domain, cookie.path, cookie.name)

    def _send(self, request: Request) -> tuple[int, bytes, str]:
        try:
            answer = self._opener.open(request, timeout=60)
        except HTTPError as error:
            answer = error
        with answer:
            return answer.status, answer.read(), answer.headers.get("Location", "")


class _Stay(HTTPRedirectHandler):
    """Hands a redirect to the caller: where it leads is the answer."""

    def redirect_request(self, *_args: object, **_kwargs: object) -> None:
        return None


class _Inputs(HTMLParser):
    """Collects what a browser would send of a form's inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        kind, name = told.get("type"), told.get("name")
        sent = kind not in ("submit", "file", "checkbox") or (
            kind == "checkbox" and "checked" in told
        )
        if tag == "input" and name and sent:
            self.fields[name] = told.get("value") or ("on" if kind == "checkbox" else "")


def _fields(page: bytes) -> dict[str, str]:
    parser = _Inputs()
    parser.feed(page.decode())
    return parser.fields


def _option(page: bytes, label: str) -> str:
    """Return the value of the select option with this label."""
    found = re.search(rf'<option value="(\d+)"[^>]*>\s*{re.escape(label)}\s*<', page.decode())
    assert found, f"no option {label!r}"
    return found[1]


def _multipart(form: dict[str, str], picture: bytes | None, boundary: str) -> bytes:
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in form.items()
    ]
    if picture:
        head = 'Content-Disposition: form-data; name="images-0-original"; filename="item.png"'
        parts.append(f"--{boundary}\r\n{head}\r\nContent-Type: image/png\r\n\r\n".encode())
        parts += [picture, b"\r\n"]
    return b"".join(parts) + f"--{boundary}--\r\n".encode()
