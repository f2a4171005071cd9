"""The server half of a SOCKS5 handshake (RFC 1928): what a browser asks, what it is told."""

from __future__ import annotations

import asyncio
import enum
import ipaddress
from typing import NamedTuple

_VERSION = 5
_NO_AUTHENTICATION = 0
_NO_ACCEPTABLE_METHOD = 0xFF
_CONNECT = 1


class Reply(enum.IntEnum):
    """Reply codes of RFC 1928, section 6."""

    SUCCEEDED = 0
    GENERAL_FAILURE = 1
    NOT_ALLOWED = 2
    NETWORK_UNREACHABLE = 3
    HOST_UNREACHABLE = 4
    CONNECTION_REFUSED = 5
    TTL_EXPIRED = 6
    COMMAND_NOT_SUPPORTED = 7
    ADDRESS_TYPE_NOT_SUPPORTED = 8


class Destination(NamedTuple):
    """Where a tunnel leads: a host as `destination()` writes it, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        """Render as an URL authority: `shop.example:443`, `[::1]:80`."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class HandshakeError(Exception):
    """The client did not speak SOCKS5 CONNECT; it has been told so where it can be."""


def destination(host: str, port: int) -> Destination:
    """Give one spelling to a host, so that the gate's URL and the browser's request agree.

    Args:
        host: A name or an IP literal, with or without brackets or trailing dot.
        port: TCP port, 0 to 65535.
    """
    bare = host.strip("[]").rstrip(".").lower()
    try:
        return Destination(str(ipaddress.ip_address(bare)), port)
    except ValueError:
        return Destination(bare, port)


async def receive_request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> Destination:
    """Carry the handshake up to the client's CONNECT request.

    Returns:
        Where the client wants to go; the caller answers with `send_reply`.

    Raises:
        HandshakeError: Not SOCKS5, no method without authentication, or not CONNECT.
        asyncio.IncompleteReadError: The client left in the middle.
        OSError: The connection broke.
    """
    version, methods = await reader.readexactly(2)
    if version != _VERSION:
        raise HandshakeError(f"version {version} instead of {_VERSION}")
    if _NO_AUTHENTICATION not in await reader.readexactly(methods):
        writer.write(bytes([_VERSION, _NO_ACCEPTABLE_METHOD]))
        raise HandshakeError("the client insists on authentication")
    writer.write(bytes([_VERSION, _NO_AUTHENTICATION]))
    _, command, _, kind = await reader.readexactly(4)
    if command != _CONNECT:
        send_reply(writer, Reply.COMMAND_NOT_SUPPORTED)
        raise HandshakeError(f"command {command} instead of CONNECT")
    if kind == 1:
        host = str(ipaddress.IPv4Address(await reader.readexactly(4)))
    elif kind == 3:
        length = (await reader.readexactly(1))[0]
        host = (await reader.readexactly(length)).decode("utf-8", "replace")
    elif kind == 4:
        host = str(ipaddress.IPv6Address(await reader.readexactly(16)))
    else:
        send_reply(writer, Reply.ADDRESS_TYPE_NOT_SUPPORTED)
        raise HandshakeError(f"address type {kind}")
    return destination(host, int.from_bytes(await reader.readexactly(2), "big"))


def send_reply(writer: asyncio.StreamWriter, code: Reply) -> None:
    """Answer the CONNECT request; the bound address is left at 0.0.0.0:0, as clients ignore it."""
    writer.write(bytes([_VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]))
