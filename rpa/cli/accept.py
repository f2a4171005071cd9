"""``rpa accept``: a person takes a changed row as it is; nothing is submitted for it."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, errors_as_exit_codes

__all__ = ["accept", "app"]

app = typer.Typer()


@app.command()
def accept(
    unit: options.UnitName,
    by: options.By,
    note: Annotated[
        str | None, typer.Option("--note", metavar="TEXT", help="Why; kept in the journal.")
    ] = None,
    shop: options.Shops = None,
    as_json: AsJson = False,
) -> None:
    """Take a changed row as it is: what landed counts for it, nothing is submitted."""
    with errors_as_exit_codes(as_json):
        from rpa.cli.decision import decide
        from rpa.core.states import Event

        decide(unit, shop, Event.ADOPTED, by=by, note=note, as_json=as_json)
