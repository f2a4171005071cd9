"""Progress: a line per shop on a terminal, a line per unit's outcome elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rpa.cli.output import talk

if TYPE_CHECKING:
    from rich.console import Console

    from rpa.runner.job import Ended, Message, Moved, Phase

__all__ = ["Board", "showing"]

_OUTCOMES: Final = ("submitted", "failed", "unknown", "dead", "changed", "skipped")
_HELD: Final = ("unknown", "changed")


@dataclass
class _Line:
    """What is known of one shop."""

    doing: str = "waiting"
    todo: int = 0
    outcomes: dict[str, str] = field(default_factory=dict)
    began: float | None = None
    ended: float | None = None

    def count(self, *statuses: str) -> int:
        """How many units stand so."""
        return sum(status in statuses for status in self.outcomes.values())

    def numbers(self) -> str:
        """The counts a person watches."""
        held = self.count(*_HELD)
        failed = self.count("failed", "dead")
        return f"{self.count('submitted')} submitted, {held} held, {failed} failed"


class Board:
    """Takes in what shops report, and shows it.

    Args:
        shops: Every shop's name, in the order in which they are shown.
    """

    def __init__(self, shops: list[str]) -> None:
        self._lines = {shop: _Line() for shop in shops}
        self._console: Console = talk()

    def started(self, shop: str) -> None:
        """A shop's process has started."""
        line = self._lines[shop]
        line.began, line.doing = time.monotonic(), "starting"

    def told(self, shop: str, message: Message) -> None:
        """A shop's process has reported something."""
        match message.type:
            case "phase":
                self._phase(self._lines[shop], message)
            case "moved":
                self._moved(shop, message)
            case "ended":
                self._ended(shop, message)

    def seconds(self) -> dict[str, float]:
        """How long each shop worked."""
        now = time.monotonic()
        return {
            shop: (line.ended or now) - line.began
            for shop, line in self._lines.items()
            if line.began is not None
        }

    def rows(self) -> Iterator[tuple[str, int, int, str, str]]:
        """Shop, done, to do, the counts, and what it is at."""
        for shop, line in self._lines.items():
            done = len(line.outcomes)
            yield shop, done, max(done, line.todo), line.numbers(), line.doing

    def _phase(self, line: _Line, phase: Phase) -> None:
        line.doing = phase.text
        if phase.total is not None:
            line.todo = phase.total

    def _moved(self, shop: str, moved: Moved) -> None:
        line = self._lines[shop]
        line.doing = f"{moved.label} {moved.step}".strip()
        before = line.outcomes.get(moved.unit)
        if moved.status not in _OUTCOMES:
            line.outcomes.pop(moved.unit, None)
        elif moved.status != before:
            line.outcomes[moved.unit] = moved.status
            self._outcome(shop, line, moved)

    def _outcome(self, shop: str, line: _Line, moved: Moved) -> None:
        if not self._console.is_terminal:
            done, todo = len(line.outcomes), max(len(line.outcomes), line.todo)
            why = f" ({moved.held})" if moved.held else ""
            self._say(f"{shop}: {moved.label} {moved.status}{why} [{done}/{todo}]")

    def _ended(self, shop: str, ended: Ended) -> None:
        line = self._lines[shop]
        line.ended, line.doing = time.monotonic(), ended.error or ended.paused or "done"
        if not self._console.is_terminal:
            self._say(f"{shop}: {line.numbers()}")

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, soft_wrap=True)


@contextmanager
def showing(board: Board) -> Iterator[None]:
    """Keep a board on the terminal while the block works; without a terminal, do nothing."""
    console = talk()
    if not console.is_terminal:
        yield
        return
    from rich.live import Live

    with Live(_Lines(board), console=console, refresh_per_second=5):
        yield


class _Lines:
    """The board as rich draws it, anew at each refresh."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def __rich__(self) -> Any:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 2))
        for shop, done, todo, numbers, doing in self._board.rows():
            bar = ProgressBar(total=max(todo, 1), completed=done, width=20)
            grid.add_row(Text(shop), bar, f"{done}/{todo}", numbers, Text(doing, no_wrap=True))
        return grid
