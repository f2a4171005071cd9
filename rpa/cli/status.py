"""``rpa status``: where every unit of every shop stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, emit, errors_as_exit_codes, say, table

if TYPE_CHECKING:
    from rich.console import Console

    from rpa.cli.overview import Overview
    from rpa.config import Project
    from rpa.runner.batch import Manifest

__all__ = ["app", "status"]

_MANY: Final = 30  # held or dead units on one screen

app = typer.Typer()


@app.command()
def status(
    shop: options.Shops = None,
    run: Annotated[
        str | None, typer.Option("--run", metavar="RUN", help="Only the units of this run's batch.")
    ] = None,
    units: Annotated[bool, typer.Option("--units", help="List every unit.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Exit with 3 if units are held, 4 if some are left.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show where every unit of every shop stands, and what waits for a person."""
    with errors_as_exit_codes(as_json):
        from rpa.config import load_project

        project = load_project()
        manifest, found = _look(project, shop, run, units)
        document = _document(found, manifest, units)
        emit(document, as_json, lambda console: _show(console, document, units))
        for one in found:
            if one.error:
                say(f"error: {one.error}")
        code = _exit_code(found, document, check)
    raise typer.Exit(code)


def _look(
    project: Project, shops: list[str] | None, run: str | None, units: bool
) -> tuple[Manifest | None, list[Overview]]:
    """Look at every shop asked for, or at those of a run; and find the run, or the newest one."""
    from rpa.cli.journals import journals_of
    from rpa.cli.overview import look
    from rpa.runner.batch import Manifest

    if run is None:
        journals = journals_of(project, shops)
        return _newest(project), [look(project, journal, every=units) for journal in journals]
    manifest = Manifest.load(project, run)
    found = []
    for journal in journals_of(project, shops or list(manifest.shops)):
        batch = {unit.key for unit in manifest.units(project, journal.identity)}
        found.append(look(project, journal, every=units, among=batch))
    return manifest, found


def _newest(project: Project) -> Manifest | None:
    from rpa.errors import ConfigError
    from rpa.runner.batch import Manifest

    try:
        return Manifest.latest(project)
    except ConfigError:
        return None


def _document(found: list[Overview], manifest: Manifest | None, units: bool) -> dict[str, Any]:
    from collections import Counter
    from dataclasses import asdict

    counts: Counter[str] = Counter()
    for one in found:
        counts.update(one.counts)
    shops = [one.document() for one in found]
    listed = {"units": [unit for one in found for unit in one.units]} if units else {}
    return {
        "run": asdict(manifest) if manifest else None,
        "counts": dict(counts),
        "held": [unit for shop in shops for unit in shop["held"]],
        "dead": [unit for shop in shops for unit in shop["dead"]],
        "shops": shops,
        **listed,
    }


def _show(console: Console, document: dict[str, Any], units: bool) -> None:
    columns = list(document["counts"])
    rows = [
        (shop["shop"], *(shop["counts"].get(name, 0) for name in columns), _now(shop))
        for shop in document["shops"]
    ]
    console.print(table("", ("shop", *columns, "now"), rows))
    if units:
        console.print(_units("units", document["units"]))
    else:
        for title in ("held", "dead"):
            if document[title]:
                console.print(_units(title, document[title][:_MANY]))
            if len(document[title]) > _MANY:
                text = f"and {len(document[title]) - _MANY} more; `rpa status --units` lists all"
                console.print(text, markup=False, soft_wrap=True)
    if document["held"] or document["dead"]:
        text = "`rpa show SHOP:UNIT` tells a unit's story and what can be done about it"
        console.print(text, markup=False, soft_wrap=True)
    run = document["run"]
    text = f"last run: {run['run']}, {run['flow']}, {run['source']}" if run else "no run yet"
    console.print(text, markup=False, soft_wrap=True)


def _units(title: str, units: list[dict[str, Any]]) -> Any:
    names = {"shop": "shop", "label": "unit", "status": "status", "attempts": "attempts"}
    for name, shown in (("why", "held, because"), ("error", "last error")):
        if any(unit[name] for unit in units):
            names[name] = shown
    return table(title, list(names.values()), [[unit[name] for name in names] for unit in units])


def _now(shop: dict[str, Any]) -> str:
    if shop["error"]:
        return "journal cannot be read"
    owner = shop["running"]
    if owner:
        return f"running: process {owner['pid']} on {owner['host']}"
    return "" if shop["configured"] else "not in rpa.toml"


def _exit_code(found: list[Overview], document: dict[str, Any], check: bool) -> int:
    from rpa.runner.tally import exit_code

    if any(one.error for one in found):
        return 6
    return exit_code(document["counts"]) if check else 0
