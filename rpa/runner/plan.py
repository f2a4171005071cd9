"""Planning from the journal alone: what is to be done, before any browser is opened."""

from __future__ import annotations

from rpa.core.decide import Act, decide
from rpa.core.fold import UnitView
from rpa.core.states import Event
from rpa.runner.batch import Planned
from rpa.runner.bench import Workbench
from rpa.runner.unit import Unit

__all__ = ["note_interrupted", "settle_on_paper", "suspects", "unit_of"]


def unit_of(view: UnitView) -> Unit:
    """A unit as the journal knows it, whether or not it has a row any more."""
    return Unit(view.key, view.identity, view.edition)


def note_interrupted(bench: Workbench) -> None:
    """Write down that what an ended process left armed or released may have landed."""
    for view in list(bench.journal.refresh().units.values()):
        step = view.in_flight
        if step is None:
            continue
        desk = bench.desk(unit_of(view), step.attempt)
        desk.at(step.name, view.key_of(step))
        desk.write(
            Event.RESTARTED,
            {"since": bench.clock()},
            error={"class": "Restarted", "message": "the run ended before the outcome was known"},
        )


def settle_on_paper(bench: Workbench, planned: Planned) -> Act:
    """Decide about a unit, writing down whatever needs no browser to be decided."""
    view = bench.view(planned.unit.key)
    act = decide(view, planned.arguments)
    if view is None:
        return act
    desk = bench.desk(planned.unit, view.attempt)
    match act:
        case Act.RECORD_CHANGE:
            desk.write(Event.CHANGED, {"arguments": planned.arguments})
        case Act.RECORD_RESTORED:
            desk.write(Event.RESTORED)
        case Act.BURY:
            desk.write(Event.EXHAUSTED, error=view.error)
        case _:
            return act
    return decide(bench.view(planned.unit.key), planned.arguments)


def suspects(bench: Workbench) -> list[UnitView]:
    """Units of this flow that a probe may settle, whether or not their row is still there."""
    mine = bench.flow.title().partition("/")[0]
    return [
        view
        for view in bench.journal.history.units.values()
        if decide(view) is Act.PROBE and view.flow.partition("/")[0] == mine
    ]
