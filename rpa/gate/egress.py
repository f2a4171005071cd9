"""The only way out for one shop's browser: a SOCKS5 relay inside this process.

Chromium sends a POST a second time, by itself, when the connection it used had carried
something before (or was opened ahead of need) and dies before the first byte of the answer; it
does the same after a 408 on such a connection and after any 421. It asks nobody: one click, one
request event, two POSTs on the wire, or six. A relay that owns every connection can take the
means away:

1. *Nothing reused.* Just before a submit is released every tunnel to its host is cut, so that it
   leaves on a new connection.
2. *Nowhere to send it again.* Other requests of the page may have opened, used and left idle new
   tunnels by then, and the submit may be on one of those. So from the release to the answer,
   once any tunnel that may have carried a request to that host has ended, new tunnels are
   refused and the remaining ones may only finish what they are in the middle of.

And because the browser has no other way out, nothing leaves once this process is dead.

What is left: on HTTP/2 a 421 is repeated on the same connection, where no relay can see it; the
server has said there that it did not act (RFC 9110, section 15.5.20). And a server that closes
every connection after one answer can make the guard refuse a submit that had not left yet, when
the page sends other requests to it in the same moment: a doubt too many, never a submit too many.
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
_QUIET_SECONDS = 1.0
"""A browser sends a lost request again within milliseconds."""
_MID_UPLOAD_BYTES = 16_384
"""More than a TLS handshake or HTTP/2 housekeeping sends up without an answer."""


class _Guard:
    """A submit on its way to one host."""

    def __init__(self) -> None:
        self.sent = 0  # bytes of tunnels that have ended
        self.shut = False  # one of them may have carried the submit
        self.refusals = 0


class Egress:
    """SOCKS5 server on a free port of 127.0.0.1, for one browser.

    Args:
        upstream: The shop's own proxy, `http://user:password@host:port` or `socks5://…`; None
            connects directly.

    Raises:
        ConfigError: `upstream` is not such a URL.
    """

    def __init__(self, upstream: str | None = None) -> None:
        self.port = 0
        self._upstream = Upstream(upstream) if upstream else None
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[None]] = set()
        self._tunnels: dict[Tunnel, _Guard | None] = {}
        self._guards: dict[Destination, _Guard] = {}
        self._failures: dict[Destination, str] = {}
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
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    @property
    def server_url(self) -> str:
        """What the browser is given as its proxy."""
        return f"socks5://127.0.0.1:{self.port}"

    def cut(self, host: str, port: int) -> int:
        """Close every tunnel to `host:port` now; if it is guarded, refuse new ones from here on.

        Returns:
            How many there were.
        """
        to = destination(host, port)
        guard = self._guards.get(to)
        if guard is not None:
            guard.shut = True
        tunnels = [tunnel for tunnel in self._tunnels if tunnel.to == to]
        for tunnel in tunnels:
            tunnel.cut()
        return len(tunnels)

    def guard(self, host: str, port: int) -> None:
        """Prepare the way of one submit; call it just before the request is released.

        Every tunnel to `host:port` is cut. From here to `unguard` or `abandon`, once a tunnel
        that may have carried a request there has ended, for whatever reason, none can begin.
        """
        self.unguard(host, port)
        self.cut(host, port)
        self._guards[destination(host, port)] = _Guard()

    def sent(self, host: str, port: int) -> int:
        """How many bytes of any request were on their way to `host:port` since `guard`.

        None at all proves that the submit did not leave, whatever error the browser shows: it
        shows the same one for a refused connection, an unknown name and a lost answer. A TLS
        handshake alone counts as none.
        """
        to = destination(host, port)
        guard = self._guards[to]
        return guard.sent + sum(t.sent for t, its in self._tunnels.items() if its is guard)

    def failure(self, host: str, port: int) -> str | None:
        """Why the latest attempt to reach `host:port` failed; None if it did not.

        The browser only says that the proxy failed. Never holds credentials.
        """
        return self._failures.get(destination(host, port))

    def unguard(self, host: str, port: int) -> None:
        """Lift the guard because the answer is on disk. Without an answer use `abandon`."""
        to = destination(host, port)
        self._guards.pop(to, None)
        for tunnel in self._tunnels:
            if tunnel.to == to:
                self._tunnels[tunnel] = None

    async def abandon(self, host: str, port: int) -> None:
        """Lift the guard though no answer came.

        The submit may still be under way, and cutting it is just what makes the browser send it
        again. So its tunnels are cut, whatever the browser tries then is refused, and the guard
        is lifted only when it has stopped trying for a second.
        """
        guard = self._guards.get(destination(host, port))
        if guard is None:
            return
        self.cut(host, port)
        seen = -1
        while seen != guard.refusals:
            seen = guard.refusals
            await asyncio.sleep(_QUIET_SECONDS)
        self.unguard(host, port)

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

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = asyncio.create_task(self._serve(reader, writer))
        self._clients.add(client)
        client.add_done_callback(self._clients.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_HANDSHAKE_SECONDS):
                to = await receive_request(reader, writer)
            await self._connect(to, (reader, writer))
        except (HandshakeError, asyncio.IncompleteReadError, OSError) as error:
            logger.debug("egress: connection dropped: {}", error)
        finally:
            writer.close()

    async def _connect(self, to: Destination, browser: Stream) -> None:
        if self._refuses(to):
            send_reply(browser[1], Reply.NOT_ALLOWED)
            return
        try:
            server = await (self._upstream.dial(to) if self._upstream else dial_direct(to))
        except DialError as error:
            logger.warning("egress: {}", error)
            self._failures[to] = str(error)
            send_reply(browser[1], error.reply)
            return
        self._failures.pop(to, None)
        if self._refuses(to):  # the guard may have shut, or the freeze come, while we dialled
            server[1].transport.abort()
            send_reply(browser[1], Reply.NOT_ALLOWED)
            return
        tunnel = Tunnel(to, browser, server, self._ended, self._may_send)
        self._tunnels[tunnel] = self._guards.get(to)
        send_reply(browser[1], Reply.SUCCEEDED)
        try:
            await tunnel.run()
        finally:
            guard = self._tunnels.pop(tunnel)
            if guard is not None:
                guard.sent += tunnel.sent

    def _refuses(self, to: Destination) -> bool:
        guard = self._guards.get(to)
        if guard is not None and guard.shut:
            guard.refusals += 1
            logger.info("egress: {} refused: a submit to it has lost its connection", to)
            return True
        return self._frozen

    async def _may_send(self, tunnel: Tunnel) -> bool:
        guard = self._tunnels[tunnel]
        if guard is None:
            return True
        if not tunnel.unanswered:
            # A request begins. A browser that dislikes an answer (408, 421) closes that
            # connection and repeats the request on another. Both events may have arrived in
            # one turn of the loop, so let an end that is already here be seen first: one turn
            # to read it, one to wake its tunnel, one to spare.
            for _ in range(3):
                await asyncio.sleep(0)
        if guard.shut and tunnel.unanswered < _MID_UPLOAD_BYTES:
            guard.refusals += 1
            logger.info("egress: {} cut: a submit to it has lost its connection", tunnel.to)
            return False
        return True

    def _ended(self, tunnel: Tunnel) -> None:
        guard = self._tunnels[tunnel]
        if guard is not None and tunnel.sent:
            guard.shut = True
