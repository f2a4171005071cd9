"""``rpa skip``: a person leaves a unit undone for good."""

from __future__ import annotations

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, errors_as_exit_codes

__all__ = ["app", "skip"]

app = typer.Typer()


@app.command()
def skip(
    unit: options.UnitName,
    by: options.By,
    note: options.Note,
    shop: options.Shops = None,
    as_json: AsJson = False,
) -> None:
    """Leave a unit undone for good; if it is in doubt, nobody will look again."""
    with errors_as_exit_codes(as_json):
        from rpa.cli.decision import decide
        from rpa.core.states import Event

        decide(unit, shop, Event.SKIPPED, by=by, note=note, as_json=as_json)
