"""One click is one POST on the wire, whatever the page, the browser or the network does.

Every row is a way in which one click became two facts somewhere; see docs/architecture.md, "Gate".
The server counts requests on a bare socket. Each row is also run with the gate shut: then nothing
may arrive, which shows that the row's request is one the gate sees.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from rpa.gate.rules import SubmitRule
from rpa.gate.signals import status
from tests.support.gated import SUBMIT, Gated, Notebook, gated
from tests.support.wire import WireServer, answer, fin, redirect, rst, slow

pytestmark = [pytest.mark.browser, pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

FORM = "<form method=post action=/submit><input name=n value=衣><button id=b>提交</button></form>"
FETCH = (
    "<button id=b onclick=\"fetch('/submit',{method:'POST',body:'n=1'}).catch(()=>0)\">x</button>"
)
BLOB = (
    "<button id=b onclick=\"fetch('/submit',{method:'POST',body:new Blob([new Uint8Array(2e6)])})"
    '.catch(()=>0)">x</button>'
)
MULTIPART = """<button id=b onclick="const f=new FormData();f.append('t','标题');
f.append('p',new Blob([new Uint8Array(1e5)]),'p.png');
fetch('/submit',{method:'POST',body:f}).catch(()=>0)">x</button>"""
RETRY = """<button id=b onclick="(async()=>{for(let i=0;i<3;i++){try{
const r=await fetch('/submit',{method:'POST',body:'n=1'}); if(r.ok)return}catch(e){}}})()">x
</button>"""
POST = "fetch('/submit',{method:'POST',body:'n=1',keepalive:%s})"
WORKER = (
    '<button id=b onclick="for(const i of [1,2]) new Worker(window.URL.createObjectURL(new Blob(['
    "`fetch('${location.origin}/submit',{method:'POST',body:'n=1'})`])))\">x</button>"
)
SHARED = (
    "<button id=b onclick=\"for(const i of [1,2]) new SharedWorker('/shared.js?'+i)\">x</button>"
)
LEAVING = "<script>addEventListener('pagehide',()=>{%s;%s})</script><button id=b>x</button>"

Act = Callable[[Page, BrowserContext], Awaitable[None]]


async def click(page: Page, _: BrowserContext) -> None:
    await page.click("#b", no_wait_after=True)


async def double_click(page: Page, _: BrowserContext) -> None:
    await page.dblclick("#b")


async def click_twice(page: Page, _: BrowserContext) -> None:
    await page.evaluate("b=document.querySelector('#b');b.click();b.click()")


async def enter_twice(page: Page, _: BrowserContext) -> None:
    await page.focus("input[name=n]")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")


async def click_and_reload(page: Page, _: BrowserContext) -> None:
    await page.click("#b")
    await _quietly(page.reload())


async def click_back_and_forth(page: Page, _: BrowserContext) -> None:
    await page.click("#b")
    await _quietly(page.goto(page.url.replace("/submit", "/page")))
    await _quietly(page.go_back())


async def click_in_two_tabs(page: Page, context: BrowserContext) -> None:
    other = await context.new_page()
    await other.goto(page.url)
    await page.click("#b", no_wait_after=True)
    await other.click("#b", no_wait_after=True)


async def click_in_frame(page: Page, _: BrowserContext) -> None:
    for _again in range(2):
        await page.frame_locator("iframe").locator("#b").click(no_wait_after=True)


async def leave(page: Page, _: BrowserContext) -> None:
    await page.goto(page.url.replace("/page", "/other"))


async def _quietly(navigation: Awaitable[object]) -> None:
    with contextlib.suppress(PlaywrightError):  # the gate blocks what would have posted again
        await navigation


ROWS: dict[str, tuple[str, Act]] = {
    "double click, form": (FORM, double_click),
    "double click, fetch": (FETCH, double_click),
    "handler fired twice": (FETCH, click_twice),
    "enter twice": (FORM, enter_twice),
    "reload of the result": (FORM, click_and_reload),
    "goto and back": (FORM, click_back_and_forth),
    "second tab": (FETCH, click_in_two_tabs),
    "iframe": (f'<iframe srcdoc="{FETCH.replace(chr(34), "&quot;")}"></iframe>', click_in_frame),
    "new tab by target": (FORM.replace("<form", "<form target=_blank"), click_twice),
    "form into a frame": (
        FORM.replace("<form", "<form target=f") + "<iframe name=f></iframe>",
        click_twice,
    ),
    "pop-up": (
        "<button id=b onclick=\"window.open('/popup?1');window.open('/popup?2')\">x</button>",
        click,
    ),
    "pop-up, no opener": (
        "<button id=b onclick=\"for(const i of [1,2])window.open('/popup?'+i,'','noopener')\">x"
        "</button>",
        click,
    ),
    "worker": (WORKER, click),
    "shared worker": (SHARED, click),
    "beacon": (
        "<button id=b onclick=\"navigator.sendBeacon('/submit','n=1');"
        "navigator.sendBeacon('/submit','n=1')\">x</button>",
        click,
    ),
    "beacon while leaving": (
        LEAVING % (("navigator.sendBeacon('/submit','n=1')",) * 2),
        leave,
    ),
    "keepalive while leaving": (LEAVING % ((POST % "true",) * 2), leave),
    "ping": ('<a id=b href="/other" ping="/submit /submit">x</a>', click),
    "XHR twice": (
        '<button id=b onclick="for(const i of [1,2]){const x=new XMLHttpRequest();'
        "x.open('POST','/submit');x.send('n=1')}\">x</button>",
        click,
    ),
}


