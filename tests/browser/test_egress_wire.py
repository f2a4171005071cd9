"""Chromium through the egress: one click is one POST on the wire, whatever happens to it.

Chromium repeats a POST by itself. Every case is therefore run twice: *bare*, without the egress,
where the wire must show the repetition (else the case proves nothing), and *guarded*.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import pytest
import pytest_asyncio
import trustme
from playwright.async_api import Browser, FilePayload, Page, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from rpa.gate.browser import find_browser, launch_args
from rpa.gate.egress import Egress
from tests.support.proxies import SocksProxy
from tests.support.wire import Behaviour, WireServer, answer, fin, hang, rst, sequence

pytestmark = [
    pytest.mark.browser,
    pytest.mark.wire,
    pytest.mark.long,
    pytest.mark.asyncio(loop_scope="module"),
]

HERE = "127.0.0.1"
SEND = "fetch('/submit', {method: 'POST', body: BODY})"
PAGE = f"""
<form method=post action=/submit><input name=名称 value=蓝色杯子><button>form</button></form>
<form method=post action=/submit enctype=multipart/form-data><input type=file name=图片>
  <button>upload</button></form>
<button onclick="{SEND.replace("BODY", "'名称=杯子'")}">fetch</button>
<button onclick="{SEND.replace("BODY", "new Blob([new Uint8Array(2e6)])")}">large</button>
<button onclick="{SEND.replace("BODY", "'x'")}; for (let i = 0; i < 4; i++) fetch('/noise?' + i)">
  busy</button>
