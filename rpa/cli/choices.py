"""What a person may do with a unit now, read off the state tables."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass

from rpa.cli.find import Found
from rpa.core.decide import Act, decide
from rpa.core.fold import UnitView
from rpa.core.states import SUBMIT, UNIT, Event, Status, SubmitState, UnitEvent

__all__ = ["Choice", "choices", "possible", "refusal"]

_UNIT_EVENTS = {
    Event.ADOPTED: (UnitEvent.ADOPTED,),
    Event.SKIPPED: (UnitEvent.SKIPPED,),
    Event.REQUEUED: (UnitEvent.REQUEUED, UnitEvent.REQUEUED_IN_DOUBT),
}
_LOOKED = ("you saw it in the shop", "you looked, and it is not there")
_FOREIGN = ("what the shop shows is this unit", "what the shop shows is something else; submit it")


@dataclass(frozen=True)
class Choice:
    """Something a person may do.

    Attributes:
        command: What to type.
        meaning: What it means, in one line.
    """

    command: str
    meaning: str


def possible(view: UnitView, event: Event) -> bool:
    """Say whether a person's word may be written about a unit."""
    if event is Event.REQUEUED and view.status is Status.UNKNOWN and decide(view) is Act.HOLD:
        return False  # no look at the shop settles it, so that asking for one is no help
    if event in _UNIT_EVENTS:
        return any(moved in UNIT[view.status] for moved in _UNIT_EVENTS[event])
    step = view.doubtful
    return step is not None and event in SUBMIT[step.state]


def choices(found: Found) -> list[Choice]:
    """List what may be done with a unit now, best first."""
    view, name = found.view, _quoted(found.name)
    signed = "--by WHO --note TEXT"
    listed = []
    if decide(view) in (Act.PROBE, Act.RECORD_RESTART):
        listed.append(Choice("rpa verify", "read the shop's list and settle what it shows"))
    if possible(view, Event.CONFIRMED_LANDED):
        foreign = view.doubtful is not None and view.doubtful.state is SubmitState.FOREIGN
        landed, not_landed = _FOREIGN if foreign else _LOOKED
        listed += [
            Choice(f"rpa confirm {name} --landed {signed}", landed),
            Choice(f"rpa confirm {name} --not-landed {signed}", not_landed),
        ]
    if possible(view, Event.ADOPTED):
        meaning = "take the new row as it is; nothing is submitted"
        listed.append(Choice(f"rpa accept {name} --by WHO", meaning))
    if view.status in (Status.CHANGED, Status.SUBMITTED):
        meaning = "submit the row once more, under a name of its own"
        listed.append(Choice("rpa run FLOW ITEMS --edition NAME", meaning))
    if view.status in (Status.PENDING, Status.SELECTED, Status.FILLED, Status.FAILED):
        listed.append(Choice("rpa resume", "go on with it"))
    if possible(view, Event.REQUEUED):
        what = "have the shop's list read again" if view.doubtful else "have it tried again"
        listed.append(Choice(f"rpa requeue {name} {signed}", what))
    if possible(view, Event.SKIPPED):
        listed.append(Choice(f"rpa skip {name} {signed}", "leave it for good"))
    return listed


def refusal(found: Found, event: Event) -> str | None:
    """Say why a person's word cannot be written about a unit, and what can; None if it can."""
    view = found.view
    if possible(view, event):
        return None
    said = "; ".join(f"`{choice.command}`" for choice in choices(found)) or "nothing"
    return f"{found.name} is {_state(view)}: it cannot be {_DONE[event]}; possible: {said}"


_DONE = {
    Event.CONFIRMED_LANDED: "confirmed",
    Event.CONFIRMED_NOT_LANDED: "confirmed",
    Event.ADOPTED: "accepted",
    Event.SKIPPED: "skipped",
    Event.REQUEUED: "requeued",
}


def _state(view: UnitView) -> str:
    step = view.doubtful
    return f"{view.status} (step {step.name}: {step.state})" if step else view.status.value


def _quoted(name: str) -> str:
    """As a shell takes it; Chinese needs no quotes."""
    if re.fullmatch(r"[\w@%+=:,./#-]+", name):
        return name
    return f'"{name}"' if os.name == "nt" else shlex.quote(name)
