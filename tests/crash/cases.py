"""The table: who is killed where, in which store, and what else goes wrong meanwhile.

A case is one row and its id names it whole, so that ``pytest -k`` plays any of them again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

__all__ = ["CASES", "Case", "Victim"]

Flow = Literal["copy", "list", "oscar"]
Victim = Literal["worker", "run", "browser", "driver", "command", "everyone"]

ALIVE: Final = ("browser", "driver")
"""Victims that the shop's process survives: the same run goes on to the end."""


@dataclass(frozen=True)
class Case:
    """One way to die.

    Attributes:
        point: The kill point; one that begins with ``server.`` is a moment at which the back
            office holds the request, and the test itself does the killing.
        victim: Who dies: the shop's process, that and the run above it, the browser, the driver;
            by the test's hand also the command above alone, or everyone at once.
        flow: ``copy`` and ``list`` go to the back office, ``oscar`` to the real store.
        nth: Which of the two units meets the kill point; for points a unit reaches several times,
            which reaching.
        fault: What the back office does to the first submit, besides.
        again: Kill points of the resumes that follow, one each; the worker dies.
        word: What a person says of the unit that is held when nobody may probe.
        shown: How many units have landed when the victim is dead; None where both is possible.
        settle: The shop's settle time in seconds.
        long: Left out of the set that every test run plays.
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
    long: bool = False

    @property
    def name(self) -> str:
        """The case's id."""
        parts = (self.kill_at, self.flow, self.fault, *self.again, self.word)
        return "-".join(part for part in parts if part)

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
        first = 137 if self.victim == "worker" else -9
        person = (3, 0) if self.word else ()
        return (first, *(137 for _ in self.again), *person, 0)


def _killed(flow: Flow, victim: Victim, points: str, **more: Any) -> list[Case]:
    return [Case(point, victim, flow, **more) for point in points.split()]


def _distinct(*groups: list[Case]) -> tuple[Case, ...]:
    listed = tuple(case for group in groups for case in group)
    if len({case.name for case in listed}) != len(listed):
        raise ValueError("two crash cases have one name")
    return listed


_BEFORE_RELEASE: Final = [
    *_killed("copy", "worker", "step.select submit.before_armed journal.written:armed", shown=0),
    *_killed("copy", "worker", "gate.paused", nth=2, shown=1),
    *_killed("copy", "run", "submit.armed", nth=2, shown=1),
    *_killed("copy", "browser", "step.fill submit.before_click"),
    *_killed("copy", "driver", "submit.armed"),
    *_killed("oscar", "worker", "submit.armed gate.paused", shown=0),
    *_killed("oscar", "browser", "submit.before_click"),
]

_BETWEEN: Final = [
    *_killed("copy", "worker", "gate.released", shown=0),
    *_killed("copy", "worker", "gate.continued"),
    *_killed("copy", "run", "gate.released", nth=2, shown=1),
    *_killed("copy", "browser", "gate.released"),
    *_killed("copy", "driver", "gate.released"),
    *_killed("oscar", "worker", "gate.released", nth=2, shown=1),
    *_killed("oscar", "browser", "gate.released"),
    *_killed("oscar", "driver", "gate.released"),
    *_killed("copy", "worker", "server.arrived", fault="signal_before"),
    *_killed("copy", "worker", "server.committed", fault="signal"),
    *_killed("copy", "everyone", "server.committed", fault="signal"),
    *_killed("copy", "command", "server.arrived", fault="signal_before", shown=1),
]

_AFTER_COMMIT: Final = [
    *_killed("copy", "worker", "gate.answer_seen gate.answer_kept", nth=2, shown=2),
    *_killed("copy", "worker", "journal.written:accepted", shown=1),
    *_killed("copy", "run", "journal.synced:accepted", shown=1),
    *_killed("copy", "browser", "gate.answer_seen"),
    *_killed("oscar", "worker", "gate.answer_seen", nth=2, shown=2),
    *_killed("oscar", "run", "gate.answer_seen", shown=1),
]

_READING: Final = [  # the browser dies over the list: for the baseline, and to settle a doubt
    *_killed("copy", "browser", "list.reading"),
    *_killed("copy", "driver", "list.reading", nth=2, fault="commit_then_drop"),
]