<button onclick="fetch('/noise').then(() => {SEND.replace("BODY", "'x'")})">reused</button>
"""


@dataclass
class Wire:
    """One page on one server, bare or through an egress, and a hook around its submit."""

    server: WireServer
    page: Page
    egress: Egress | None
    outcome: asyncio.Future[int | str] = field(default_factory=asyncio.Future)

    async def submit(self, how: str) -> int | str:
        """Click, and wait until Chromium has an answer (its status) or gives up (its error)."""
        if how == "upload":
            picture = FilePayload(name="图.png", mimeType="image/png", buffer=b"\x89PNG" * 30_000)
            await self.page.set_input_files("input[type=file]", picture)
        with contextlib.suppress(PlaywrightError):  # a form waits for a page that may not come
            await self.page.get_by_role("button", name=how, exact=True).click(timeout=10_000)
        outcome = await asyncio.wait_for(asyncio.shield(self.outcome), 15)
        await asyncio.sleep(0.3)  # a repetition would follow at once
        return outcome

    @property
    def posts(self) -> int:
        return self.server.count("POST", "/submit")

    async def on_paused(self, send: Callable[..., Any], event: dict[str, Any]) -> None:
        if "responseStatusCode" in event or "responseErrorReason" in event:
            if self.egress:
                self.egress.unguard(HERE, self.server.port)
            if not self.outcome.done():
                status = event.get("responseStatusCode")
                self.outcome.set_result(status or event["responseErrorReason"])
        elif self.egress:
            self.egress.guard(HERE, self.server.port)
        await send("Fetch.continueRequest", {"requestId": event["requestId"]})


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def playwright() -> AsyncIterator[Playwright]:
    async with async_playwright() as driver:
        yield driver


@contextlib.asynccontextmanager
async def launched(playwright: Playwright, args: list[str]) -> AsyncIterator[Browser]:
    choice = await find_browser(playwright)
    browser = await playwright.chromium.launch(
        executable_path=choice.executable, channel=choice.channel, args=args
    )
    try:
        yield browser
    finally:
        await browser.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(playwright: Playwright) -> AsyncIterator[Browser]:
    async with launched(playwright, launch_args()) as browser:
        yield browser


@contextlib.asynccontextmanager
async def opened(
    browser: Browser, behaviour: Behaviour, *, guarded: bool, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Wire]:
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(WireServer(tls=tls))
        server.page("/form", PAGE)
        server.on("GET", "/noise", answer(200, "x"))
        server.on("POST", "/submit", behaviour)
        egress = await stack.enter_async_context(Egress()) if guarded else None
        cdp = await browser.new_browser_cdp_session()
        stack.push_async_callback(cdp.detach)
        context = await browser.new_context(
            proxy={"server": egress.server_url} if egress else None, ignore_https_errors=True
        )
        stack.push_async_callback(context.close)
        wire = Wire(server, await context.new_page(), egress)
        handlers: set[asyncio.Task[None]] = set()

        def on_paused(event: dict[str, Any]) -> None:
            handlers.add(asyncio.ensure_future(wire.on_paused(cdp.send, event)))

        cdp.on("Fetch.requestPaused", on_paused)
        stages = [{"urlPattern": "*/submit", "requestStage": s} for s in ("Request", "Response")]
        await cdp.send("Fetch.enable", {"patterns": stages})
        await wire.page.goto(server.url("/form"))
        yield wire
        await asyncio.gather(*handlers)


LOSSES: dict[str, Callable[[], Behaviour]] = {
    "fin": fin,
    "rst": rst,
    "fin-after-1s": lambda: fin(1.0),
    "fin-then-200": lambda: sequence(fin(), answer(200, "完")),
    "408": lambda: answer(408),
    "421": lambda: answer(421),
}


@pytest.mark.parametrize(
    ("how", "loss"),
    [(how, loss) for how in ("form", "fetch") for loss in LOSSES]
    + [("upload", "fin"), ("upload", "rst"), ("large", "fin"), ("large", "rst"), ("large", "421")],
)
async def test_one_click_is_one_post(browser: Browser, how: str, loss: str) -> None:
    async with opened(browser, LOSSES[loss](), guarded=False) as bare:
        await bare.submit(how)
        assert bare.posts == 2, "Chromium no longer repeats this; the case proves nothing"
    async with opened(browser, LOSSES[loss](), guarded=True) as wire:
        outcome = await wire.submit(how)
        assert wire.posts == 1
        assert outcome == (408 if loss == "408" else "Failed")


@pytest.mark.parametrize("loss", LOSSES)
async def test_one_click_is_one_post_beside_other_requests(browser: Browser, loss: str) -> None:
    """They open connections of their own after the cut, and leave them idle for a repetition."""
    for _ in range(2):
        async with opened(browser, LOSSES[loss](), guarded=True) as wire:
            await wire.submit("busy")
            assert wire.posts == 1


@pytest.mark.parametrize("loss", LOSSES)
async def test_one_click_is_one_post_on_a_connection_reused_after_the_cut(
    browser: Browser, loss: str
) -> None:
    async with opened(browser, LOSSES[loss](), guarded=True) as wire:
        assert wire.egress is not None
        wire.egress.guard(HERE, wire.server.port)  # earlier than the release, as a race would
        wire.on_paused = without_guard(wire)  # type: ignore[method-assign]
        assert await wire.submit("reused") == "Failed"
        (post,) = wire.server.received("POST", "/submit")
        assert post.nth > 1, "the connection was not reused; the case proves nothing"


def without_guard(wire: Wire) -> Callable[..., Any]:
    handle = wire.on_paused

    async def on_paused(send: Callable[..., Any], event: dict[str, Any]) -> None:
        if "responseStatusCode" in event or "responseErrorReason" in event:
            await handle(send, event)
        else:
            await send("Fetch.continueRequest", {"requestId": event["requestId"]})

    return on_paused


@pytest.mark.parametrize("loss", ["fin", "rst", "421"])
@pytest.mark.parametrize("how", ["form", "busy"])
async def test_one_click_is_one_post_over_tls(browser: Browser, how: str, loss: str) -> None:
    """A certificate nobody knows: Chromium drops the first connection after the handshake.

    Such an end must not count as the submit's.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert(HERE).configure_cert(context)
    async with opened(browser, LOSSES[loss](), guarded=True, tls=context) as wire:
        await wire.submit(how)
        assert wire.posts == 1


async def test_an_answer_is_an_answer_and_the_page_goes_on(browser: Browser) -> None:
    async with opened(browser, answer(200, "<h1>已提交</h1>"), guarded=True) as wire:
        assert await wire.submit("form") == 200
        assert await wire.page.get_by_role("heading").inner_text() == "已提交"
        await wire.page.goto(wire.server.url("/form"))
        assert wire.posts == 1


