"""Settling doubts: wait until absence may be believed, read the lists, judge, write it down.

Theory of operation. A suspect is a unit whose submit may have landed. All of a shop's suspects are
judged by the same readings. What is there is there: a landing is believed at once. Absence is
believed only after the settle time and a second reading, so a round that finds nothing waits and
reads again; a round that cannot be trusted ends with the unit held. The rounds are bounded: a run
never waits for ever, it ends with units held and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from loguru import logger
from playwright.async_api import Error as PlaywrightError

from rpa.core.fold import StepView, UnitView
from rpa.core.model import Verdict, VerdictKind
from rpa.core.states import Status, SubmitState
from rpa.errors import Conflict, StoreDown
from rpa.runner.batch import Planned
from rpa.runner.bench import Workbench
from rpa.runner.inspect import Inspector, write_verdict
from rpa.runner.plan import suspects, unit_of
from rpa.runner.retrying import retrying
from rpa.runner.store import Submit
from rpa.runner.trust import Trust

__all__ = ["Settler"]

_ROUNDS: Final = 4
_READINGS: Final = 3  # browsers that may die over one reading


class Settler:
    """Settles one shop's doubts.

    Args:
        bench: The shop's workbench.
        inspector: Reads its lists.
        trust: Says whether a probe may be believed when it finds nothing.
        batch: The batch's units, for the keys a suspect must not be confused with.
    """

    def __init__(
        self, bench: Workbench, inspector: Inspector, trust: Trust, batch: list[Planned]
    ) -> None:
        self._bench = bench
        self._inspector = inspector
        self._trust = trust
        self._batch = batch

    async def rounds(self) -> None:
        """Settle what can be settled, waiting no longer than the store's settle times ask for."""
        for _ in range(_ROUNDS):
            waiting = suspects(self._bench)
            if not waiting:
                return
            seconds = max(self._wait_for(view) for view in waiting)
            self._bench.phase(f"{len(waiting)} in doubt; reading the list again in {seconds:.0f} s")
            await self._bench.pause(seconds)
            if self._bench.stopping.is_set():
                return
            await self._come_in()
            await self.read()
            if not await self.judge_suspects():
                return

    async def _come_in(self) -> None:
        """Log in again where the session has ended: what puts a submit in doubt may end it too.

        A store that does not answer is left for the reading to say, which then proves nothing.
        """
        with suppress(StoreDown, PlaywrightError):
            async for attempt in retrying(self._bench.sleep):
                with attempt:
                    await self._bench.keeper.enter_again()

    async def read(self) -> None:
        """Read every list the flow's submits show in."""
        self._bench.phase("reading the shop's list")
        probes = {p.name: p for s in self._bench.submits().values() for p in s.probes}
        for _ in range(_READINGS):
            session = await self._bench.keeper.live()
            self._bench.reach("list.reading")
            await self._inspector.read(session, list(probes.values()))
            if await session.lives():
                return  # else the browser died over it, and nothing was read

    async def judge_suspects(self) -> bool:
        """Judge every suspect by the newest readings.

        Returns:
            Whether another reading may settle more.
        """
        more = False
        for view in suspects(self._bench):
            step = view.doubtful
            if step is None:
                continue
            verdict = await self._judge(view, step)
            more |= verdict.kind is VerdictKind.INCONCLUSIVE and verdict.clean
            self._write(view, step, verdict)
        return more

    def look_again(self, view: UnitView) -> bool:
        """See whether a unit that is about to be tried again is there after all.

        Returns:
            Whether it is, or may be; that is written down.
        """
        for step in view.submits.values():
            if step.first is None or step.state is SubmitState.LANDED:
                continue
            verdict = self._by_readings(view, step)
            # A person who said "not landed" has seen whatever is only like it: trash, say.
            doubtful = verdict.kind is VerdictKind.INCONCLUSIVE and not step.denied
            sighted = verdict.kind not in (VerdictKind.ABSENT, VerdictKind.INCONCLUSIVE)
            if sighted or (doubtful and verdict.records):
                self._write(view, step, verdict)
                return True
        return False

    async def _judge(self, view: UnitView, step: StepView) -> Verdict:
        verdict = self._by_readings(view, step)
        if verdict.kind is not VerdictKind.ABSENT:
            return verdict
        doubt = await self._trust.doubt(self._submit(step).probes)
        if doubt is None:
            return verdict
        return Verdict(VerdictKind.INCONCLUSIVE, doubt)

    def _by_readings(self, view: UnitView, step: StepView) -> Verdict:
        return self._inspector.judge(self._submit(step), step, self._siblings(view), self._known())

    def _write(self, view: UnitView, step: StepView, verdict: Verdict) -> None:
        desk = self._bench.desk(unit_of(view), step.attempt)
        desk.at(step.name, view.key_of(step))
        logger.info("{}: {} ({})", desk.unit.label, verdict.kind, verdict.why)
        taken = self._inspector.taken(self._submit(step))
        try:
            write_verdict(desk, verdict, taken, self._inspector.pictures)
        except Conflict as error:
            logger.warning("{} was settled by somebody else: {}", desk.unit.label, error)

    def _submit(self, step: StepView) -> Submit:
        return self._bench.submits()[step.name]

    def _wait_for(self, view: UnitView) -> float:
        """Seconds until this suspect's absence could be believed."""
        step = view.doubtful
        if step is None:
            return 0.0
        matchings = [self._inspector.matching(probe) for probe in self._submit(step).probes]
        now = self._bench.clock()
        settled = (step.since or now) + max(matching.settle for matching in matchings)
        again = (step.absent_at or 0.0) + max(matching.again for matching in matchings)
        return max(0.0, settled - now, again - now)

    def _siblings(self, view: UnitView) -> frozenset[str]:
        """Keys of the batch's other units, as the shop would show them."""
        carriers = {step.carrier for step in self._bench.flow.steps if step.carrier}
        return frozenset(
            str(planned.arguments[carrier])
            for planned in self._batch
            for carrier in carriers
            if planned.unit.key != view.key
        )

    def _known(self) -> frozenset[str]:
        """Records this journal knows to be there: positive controls."""
        landed: list[Mapping[str, object]] = [
            step.result
            for view in self._bench.journal.history.units.values()
            if view.status is Status.SUBMITTED
            for step in view.submits.values()
        ]
        return frozenset(str(result["record"]) for result in landed if "record" in result)
