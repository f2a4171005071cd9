"""One submit: armed, clicked, released, answered, with the journal around each.

Theory of operation. The order below is the promise of the house; read it with the state table.

1. a picture, for people;
2. ``armed``, one durable record for each declared request, before anything can leave;
3. the gate is armed, the shop's identity is read from the page, the click happens;
4. the gate pauses the request and asks us to `release` it: ``released`` is made durable, and only
   if that worked does the request leave;
5. the gate shows us the `answer` before the page has it: the outcome is made durable;
6. the gate blocks again.

The click itself proves nothing, whether it returns or raises: what happened is what the gate saw.
Where the gate saw nothing by the deadline, and the browser is alive to confirm that the gate is
shut again, the step is proven not sent; everywhere else doubt stays doubt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from loguru import logger

from rpa.core.keys import plain
from rpa.core.model import Baseline
from rpa.core.states import Event
from rpa.errors import Ambiguous, BeforeSubmit, Invalid, WrongShop
from rpa.gate.rules import RequestSeen, SubmitRule
from rpa.gate.session import ShopSession
from rpa.gate.signals import Answer
from rpa.runner.desk import Desk
from rpa.runner.flow import StepCall
from rpa.runner.perform import one_line, run_step
from rpa.runner.store import Submit

__all__ = ["SubmitRun"]

_RELEASE_WAIT: Final = 10.0  # seconds after the click in which its request must come by
_CLICK_WAIT: Final = 30.0  # seconds for the click itself
_GONE_WAIT: Final = 1.0  # seconds for a cut request to be reported as failed


@dataclass
class SubmitRun:
    """One attempt at one submit step; the gate's watcher while it lasts.

    Attributes:
        desk: The unit's journal, clock and evidence.
        call: The step and what it was called with.
        submit: The store's declaration.
        baselines: What the shop showed before the unit's first attempt, by probe.
        final: Nothing of the flow comes after this landing.
    """

    desk: Desk
    call: StepCall
    submit: Submit
    baselines: Mapping[str, Baseline]
    final: bool
    _outcome: asyncio.Future[Event] = field(init=False)
    _left: asyncio.Event = field(default_factory=asyncio.Event)
    _released: list[str] = field(default_factory=list)
    _answered: list[str] = field(default_factory=list)
    _result: dict[str, Any] = field(default_factory=dict)
    _raised: str = ""

    def __post_init__(self) -> None:
        """Open the place where the outcome arrives."""
        self._outcome = asyncio.get_running_loop().create_future()

    @property
    def rules(self) -> Sequence[SubmitRule]:
        """The requests this attempt may send, each once."""
        return self.submit.rules

    async def perform(self, session: ShopSession) -> Mapping[str, Any]:
        """Carry the submit out.

        Returns:
            The landing's record ids, where it landed.

        Raises:
            BeforeSubmit: Proven not sent.
            Ambiguous: In doubt.
            WrongShop: The page or the request belongs to another shop; not sent.
        """
        desk, page = self.desk, self.call.page
        before = await desk.picture(page, f"{self.call.step.name}-before")
        self._arm(session, before)
        session.gate.arm(self)
        try:
            await self._click(session)
            event = await self._wait(session)
        except WrongShop as error:
            await self._not_sent(session, str(error))
            raise
        finally:
            await session.gate.disarm()
        after = await desk.picture_after(page, f"{self.call.step.name}-after")
        done = Event.FINISHED if event is Event.ACCEPTED else Event.FAILED
        desk.write(done, {"outcome": event}, evidence=after)
        if event in (Event.LOST, Event.AMBIGUOUS):
            await self._clear(session)
        return self._concluded(event)

    def _arm(self, session: ShopSession, evidence: tuple[str, ...]) -> None:
        call, desk = self.call, self.desk
        arguments = plain(call.item.arguments())
        shows = {name: str(arguments[name]) for name in call.step.shows if name in arguments}
        desk.reach("submit.before_armed")
        for number, rule in enumerate(self.rules):
            desk.write(
                Event.ARMED,
                {
                    "request": rule.name,
                    "arguments": arguments,
                    "carrier": str(arguments[call.step.carrier]),
                    "shows": shows,
                    "baselines": {name: b.to_json() for name, b in self.baselines.items()},
                    "fail_closed": session.fail_closed,
                    "final": self.final,
                },
                evidence=evidence if number == 0 else (),
            )
        desk.reach("submit.armed")

    async def _click(self, session: ShopSession) -> None:
        """See whose page it is, and click. Whatever fails here, only the gate knows what left."""
        try:
            async with asyncio.timeout(_CLICK_WAIT):
                await session.check_identity(self.call.page)
                session.dialog, session.dialogs = self.submit.dialog, []
                self.desk.reach("submit.before_click")
                await run_step(self.call)
        except WrongShop:
            raise
        except Exception as error:  # noqa: BLE001 - it may have sent all the same; ask the gate
            self._raised = one_line(error)
            logger.info("the click raised: {}", self._raised)
        finally:
            session.dialog = "refuse"
        self.desk.reach("submit.clicked")

    async def _wait(self, session: ShopSession) -> Event:
        """Wait until it is known what happened, and write it down where the gate did not."""
        if not await self._comes_by(self._left.wait(), session, _RELEASE_WAIT):
            why = self._why_nothing_left(session)
            event = await self._not_sent(session, why)
            if event is not None:
                return event
        outcome = asyncio.shield(self._outcome)
        if await self._comes_by(outcome, session, self.desk.shop.submit_timeout):
            return self._outcome.result()
        return await self._lost(session)

    async def _comes_by(self, awaited: Any, session: ShopSession, seconds: float) -> bool:
        """Wait for something, for the browser's death, or for the deadline."""
        waiting = asyncio.ensure_future(awaited)
        ends = {waiting, self._outcome, dead := asyncio.ensure_future(session.dead.wait())}
        await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        dead.cancel()
        arrived = waiting.done() or self._outcome.done()
        if not waiting.done():
            waiting.cancel()
        if self._outcome.done() and self._outcome.exception() is not None:
            raise self._outcome.exception() or AssertionError
        return arrived

    def _why_nothing_left(self, session: ShopSession) -> str:
        if session.dialogs:
            return f"the page asked {session.dialogs[0]!r} and the step declares no answer"
        if session.gate.blocked:
            return f"the gate blocked {session.gate.blocked[0]}"
        return self._raised or "the click sent nothing that matches the submit rule"

    async def _not_sent(self, session: ShopSession, why: str) -> Event | None:
        """Write down that nothing left, if that is proven, or that it is in doubt.

        Returns:
            What was written; None if the request left at the last moment after all.
        """
        shut = await session.gate.disarm()
        if self._released and session.alive:
            return None
        if self._released or not (shut and session.fail_closed and session.alive):
            return await self._lost(session)
        self.desk.write(Event.NOT_SENT, error={"class": "NotSent", "message": why})
        return Event.NOT_SENT

    async def _lost(self, session: ShopSession) -> Event:
        why = "no answer in time" if session.alive else "the browser died"
        session.gate.cut()
        if session.alive:
            await self._comes_by(asyncio.shield(self._outcome), session, _GONE_WAIT)
        if not self._outcome.done():
            await session.gate.disarm()
            self._conclude(Event.LOST, error={"class": "Lost", "message": why})
        return self._outcome.result()

    async def _clear(self, session: ShopSession) -> None:
        """Make sure that nothing of this attempt is still under way."""
        session.gate.cut()
        await session.renew_page()
        await session.gate.abandon()

    def _concluded(self, event: Event) -> Mapping[str, Any]:
        """Say the outcome in the words of the caller: a result, or an error with a disposition."""
        view = self.desk.view
        why = str(((view and view.error) or {}).get("message", event))
        match event:
            case Event.ACCEPTED:
                return self._result
            case Event.NOT_SENT | Event.REFUSED:
                raise BeforeSubmit(why)
            case Event.REJECTED:
                raise Invalid(why)
            case _:
                raise Ambiguous(why)

    # What the gate tells us.

    def check(self, rule: SubmitRule, request: RequestSeen) -> None:
        """Refuse a request that carries another shop's id."""
        carried = rule.shop(request) if rule.shop is not None else None
        if carried is not None and carried != self.desk.shop.identity:
            raise WrongShop(
                f"shop {self.desk.shop.name}: the request is for {carried!r}, "
                f"rpa.toml says {self.desk.shop.identity!r}"
            )

    def release(self, rule: SubmitRule, request: RequestSeen) -> None:
        """Make the release durable."""
        sent = {"request": rule.name, "method": request.method, "url": request.url}
        self.desk.write(Event.RELEASED, sent)
        self._released.append(rule.name)
        self._left.set()

    def answer(self, rule: SubmitRule, answer: Answer) -> None:
        """Make the answer durable, as what it proves."""
        if self._outcome.done():
            logger.warning("an answer to {} came after its deadline: {}", rule.name, answer.status)
            return
        self._answered.append(rule.name)
        data = {"request": rule.name, "answer": answer.to_json()}
        if answer.status is None:
            self._conclude(Event.LOST, data, error={"class": "NoAnswer", "message": answer.error})
        elif rule.accepted(answer):
            self._accept(rule, answer, data)
        else:
            self._doubt(rule, answer, data)

    def fail(self, error: BaseException) -> None:
        """Take an error that happened while the request was held."""
        if not self._outcome.done():
            self._outcome.set_exception(error)

    def _accept(self, rule: SubmitRule, answer: Answer, data: dict[str, Any]) -> None:
        if rule.result is not None:
            self._result.update(rule.result(answer))
        if len(self._answered) < len(self.rules):
            self.desk.write(Event.ANSWERED, data)
        else:
            self._conclude(Event.ACCEPTED, {**data, "result": self._result})

    def _doubt(self, rule: SubmitRule, answer: Answer, data: dict[str, Any]) -> None:
        error = {"class": "Answer", "status": answer.status, "message": f"status {answer.status}"}
        others = [r for r in self.rules if r.name in self._released and r is not rule]
        if all(other.harmless for other in others):
            if rule.refused(answer):
                self._conclude(Event.REFUSED, data, error=error)
                return
            if rule.rejected(answer):
                self._conclude(Event.REJECTED, data, error=error)
                return
        self._conclude(Event.AMBIGUOUS, data, error=error)

    def _conclude(
        self,
        event: Event,
        data: Mapping[str, Any] | None = None,
        error: Mapping[str, Any] | None = None,
    ) -> None:
        over = {"since": self.desk.clock()} if event in (Event.LOST, Event.AMBIGUOUS) else {}
        self.desk.write(event, {**(data or {}), **over}, error=error)
        self._outcome.set_result(event)
