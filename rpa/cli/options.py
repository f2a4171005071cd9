"""Options that several commands share, so that they are spelt and explained once."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = [
    "AllowWeak",
    "Browser",
    "By",
    "Canary",
    "Decimal",
    "Edition",
    "Headed",
    "KillAt",
    "Limit",
    "NoPictures",
    "NoProbe",
    "Note",
    "Only",
    "Shops",
    "SlowMo",
    "Trace",
    "UnitName",
    "Yes",
]

Shops = Annotated[
    list[str] | None,
    typer.Option("--shop", metavar="SHOP", help="Only this shop; may be repeated."),
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="UNIT", help="Only this unit, by name or key; repeatable."),
]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="At most so many units in each shop.")
]
Canary = Annotated[
    bool, typer.Option("--canary", help="One unit in each shop, then ask before the rest.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Go on after the canary without asking.")]
Decimal = Annotated[
    str | None,
    typer.Option("--decimal", metavar=". or ,", help="What separates decimals in the file."),
]
Edition = Annotated[
    str, typer.Option("--edition", help="Do landed units once more, under this name.")
]
Headed = Annotated[bool, typer.Option("--headed", help="Show the browser.")]
SlowMo = Annotated[
    float, typer.Option("--slow-mo", min=0, metavar="MS", help="Wait after each action.")
]
Trace = Annotated[bool, typer.Option("--trace", help="Keep a trace of every unit.")]
AllowWeak = Annotated[
    bool,
    typer.Option("--allow-weak", help="Run attached browsers unattended; they fail open."),
]
NoPictures = Annotated[bool, typer.Option("--no-pictures", help="No pictures around submits.")]
NoProbe = Annotated[
    bool, typer.Option("--no-probe", help="Read no list to settle a doubt; hold the unit.")
]
Browser = Annotated[
    str | None,
    typer.Option("--browser", metavar="PATH", help="A Chromium of your own, chrome or msedge."),
]
KillAt = Annotated[
    str | None,
    typer.Option("--kill-at", hidden=True, metavar="POINT:NTH[:VICTIM]", help="Die there."),
]
UnitName = Annotated[
    str,
    typer.Argument(metavar="UNIT", help="Label, SHOP:LABEL, or the first digits of its key."),
]
By = Annotated[str, typer.Option("--by", metavar="WHO", help="Who decides.")]
Note = Annotated[str, typer.Option("--note", metavar="TEXT", help="Why; kept in the journal.")]
