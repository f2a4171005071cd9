"""A gated Chromium against a wire server: what the gate's own tests need."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from playwright.async_api import Browser, BrowserContext, async_playwright

from rpa.gate.browser import find_browser, launch_args, without_window
from rpa.gate.egress import Egress
from rpa.gate.gate import SubmitGate
from rpa.gate.rules import RequestSeen, SubmitRule
from rpa.gate.signals import Answer, status

SUBMIT = SubmitRule("submit", "*/submit*", accepted=status(200, 302, 204))


@dataclass
class Notebook:
    """A watcher that only takes notes, in the order things happened."""

    rules: Sequence[SubmitRule] = (SUBMIT,)
    notes: list[tuple[str, str]] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    refuse: Exception | None = None

    def check(self, rule: SubmitRule, request: RequestSeen) -> None:
        self.notes.append(("check", rule.name))

    def release(self, rule: SubmitRule, request: RequestSeen) -> None:
        if self.refuse is not None:
            raise self.refuse
        self.notes.append(("release", rule.name))

    def answer(self, rule: SubmitRule, answer: Answer) -> None:
        self.notes.append(("answer", rule.name))
        self.answers.append(answer)

    def fail(self, error: BaseException) -> None:
        self.notes.append(("fail", str(error)))


@dataclass
class Gated:
    """One gated browser, shared by tests that each get a context of their own."""

    browser: Browser
    gate: SubmitGate
    egress: Egress

    @asynccontextmanager
    async def context(self) -> AsyncIterator[BrowserContext]:
        self.gate.blocked = []
        context = await self.browser.new_context(proxy={"server": self.egress.server_url})
        try:
            yield context
        finally:
            await self.gate.disarm()
            await context.close()
            await self.gate.abandon()

    async def until(self, done: Callable[[], object], seconds: float = 15.0) -> None:
        """Wait until something has happened, and a little longer for what must not follow."""
        end = time.monotonic() + seconds
        while not done() and time.monotonic() < end:  # noqa: ASYNC110 - of many kinds of things
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.4)


@asynccontextmanager
async def gated(rules: Sequence[SubmitRule]) -> AsyncIterator[Gated]:
    """Open a browser the way a shop session does: egress, browser, gate, and only then pages."""
    async with Egress() as egress, async_playwright() as playwright:
        choice = without_window(await find_browser(playwright))
        browser = await playwright.chromium.launch(
            executable_path=choice.executable, channel=choice.channel, args=launch_args()
        )
        gate = SubmitGate("http://127.0.0.1", rules, egress)
        await gate.install(browser)
        yield Gated(browser, gate, egress)
        await browser.close()
