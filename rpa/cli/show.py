"""``rpa show``: everything that is known of one unit, and what can be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, emit, errors_as_exit_codes, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

__all__ = ["app", "show"]

app = typer.Typer()


@app.command()
def show(unit: options.UnitName, shop: options.Shops = None, as_json: AsJson = False) -> None:
    """Explain every decision about a unit: its whole story, its evidence, and what can be done."""
    with errors_as_exit_codes(as_json):
        from rpa.cli.details import details
        from rpa.cli.find import find_unit
        from rpa.cli.story import lost_generations, records_of
        from rpa.config import load_project

        project = load_project()
        found = find_unit(project, unit, shop)
        path = found.journal.path
        document = details(project, found, records_of(path, found.view.key))
        document["lost_generations"] = lost_generations(path)
        emit(document, as_json, lambda console: _show(console, document))


def _show(console: Console, document: dict[str, Any]) -> None:
    def line(text: str = "") -> None:
        console.print(text, markup=False, soft_wrap=True)

    line(f"{document['shop']}:{document['label']} is {document['status']}")
    if document["why"]:
        line(f"  because: {document['why']}")
    line(f"  key {document['unit']}, flow {document['flow']}")
    _tell(line, document)
    for trace in document["traces"]:
        line(f"  trace: {trace}")
    if document["differences"]:
        _compare(console, document["differences"])
    elif document["arguments"]:
        line("\narguments")
        for name, value in document["arguments"].items():
            line(f"  {name}: {_cell(value)}")
    line(f"\nnext: {document['next']}")
    for choice in document["choices"]:
        line(f"  {choice['command']}\n      {choice['meaning']}")


def _compare(console: Console, rows: list[dict[str, Any]]) -> None:
    """Show old and new arguments, and in words what the eye cannot tell apart."""
    cells = [
        ("" if row["same"] else "≠", row["field"], _cell(row["landed"]), _cell(row["now"]))
        for row in rows
    ]
    console.print()
    console.print(table("", ("", "field", "landed", "its row now"), cells))
    for row in rows:
        if ", only by " in row["difference"]:
            text = f"  {row['field']}: {row['difference']}"
            console.print(text, markup=False, soft_wrap=True)


def _tell(line: Callable[[str], None], document: dict[str, Any]) -> None:
    from rpa.cli.words import local_time

    if document["lost_generations"]:
        line("  the story begins later: older generations of the journal are gone")
    run = None
    for row in document["story"]:
        if row["run"] != run:
            run = row["run"]
            line(f"\nrun {run}" if run else "\noutside any run")
        because = f": {row['why']}" if row["why"] else ""
        line(f"  {local_time(row['time'])}  {row['attempt']}  {row['words']}{because}")
        for place in row["evidence"]:
            gone = "" if place["kept"] else " (no longer kept)"
            line(f"      {place['path']}{gone}")


def _cell(value: object) -> str:
    return "" if value is None else str(value)
