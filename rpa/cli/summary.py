"""The end of a run: the report page, a table, and the exit code."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from rpa.cli.launch import Result
from rpa.cli.output import emit, say, table
from rpa.errors import JournalError, RpaError

if TYPE_CHECKING:
    from rich.console import Console

    from rpa.config import Project

__all__ = ["conclude", "finish"]


def conclude(project: Project, result: Result) -> None:
    """Do what comes after every run: write its report page and drop old evidence.

    What goes wrong here changes nothing about how the run ended.
    """
    from rpa.cli.report import write_report
    from rpa.runner.tidy import prune_evidence

    for shop in result.ended:
        with suppress(JournalError):  # the run itself has said so
            prune_evidence(project, shop)
    try:
        result.report = write_report(project, result.manifest.run)
    except RpaError as error:
        say(f"no report page: {error}")


def finish(project: Project, result: Result, as_json: bool) -> None:
    """Write the report, show how the run ended, and exit.

    Raises:
        Exit: Always, with the run's exit code.
    """
    conclude(project, result)
    emit(result.document(), as_json, lambda console: _show(console, result))
    for shop, end in result.ended.items():
        if end.error:
            say(f"error: {end.error}" if shop in end.error else f"error: {shop}: {end.error}")
        elif end.paused:
            say(f"{shop} paused: {end.paused}")
    raise typer.Exit(result.exit_code)


def _show(console: Console, result: Result) -> None:
    columns = ("shop", "submitted", "failed", "held", "dead", "changed", "skipped", "seconds")
    rows = []
    for shop, end in result.ended.items():
        counts = [end.counts.get(s, 0) for s in ("submitted", "failed", "unknown", "dead")]
        counts += [end.counts.get(s, 0) for s in ("changed", "skipped")]
        rows.append((shop, *counts, f"{result.seconds.get(shop, 0.0):.1f}"))
    console.print(table(f"run {result.manifest.run}", columns, rows))
    if result.report is not None:
        console.print(f"report: {result.report}", markup=False, soft_wrap=True)
