"""One shop's part of a run: every unit in order, then every doubt.

What the journal says decides whether a browser is opened at all: a run that has nothing to do
opens none. Units in doubt wait until the shop's other units are done, because waiting is what
makes absence believable, and the other units need no waiting.
"""

from __future__ import annotations

from collections.abc import Collection

from loguru import logger

from rpa.core.decide import Act
from rpa.core.fold import UnitView
from rpa.core.states import Event
from rpa.runner.attempt import attempt_unit
from rpa.runner.batch import Planned
from rpa.runner.bench import Workbench
from rpa.runner.foreign import found_foreign
from rpa.runner.inspect import Inspector
from rpa.runner.plan import note_interrupted, settle_on_paper, suspects
from rpa.runner.settle import Settler
from rpa.runner.trust import Trust

__all__ = ["run_shop"]


async def run_shop(
    bench: Workbench, trust: Trust, batch: list[Planned], asked: Collection[str], *, probe: bool
) -> None:
    """Do every unit that is asked for, and settle every doubt that can be settled.

    Args:
        bench: The shop's workbench.
        trust: Says whether a probe may be believed when it finds nothing.
        batch: The units, in the order of their rows.
        asked: Keys of those to attempt; with none, doubts are settled and nothing else.
        probe: Whether doubts may be probed; without, they are held.

    Raises:
        RpaError: Something that stops the whole shop; what was done stays done.
    """
    await _Shift(bench, trust, batch, asked, probe).work()


class _Shift:
    def __init__(
        self,
        bench: Workbench,
        trust: Trust,
        batch: list[Planned],
        asked: Collection[str],
        probe: bool,
    ) -> None:
        self._bench = bench
        self._asked = [planned for planned in batch if planned.unit.key in asked]
        self._probe = probe
        self._inspector = Inspector(bench.shop, bench.store, bench.clock, bench.evidence)
        self._settler = Settler(bench, self._inspector, trust, batch)

    async def work(self) -> None:
        note_interrupted(self._bench)
        if not self._todo() and not self._suspects():
            return
        await self._first_reading()
        while not self._stopped():
            before = self._attempts()
            await self._do(self._todo())
            if self._suspects() and not self._stopped():
                await self._settler.rounds()
            left = self._attempts()  # a doubt settled as absent is among them again
            if not left or left == before:
                return  # nothing moved; the rest waits for a person or another run

    async def _first_reading(self) -> None:
        """Read the lists once: the baseline of this run's units, and a look at old doubts."""
        await self._settler.read()
        self._inspector.require_whole(
            [probe for submit in self._bench.submits().values() for probe in submit.probes]
        )
        if self._suspects():
            await self._settler.judge_suspects()

    async def _do(self, todo: list[Planned]) -> None:
        for planned in todo:
            if self._stopped() or (self._bench.flow.ordered and suspects(self._bench)):
                return
            if not self._already_there(planned):
                await attempt_unit(self._bench, self._inspector, planned)
                settle_on_paper(self._bench, planned)

    def _already_there(self, planned: Planned) -> bool:
        """See whether the shop already shows the unit, and write down what that means."""
        view = self._bench.view(planned.unit.key)
        if view is not None and any(s.denied and s.first is None for s in view.submits.values()):
            return False  # a person has seen the record, and said that it is another's
        if view is not None and any(step.first is not None for step in view.submits.values()):
            return self._settler.look_again(view)
        return self._found_foreign(planned, view)

    def _found_foreign(self, planned: Planned, view: UnitView | None) -> bool:
        units = self._bench.journal.history.units
        found = found_foreign(self._bench.flow, self._inspector, planned, units)
        if found is None:
            return False
        step, records = found
        desk = self._bench.desk(planned.unit, view.attempt if view else 0)
        desk.at(step, step)
        desk.write(Event.FOUND, {"records": records})
        logger.warning("{} is there already: {}", planned.unit.label, records)
        return True

    def _todo(self) -> list[Planned]:
        return [p for p in self._asked if settle_on_paper(self._bench, p) is Act.DO]

    def _suspects(self) -> list[UnitView]:
        return suspects(self._bench) if self._probe else []

    def _stopped(self) -> bool:
        if self._bench.breaker.reason:
            logger.warning("{} pauses: {}", self._bench.shop.name, self._bench.breaker.reason)
        return self._bench.stopping.is_set() or bool(self._bench.breaker.reason)

    def _attempts(self) -> dict[str, int]:
        """How often each unit that is to be done was attempted before."""
        views = {planned.unit.key: self._bench.view(planned.unit.key) for planned in self._todo()}
        return {key: view.attempt if view else 0 for key, view in views.items()}
