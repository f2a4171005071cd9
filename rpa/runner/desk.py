"""The desk of one unit's attempt: where its records are written and its pictures put."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from loguru import logger
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page
from pydantic_core import to_jsonable_python

from rpa.config import ShopConfig
from rpa.config.mask import Masker
from rpa.core.fold import UnitView
from rpa.core.record import Record
from rpa.core.states import Event
from rpa.gate.evidence import Evidence
from rpa.journal.base import Journal, Reach, nowhere
from rpa.runner.unit import Unit

__all__ = ["Desk"]

Clock = Callable[[], float]


@dataclass
class Desk:
    """Everything a unit's attempt writes goes over its desk.

    Attributes:
        shop: Which shop.
        journal: The shop's journal.
        unit: Which unit.
        flow: The flow's name and version.
        run: The run's id.
        attempt: The unit's attempt.
        evidence: Where pictures go; None takes none.
        masker: Knows the secrets that must not get into an error's text.
        clock: Seconds of the wall clock.
        reach: Kill points.
        seen: Told of every record written.
    """

    shop: ShopConfig
    journal: Journal
    unit: Unit
    flow: str
    run: str
    attempt: int
    evidence: Evidence | None
    masker: Masker
    clock: Clock
    reach: Reach = nowhere
    seen: Callable[[Record], None] = field(default=lambda record: None)
    step: str = ""
    step_key: str = ""

    @property
    def view(self) -> UnitView | None:
        """What the journal says of the unit now."""
        return self.journal.history.units.get(self.unit.key)

    def at(self, step: str, key: str) -> None:
        """Move on to a step; what is written from now on is written of it."""
        self.step, self.step_key = step, key

    def write(
        self,
        event: Event,
        data: Mapping[str, Any] | None = None,
        *,
        error: Mapping[str, Any] | None = None,
        evidence: tuple[str, ...] = (),
    ) -> Record:
        """Make an event part of the journal.

        Raises:
            Conflict: Somebody else moved the unit.
            JournalUnwritable: It cannot be made durable.
        """
        record = self.journal.append(
            Record(
                unit=self.unit.key,
                identity=self.unit.identity,
                edition=self.unit.edition,
                event=event,
                flow=self.flow,
                run=self.run,
                step=self.step,
                step_key=self.step_key,
                attempt=self.attempt,
                data=to_jsonable_python(data or {}),
                error=self._masked(error),
                evidence=evidence,
            )
        )
        # Bound here because the gate writes from a task of its own, outside the unit's context.
        logger.bind(unit=self.unit.label).info(
            "{} {} {}", self.step or "unit", event, (error or {}).get("message", "")
        )
        self.seen(record)
        return record

    def _masked(self, error: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """What an exception says may hold whatever was typed into a page."""
        if error is None:
            return None
        return {k: self.masker.text(v) if isinstance(v, str) else v for k, v in error.items()}

    async def picture(self, page: Page, name: str) -> tuple[str, ...]:
        """Take a picture of the page; returns its name, if there is one."""
        if self.evidence is None:
            return ()
        return await self.evidence.picture(page, f"{self.unit.key[:12]}-{self.attempt}-{name}")

    async def picture_after(self, page: Page, name: str) -> tuple[str, ...]:
        """Take a picture of where the submit led, once something is shown there."""
        if self.evidence is None:
            return ()
        with contextlib.suppress(PlaywrightError):
            await page.wait_for_load_state("domcontentloaded", timeout=3000)
        return await self.picture(page, name)
