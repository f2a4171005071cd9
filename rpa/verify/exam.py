"""The probe exam: a probe is believed about absence only once it has shown that it would notice.

The shop's own list is read once as it is and then with one thing wrong at a time: logged out, an
empty page, hooks that were renamed, an answer cut in half. The first reading must be whole and
show a record; every other must say that it cannot tell. A probe that reports a whole, empty list
from a page with broken hooks would some day prove an absence that is none.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Self

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Route

from rpa.core.judge import baseline_for, judge
from rpa.core.model import Expected, RowStatus, Scan, VerdictKind
from rpa.gate.session import ShopSession
from rpa.verify.probe import Probe
from rpa.verify.scan import IdentityReader, read_list

__all__ = ["Certificate", "examine"]

_NO_SUCH_KEY: Final = "rpa-exam-no-such-key-7f3a91"
_PATIENCE: Final = 4_000  # milliseconds a probe waits for a list that will never come
_HOOKS: Final = re.compile(
    rb"(<table|<tr|<td|</table|</tr|</td|\bclass=|\bid=|\bdata-|\brole=)", re.I
)
_RENAMED: Final = {b"<table": b"<div", b"<tr": b"<p", b"<td": b"<i"}

Clock = Callable[[], float]


@dataclass(frozen=True)
class Certificate:
    """What an exam found.

    Attributes:
        probe: The probe's name.
        version: Digest of the probe's source and declarations; another version, another exam.
        shop: The identity it was examined on.
        failures: What went wrong, by question; empty if it passed.
    """

    probe: str
    version: str
    shop: str
    failures: dict[str, str]

    @property
    def passed(self) -> bool:
        """Whether the probe may be believed."""
        return not self.failures

    def save(self, path: Path) -> None:
        """Keep it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, path: Path, probe: Probe, shop: str) -> Self | None:
        """Read one back, if it is for this version of the probe and this shop."""
        try:
            kept = cls(**json.loads(path.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None
        return kept if (kept.version, kept.shop) == (version_of(probe), shop) else None


def version_of(probe: Probe) -> str:
    """Digest what a probe's belief rests on: its store's sources, pages too, and its matching."""
    file = inspect.getsourcefile(type(probe))
    sources = sorted(Path(file).parent.glob("*.py")) if file else []
    # The order in which a set is printed changes from process to process.
    declared = (replace(probe.matching, normalise=str, tabs=frozenset()), *probe.matching.tabs)
    digest = hashlib.sha256("".join(sorted(map(repr, declared))).encode())
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


async def examine(
    session: ShopSession, store: IdentityReader, probe: Probe, clock: Clock
) -> Certificate:
    """Put a probe to the exam on a shop's real list. Reads only."""
    failures: dict[str, str] = {}
    whole = await _read(session, store, probe, clock)
    _ask_whole(whole, probe, session.shop.identity, clock(), failures)
    for question, spoil in (
        ("logged out", None),
        ("empty page", _blank),
        ("renamed hooks", _rename_hooks),
        ("cut answer", _cut),
    ):
        spoilt = await _read(session, store, probe, clock, spoil, anonymous=spoil is None)
        if spoilt.complete and (spoil in (None, _blank) or spoilt.rows != whole.rows):
            failures[question] = f"it read {len(spoilt.rows)} rows and called them the whole list"
    return Certificate(probe.name, version_of(probe), session.shop.identity, failures)


def _ask_whole(whole: Scan, probe: Probe, shop: str, now: float, failures: dict[str, str]) -> None:
    """The questions about the list as it is: is it whole, is a known record found, a random not?"""
    if whole.shop != shop:
        failures["identity"] = f"the list belongs to {whole.shop!r}"
    if not whole.complete:
        failures["whole list"] = whole.reason or "not read to its end"
    live = [row for row in whole.rows if row.status is RowStatus.LIVE]
    if not live:
        failures["known record"] = "the list shows none; create one record by hand first"
        return
    before = replace(
        whole,
        rows=tuple(row for row in whole.rows if row is not live[0]),
        total=None if whole.total is None else whole.total - 1,
    )
    for question, carrier, wanted in (
        ("known record", live[0].carrier, VerdictKind.LANDED),
        ("random key", _NO_SUCH_KEY, VerdictKind.ABSENT),
    ):
        expected = Expected(shop=shop, carrier=carrier, since=0.0, nothing_left=True)
        baseline = baseline_for(carrier, before, probe.matching)
        verdict = judge(expected, baseline, whole, probe.matching, now)
        weak = wanted is VerdictKind.ABSENT and verdict.kind is VerdictKind.INCONCLUSIVE
        if verdict.kind is not wanted and not weak:
            failures[question] = f"{verdict.kind}: {verdict.why}"


async def _read(
    session: ShopSession,
    store: IdentityReader,
    probe: Probe,
    clock: Clock,
    spoil: Callable[[Route], Awaitable[None]] | None = None,
    *,
    anonymous: bool = False,
) -> Scan:
    async with session.fresh_page(anonymous=anonymous) as page:
        if spoil is not None:
            await page.route("**/*", _only_lists(spoil))
        if spoil is not None or anonymous:
            _hurry(page)
        return await read_list(page, store, probe, clock)


def _hurry(page: Page) -> None:
    page.set_default_timeout(_PATIENCE)


def _only_lists(spoil: Callable[[Route], Awaitable[None]]) -> Callable[[Route], Awaitable[None]]:
    """Spoil documents and data, and leave styles, scripts and pictures as they are."""

    async def handle(route: Route) -> None:
        kind = route.request.resource_type
        try:
            if kind in ("document", "xhr", "fetch"):
                await spoil(route)
            else:
                await route.continue_()
        except PlaywrightError:
            await route.abort()

    return handle


async def _blank(route: Route) -> None:
    await route.fulfill(status=200, content_type="text/html", body="<!doctype html><title></title>")


async def _rename_hooks(route: Route) -> None:
    response = await route.fetch()

    def renamed(found: re.Match[bytes]) -> bytes:
        hook = found.group(1)
        return _RENAMED.get(hook.lower(), hook[:2] + b"x-" + hook[2:])

    await route.fulfill(response=response, body=_HOOKS.sub(renamed, await response.body()))


async def _cut(route: Route) -> None:
    response = await route.fetch()
    body = await response.body()
    await route.fulfill(response=response, body=body[: len(body) // 2])
