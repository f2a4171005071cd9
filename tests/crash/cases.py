"""The table: who is killed where, in which store, and what else goes wrong meanwhile.

A case is one row and its id names it whole, so that ``pytest -k`` plays any of them again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["CASES", "Case"]

Flow = Literal["copy", "list", "oscar"]
Victim = Literal["worker", "run", "browser", "driver"]

ALIVE: Final = ("browser", "driver")
"""Victims that the shop's process survives: the same run goes on to the end."""


@dataclass(frozen=True)
class Case:
    """One way to die.

    Attributes:
        point: The kill point; one that begins with ``server.`` is a moment at which the back
            office holds the request, and the test itself does the killing.
        victim: Who dies: the shop's process, that and the run above it, the browser, the driver.
        flow: ``copy`` and ``list`` go to the back office, ``oscar`` to the real store.
        nth: Which of the two units meets the kill point; for points a unit reaches several times,
            which reaching.
        fault: What the back office does to the first submit, besides.
        again: Kill points of the resumes that follow, one each; the worker dies.
        word: What a person says of the unit that is held when nobody may probe.
        shown: How many units have landed when the victim is dead; None where both is possible.
        settle: The shop's settle time in seconds.
    """

    point: str
    victim: Victim = "worker"
    flow: Flow = "copy"
    nth: int = 1
    fault: str = ""
    again: tuple[str, ...] = ()
    word: Literal["", "landed", "not-landed"] = ""
    shown: int | None = None
    settle: float = 0.2

    @property
    def name(self) -> str:
        """The case's id."""
        parts = [f"{self.point}@{self.nth}", self.victim, self.flow, self.fault, *self.again]
        return "-".join(part.replace(":", ".") for part in (*parts, self.word) if part)

    @property
    def kill_at(self) -> str:
        """The kill point as the command line takes it."""
        return f"{self.point}:{self.nth}:{self.victim}"

    @property
    def held_at_server(self) -> bool:
        """Whether the test itself kills, while the server holds the request."""
        return self.point.startswith("server.")

    @property
    def exits(self) -> tuple[int, ...]:
        """How each command in turn must end."""
        if self.victim in ALIVE:
            return (0,)
        first = -9 if self.victim == "run" else 137
        person = (3, 0) if self.word else ()
        return (first, *(137 for _ in self.again), *person, 0)


def _around(flow: Flow, victim: Victim, points: str, nth: int = 1, shown: int = 0) -> list[Case]:
    return [Case(point, victim, flow, nth=nth, shown=nth - 1 + shown) for point in points.split()]


def _distinct(cases: Iterable[Case]) -> tuple[Case, ...]:
    listed = tuple(cases)
    if len({case.name for case in listed}) != len(listed):
        raise ValueError("two crash cases have one name")
    return listed


CASES: Final = _distinct(
    [
        *_around("copy", "worker", "step.select submit.before_armed gate.paused gate.released"),
        *_around("copy", "worker", "gate.answer_seen gate.answer_kept", nth=2, shown=1),
    ]
)
