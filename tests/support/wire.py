"""An HTTP/1.1 server on a bare socket that counts requests where nothing can hide them.

No HTTP library stands between: a request is counted when its head has arrived, whatever the
client, a proxy or a browser believes it has sent. Connections are kept alive, because a browser
behaves differently on a reused one. What the server does with a request is a `Behaviour`:

    async with WireServer() as server:
        server.page("/form", "<form method=post action=/submit><button>提交</button></form>")
        server.on("POST", "/submit", sequence(fin(), answer(200, "ok")))
        ...
        assert server.count("POST", "/submit") == 1
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Self

_REASONS = {200: "OK", 204: "No Content", 302: "Found", 303: "See Other", 404: "Not Found"}


@dataclass
class Request:
    """One request as it came off the socket."""

    method: str
    target: str
    headers: dict[str, str]
    """Names in lower case; of a repeated header the last value."""
    connection: int
    """Number of the connection, from 1, in the order of acceptance."""
    nth: int
    """Its place among the requests of that connection, from 1."""
    body: bytes = b""
    complete: bool = False
    """Whether the whole body arrived."""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


@dataclass
class Exchange:
    """What a behaviour acts on."""

    request: Request
    writer: asyncio.StreamWriter
    keep_alive: bool = True

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()


Behaviour = Callable[[Exchange], Awaitable[None]]


def answer(
    status: int = 200,
    body: str | bytes = b"",
    headers: Mapping[str, str] | None = None,
    *,
    length: int | None = None,
) -> Behaviour:
    """Answer in full; `length` overrides the declared Content-Length."""
    data = body.encode() if isinstance(body, str) else body
    sent = {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"}
    if status != 204:
        sent["Content-Length"] = str(len(data) if length is None else length)
    sent |= headers or {}
    lines = [f"HTTP/1.1 {status} {_REASONS.get(status, 'Whatever')}"]
    lines += [f"{name}: {value}" for name, value in sent.items()]
    head = "\r\n".join([*lines, "", ""]).encode()

    async def act(exchange: Exchange) -> None:
        exchange.keep_alive = sent.get("Connection", "").lower() != "close"
        await exchange.send(head + data)

    return act


def redirect(status: int, location: str) -> Behaviour:
    """Send the client elsewhere: a path, or an absolute URL for another port."""
    return answer(status, headers={"Location": location})


def fin(after: float = 0.0) -> Behaviour:
    """Take the request, wait `after` seconds, end the connection without a byte."""

    async def act(exchange: Exchange) -> None:
        await asyncio.sleep(after)
        exchange.keep_alive = False

    return act


def rst(after: float = 0.0) -> Behaviour:
    """Take the request, wait `after` seconds, reset the connection."""

    async def act(exchange: Exchange) -> None:
        await asyncio.sleep(after)
        raw = exchange.writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        exchange.writer.transport.abort()
        exchange.keep_alive = False

    return act


def cut_body(body: str | bytes, missing: int = 1000) -> Behaviour:
    """Answer 200, but end the connection `missing` bytes before the declared length."""
    size = len(body.encode() if isinstance(body, str) else body)
    return answer(200, body, {"Connection": "close"}, length=size + missing)


def hang() -> Behaviour:
    """Take the request and never answer; the connection stays open until the server closes."""

    async def act(_: Exchange) -> None:
        await asyncio.Event().wait()

    return act


def slow(seconds: float, then: Behaviour) -> Behaviour:
    """Do `then` after a while."""

    async def act(exchange: Exchange) -> None:
        await asyncio.sleep(seconds)
        await then(exchange)

    return act


def sequence(*behaviours: Behaviour) -> Behaviour:
    """Another behaviour for every request; the last one repeats."""
    left = list(behaviours)

    async def act(exchange: Exchange) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(exchange)

    return act


@dataclass
class WireServer:
    """See the module's text. `host` may be `::1`; with `tls` it speaks HTTPS."""

    host: str = "127.0.0.1"
    port: int = 0
    tls: ssl.SSLContext | None = None
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    _routes: dict[tuple[str, str], Behaviour] = field(default_factory=dict)
    _clients: set[asyncio.Task[None]] = field(default_factory=set)
    _server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, self.host, self.port, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.tls else ''}://{host}:{self.port}"

    def url(self, path: str) -> str:
        return self.origin + path

    def page(self, path: str, html: str) -> None:
        """Serve an HTML page by GET."""
        self.on("GET", path, answer(200, f"<!doctype html><meta charset=utf-8>{html}"))

    def on(self, method: str, path: str, behaviour: Behaviour) -> None:
        """Do this for a method and path (without query); everything else is 404."""
        self._routes[method, path] = behaviour

    def count(self, method: str, path: str) -> int:
        """How many requests arrived, complete or not."""
        return len(self.received(method, path))

    def received(self, method: str, path: str) -> list[Request]:
        return [r for r in self.requests if (r.method, r.path) == (method, path)]

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = asyncio.create_task(self._serve(reader, writer))
        self._clients.add(client)
        client.add_done_callback(self._clients.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            await self._talk(reader, writer, self.connections)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client went away; what it had sent is on record
        finally:
            writer.close()

    async def _talk(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: int
    ) -> None:
        keep_alive, nth = True, 0
        while keep_alive:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            nth += 1
            method, target, _ = head[0].split(" ")
            pairs = (line.partition(":") for line in head[1:] if line)
            headers = {name.lower(): value.strip() for name, _, value in pairs}
            request = Request(method, target, headers, connection, nth)
            self.requests.append(request)
            request.body = await reader.readexactly(int(headers.get("content-length", 0)))
            request.complete = True
            exchange = Exchange(request, writer)
            await self._routes.get((method, request.path), answer(404))(exchange)
            keep_alive = exchange.keep_alive
