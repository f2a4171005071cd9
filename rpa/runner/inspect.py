"""Inspecting a shop's lists: baselines before submits, verdicts after doubt.

One reading of each list serves every unit that needs one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from playwright.async_api import Page

from rpa.config import ShopConfig
from rpa.core.fold import StepView
from rpa.core.judge import baseline_for, combine, judge
from rpa.core.model import Baseline, Carrier, Expected, Matching, Scan, Verdict, VerdictKind
from rpa.core.states import Event
from rpa.errors import ProbeError
from rpa.gate.evidence import Evidence
from rpa.gate.session import ShopSession
from rpa.runner.desk import Desk
from rpa.runner.store import Store, Submit
from rpa.verify.probe import Probe
from rpa.verify.scan import scan

__all__ = ["Inspector", "write_verdict"]

_EVENTS: Final = {
    VerdictKind.LANDED: Event.LANDED,
    VerdictKind.ALTERED: Event.ALTERED,
    VerdictKind.PARTLY: Event.PARTLY,
    VerdictKind.MULTIPLE: Event.MULTIPLE,
    VerdictKind.ABSENT: Event.ABSENT,
    VerdictKind.INCONCLUSIVE: Event.INCONCLUSIVE,
}
_WEAK: Final = (Carrier.FINGERPRINT, Carrier.COUNT)


class Inspector:
    """Holds this run's newest reading of each of a shop's lists."""

    def __init__(
        self,
        shop: ShopConfig,
        store: Store,
        clock: Callable[[], float],
        evidence: Evidence | None = None,
    ) -> None:
        self._shop = shop
        self._store = store
        self._clock = clock
        self._evidence = evidence
        self._scans: dict[str, Scan] = {}
        self._count = 0
        self.pictures: tuple[str, ...] = ()

    def matching(self, probe: Probe) -> Matching:
        """What the store declares of the list, with the shop's own settle time."""
        if self._shop.settle is None:
            return probe.matching
        return replace(probe.matching, settle=self._shop.settle)

    async def read(self, session: ShopSession, probes: Sequence[Probe]) -> None:
        """Read lists anew, and take a picture of each."""
        pictures: list[str] = []

        async def look(page: Page) -> None:
            if self._evidence is not None:
                pictures.extend(await self._evidence.picture(page, f"list-{self._count:03}"))

        for probe in probes:
            self._count += 1
            self._scans[probe.name] = await scan(session, self._store, probe, self._clock, look)
        self.pictures = tuple(pictures)

    def require_whole(self, probes: Sequence[Probe]) -> None:
        """Insist that lists were read whole and of the right shop; no baseline, no submit.

        Raises:
            ProbeError: One was not.
        """
        for probe in probes:
            read = self._scans[probe.name]
            if not read.complete or read.shop != self._shop.identity:
                why = read.reason or f"it belongs to {read.shop!r}"
                raise ProbeError(
                    f"shop {self._shop.name}: the list {probe.name} cannot be trusted: {why}; "
                    "nothing was submitted"
                )

    def weak(self, submit: Submit) -> bool:
        """Say whether a unit needs a baseline of its own."""
        return any(probe.matching.carrier in _WEAK for probe in submit.probes)

    def baselines(self, submit: Submit, carrier: str) -> Mapping[str, Baseline]:
        """Cut a unit's baselines from the newest readings."""
        return {
            probe.name: baseline_for(carrier, self._scans[probe.name], self.matching(probe))
            for probe in submit.probes
        }

    def shown(self, submit: Submit, carrier: str) -> list[str]:
        """Records that already carry this key."""
        cut = self.baselines(submit, carrier)
        return sorted({record for baseline in cut.values() for record in baseline.matching})

    def judge(
        self, submit: Submit, step: StepView, siblings: frozenset[str], known: frozenset[str]
    ) -> Verdict:
        """Judge a step that was armed, by the newest readings of every list it shows in."""
        armed: Mapping[str, Any] = step.last or {}
        first: Mapping[str, Any] = step.first or {}
        expected = Expected(
            shop=self._shop.identity,
            carrier=armed["carrier"],
            fields=armed["shows"],
            since=step.since,
            nothing_left=bool(armed["fail_closed"]) and not step.released,
            absent_at=step.absent_at,
            siblings=siblings,
        )
        return combine(
            [
                judge(
                    expected,
                    Baseline.from_json(first["baselines"][probe.name]),
                    self._scans[probe.name],
                    self.matching(probe),
                    self._clock(),
                    known,
                )
                for probe in submit.probes
            ]
        )

    def taken(self, submit: Submit) -> float:
        """When the oldest of the readings began."""
        return min(self._scans[probe.name].taken for probe in submit.probes)


def write_verdict(desk: Desk, verdict: Verdict, taken: float, pictures: tuple[str, ...]) -> None:
    """Make a verdict part of the journal.

    Args:
        desk: The unit's desk, at the step in question.
        verdict: What was found.
        taken: When the reading began.
        pictures: Pictures of the lists it rests on.
    """
    data: dict[str, Any] = {"why": verdict.why, "records": list(verdict.records)}
    if verdict.kind is VerdictKind.INCONCLUSIVE and verdict.clean:
        data["absent_at"] = taken
    elif verdict.records:
        data["result"] = {"record": verdict.records[0]}
    desk.write(_EVENTS[verdict.kind], data, evidence=pictures)