FOLLOW = SubmitRule("follow", "*/follow*", accepted=status(200), follow=True)
CREATE = SubmitRule("create", "*/api", accepted=status(200), body=r"mutation CreateProduct")
UPLOAD = SubmitRule("upload", "*/upload", accepted=status(200), harmless=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Gated]:
    async with gated([SUBMIT, FOLLOW, CREATE, UPLOAD]) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as server:
        server.page("/other", "elsewhere")
        server.page("/popup", f"<script>{POST % 'false'}</script>")
        script = "fetch('/submit',{method:'POST',body:'n=1'})"
        server.on("GET", "/shared.js", answer(200, script, {"Content-Type": "text/javascript"}))
        server.on("POST", "/submit", answer(200, "<h1>好</h1>"))
        yield server


async def _go(context: BrowserContext, server: WireServer, act: Act = click) -> None:
    page = await context.new_page()
    await page.goto(server.url("/page"))
    await act(page, context)


@pytest.mark.parametrize("row", ROWS)
async def test_one_post(browser: Gated, server: WireServer, row: str) -> None:
    html, act = ROWS[row]
    server.page("/page", html)
    async with browser.context() as context:
        await _go(context, server, act)
        await browser.until(lambda: browser.gate.blocked)
        assert browser.gate.blocked, "something tried"
        assert server.count("POST", "/submit") == 0, "shut, the gate lets nothing through"
    watcher = Notebook()
    async with browser.context() as context:
        browser.gate.arm(watcher)
        await _go(context, server, act)
        await browser.until(lambda: watcher.answers)
    told = [("check", "submit"), ("release", "submit"), ("answer", "submit")]
    if row == "enter twice" and not watcher.answers:
        # The second submit of a form cancels the first: its request may be gone before it left,
        # and its answer is told to nobody. That is doubt, and never two.
        assert (server.count("POST", "/submit") <= 1, watcher.notes) == (True, told[:2])
        return
    assert server.count("POST", "/submit") == 1
    assert watcher.notes == told


@pytest.mark.parametrize("code", [307, 308])
@pytest.mark.parametrize("where", ["same", "other"])
@pytest.mark.parametrize("page", [FORM, FETCH], ids=["form", "fetch"])
async def test_redirected_post_is_not_sent_on(
    browser: Gated, server: WireServer, code: int, where: str, page: str
) -> None:
    watcher = Notebook()
    async with WireServer() as elsewhere, browser.context() as context:
        target = elsewhere if where == "other" else server
        target.on("POST", "/again", answer(200, "again"))
        server.on("POST", "/submit", redirect(code, target.url("/again")))
        server.page("/page", page)
        browser.gate.arm(watcher)
        await _go(context, server)
        await browser.until(lambda: watcher.answers)
        assert (server.count("POST", "/submit"), target.count("POST", "/again")) == (1, 0)
    assert [a.status for a in watcher.answers] == [code]


async def test_redirect_is_followed_where_the_rule_says_so(
    browser: Gated, server: WireServer
) -> None:
    server.on("POST", "/follow", redirect(307, "/follow/2"))
    server.on("POST", "/follow/2", answer(200, "landed"))
    server.page("/page", FETCH.replace("/submit", "/follow"))
    watcher = Notebook(rules=[FOLLOW])
    async with browser.context() as context:
        browser.gate.arm(watcher)
        await _go(context, server)
        await browser.until(lambda: watcher.answers)
    assert (server.count("POST", "/follow"), server.count("POST", "/follow/2")) == (1, 1)
    assert [(a.status, a.body) for a in watcher.answers] == [(200, "landed")]


