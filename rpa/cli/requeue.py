"""``rpa requeue``: a person wants a unit done or looked at again."""

from __future__ import annotations

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, errors_as_exit_codes

__all__ = ["app", "requeue"]

app = typer.Typer()


@app.command()
def requeue(
    unit: options.UnitName,
    by: options.By,
    note: options.Note,
    shop: options.Shops = None,
    as_json: AsJson = False,
) -> None:
    """Put a unit back: one in doubt is verified, a dead or skipped one is tried again."""
    with errors_as_exit_codes(as_json):
        from rpa.cli.decision import decide
        from rpa.core.states import Event

        decide(unit, shop, Event.REQUEUED, by=by, note=note, as_json=as_json)