_TWO_REQUESTS: Final = [  # the picture goes to the image space first: a request of its own
    *_killed("list", "worker", "gate.paused", shown=0),
    *_killed("list", "worker", "gate.released", nth=2, shown=0),
    *_killed("list", "browser", "gate.released", nth=2),
]

_WITH_FAULTS: Final = [
    Case("journal.before_write:lost", fault="commit_then_drop", shown=1),
    Case("journal.synced:lost", fault="drop_before_commit", shown=0),
    Case("gate.answer_seen", fault="status_503_after", shown=1),
    Case("journal.before_write:lost", fault="hang_after_commit", shown=1),
    Case("journal.synced:ambiguous", fault="login_page_200", shown=0),
    Case("journal.written:refused", fault="expired_session", shown=0),
    # This one meets the fault only when the unit is tried again.
    Case("gate.released", fault="commit_then_drop", shown=0),
]

_AGAIN: Final = [
    Case("gate.answer_seen", again=("journal.before_write:restarted",), shown=1),
    Case("gate.released", again=("journal.synced:verdict_absent",), shown=0),
    Case("gate.released", again=("gate.released", "gate.answer_seen"), shown=0),
    Case("gate.released", "worker", "oscar", again=("gate.released",), shown=0),
]

_BY_A_PERSON: Final = [
    Case("gate.answer_seen", word="landed", nth=2, shown=2),
    Case("gate.released", word="not-landed", shown=0),
    Case("gate.answer_seen", "run", "oscar", word="landed", shown=1),
]

_LONG: Final = [
    *_killed("copy", "worker", "submit.before_click journal.before_write:armed", shown=0),
    *_killed("copy", "worker", "journal.written:released", nth=2, shown=1),
    *_killed("copy", "worker", "submit.clicked"),
    # Unit 1 finishes three steps: it has landed, and only the end of its step is not written.
    *_killed("copy", "worker", "journal.before_write:finished", nth=3, shown=1),
    *_killed("copy", "worker", "journal.before_write:accepted", shown=1),
    *_killed("copy", "run", "gate.answer_seen", shown=1),
    *_killed("copy", "run", "server.arrived", fault="signal_before"),
    *_killed("copy", "everyone", "server.arrived", fault="signal_before"),
    *_killed("copy", "browser", "gate.continued gate.answer_kept"),
    *_killed("copy", "browser", "gate.paused", nth=2),
    *_killed("copy", "browser", "server.arrived", fault="signal_before"),
    *_killed("copy", "browser", "server.committed", fault="signal"),
    *_killed("copy", "browser", "list.reading", nth=2, fault="drop_before_commit"),
    *_killed("copy", "driver", "step.fill gate.answer_seen list.reading"),
    *_killed("copy", "driver", "server.committed", fault="signal"),
    *_killed("oscar", "worker", "gate.continued"),
    *_killed("oscar", "worker", "journal.before_write:accepted gate.answer_kept", shown=1),
    *_killed("oscar", "browser", "gate.answer_seen"),
    *_killed("oscar", "run", "gate.released", shown=0),
    *_killed("list", "worker", "gate.answer_kept journal.synced:answered", shown=0),
    *_killed("list", "run", "gate.answer_seen", nth=2, shown=1),
    Case("journal.synced:lost", "run", fault="commit_then_drop", shown=1),
    Case("journal.synced:lost", "browser", fault="hang_before_commit"),
    Case("gate.answer_kept", "browser", fault="status_503_after"),
    Case("gate.answer_kept", "run", fault="white_page", shown=1),
    Case("journal.synced:ambiguous", fault="status_503_before", shown=0),
    Case("gate.answer_seen", fault="late_record", shown=1, settle=6.0),
    Case("gate.paused", fault="drop_before_commit", shown=0),
    Case("gate.released", again=("journal.written:restarted",), shown=0),
    Case("gate.answer_seen", again=("journal.before_write:verdict_landed",), shown=1),
    Case("gate.released", again=("journal.synced:verdict_inconclusive",), shown=0),
    Case("gate.answer_seen", "worker", "oscar", again=("journal.synced:verdict_landed",), shown=1),
]

CASES: Final = _distinct(
    _BEFORE_RELEASE,
    _BETWEEN,
    _AFTER_COMMIT,
    _READING,
    _TWO_REQUESTS,
    _WITH_FAULTS,
    _AGAIN,
    _BY_A_PERSON,
    [replace(case, long=True) for case in _LONG],
)