GONE = {"fin": fin(), "fin after 1 s": fin(1.0), "rst": rst(), "rst after 1 s": rst(1.0)}
PAGES = {"form": FORM, "fetch": FETCH, "2 MB": BLOB, "multipart": MULTIPART, "retry loop": RETRY}


@pytest.mark.parametrize(
    "gone", [pytest.param(n, marks=[pytest.mark.long] if "1 s" in n else []) for n in GONE]
)
@pytest.mark.parametrize("page", PAGES)
async def test_reused_connection_closed_without_an_answer(
    browser: Gated, server: WireServer, page: str, gone: str
) -> None:
    server.page("/page", PAGES[page])
    server.on("POST", "/submit", GONE[gone])
    watcher = Notebook()
    async with browser.context() as context:
        browser.gate.arm(watcher)
        await _go(context, server)
        await browser.until(lambda: watcher.answers)
    assert server.count("POST", "/submit") == 1
    assert [a.status for a in watcher.answers] == [None], "no answer is told as no answer"


@pytest.mark.parametrize("code", [408, 421, 425, 429, 500, 502, 503, 504])
async def test_status_that_browsers_or_pages_retry(
    browser: Gated, server: WireServer, code: int
) -> None:
    server.page("/page", RETRY)
    server.on("POST", "/submit", answer(code, "later"))
    watcher = Notebook()
    async with browser.context() as context:
        browser.gate.arm(watcher)
        await _go(context, server)
        await browser.until(lambda: len(browser.gate.blocked) == 2)
    assert server.count("POST", "/submit") == 1


async def test_graphql_query_passes_and_the_mutation_leaves_once(
    browser: Gated, server: WireServer
) -> None:
    call = "fetch('/api',{method:'POST',body:JSON.stringify({query:'%s { x }'})})"
    server.on("POST", "/api", answer(200, "{}"))
    mutation = call % "mutation CreateProduct"
    query = call % "query Products"
    server.page("/page", f'<button id=b onclick="{query};{mutation};{mutation};{query}">x</button>')
    async with browser.context() as context:
        browser.gate.arm(Notebook(rules=[CREATE]))
        await _go(context, server)
        await browser.until(lambda: server.count("POST", "/api") == 3)
    bodies = [r.body.decode() for r in server.received("POST", "/api")]
    assert sum("mutation" in body for body in bodies) == 1
    assert sum("query Products" in body for body in bodies) == 2


async def test_nothing_leaves_when_the_release_cannot_be_written(
    browser: Gated, server: WireServer
) -> None:
    server.page("/page", FORM)
    watcher = Notebook(refuse=OSError("磁盘已满"))
    async with browser.context() as context:
        browser.gate.arm(watcher)
        await _go(context, server)
        await browser.until(lambda: browser.gate.blocked)
    assert server.count("POST", "/submit") == 0
    assert watcher.notes == [("check", "submit"), ("fail", "磁盘已满")]


async def test_disarmed_means_blocked(browser: Gated, server: WireServer) -> None:
    late = FETCH.replace("fetch(", "setTimeout(()=>fetch(").replace(".catch(()=>0)", ",500)")
    server.page("/page", late)
    async with browser.context() as context:
        browser.gate.arm(Notebook())
        await _go(context, server)
        assert await browser.gate.disarm(), "the browser confirms that the gate is shut"
        await browser.until(lambda: browser.gate.blocked)
        assert browser.gate.blocked
    assert server.count("POST", "/submit") == 0


async def test_answer_cut_short_is_no_whole_answer(browser: Gated, server: WireServer) -> None:
    server.page("/page", FETCH)
    server.on("POST", "/submit", answer(200, "<html>half", {"Connection": "close"}, length=5000))
    watcher = Notebook()
    async with browser.context() as context:
        browser.gate.arm(watcher)
        await _go(context, server)
        await browser.until(lambda: watcher.answers)
    assert [(a.status, a.body) for a in watcher.answers] == [(200, None)]


async def test_two_requests_of_one_step_leave_once_each(browser: Gated, server: WireServer) -> None:
    server.on("POST", "/upload", slow(0.2, answer(200, "{}")))
    chain = (
        "fetch('/upload',{method:'POST',body:'p'})"
        ".then(()=>fetch('/submit',{method:'POST',body:'n'}))"
    )
    server.page("/page", f'<button id=b onclick="{chain};{chain}">x</button>')
    watcher = Notebook(rules=[UPLOAD, SUBMIT])
    async with browser.context() as context:
        browser.gate.arm(watcher)
        await _go(context, server)
        await browser.until(lambda: len(watcher.answers) == 2)
    assert (server.count("POST", "/upload"), server.count("POST", "/submit")) == (1, 1)
