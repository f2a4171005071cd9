"""One browser connection through the egress: two streams, relayed and counted until both end."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable

from rpa.gate.socks import Destination
from rpa.gate.tls import RequestMeter
from rpa.gate.upstream import Stream

_CHUNK = 65_536
_HALF_OPEN_SECONDS = 60.0
"""How long a tunnel may stay silent once one side has ended."""


class Tunnel:
    """Relays bytes between a browser and a server.

    Either side may end first (FIN) and the other goes on, except that nothing more goes up once
    the server has ended.

    Args:
        to: Where the server is.
        browser: The accepted stream.
        server: The dialled stream.
        on_end: Called once, when either side ends or breaks, *before* the other side can
            notice it.
        may_send: Asked before bytes from the browser go to the server; False cuts the tunnel
            instead.
    """

    def __init__(
        self,
        to: Destination,
        browser: Stream,
        server: Stream,
        on_end: Callable[[Tunnel], None],
        may_send: Callable[[Tunnel], Awaitable[bool]],
    ) -> None:
        self.to = to
        self.unanswered = 0
        """Bytes from the browser that nothing has come back for yet."""
        self._browser, self._server = browser, server
        self._on_end, self._may_send = on_end, may_send
        self._requests = RequestMeter()
        self._moved = 0
        self._ended = False
        for _, writer in (browser, server):
            # `drain` then waits for the socket to take everything: nothing is left in between
            # when a side ends.
            writer.transport.set_write_buffer_limits(high=0)

    @property
    def sent(self) -> int:
        """Bytes from the browser on their way to the server that may belong to a request."""
        return self._requests.carried

    async def run(self) -> None:
        """Relay until both sides have ended, one has broken, or `cut` is called."""
        up = self._relay(self._browser[0], self._server[1], self._count_up)
        down = self._relay(self._server[0], self._browser[1], self._count_down)
        pumps = {asyncio.create_task(up), asyncio.create_task(down)}
        try:
            done, pending = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            if all(pump.result() for pump in done):
                await self._linger(pending)
        finally:
            self.cut()
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)

    def cut(self) -> None:
        """Close both sides now; bytes not yet handed to a socket are dropped."""
        self._end()
        for _, writer in (self._browser, self._server):
            # The transport closes its socket only on the loop's next turn. The caller may be
            # about to release a submit, so the peer has to see the end before that.
            with contextlib.suppress(OSError):
                writer.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
            writer.transport.abort()

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._on_end(self)

    async def _relay(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        count: Callable[[bytes], Awaitable[bool]],
    ) -> bool:
        """Relay one direction; True if it ended in order, False if a side broke."""
        try:
            while data := await reader.read(_CHUNK):
                if not await count(data):
                    continue
                writer.write(data)
                await writer.drain()
            self._end()
            if writer.can_write_eof():
                writer.write_eof()
        except OSError:
            self._end()
            return False
        return True

    async def _count_up(self, data: bytes) -> bool:
        """Account for bytes from the browser; False if they must not go on."""
        # The server has ended: no answer can come, so a request sent now could only be lost or,
        # worse, be acted upon unseen.
        if self._ended:
            return False
        if not await self._may_send(self):
            self.cut()
            return False
        self._moved += len(data)
        self.unanswered += len(data)
        self._requests.feed(data)
        return True

    async def _count_down(self, data: bytes) -> bool:
        self._moved += len(data)
        self.unanswered = 0
        return True

    async def _linger(self, pending: set[asyncio.Task[bool]]) -> None:
        """After one side's FIN, let the other talk on for as long as it has something to say."""
        while pending:
            before = self._moved
            _, pending = await asyncio.wait(pending, timeout=_HALF_OPEN_SECONDS)
            if self._moved == before:
                return
