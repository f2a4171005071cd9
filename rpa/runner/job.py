"""What the parent of a run and its shop processes say to each other: one JSON line each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

__all__ = ["Ended", "Job", "Kill", "Message", "Moved", "Phase", "parse_message"]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Kill(_Line):
    """Where a process is to die, for drills and tests.

    Attributes:
        point: Name of the kill point.
        nth: How often it is reached before.
        victim: Who dies: the shop's process alone, with the run that started it, its browser, or
            the driver between the two.
    """

    point: str
    nth: int = 1
    victim: Literal["worker", "run", "browser", "driver"] = "worker"


class Job(_Line):
    """One shop's part of a run, as its process is told.

    Attributes:
        root: The project's folder.
        shop: Shop name.
        run: The run's id; its manifest holds flow and items.
        only: Do only these units, by label or key.
        limit: Do at most so many units.
        probe: Whether doubts may be probed.
        settle_only: Only settle doubts; attempt nothing.
        headed: Show the browser.
        slow_mo: Milliseconds after each action.
        trace: Keep a trace of every unit.
        pictures: Take pictures around each submit.
        browser: A Chromium of the user's choice.
        kill: Where to die.
    """

    root: Path
    shop: str
    run: str
    only: tuple[str, ...] = ()
    limit: int | None = None
    probe: bool = True
    settle_only: bool = False
    headed: bool = False
    slow_mo: float = 0.0
    trace: bool = False
    pictures: bool = True
    browser: str | None = None
    kill: Kill | None = None


class Moved(_Line):
    """A unit moved."""

    type: Literal["moved"] = "moved"
    unit: str
    label: str
    event: str
    status: str
    step: str = ""
    held: str = ""


class Phase(_Line):
    """The shop's process began something else.

    Attributes:
        text: What, in words.
        total: Units it was given, once it knows.
    """

    type: Literal["phase"] = "phase"
    text: str
    total: int | None = None


class Ended(_Line):
    """The shop's process is done.

    Attributes:
        exit_code: Its own, as `design` gives them.
        counts: The batch's units by status.
        error: What stopped the shop, in one line.
        paused: Why the shop was paused, if it was.
    """

    type: Literal["ended"] = "ended"
    exit_code: int
    counts: dict[str, int]
    error: str = ""
    paused: str = ""


Message = Annotated[Moved | Phase | Ended, Field(discriminator="type")]
_MESSAGE: TypeAdapter[Message] = TypeAdapter(Message)


def parse_message(line: bytes) -> Message:
    """Read one line of a shop's process."""
    return _MESSAGE.validate_json(line)
