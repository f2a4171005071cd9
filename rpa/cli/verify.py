"""``rpa verify``: settle doubts by the shops' own lists, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, emit, errors_as_exit_codes, say, table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["app", "verify"]

app = typer.Typer()


@app.command()
def verify(
    shop: options.Shops = None,
    run: Annotated[
        str | None, typer.Option("--run", metavar="RUN", help="Only units this run wrote about.")
    ] = None,
    exam: Annotated[
        bool, typer.Option("--exam", help="Examine the shops' probes anew instead.")
    ] = False,
    headed: options.Headed = False,
    browser: options.Browser = None,
    as_json: AsJson = False,
) -> None:
    """Read the shops' lists and settle what is in doubt; submit nothing."""
    with errors_as_exit_codes(as_json):
        from rpa.config import load_project

        project = load_project()
        if exam:
            from rpa.cli.exams import examine_shops

            rows, code = examine_shops(project, shop, headed=headed, browser=browser)
            emit({"exams": rows}, as_json, lambda console: _show_exams(console, rows))
        else:
            from rpa.cli.doubts import settle_doubts

            units, problems, code = settle_doubts(
                project, shop, run, headed=headed, browser=browser
            )
            document = {"units": units, "errors": problems}
            emit(document, as_json, lambda console: _show(console, units))
            for name, problem in problems.items():
                say(f"error: {name}: {problem}")
    raise typer.Exit(code)


def _show(console: Console, units: list[dict[str, Any]]) -> None:
    if not units:
        console.print("nothing is in doubt")
        return
    rows = [[one[c] for c in ("shop", "label", "status", "verdict", "why")] for one in units]
    console.print(table("", ("shop", "unit", "now", "verdict", "why"), rows))


def _show_exams(console: Console, rows: list[dict[str, Any]]) -> None:
    shown = [
        (row["shop"], row["probe"], "passed" if row["passed"] else "failed", _said(row))
        for row in rows
    ]
    console.print(table("", ("shop", "probe", "exam", "what went wrong"), shown))


def _said(row: dict[str, Any]) -> str:
    return "; ".join(f"{asked}: {why}" for asked, why in row["failures"].items())