async def test_after_a_loss_the_shop_can_be_read_again(browser: Browser) -> None:
    async with opened(browser, fin(), guarded=True) as wire:
        await wire.submit("fetch")
        response = await wire.page.goto(wire.server.url("/form"))
        assert response is not None
        assert response.ok
        assert wire.posts == 1


@pytest.mark.parametrize(("abandoned", "posts"), [(False, 2), (True, 1)])
async def test_an_abandoned_submit_is_not_repeated(
    browser: Browser, abandoned: bool, posts: int
) -> None:
    """Cutting an unanswered submit and lifting the guard at once makes Chromium repeat it."""
    async with opened(browser, hang(), guarded=True) as wire:
        egress, port = wire.egress, wire.server.port
        assert egress is not None
        egress.guard(HERE, port)
        wire.on_paused = without_guard(wire)  # type: ignore[method-assign]
        await wire.page.get_by_role("button", name="reused").click()
        await asyncio.sleep(0.7)
        assert wire.posts == 1
        if abandoned:
            await egress.abandon(HERE, port)
        else:
            egress.cut(HERE, port)
            egress.unguard(HERE, port)
        await asyncio.sleep(0.7)
        await wire.page.goto(wire.server.url("/form"))
        assert wire.posts == posts


async def test_nothing_sent_is_proven_by_the_egress_not_the_browser(browser: Browser) -> None:
    """Chromium says `Failed` for everything that goes wrong behind a SOCKS proxy."""
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        port = probe.getsockname()[1]
    async with Egress() as egress:
        context = await browser.new_context(proxy={"server": egress.server_url})
        page = await context.new_page()
        for host, at in ((HERE, port), ("店铺.invalid", 80)):
            name = host.encode("idna").decode()
            egress.guard(name, at)
            with pytest.raises(PlaywrightError, match="ERR_SOCKS_CONNECTION_FAILED"):
                await page.goto(f"http://{host}:{at}/")
            assert egress.sent(name, at) == 0
            told = egress.failure(name, at)
            assert told is not None
            assert f"{name}:{at} cannot be reached" in told
        await context.close()


async def test_the_browser_talks_to_the_shop_only(browser: Browser) -> None:
    """A form with a password is what Chromium likes to tell its autofill server about."""
    async with WireServer() as server, SocksProxy() as proxy:
        server.page("/login", "<form>用户名<input name=user>密码<input type=password></form>")
        upstream = f"socks5://{proxy.username}:{quote(proxy.password, safe='')}@{HERE}:{proxy.port}"
        async with Egress(upstream) as egress:
            context = await browser.new_context(proxy={"server": egress.server_url})
            page = await context.new_page()
            await page.goto(server.url("/login"))
            await page.fill("input[type=password]", "口令")
            await asyncio.sleep(1.5)
            await context.close()
        assert set(proxy.seen) == {(HERE, server.port)}


async def test_a_frozen_egress_lets_nothing_out(browser: Browser) -> None:
    async with opened(browser, answer(200), guarded=True) as wire:
        assert wire.egress is not None
        wire.egress.freeze()
        assert await wire.submit("fetch") == "Failed"
        assert wire.posts == 0


class _Udp(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.datagrams = 0

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.datagrams += 1


@pytest.mark.parametrize("ours", [True, False])
async def test_webrtc_does_not_pass_the_egress_by(playwright: Playwright, ours: bool) -> None:
    args = [arg for arg in launch_args() if ours or "webrtc" not in arg]
    loop = asyncio.get_running_loop()
    transport, stun = await loop.create_datagram_endpoint(_Udp, local_addr=(HERE, 0))
    port = transport.get_extra_info("sockname")[1]
    async with Egress() as egress, launched(playwright, args) as browser:
        context = await browser.new_context(proxy={"server": egress.server_url})
        page = await context.new_page()
        await page.evaluate(
            """async (url) => {
                const peer = new RTCPeerConnection({iceServers: [{urls: url}]});
                peer.createDataChannel('x');
                await peer.setLocalDescription(await peer.createOffer());
                await new Promise(done => setTimeout(done, 1500));
            }""",
            f"stun:{HERE}:{port}",
        )
        await context.close()
    transport.close()
    assert (stun.datagrams == 0) is ours
