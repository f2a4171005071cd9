"""The walk: one attempt at one unit, step after step, with the journal around each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from rpa.core.fold import StepView
from rpa.core.model import Baseline
from rpa.core.states import Event, Status, SubmitState
from rpa.errors import (
    BeforeSubmit,
    FlowError,
    Invalid,
    SubmitAgain,
)
from rpa.gate.session import ShopSession
from rpa.inputs import Item
from rpa.runner.desk import Desk
from rpa.runner.flow import Flow, Step, StepCall, StepKind
from rpa.runner.perform import one_line, run_step
from rpa.runner.store import Submit
from rpa.runner.submit import SubmitRun

__all__ = ["Baselines", "Walk"]

Baselines = Callable[[Submit, str], Mapping[str, Baseline]]
"""Cuts a unit's baselines, by probe, from the shop's scans of this run."""


class Walk:
    """Performs the steps of one unit's attempt; the flow's walker while it lasts.

    A prepare step that was finished before a landing is not done again, whatever the flow's own
    ``run`` asks for: the page it prepared has served its purpose.
    """

    def __init__(
        self, flow: Flow[Any], item: Item, desk: Desk, session: ShopSession, baselines: Baselines
    ) -> None:
        self._flow = flow
        self._item = item
        self._desk = desk
        self._session = session
        self._baselines = baselines
        self._calls: list[StepCall] = []
        view = desk.view
        self._settled = Counter(view.settled if view else ())

    async def walk(self) -> None:
        """Carry the attempt through.

        Raises:
            StepError: A step failed; what the journal holds says how.
            WrongShop: The page belongs to another shop.
            FlowError: The flow is written wrongly.
        """
        self._desk.at("", "")
        self._desk.write(Event.STARTED)
        self._flow.walker = self
        try:
            await self._flow.run(await self._session.page(), self._item)
            self._check_awaited()
        finally:
            self._flow.walker = None
        view = self._desk.view
        if view is not None and view.status is not Status.SUBMITTED:
            self._desk.at("", "")
            self._desk.write(Event.COMPLETED)

    def called(self, call: StepCall) -> None:
        """Take note of a call."""
        self._check_awaited()
        self._calls.append(call)

    async def perform(self, call: StepCall) -> Any:
        """Perform one step, or give back what the journal knows of it."""
        self._desk.at(call.step.name, call.key)
        if call.step.kind is StepKind.SUBMIT:
            return await self._submit(call)
        if self._settled[call.key] > 0:
            self._settled[call.key] -= 1
            return self._known(call.key)
        view = self._desk.view
        if call.step.kind is StepKind.READ and view is not None and call.key in view.results:
            return self._known(call.key)
        return await self._read_or_prepare(call)

    def _known(self, key: str) -> Any:
        view = self._desk.view
        return view.results.get(key) if view is not None else None

    async def _read_or_prepare(self, call: StepCall) -> Any:
        self._desk.write(Event.STARTED)
        self._session.dialogs = []
        try:
            result = await run_step(call)
            if self._session.dialogs:
                raise BeforeSubmit(f"the page asked {self._session.dialogs[0]!r}")
        except Exception as error:
            await self._failed(call, error)
            raise
        data = {"state": call.step.state} if call.step.state else {}
        self._desk.write(Event.FINISHED, {**data, "result": result})
        self._desk.reach(f"step.{call.step.name}")
        return result

    async def _failed(self, call: StepCall, error: Exception) -> None:
        picture = await self._desk.picture(call.page, f"{call.step.name}-failed")
        self._desk.write(
            Event.FAILED,
            {"permanent": isinstance(error, Invalid)},
            error={"class": type(error).__name__, "message": one_line(error)},
            evidence=picture,
        )

    async def _submit(self, call: StepCall) -> Mapping[str, Any]:
        view = self._desk.view
        known = view.submits.get(call.key) if view is not None else None
        if known is not None and known.state is SubmitState.LANDED:
            return known.result
        _check_enterable(call.step, known)
        self._desk.write(Event.STARTED)
        submit = call.step.submit_of(self._flow.adapter)
        carrier = str(self._item.arguments()[call.step.carrier])
        run = SubmitRun(
            self._desk, call, submit, self._first(known, submit, carrier), self._is_last(call.step)
        )
        return await run.perform(self._session)

    def _first(
        self, known: StepView | None, submit: Submit, carrier: str
    ) -> Mapping[str, Baseline]:
        """The unit's first baseline, if it was ever armed; else one of this run."""
        if known is not None and known.first is not None:
            kept = known.first["baselines"]
            return {name: Baseline.from_json(data) for name, data in kept.items()}
        return self._baselines(submit, carrier)

    def _is_last(self, step: Step) -> bool:
        """Say whether nothing comes after this step; a flow's own ``run`` never says so."""
        default = type(self._flow).run is Flow.run
        return default and self._flow.steps[-1] is step

    def _check_awaited(self) -> None:
        for call in self._calls:
            if not call.awaited:
                raise FlowError(
                    f"flow {type(self._flow).__name__}: step {call.step.name} was called without "
                    "`await`, so it did nothing"
                )


def _check_enterable(step: Step, known: StepView | None) -> None:
    if known is not None and known.state not in (
        SubmitState.READY,
        SubmitState.REFUSED,
        SubmitState.DENIED,
    ):
        raise SubmitAgain(f"step {step.name} is {known.state}; only a verdict lets it be entered")
