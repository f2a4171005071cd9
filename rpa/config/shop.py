"""One shop of a project, as `rpa.toml` describes it."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from rpa.config.secret import Secret, SecretRef, resolve

__all__ = ["BrowserConfig", "ShopConfig"]


def _http(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("give a whole address such as https://seller.example.com")
    if parts.password:
        raise ValueError("no credentials in addresses; use username and password")
    return url.rstrip("/")


def _loopback(url: str) -> str:
    if urlsplit(url).hostname not in ("127.0.0.1", "localhost", "::1"):
        raise ValueError("a browser is attached over loopback only: http://127.0.0.1:PORT")
    return url


def _proxy(text: str) -> str:
    if text.startswith(("env:", "keyring:")):
        return text
    parts = urlsplit(text)
    if parts.scheme not in ("http", "socks5", "socks4") or not parts.port:
        raise ValueError("give http://HOST:PORT or socks5://HOST:PORT")
    if parts.password:
        raise ValueError("a proxy with a password is given as env:NAME or keyring:SERVICE/NAME")
    return text


class BrowserConfig(BaseModel):
    """Which browser a shop runs in; by default one of its own.

    Attributes:
        cdp: Attach to a running browser instead; weaker, and journaled as such.
        executable: A Chromium of the user's choice.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    cdp: Annotated[str, AfterValidator(_loopback)] | None = None
    executable: str | None = None


class ShopConfig(BaseModel):
    """One shop.

    Attributes:
        name: Its name here; renaming it changes no key.
        store: The kind of back office: a folder under ``stores`` or ``module:attribute``.
        url: Where the back office starts.
        identity: What the shop's own page says it is; part of every unit key.
        account: Shops of one account run one at a time, unless the store says otherwise.
        username: What to log in with; text or a reference.
        password: Reference to the password.
        proxy: The shop's own way out, behind the egress.
        locale: What the browser asks for.
        time_zone: The browser's time zone.
        settle: Seconds to wait before absence may be believed; the store's own if not given.
        submit_timeout: Seconds from release to an answer before it counts as lost.
        browser: Which browser to use.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^\w[\w-]*$", max_length=80)
    store: str
    url: Annotated[str, AfterValidator(_http)]
    identity: str = Field(min_length=1)
    account: str | None = None
    username: str
    password: SecretRef
    proxy: Annotated[str, AfterValidator(_proxy)] | None = None
    locale: str = "en-US"
    time_zone: str = "UTC"
    settle: float | None = Field(default=None, ge=0)
    submit_timeout: float = Field(default=60.0, gt=0)
    browser: BrowserConfig = BrowserConfig()

    def credentials(self) -> tuple[str, Secret]:
        """Read username and password.

        Raises:
            ConfigError: One of them is not there.
        """
        key = f"shops.{self.name}"
        name = self.username
        if name.startswith(("env:", "keyring:")):
            name = resolve(name, f"{key}.username")
        return name, resolve(self.password, f"{key}.password")

    def upstream(self) -> str | None:
        """The proxy's address with its credentials, if there is one."""
        if self.proxy and self.proxy.startswith(("env:", "keyring:")):
            return resolve(self.proxy, f"shops.{self.name}.proxy")
        return self.proxy
