"""``rpa stop``: ask a running shop to end after the unit at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rpa.cli.output import AsJson, emit, errors_as_exit_codes

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["app", "stop"]

app = typer.Typer()


@app.command()
def stop(
    shop: Annotated[list[str], typer.Argument(metavar="SHOP", help="Shops that are to stop.")],
    as_json: AsJson = False,
) -> None:
    """Ask shops that are running to end after the unit at hand."""
    with errors_as_exit_codes(as_json):
        from rpa.config import load_project
        from rpa.journal.owner import who_runs
        from rpa.runner.stopping import stop_file

        project = load_project()
        told: list[dict[str, object]] = []
        for name in dict.fromkeys(project.shop(one).name for one in shop):
            file = stop_file(project.home, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
            told.append({"shop": name, "running": who_runs(project.journal(name)) is not None})

        emit({"shops": told}, as_json, lambda console: _show(console, told))


def _show(console: Console, told: list[dict[str, object]]) -> None:
    words = {True: "asked to end after the unit at hand", False: "no run is at work there"}
    for one in told:
        console.print(f"{one['shop']}: {words[bool(one['running'])]}", markup=False)
