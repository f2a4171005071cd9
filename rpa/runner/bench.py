"""The workbench: everything one shop's part of a run works with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rpa.config import ShopConfig
from rpa.config.mask import Masker
from rpa.core.breaker import Breaker
from rpa.core.fold import UnitView
from rpa.core.record import Record
from rpa.gate.evidence import Evidence
from rpa.journal.base import Journal, Reach, nowhere
from rpa.runner.desk import Desk
from rpa.runner.flow import Flow, StepKind
from rpa.runner.keeper import Keeper
from rpa.runner.retrying import Sleep
from rpa.runner.store import Store, Submit
from rpa.runner.unit import Unit

__all__ = ["Workbench"]


@dataclass
class Workbench:
    """What every part of a shop's run needs.

    Attributes:
        shop: Which shop.
        store: Its adapter.
        flow: The flow.
        run: The run's id.
        journal: The shop's journal.
        keeper: The shop's session.
        evidence: Where pictures and traces go.
        masker: Knows the shop's secrets.
        told: Is told of every record written.
        phase: Is told what the shop's process is about, in words.
        clock: Seconds of the wall clock.
        sleep: Waits so many seconds.
        reach: Kill points.
        stopping: Set when the run should end after the unit at hand.
        breaker: Pauses the shop.
    """

    shop: ShopConfig
    store: Store
    flow: Flow[Any]
    run: str
    journal: Journal
    keeper: Keeper
    evidence: Evidence | None
    masker: Masker
    told: Callable[[Record], None]
    phase: Callable[[str], None]
    clock: Callable[[], float]
    sleep: Sleep = asyncio.sleep
    reach: Reach = nowhere
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    breaker: Breaker = field(default_factory=Breaker)

    async def pause(self, seconds: float) -> None:
        """Wait so many seconds, or until the run should end."""
        waits = [
            asyncio.ensure_future(wait) for wait in (self.sleep(seconds), self.stopping.wait())
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    def desk(self, unit: Unit, attempt: int) -> Desk:
        """Set up a unit's desk."""
        return Desk(
            self.shop,
            self.journal,
            unit,
            self.flow.title(),
            self.run,
            attempt,
            self.evidence,
            self.masker,
            self.clock,
            self.reach,
            self._seen,
        )

    def view(self, key: str) -> UnitView | None:
        """What the journal says of a unit."""
        return self.journal.history.units.get(key)

    def submits(self) -> dict[str, Submit]:
        """The flow's submits in this store, by step name."""
        steps = (step for step in self.flow.steps if step.kind is StepKind.SUBMIT)
        return {step.name: step.submit_of(self.store) for step in steps}

    def _seen(self, record: Record) -> None:
        self.breaker.see(record.event)
        self.told(record)
