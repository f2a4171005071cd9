"""``rpa demo``: the main job on a real store, and what happens when it is killed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, emit, errors_as_exit_codes, table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["app", "demo"]

app = typer.Typer()
demo = typer.Typer(help="Watch it work on a real store: list products, or survive a crash.")
app.add_typer(demo, name="demo")

Where = Annotated[Path, typer.Option("--dir", help="Where the demo keeps its things.")]


@demo.callback(invoke_without_command=True)
def listing(
    context: typer.Context,
    folder: Where = Path(".rpa/demo"),
    headed: options.Headed = False,
    slow_mo: options.SlowMo = 0.0,
    browser: options.Browser = None,
    as_json: AsJson = False,
) -> None:
    """List five products with pictures in each of two django-oscar shops, through Chromium."""
    if context.invoked_subcommand is not None:
        return
    with errors_as_exit_codes(as_json):
        from rpa.cli.demo_listing import list_products

        options_of_job = {"headed": headed, "slow_mo": slow_mo, "browser": browser}
        document = list_products(folder.resolve(), options_of_job)
        _finish(document, as_json)


@demo.command()
def crash(
    folder: Where = Path(".rpa/demo-crash"),
    no_probe: Annotated[
        bool, typer.Option("--no-probe", help="Hold the doubt; a person settles it.")
    ] = False,
    lost_before_commit: Annotated[
        bool, typer.Option("--lost-before-commit", help="Kill before the request leaves.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Kill a run between "landed" and "written down", resume it, and count what landed."""
    with errors_as_exit_codes(as_json):
        from rpa.cli.demo_crash import crash as tell

        document = tell(
            folder.resolve(), probe=not no_probe, lost=lost_before_commit, quiet=as_json
        )
        _finish(document, as_json)


def _finish(document: dict[str, Any], as_json: bool) -> None:
    emit(document, as_json, lambda console: _show(console, document))
    good = not (document["exit_code"] or document["duplicates"] or document["lost"])
    raise typer.Exit(0 if good else document["exit_code"] or 1)


def _show(console: Console, document: dict[str, Any]) -> None:
    counted = ("units", "submitted", "already", "failed", "unknown", "duplicates", "lost")
    rows = [(name, document[name]) for name in counted if name in document]
    console.print(table("counted in the store's own database", ("what", "count"), rows))
    console.print(f"{document['seconds']} s")
    if document.get("report"):
        console.print(f"report: {document['report']}", markup=False, soft_wrap=True)
