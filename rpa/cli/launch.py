"""Launching a batch in its shops: progress while they work, one result when all have ended."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from rpa.cli.output import say
from rpa.errors import UsageError

if TYPE_CHECKING:
    from rpa.config import Project
    from rpa.runner.batch import Manifest
    from rpa.runner.job import Ended, Job, Kill

__all__ = ["Canary", "Result", "launch", "launch_batch", "parse_kill"]


@dataclass
class Result:
    """How a run ended.

    Attributes:
        manifest: What was asked for.
        ended: How each shop ended, by name.
        seconds: How long each shop worked, by name.
        total: Seconds from the start of the first to the end of the last.
        report: The report page, if one was written.
    """

    manifest: Manifest
    ended: dict[str, Ended] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    total: float = 0.0
    report: Path | None = None

    @property
    def exit_code(self) -> int:
        """The worst of all shops."""
        from rpa.runner.tally import worst

        return worst(end.exit_code for end in self.ended.values())

    def units(self, *statuses: str) -> int:
        """How many of the batch's units have one of these statuses, over all shops."""
        return sum(end.counts.get(s, 0) for end in self.ended.values() for s in statuses)

    def document(self) -> dict[str, Any]:
        """The result as ``--json`` gives it."""
        shops = [
            {
                "shop": shop,
                "exit_code": end.exit_code,
                "counts": end.counts,
                "error": end.error,
                "paused": end.paused,
                "seconds": round(self.seconds.get(shop, 0.0), 1),
            }
            for shop, end in self.ended.items()
        ]
        return {
            "run": self.manifest.run,
            "flow": self.manifest.flow,
            "shops": shops,
            "submitted": self.units("submitted"),
            "failed": self.units("failed"),
            "held": self.units("unknown", "changed"),
            "dead": self.units("dead"),
            "seconds": round(self.total, 1),
            "report": str(self.report) if self.report else None,
        }


@dataclass(frozen=True)
class Canary:
    """Whether one unit per shop goes ahead of the others, and whether to ask before the rest."""

    wanted: bool
    yes: bool

    def goes_on(self, result: Result) -> bool:
        """Say how the first units fared and ask; where nobody can be asked, a yes goes on.

        It does so only if all went well: nobody has looked at what went wrong.
        """
        fared = f"{result.units('submitted')} units are submitted"
        wrong = [shop for shop, end in result.ended.items() if end.exit_code]
        if wrong:
            fared += f", and {', '.join(wrong)} did not go well"
        say(f"canary: {fared}; look at them in the shops")
        if self.yes and not wrong:
            return True
        if self.yes or not sys.stdin.isatty():
            reason = "something went wrong" if wrong else "there is nobody to ask"
            say(f"stopping after the canary, for {reason}; `rpa resume` does the rest")
            return False
        return typer.confirm("Go on with the rest?", err=True)


def launch_batch(
    project: Project, manifest: Manifest, shops: tuple[str, ...], job: Job, canary: Canary
) -> Result:
    """Run a batch in some shops.

    Args:
        project: The project.
        manifest: What to do.
        shops: Where, now.
        job: What is the same in every shop.
        canary: Whether one unit per shop goes first.

    Raises:
        BrowserMissing: There is no Chromium and none could be installed.
    """
    from rpa.gate.browser import make_sure_of_browser

    asyncio.run(make_sure_of_browser(job.browser))
    result = Result(manifest)
    jobs = [job.model_copy(update={"shop": shop}) for shop in shops]
    if canary.wanted:
        launch(project, [one.model_copy(update={"limit": 1}) for one in jobs], result)
        if job.limit == 1 or not canary.goes_on(result):
            return result
        rest = job.limit - 1 if job.limit is not None else None
        jobs = [one.model_copy(update={"limit": rest}) for one in jobs]
    launch(project, jobs, result)
    return result


def launch(project: Project, jobs: list[Job], result: Result) -> None:
    """Run jobs to their end, show how they come along, and add how they ended to a result."""
    from rpa.cli.progress import Board, showing
    from rpa.runner.pool import Pool

    began = time.monotonic()
    board = Board([job.shop for job in jobs])
    with showing(board):
        ended = asyncio.run(Pool(project, board.told, board.started).run(jobs))
    result.ended |= ended
    for shop, spent in board.seconds().items():
        result.seconds[shop] = result.seconds.get(shop, 0.0) + spent
    result.total += time.monotonic() - began


def parse_kill(text: str | None) -> Kill | None:
    """Read ``POINT:NTH[:VICTIM]``; points may hold colons themselves.

    Raises:
        UsageError: It is not of that form.
    """
    from pydantic import ValidationError

    from rpa.runner.job import Kill

    if text is None:
        return None
    point, _, nth = text.rpartition(":")
    told = {"point": point, "nth": nth}
    if not nth.isdigit():
        victim = nth
        point, _, nth = point.rpartition(":")
        told = {"point": point, "nth": nth, "victim": victim}
    try:
        return Kill.model_validate(told)
    except ValidationError:
        raise UsageError(f"--kill-at {text}: give POINT:NTH or POINT:NTH:VICTIM") from None
