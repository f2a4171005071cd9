"""Dials a destination, directly or through the shop's own proxy, without ever naming a secret."""

from __future__ import annotations

import asyncio
import errno
import socket
from urllib.parse import unquote, urlsplit

from python_socks import ProxyError, ProxyType
from python_socks.async_.asyncio import Proxy

from rpa.errors import ConfigError
from rpa.gate.socks import Destination, Reply

DIAL_SECONDS = 30.0
"""Longest wait for a connection, through a proxy or not."""

_KINDS = {"http": ProxyType.HTTP, "socks5": ProxyType.SOCKS5, "socks5h": ProxyType.SOCKS5}
_REPLIES = {
    errno.ECONNREFUSED: Reply.CONNECTION_REFUSED,
    errno.ENETUNREACH: Reply.NETWORK_UNREACHABLE,
    errno.EHOSTUNREACH: Reply.HOST_UNREACHABLE,
}
_KEEPALIVE_SECONDS = 45  # net/socket/tcp_socket_posix.cc: kTCPKeepAliveSeconds
_HAPPY_EYEBALLS_SECONDS = 0.25  # RFC 8305, section 5: the recommended delay

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class DialError(Exception):
    """No connection could be made.

    Attributes:
        reply: The SOCKS code that says why.
    """

    def __init__(self, message: str, reply: Reply) -> None:
        super().__init__(message)
        self.reply = reply


class Upstream:
    """The proxy behind which a shop is reached.

    Args:
        url: `http://user:password@host:port` or `socks5://…`; user and password are optional
            and percent-encoded where needed. Names are resolved by the proxy.

    Raises:
        ConfigError: The URL cannot be used. The message does not repeat it, as it may hold a
            password.
    """

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
            kind, host, port = _KINDS[parts.scheme], parts.hostname, parts.port
        except (KeyError, ValueError):
            host = port = None
        if not host or not port:
            raise ConfigError(
                "proxy must be http://HOST:PORT or socks5://HOST:PORT, "
                "with USER:PASSWORD@ before HOST if the proxy asks for them"
            ) from None
        self.address = Destination(host, port)
        self._kind = kind
        self._username = unquote(parts.username or "")
        self._password = unquote(parts.password or "")

    def __repr__(self) -> str:
        return f"Upstream({self})"

    def __str__(self) -> str:
        return f"{self._kind.name.lower()}://{self.address}"

    async def dial(self, to: Destination) -> Stream:
        """Open a connection to `to` through the proxy.

        Raises:
            DialError: The proxy is away, refuses us, or cannot reach the destination.
        """
        proxy = Proxy(
            self._kind,
            self.address.host,
            self.address.port,
            username=self._username,
            password=self._password,
            rdns=True,
        )
        # Everything the library raises is turned into a message of ours, and its traceback
        # dropped (`from None`): a logger that prints local variables would print the password.
        try:
            sock = await proxy.connect(to.host, to.port, timeout=DIAL_SECONDS)
            return _kept_alive(await asyncio.open_connection(sock=sock))
        except ProxyError as error:
            raise DialError(f"proxy {self} answered: {error}", _from_proxy(error)) from None
        except TimeoutError:
            message = f"proxy {self} did not connect within {DIAL_SECONDS:.0f} s"
            raise DialError(message, Reply.TTL_EXPIRED) from None
        except OSError as error:
            raise DialError(f"proxy {self} cannot be reached: {error}", _from_os(error)) from None
        except ValueError:  # credentials or a name which the protocol cannot encode
            message = f"proxy {self}: credentials or host name cannot be encoded"
            raise DialError(message, Reply.GENERAL_FAILURE) from None


async def dial_direct(to: Destination) -> Stream:
    """Open a connection to `to` without a proxy, IPv6 and IPv4 raced (RFC 8305).

    Raises:
        DialError: The name is unknown, or nobody answers there.
    """
    try:
        async with asyncio.timeout(DIAL_SECONDS):
            return _kept_alive(
                await asyncio.open_connection(
                    to.host, to.port, happy_eyeballs_delay=_HAPPY_EYEBALLS_SECONDS
                )
            )
    except TimeoutError:
        message = f"{to} did not answer within {DIAL_SECONDS:.0f} s"
        raise DialError(message, Reply.TTL_EXPIRED) from None
    except OSError as error:
        raise DialError(f"{to} cannot be reached: {error}", _from_os(error)) from error
    except ValueError as error:  # a host name which IDNA cannot encode
        raise DialError(f"{to} is not a host name: {error}", Reply.HOST_UNREACHABLE) from error


def _kept_alive(stream: Stream) -> Stream:
    """Probe idle connections as often as Chromium does on its own, so that a NAT keeps them."""
    raw = stream[1].get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name in ("TCP_KEEPIDLE", "TCP_KEEPINTVL"):
        if hasattr(socket, name):  # not on every system
            raw.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), _KEEPALIVE_SECONDS)
    return stream


def _from_os(error: OSError) -> Reply:
    if isinstance(error, socket.gaierror):
        return Reply.HOST_UNREACHABLE
    return _REPLIES.get(error.errno or 0, Reply.GENERAL_FAILURE)


def _from_proxy(error: ProxyError) -> Reply:
    try:
        return Reply(error.error_code or 0) or Reply.GENERAL_FAILURE
    except ValueError:  # an HTTP status
        return Reply.NOT_ALLOWED if error.error_code in {401, 403, 407} else Reply.HOST_UNREACHABLE
