"""``rpa confirm``: a person says whether a unit in doubt has landed."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, errors_as_exit_codes

__all__ = ["app", "confirm"]

app = typer.Typer()


@app.command()
def confirm(
    unit: options.UnitName,
    landed: Annotated[
        bool,
        typer.Option("--landed/--not-landed", help="You saw it in the shop, or it is not there."),
    ],
    by: options.By,
    note: options.Note,
    record: Annotated[
        str | None,
        typer.Option("--record", metavar="ID", help="The shop's id of it; later steps may use it."),
    ] = None,
    shop: options.Shops = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a unit in doubt has landed; works while a run is on."""
    with errors_as_exit_codes(as_json):
        from rpa.cli.decision import decide
        from rpa.core.states import Event
        from rpa.errors import UsageError

        if record is not None and not landed:
            raise UsageError("--record names what landed; it does not go with --not-landed")
        event = Event.CONFIRMED_LANDED if landed else Event.CONFIRMED_NOT_LANDED
        data = {"result": {"record": record}} if record else {}
        decide(unit, shop, event, by=by, note=note, data=data, as_json=as_json)
