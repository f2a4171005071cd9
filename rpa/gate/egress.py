"""The only way out for one shop's browser: a SOCKS5 relay inside this process.

Chromium sends a POST a second time, by itself, when the connection it used had carried
something before (or was opened ahead of need) and dies before the first byte of the answer. It
asks nobody: one click, one request event, two POSTs on the wire. A relay that owns every
connection can take both halves of that away:

1. *Nothing reused.* Just before a submit is released every tunnel to its host is cut, so that it
   leaves on a new connection.
2. *Nowhere to send it again.* From then until the answer is on disk, once a tunnel that may have
   carried the submit has ended, new tunnels to that host are refused.

And because the browser has no other way out, nothing leaves once this process is dead.
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

from loguru import logger

from rpa.gate.socks import (
    Destination,
    HandshakeError,
    Reply,
    destination,
    receive_request,
    send_reply,
)
from rpa.gate.tunnel import Tunnel
from rpa.gate.upstream import DialError, Stream, Upstream, dial_direct

_HANDSHAKE_SECONDS = 10.0


class _Guard:
    """A submit on its way to one host."""

    def __init__(self) -> None:
        self.sent = 0  # bytes of tunnels that have ended
        self.shut = False  # one of them may have carried the submit


class Egress:
    """SOCKS5 server on a free port of 127.0.0.1, for one browser.

    Args:
        upstream: The shop's own proxy, `http://user:password@host:port` or `socks5://…`; None
            connects directly.

    Raises:
        ValueError: `upstream` is not such a URL.
    """

    def __init__(self, upstream: str | None = None) -> None:
        self.port = 0
        self._upstream = Upstream(upstream) if upstream else None
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[None]] = set()
        self._tunnels: dict[Tunnel, _Guard | None] = {}
        self._guards: dict[Destination, _Guard] = {}
        self._frozen = False

    def __repr__(self) -> str:
        return f"Egress(port={self.port}, upstream={self._upstream!r})"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Listen; `port` and `server_url` are valid from here on."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    @property
    def server_url(self) -> str:
        """What the browser is given as its proxy."""
        return f"socks5://127.0.0.1:{self.port}"

    def cut(self, host: str, port: int) -> int:
        """Close every tunnel to `host:port` now.

        Returns:
            How many there were.
        """
        to = destination(host, port)
        tunnels = [tunnel for tunnel in self._tunnels if tunnel.to == to]
        for tunnel in tunnels:
            tunnel.cut()
        return len(tunnels)

    def guard(self, host: str, port: int) -> None:
        """Prepare the way of one submit; call it just before the request is released.

        Every tunnel to `host:port` is cut. From here to `unguard`, once a tunnel that sent
        anything there has ended, for whatever reason, new ones are refused.
        """
        self._guards.pop(destination(host, port), None)
        self.cut(host, port)
        self._guards[destination(host, port)] = _Guard()

    def unguard(self, host: str, port: int) -> None:
        """Lift the guard: the answer is on disk, or the attempt is over."""
        self._guards.pop(destination(host, port), None)

    def freeze(self) -> None:
        """Let nothing leave any more: cut every tunnel, refuse every new one."""
        self._frozen = True
        for tunnel in list(self._tunnels):
            tunnel.cut()

    async def close(self) -> None:
        """Freeze, stop listening and wait until every connection has ended."""
        self.freeze()
        if self._server is not None:
            self._server.close()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = asyncio.current_task()
        assert client is not None  # noqa: S101 - a stream callback always runs in a task
        self._clients.add(client)
        try:
            async with asyncio.timeout(_HANDSHAKE_SECONDS):
                to = await receive_request(reader, writer)
            await self._connect(to, (reader, writer))
        except (HandshakeError, asyncio.IncompleteReadError, OSError) as error:
            logger.debug("egress: connection dropped: {}", error)
        finally:
            self._clients.discard(client)
            writer.close()

    async def _connect(self, to: Destination, browser: Stream) -> None:
        if self._refuses(to):
            send_reply(browser[1], Reply.NOT_ALLOWED)
            return
        try:
            server = await (self._upstream.dial(to) if self._upstream else dial_direct(to))
        except DialError as error:
            logger.warning("egress: {}", error)
            send_reply(browser[1], error.reply)
            return
        if self._refuses(to):  # the guard may have shut, or the freeze come, while we dialled
            server[1].transport.abort()
            send_reply(browser[1], Reply.NOT_ALLOWED)
            return
        tunnel = Tunnel(to, browser, server, self._ended)
        self._tunnels[tunnel] = self._guards.get(to)
        send_reply(browser[1], Reply.SUCCEEDED)
        await tunnel.run()

    def _refuses(self, to: Destination) -> bool:
        if self._frozen:
            return True
        guard = self._guards.get(to)
        if guard is None or not guard.shut:
            return False
        logger.info("egress: {} refused: the connection of an unanswered submit has ended", to)
        return True

    def _ended(self, tunnel: Tunnel) -> None:
        guard = self._tunnels.pop(tunnel)
        if guard is not None and tunnel.sent:
            guard.sent += tunnel.sent
            guard.shut = True
