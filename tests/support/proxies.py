"""Forward proxies that ask for a password: HTTP CONNECT and SOCKS5, on loopback.

`refuse` makes a proxy answer every request with that code instead of connecting, as one does
whose destination is away.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from dataclasses import dataclass, field
from typing import Self


@dataclass
class _Proxy:
    username: str = "shop-1"
    password: str = "p@ss:w/rd"
    refuse: int = 0
    delay: float = 0.0
    """Seconds before the destination is dialled."""
    port: int = 0
    seen: list[tuple[str, int]] = field(default_factory=list)
    """Destinations that were asked for with the right password."""
    _server: asyncio.Server | None = None
    _clients: set[asyncio.Task[None]] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = asyncio.create_task(self._serve(reader, writer))
        self._clients.add(client)
        client.add_done_callback(self._clients.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await self.handle(reader, writer)
        finally:
            writer.close()

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise NotImplementedError

    async def relay(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        host: str,
        port: int,
        accepted: bytes,
    ) -> None:
        """Tell the client it is connected, and carry bytes until either side ends."""
        self.seen.append((host, port))
        await asyncio.sleep(self.delay)
        far_reader, far_writer = await asyncio.open_connection(host, port)
        writer.write(accepted)

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            while data := await source.read(4096):
                sink.write(data)
                await sink.drain()

        pumps = {
            asyncio.create_task(pump(reader, far_writer)),
            asyncio.create_task(pump(far_reader, writer)),
        }
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            far_writer.close()
            for task in pumps:
                task.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)


class ConnectProxy(_Proxy):
    """HTTP CONNECT with Basic authentication."""

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        token = base64.b64encode(f"{self.username}:{self.password}".encode("latin-1")).decode()
        if f"Proxy-Authorization: Basic {token}" not in lines:
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
        elif self.refuse:
            writer.write(f"HTTP/1.1 {self.refuse} Bad Gateway\r\n\r\n".encode())
        else:
            host, _, port = lines[0].split(" ")[1].rpartition(":")
            accepted = b"HTTP/1.1 200 Connection established\r\n\r\n"
            await self.relay(reader, writer, host.strip("[]"), int(port), accepted)


class SocksProxy(_Proxy):
    """SOCKS5 with user name and password (RFC 1929)."""

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, methods = await reader.readexactly(2)
        offered = await reader.readexactly(methods)
        if 2 not in offered:
            writer.write(b"\x05\xff")
            return
        writer.write(b"\x05\x02")
        await reader.readexactly(1)
        given = [await self._counted(reader), await self._counted(reader)]
        right = given == [self.username.encode(), self.password.encode()]
        writer.write(b"\x01\x00" if right else b"\x01\x01")
        if not right:
            return
        _, _, _, kind = await reader.readexactly(4)
        if kind == 3:
            host = (await self._counted(reader)).decode()
        else:
            host = ".".join(str(part) for part in await reader.readexactly(4))
        port = int.from_bytes(await reader.readexactly(2), "big")
        if self.refuse:
            writer.write(bytes([5, self.refuse, 0, 1, 0, 0, 0, 0, 0, 0]))
        else:
            await self.relay(reader, writer, host, port, b"\x05\x00\x00\x01" + bytes(6))

    @staticmethod
    async def _counted(reader: asyncio.StreamReader) -> bytes:
        return await reader.readexactly((await reader.readexactly(1))[0])
