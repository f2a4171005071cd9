"""The egress on real sockets: what passes, what is cut, what is refused, what is told."""

from __future__ import annotations

import asyncio
import contextlib
import selectors
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from loguru import logger

from rpa.errors import ConfigError
from rpa.gate.egress import Egress
from rpa.gate.socks import Reply, destination
from tests.support.proxies import ConnectProxy, SocksProxy
from tests.support.wire import Behaviour, WireServer, answer, fin, hang, rst, sequence

HERE = "127.0.0.1"


@dataclass
class Client:
    """A SOCKS5 client as simple as Chromium's: no authentication, names sent as they are."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    code: int

    async def post(self, path: str, body: bytes = b"") -> None:
        head = f"POST {path} HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n"
        self.writer.write(head.encode() + body)
        await self.writer.drain()

    async def get(self, path: str) -> bytes:
        """Send a GET and read its bodiless answer."""
        self.writer.write(f"GET {path} HTTP/1.1\r\n\r\n".encode())
        return await self.head()

    async def head(self) -> bytes:
        return await self.reader.readuntil(b"\r\n\r\n")

    async def ended(self) -> bool:
        """Whether the connection ends, by FIN or RST, within a second and without a byte."""
        try:
            return await asyncio.wait_for(self.reader.read(1), 1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False


@dataclass
class Clients:
    egress: Egress
    opened: list[Client]

    async def connect(self, host: str, port: int) -> Client:
        reader, writer = await asyncio.open_connection(HERE, self.egress.port)
        name = host.encode()
        writer.write(b"\x05\x01\x00\x05\x01\x00\x03" + bytes([len(name)]) + name)
        writer.write(port.to_bytes(2, "big"))
        reply = await asyncio.wait_for(reader.readexactly(12), 10)
        self.opened.append(Client(reader, writer, reply[3]))
        return self.opened[-1]


@contextlib.asynccontextmanager
async def through(upstream: str | None = None) -> AsyncIterator[tuple[Egress, Clients]]:
    async with Egress(upstream) as egress:
        clients = Clients(egress, [])
        try:
            yield egress, clients
        finally:
            for client in clients.opened:
                client.writer.close()


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as wire:
        wire.on("GET", "/list", answer(200))
        wire.on("POST", "/submit", answer(200))
        yield wire


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return int(probe.getsockname()[1])


async def test_many_requests_share_a_tunnel(server: WireServer) -> None:
    async with through() as (egress, clients):
        client = await clients.connect(HERE, server.port)
        await client.get("/list")
        await client.get("/list")
    assert [(r.connection, r.nth) for r in server.requests] == [(1, 1), (1, 2)]
    assert egress.server_url == f"socks5://127.0.0.1:{egress.port}"


@pytest.mark.parametrize(("bound", "asked"), [("::1", "::1"), (HERE, "localhost")])
async def test_ipv6_and_names_are_dialled(bound: str, asked: str) -> None:
    async with WireServer(host=bound) as server, through() as (_, clients):
        server.on("GET", "/list", answer(200))
        client = await clients.connect(asked, server.port)
        assert b"200 OK" in await client.get("/list")


async def test_a_large_body_passes_intact_through_a_slow_reader() -> None:
    """10 MB up while the server dawdles: back-pressure holds it, nothing is lost."""
    received = bytearray()

    async def dawdle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        while data := await reader.read(100_000):
            received.extend(data)
        writer.write(b"done")
        writer.close()

    listener = await asyncio.start_server(dawdle, HERE, 0)
    port = listener.sockets[0].getsockname()[1]
    sent = "图片".encode() * 1_700_000
    async with listener, through() as (egress, clients):
        egress.guard(HERE, port)
        client = await clients.connect(HERE, port)
        client.writer.write(sent)
        await asyncio.sleep(0.1)
        assert egress.sent(HERE, port) < len(sent), "nothing held the upload back"
        client.writer.write_eof()  # half-close: the answer still comes
        assert await client.reader.read() == b"done"
        assert egress.sent(HERE, port) == len(sent)
    assert bytes(received) == sent


async def test_the_server_may_end_first(server: WireServer) -> None:
    server.on("GET", "/last", answer(200, "完", {"Connection": "close"}))
    async with through() as (_, clients):
        client = await clients.connect(HERE, server.port)
        client.writer.write(b"GET /last HTTP/1.1\r\n\r\n")
        assert (await client.reader.read()).endswith("完".encode())


async def test_nothing_goes_up_once_the_server_has_ended() -> None:
    heard = bytearray()

    async def end_but_listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write_eof()
        heard.extend(await reader.read())
        writer.close()

    listener = await asyncio.start_server(end_but_listen, HERE, 0)
    async with listener, through() as (_, clients):
        client = await clients.connect(HERE, listener.sockets[0].getsockname()[1])
        assert await client.ended()
        await client.post("/submit", b"x")
        client.writer.write_eof()
        await asyncio.sleep(0.05)
    assert heard == b""


async def test_a_slow_browser_gets_the_whole_answer_of_a_server_that_has_left() -> None:
    answered = "订单".encode() * 2_000_000

    async def tell_and_leave(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answered)
        writer.close()

    listener = await asyncio.start_server(tell_and_leave, HERE, 0)
    async with listener, through() as (_, clients):
        client = await clients.connect(HERE, listener.sockets[0].getsockname()[1])
        client.writer.write_eof()
        await asyncio.sleep(0.2)
        assert await client.reader.read() == answered


@pytest.mark.parametrize("behaviour", [fin(), rst()], ids=["fin", "rst"])
async def test_an_end_of_the_server_ends_the_tunnel(
    server: WireServer, behaviour: Behaviour
) -> None:
    server.on("POST", "/submit", behaviour)
    async with through() as (_, clients):
        client = await clients.connect(HERE, server.port)
        await client.post("/submit", b"x")
        assert await client.ended()


async def test_cut_ends_the_tunnels_of_one_host_and_port(server: WireServer) -> None:
    async with WireServer() as other, through() as (egress, clients):
        cut = [await clients.connect(HERE, server.port) for _ in range(3)]
        kept = await clients.connect(HERE, other.port)
        assert egress.cut(HERE, server.port) == 3
        assert [await client.ended() for client in cut] == [True] * 3
        assert b"404" in await kept.get("/")
        assert egress.cut(HERE, server.port) == 0


@pytest.mark.parametrize("spelling", ["LocalHost", "localhost."])
async def test_cut_knows_a_host_by_any_spelling(server: WireServer, spelling: str) -> None:
    async with through() as (egress, clients):
        await clients.connect("localhost", server.port)
        assert egress.cut(spelling, server.port) == 1


def test_hosts_have_one_spelling() -> None:
    assert destination("[0:0::1]", 80) == destination("::1", 80)
    assert str(destination("::1", 443)) == "[::1]:443"
    assert str(destination("Shop.Example.", 443)) == "shop.example:443"


class TestGuard:
    async def test_nothing_open_before_survives_it(self, server: WireServer) -> None:
        async with through() as (egress, clients):
            client = await clients.connect(HERE, server.port)
            await client.get("/list")
            egress.guard(HERE, server.port)
            assert await client.ended()

    @pytest.mark.parametrize("behaviour", [fin(), rst()], ids=["fin", "rst"])
    async def test_new_tunnels_are_refused_after_a_loss(
        self, server: WireServer, behaviour: Behaviour
    ) -> None:
        server.on("POST", "/submit", behaviour)
        async with through() as (egress, clients):
            egress.guard(HERE, server.port)
            client = await clients.connect(HERE, server.port)
            await client.post("/submit", b"x")
            assert await client.ended()
            assert (await clients.connect(HERE, server.port)).code == Reply.NOT_ALLOWED
            egress.unguard(HERE, server.port)
            assert (await clients.connect(HERE, server.port)).code == Reply.SUCCEEDED

    async def test_new_tunnels_are_refused_after_the_browser_hung_up(
        self, server: WireServer
    ) -> None:
        """As Chromium does when it gets a 421 and means to try elsewhere."""
        async with through() as (egress, clients):
            egress.guard(HERE, server.port)
            client = await clients.connect(HERE, server.port)
            await client.post("/submit", b"x")
            await client.head()
            client.writer.close()
            assert (await clients.connect(HERE, server.port)).code == Reply.NOT_ALLOWED

    async def test_an_idle_tunnel_is_no_way_out_after_a_loss(self, server: WireServer) -> None:
        """The wire's other half of the resend: not a new connection but one left idle."""
        server.on("POST", "/submit", sequence(fin(), answer(200)))
        async with through() as (egress, clients):
            egress.guard(HERE, server.port)
            first = await clients.connect(HERE, server.port)
            idle = await clients.connect(HERE, server.port)
            await idle.get("/list")
            await first.post("/submit", b"x")
            assert await first.ended()
            await idle.post("/submit", b"x")
            assert await idle.ended()
        assert server.count("POST", "/submit") == 1

    def test_hanging_up_and_sending_elsewhere_in_one_breath(self) -> None:
        """The end of one tunnel and bytes on another are ready in the same turn of the loop.

        `select` reports them by file descriptor, so the bytes are looked at first.
        """

        async def story() -> int:
            async with WireServer() as server, through() as (egress, clients):
                server.on("GET", "/list", answer(200))
                server.on("POST", "/submit", answer(421))
                egress.guard(HERE, server.port)
                idle = await clients.connect(HERE, server.port)
                await idle.get("/list")
                first = await clients.connect(HERE, server.port)
                await first.post("/submit", b"x")
                await first.head()
                hang_up = first.writer.get_extra_info("socket").dup()
                send = idle.writer.get_extra_info("socket").dup()
                hang_up.shutdown(socket.SHUT_RDWR)
                send.sendall(b"POST /submit HTTP/1.1\r\n\r\n")
                hang_up.close()
                send.close()
                assert await idle.ended()
                return server.count("POST", "/submit")

        with asyncio.Runner(
            loop_factory=lambda: asyncio.SelectorEventLoop(selectors.SelectSelector())
        ) as runner:
            assert runner.run(story()) == 1

    async def test_an_upload_under_way_may_finish_after_another_tunnel_ended(
        self, server: WireServer
    ) -> None:
        server.on("GET", "/last", answer(200, headers={"Connection": "close"}))
        body = "图".encode() * 40_000
        async with through() as (egress, clients):
            egress.guard(HERE, server.port)
            upload = await clients.connect(HERE, server.port)
            upload.writer.write(
                f"POST /submit HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            )
            upload.writer.write(body[:60_000])
            other = await clients.connect(HERE, server.port)
            await other.get("/last")
            assert await other.ended()
            await asyncio.sleep(0.05)
            upload.writer.write(body[60_000:])
            assert b"200 OK" in await upload.head()
        assert server.received("POST", "/submit")[0].body == body

    async def test_a_tunnel_that_carried_nothing_may_end(self, server: WireServer) -> None:
        async with through() as (egress, clients):
            egress.guard(HERE, server.port)
            (await clients.connect(HERE, server.port)).writer.close()
            await asyncio.sleep(0.05)
            assert (await clients.connect(HERE, server.port)).code == Reply.SUCCEEDED

    async def test_cut_during_it_keeps_the_host_closed(self, server: WireServer) -> None:
        async with through() as (egress, clients):
            egress.guard(HERE, server.port)
            assert egress.cut(HERE, server.port) == 0
            assert (await clients.connect(HERE, server.port)).code == Reply.NOT_ALLOWED

    async def test_other_hosts_are_not_concerned(self, server: WireServer) -> None:
        server.on("POST", "/submit", fin())
        async with WireServer() as other, through() as (egress, clients):
            egress.guard(HERE, server.port)
            client = await clients.connect(HERE, server.port)
            await client.post("/submit")
            assert await client.ended()
            assert (await clients.connect(HERE, other.port)).code == Reply.SUCCEEDED

    async def test_sent_counts_live_and_ended_tunnels(self, server: WireServer) -> None:
        server.on("POST", "/submit", sequence(hang(), fin()))
        async with through() as (egress, clients):
            egress.guard(HERE, server.port)
            assert egress.sent(HERE, server.port) == 0
            one, two = [await clients.connect(HERE, server.port) for _ in range(2)]
            await one.post("/submit", b"12345")
            await asyncio.sleep(0.05)
            once = egress.sent(HERE, server.port)
            await two.post("/submit", b"12345")
            assert await two.ended()
            two.writer.close()
            await asyncio.sleep(0.05)
            assert egress.sent(HERE, server.port) == 2 * once > 10

    async def test_a_second_guard_starts_afresh(self, server: WireServer) -> None:
        server.on("POST", "/submit", sequence(fin(), answer(200)))
        async with through() as (egress, clients):
            egress.guard(HERE, server.port)
            lost = await clients.connect(HERE, server.port)
            await lost.post("/submit")
            assert await lost.ended()
            egress.guard(HERE, server.port)
            assert egress.sent(HERE, server.port) == 0
            again = await clients.connect(HERE, server.port)
            await again.post("/submit")
            assert b"200 OK" in await again.head()

    async def test_tunnels_of_an_answered_submit_live_on_freely(self, server: WireServer) -> None:
        async with through() as (egress, clients):
            egress.guard(HERE, server.port)
            one, two = [await clients.connect(HERE, server.port) for _ in range(2)]
            await one.post("/submit")
            await one.head()
            await two.get("/list")
            egress.unguard(HERE, server.port)
            one.writer.close()
            await asyncio.sleep(0.05)
            assert b"200 OK" in await two.get("/list")

    async def test_abandon_refuses_until_the_browser_has_given_up(self, server: WireServer) -> None:
        server.on("POST", "/submit", hang())
        async with through() as (egress, clients):
            egress.guard(HERE, server.port)
            client = await clients.connect(HERE, server.port)
            await client.post("/submit")
            await asyncio.sleep(0.1)
            assert server.count("POST", "/submit") == 1
            giving_up = asyncio.create_task(egress.abandon(HERE, server.port))
            assert await client.ended()
            assert (await clients.connect(HERE, server.port)).code == Reply.NOT_ALLOWED
            await giving_up
            assert (await clients.connect(HERE, server.port)).code == Reply.SUCCEEDED
            await egress.abandon(HERE, server.port)  # nothing guarded: nothing to do


class TestEnd:
    async def test_freeze_cuts_and_refuses(self, server: WireServer) -> None:
        async with through() as (egress, clients):
            client = await clients.connect(HERE, server.port)
            egress.freeze()
            assert await client.ended()
            assert (await clients.connect(HERE, server.port)).code == Reply.NOT_ALLOWED
        assert server.requests == []

    async def test_a_connection_still_being_made_is_dropped(self, server: WireServer) -> None:
        async with SocksProxy(delay=0.2) as proxy, through(url(proxy)) as (egress, clients):
            waiting = asyncio.create_task(clients.connect(HERE, server.port))
            await asyncio.sleep(0.1)
            assert proxy.seen
            egress.freeze()
            assert (await waiting).code == Reply.NOT_ALLOWED

    async def test_close_leaves_no_task_and_no_listener(self, server: WireServer) -> None:
        before = asyncio.all_tasks()
        egress = Egress()
        await egress.start()
        clients = Clients(egress, [])
        server.on("POST", "/submit", hang())
        for _ in range(3):
            await (await clients.connect(HERE, server.port)).post("/submit", b"x" * 100_000)
        _, mute = await asyncio.open_connection(HERE, egress.port)  # never says a word
        await asyncio.sleep(0.05)
        assert [task for task in asyncio.all_tasks() - before if "Tunnel" in repr(task)]
        await egress.close()
        await egress.close()  # twice is harmless
        left = [repr(task) for task in asyncio.all_tasks() - before]
        assert not [task for task in left if "Egress" in task or "Tunnel" in task]
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(HERE, egress.port)
        for writer in [client.writer for client in clients.opened] + [mute]:
            writer.close()


class TestRefusals:
    async def test_codes_say_why_a_dial_failed(self) -> None:
        port = free_port()
        async with through() as (egress, clients):
            assert (await clients.connect(HERE, port)).code == Reply.CONNECTION_REFUSED
            assert (await clients.connect("店铺.invalid", port)).code == Reply.HOST_UNREACHABLE
            assert f"{HERE}:{port} cannot be reached" in (egress.failure(HERE, port) or "")

    async def test_a_failure_is_forgotten_when_the_host_answers(self, server: WireServer) -> None:
        async with through() as (egress, clients):
            await clients.connect(HERE, server.port)
            assert egress.failure(HERE, server.port) is None

    @pytest.mark.parametrize(
        ("said", "told"),
        [
            (b"GET / HTTP/1.1\r\n\r\n", b""),
            (b"\x04\x01\x00\x50", b""),
            (b"\x05\x01\x02", b"\x05\xff"),  # insists on a password
            (b"\x05\x01\x00\x05\x03\x00\x01", b"\x05\x00\x05\x07"),  # UDP ASSOCIATE
            (b"\x05\x01\x00\x05\x01\x00\x09", b"\x05\x00\x05\x08"),  # an address of no known type
            (b"\x05\x01\x00\x05", b"\x05\x00"),  # leaves in the middle
        ],
    )
    async def test_strangers_are_shown_out(self, said: bytes, told: bytes) -> None:
        async with Egress() as egress:
            reader, writer = await asyncio.open_connection(HERE, egress.port)
            writer.write(said)
            writer.write_eof()
            heard = b""
            with contextlib.suppress(ConnectionResetError):
                heard = await asyncio.wait_for(reader.read(), 5)
            assert heard[: len(told)] == told
            writer.close()


class TestUpstream:
    @pytest.mark.parametrize("kind", [ConnectProxy, SocksProxy])
    async def test_every_tunnel_goes_through_the_shops_proxy(
        self, server: WireServer, kind: type[ConnectProxy] | type[SocksProxy]
    ) -> None:
        async with kind() as proxy:
            async with through(url(proxy)) as (_, clients):
                client = await clients.connect("localhost", server.port)
                assert b"200 OK" in await client.get("/list")
            assert proxy.seen == [("localhost", server.port)]  # the name, not an address of ours

    @pytest.mark.parametrize("kind", [ConnectProxy, SocksProxy])
    async def test_a_wrong_password_is_told_but_never_shown(
        self,
        server: WireServer,
        kind: type[ConnectProxy] | type[SocksProxy],
        logged: list[str],
    ) -> None:
        async with kind() as proxy:
            proxy.password = "another"
            secret = "p@ss:w/rd"
            async with through(url(proxy, secret)) as (egress, clients):
                assert (await clients.connect(HERE, server.port)).code != Reply.SUCCEEDED
                told = egress.failure(HERE, server.port) or ""
                assert f"127.0.0.1:{proxy.port}" in told
                for text in [told, repr(egress), *logged]:
                    assert secret not in text
                    assert quote(secret, safe="") not in text
                assert logged
        assert proxy.seen == []

    @pytest.mark.parametrize(
        ("kind", "refuse", "code"),
        [
            (ConnectProxy, 502, Reply.HOST_UNREACHABLE),
            (ConnectProxy, 403, Reply.NOT_ALLOWED),
            (SocksProxy, 5, Reply.CONNECTION_REFUSED),
            (SocksProxy, 4, Reply.HOST_UNREACHABLE),
        ],
    )
    async def test_what_the_proxy_says_is_passed_on(
        self, kind: type[ConnectProxy] | type[SocksProxy], refuse: int, code: Reply
    ) -> None:
        async with kind(refuse=refuse) as proxy, through(url(proxy)) as (_, clients):
            assert (await clients.connect("shop.example", 443)).code == code

    async def test_a_proxy_that_is_away_is_named(self) -> None:
        port = free_port()
        async with through(f"http://shop-1:geheim@127.0.0.1:{port}") as (egress, clients):
            assert (await clients.connect("shop.example", 443)).code == Reply.CONNECTION_REFUSED
            told = egress.failure("shop.example", 443) or ""
        assert f"proxy http://127.0.0.1:{port} cannot be reached" in told
        assert "geheim" not in told

    @pytest.mark.parametrize(
        "bad",
        ["ftp://u:geheim@h:1", "http://u:geheim@host", "u:geheim@h:1", "http://u:geheim@h:x1"],
    )
    def test_an_unusable_url_is_refused_without_repeating_it(self, bad: str) -> None:
        with pytest.raises(ConfigError, match="proxy must be") as caught:
            Egress(bad)
        assert "geheim" not in str(caught.value)
        assert caught.value.__cause__ is None


def url(proxy: ConnectProxy | SocksProxy, password: str | None = None) -> str:
    scheme = "http" if isinstance(proxy, ConnectProxy) else "socks5"
    secret = quote(password or proxy.password, safe="")
    return f"{scheme}://{proxy.username}:{secret}@127.0.0.1:{proxy.port}"


@pytest.fixture
def logged() -> Iterator[list[str]]:
    lines: list[str] = []
    sink = logger.add(lines.append, level=0, backtrace=True, diagnose=True)
    yield lines
    logger.remove(sink)
