"""The submit gate: the only place where a submit can leave.

Theory of operation. A browser-level CDP ``Fetch`` session is opened before the browser's first
page exists, and stays open for the browser's life. It pauses every request that matches a submit
rule of the store, whatever page, frame, worker or beacon sends it. Nothing that matches gets past
unless an attempt is armed for exactly that rule and has not used it yet; "disarmed" means blocked.

When the armed attempt's request comes by, three things happen in this order: the egress cuts every
connection to the host (Chromium silently resends a POST when a *reused* connection dies before an
answer, so there must be none to reuse), the watcher makes ``released`` durable, and only then the
request continues. The answer is paused too: the watcher makes it durable before the page sees it.

A handler never decides what an answer means; it tells the watcher. Measured facts behind this
(Playwright 1.65, Chromium 156): ``context.route`` leaks pagehide beacons, shared workers and 307
follow-ups, and a request that is merely held is released by Chromium when our process dies, which
is why the armed record is written before the click and not here.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import urljoin, urlsplit

from loguru import logger
from playwright.async_api import Browser, CDPSession
from playwright.async_api import Error as PlaywrightError

from rpa.gate.egress import Egress
from rpa.gate.rules import RequestSeen, SubmitRule
from rpa.gate.signals import Answer
from rpa.journal.base import Reach, nowhere

__all__ = ["SubmitGate", "Watcher"]

_NOTHING = "http://never.invalid/*"
_BODY_WAIT = 30.0  # seconds for a body whose headers have arrived


class Watcher(Protocol):
    """The one armed attempt, as the gate sees it."""

    @property
    def rules(self) -> Sequence[SubmitRule]:
        """The requests this attempt may send, each once."""

    def check(self, rule: SubmitRule, request: RequestSeen) -> None:
        """Refuse a request that belongs to another shop.

        Raises:
            WrongShop: It does; nothing leaves.
        """

    def release(self, rule: SubmitRule, request: RequestSeen) -> None:
        """Make the release durable. Whatever it raises, the request does not leave."""

    def answer(self, rule: SubmitRule, answer: Answer) -> None:
        """Make the answer durable."""

    def fail(self, error: BaseException) -> None:
        """Take an error that happened in a handler."""


class SubmitGate:
    """Holds back every submit of one browser, and lets one through per armed rule."""

    def __init__(
        self,
        origin: str,
        rules: Iterable[SubmitRule],
        egress: Egress | None,
        reach: Reach = nowhere,
    ) -> None:
        self._origin = origin
        self._rules = tuple(rules)
        self._egress = egress
        self._reach = reach
        self._cdp: CDPSession | None = None
        self._watcher: Watcher | None = None
        self._used: dict[str, str] = {}  # rule name → network id of the request that left
        # Whose request left and has no answer yet; it is told the answer even when disarmed since.
        self._flying: dict[str, Watcher] = {}
        self._guarded: set[tuple[str, int]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.blocked: list[str] = []

    async def install(self, browser: Browser) -> None:
        """Close the gate. Call before the browser's first page exists."""
        self._cdp = await browser.new_browser_cdp_session()
        self._cdp.on("Fetch.requestPaused", self._on_paused)
        globs = sorted({glob for rule in self._rules for glob in rule.globs(self._origin)})
        patterns = [
            {"urlPattern": glob, "requestStage": stage}
            for glob in globs or [_NOTHING]
            for stage in ("Request", "Response")
        ]
        await self._cdp.send("Fetch.enable", {"patterns": patterns})

    def arm(self, watcher: Watcher) -> None:
        """Let each of the watcher's rules through once."""
        self._watcher = watcher
        self._used, self._flying = {}, {}
        self.blocked = []

    async def disarm(self) -> bool:
        """Block everything again.

        Returns:
            Whether the browser answered afterwards, so that nothing armed can still be on its way.
        """
        self._watcher = None
        if self._cdp is None:
            return False
        try:
            async with asyncio.timeout(5):
                await self._cdp.send("Target.getTargets")
                await asyncio.gather(*self._tasks, return_exceptions=True)
        except (PlaywrightError, TimeoutError):
            return False
        return True

    async def gone(self) -> bool:
        """Say whether the browser, or the driver between us and it, is gone for good."""
        if self._cdp is None:
            return False
        for _ in range(2):  # the first call after an error in a listener raises that error
            with contextlib.suppress(PlaywrightError):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(5):
                        await self._cdp.send("Browser.getVersion")
                return False  # it answered, or is only slow
        return True

    def cut(self) -> None:
        """Cut what was released and not answered, and keep its host closed."""
        for host, port in self._guarded:
            if self._egress is not None:
                self._egress.cut(host, port)

    async def abandon(self) -> None:
        """Give a released request up, and open its host again once Chromium repeats it no more."""
        for host, port in self._guarded:
            if self._egress is not None:
                await self._egress.abandon(host, port)
        self._guarded.clear()

    def _reopen(self) -> None:
        """Let pages reach the submit's host again; every released request has its answer."""
        for host, port in self._guarded:
            if self._egress is not None:
                self._egress.unguard(host, port)
        self._guarded.clear()

    def _on_paused(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._handle(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _handle(self, event: dict[str, Any]) -> None:
        try:
            if "responseStatusCode" in event or "responseErrorReason" in event:
                await self._on_response(event)
            else:
                await self._on_request(event)
        except PlaywrightError as error:
            # The browser or the page went away under the handler. The attempt's deadline or the
            # browser's death tells the walk; there is nothing left here to hold.
            logger.debug("gate handler ended: {}", error.message.splitlines()[0])

    async def _on_request(self, event: Mapping[str, Any]) -> None:
        request = _request_seen(event)
        rule = self._rule_of(request)
        if rule is None:
            await self._send("Fetch.continueRequest", event)
            return
        watcher = self._watcher
        hop = self._used.get(rule.name) == event.get("networkId", "")
        if hop and rule.follow and "redirectedRequestId" in event:
            await self._send("Fetch.continueRequest", event)
        elif watcher is not None and rule in watcher.rules and rule.name not in self._used:
            await self._release(watcher, rule, request, event)
        else:
            await self._block(f"{request.method} {request.url}", event)

    async def _release(
        self, watcher: Watcher, rule: SubmitRule, request: RequestSeen, event: Mapping[str, Any]
    ) -> None:
        self._used[rule.name] = event.get("networkId", event["requestId"])
        try:
            watcher.check(rule, request)
            self._reach("gate.paused")
            self._guard(request.url)
            watcher.release(rule, request)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, nothing may leave
            await self._block(f"{request.method} {request.url}: {error}", event)
            watcher.fail(error)
            return
        self._flying[rule.name] = watcher
        self._reach("gate.released")
        await self._send("Fetch.continueRequest", event)
        self._reach("gate.continued")

    async def _on_response(self, event: Mapping[str, Any]) -> None:
        rule = self._rule_of(_request_seen(event))
        watcher = self._flying.get(rule.name) if rule is not None else None
        if rule is None or watcher is None:
            await self._send("Fetch.continueRequest", event)
            return
        hop = event.get("responseStatusCode") in (307, 308)
        if hop and rule.follow:
            await self._send("Fetch.continueRequest", event)
            return
        answer = await self._read(event)
        self._reach("gate.answer_seen")
        try:
            watcher.answer(rule, answer)
        except Exception as error:  # noqa: BLE001 - the page may go on, the walk must know
            watcher.fail(error)
        self._reach("gate.answer_kept")
        self._flying.pop(rule.name, None)
        if not self._flying:
            self._reopen()
        if hop:
            await self._block(f"redirect to {answer.location}", event)
        else:
            await self._send("Fetch.continueRequest", event)

    async def _read(self, event: Mapping[str, Any]) -> Answer:
        """Read an answer that the page has not seen yet."""
        status = event.get("responseStatusCode")
        if status is None:
            return Answer(None, error=event["responseErrorReason"])
        headers = {h["name"].lower(): h["value"] for h in event.get("responseHeaders", [])}
        location = headers.get("location")
        if location is not None:
            location = urljoin(event["request"]["url"], location)
        body = None if 300 <= status < 400 else await self._body(event, headers)
        return Answer(status, location, body)

    async def _body(self, event: Mapping[str, Any], headers: Mapping[str, str]) -> str | None:
        """The whole body's text; None where it did not arrive whole."""
        with contextlib.suppress(PlaywrightError, TimeoutError):
            async with asyncio.timeout(_BODY_WAIT):
                read = await self._send("Fetch.getResponseBody", event)
            raw = base64.b64decode(read["body"]) if read["base64Encoded"] else read["body"].encode()
            declared = headers.get("content-length", "")
            cut = declared.isdigit() and len(raw) < int(declared)
            if not cut or "content-encoding" in headers:
                return raw.decode("utf-8", "replace")
        return None

    async def _block(self, what: str, event: Mapping[str, Any]) -> None:
        self.blocked.append(what)
        logger.warning("gate blocked {}", what)
        await self._send("Fetch.failRequest", event, errorReason="BlockedByClient")

    async def _send(self, method: str, event: Mapping[str, Any], **more: str) -> dict[str, Any]:
        if self._cdp is None:
            raise RuntimeError("the gate is not installed")
        answer: dict[str, Any] = await self._cdp.send(
            method, {"requestId": event["requestId"], **more}
        )
        return answer

    def _guard(self, url: str) -> None:
        if self._egress is None:
            return
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        self._guarded.add((host, port))
        self._egress.guard(host, port)

    def _rule_of(self, request: RequestSeen) -> SubmitRule | None:
        return next((rule for rule in self._rules if rule.matches(request, self._origin)), None)


def _request_seen(event: Mapping[str, Any]) -> RequestSeen:
    request = event["request"]
    parts = (
        base64.b64decode(entry.get("bytes", "")).decode("utf-8", "replace")
        for entry in request.get("postDataEntries", [])
    )
    body = "".join(parts) or request.get("postData", "")
    return RequestSeen(request["method"], request["url"] + request.get("urlFragment", ""), body)
