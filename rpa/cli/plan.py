"""``rpa plan``: what a run would do, before anything happens."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, emit, errors_as_exit_codes, say, table

if TYPE_CHECKING:
    from rich.console import Console

    from rpa.cli.prospects import ShopProspects
    from rpa.inputs import Batch

__all__ = ["app", "plan"]

app = typer.Typer()

_QUIET: Final = ("new", "submitted already", "skipped")  # nobody needs to look at these one by one
_FIRST_ROWS: Final = 3


@app.command()
def plan(
    flow: Annotated[str, typer.Argument(metavar="FLOW", help="Flow, such as list_product.")],
    items: Annotated[Path, typer.Argument(metavar="ITEMS", help="CSV, XLSX or JSONL file.")],
    shop: options.Shops = None,
    edition: options.Edition = "",
    decimal: options.Decimal = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="By the journals alone; open no shop.")
    ] = False,
    browser: options.Browser = None,
    as_json: AsJson = False,
) -> None:
    """Show what a run would do with each unit in each shop; submit nothing, write nothing."""
    with errors_as_exit_codes(as_json):
        from rpa.cli.prepare import check_fit, read_batch, shops_of
        from rpa.cli.prospects import by_journal, by_lists
        from rpa.config import load_project
        from rpa.runner.tally import worst

        project = load_project()
        shops = shops_of(project, shop)
        flow_type, batch = read_batch(project, flow, items, decimal)
        check_fit(project, flow_type, batch, shops, (), edition)
        found = by_journal(project, shops, flow_type, batch, edition)
        if not offline:
            from rpa.gate.session import SessionOptions

            found = by_lists(project, flow_type, found, SessionOptions(browser=browser))
        document = _document(flow, batch, found)
        emit(document, as_json, lambda console: _show(console, document))
        for one in found:
            if one.problem is not None:
                say(f"error: {one.problem}")
        code = worst(one.problem.exit_code if one.problem else 0 for one in found)
    raise typer.Exit(code)


def _document(flow: str, batch: Batch[Any], found: list[ShopProspects]) -> dict[str, Any]:
    return {
        "flow": flow,
        "items": str(batch.source),
        "encoding": batch.encoding,
        "rows": batch.rows_read,
        "blank_rows": batch.rows_blank,
        "first_rows": [dict(row.raw) for row in batch.items[:_FIRST_ROWS]],
        "shops": [
            {
                "shop": one.shop.name,
                "session": one.session or None,
                "error": str(one.problem) if one.problem else "",
                "counts": dict(Counter(unit.prospect.value for unit in one.previews)),
                "units": [
                    {
                        "unit": unit.planned.unit.key,
                        "label": unit.planned.unit.label,
                        "row": unit.planned.unit.row,
                        "prospect": unit.prospect.value,
                        "why": unit.why,
                        "changes": {name: list(pair) for name, pair in unit.changes.items()},
                        "records": list(unit.records),
                    }
                    for unit in one.previews
                ],
            }
            for one in found
        ],
    }


def _show(console: Console, document: dict[str, Any]) -> None:
    if document["encoding"] == "gb18030":  # a guess that a person can check at a glance
        console.print(
            table(
                "The file is not UTF-8 and was read as GB18030. Its first rows:",
                list(document["first_rows"][0]),
                [list(row.values()) for row in document["first_rows"]],
            )
        )
    shops = document["shops"]
    kinds = list(dict.fromkeys(kind for shop in shops for kind in shop["counts"]))
    rows = [
        (shop["shop"], shop["session"] or "not opened", *(shop["counts"].get(k, 0) for k in kinds))
        for shop in shops
    ]
    title = f"{document['flow']}: {document['rows']} items"
    console.print(table(title, ("shop", "session", *kinds), rows))
    notable = [
        (shop["shop"], unit["label"], unit["prospect"], _detail(unit))
        for shop in shops
        for unit in shop["units"]
        if unit["prospect"] not in _QUIET
    ]
    if notable:
        console.print(table("", ("shop", "unit", "what", "detail"), notable))


def _detail(unit: dict[str, Any]) -> str:
    changed = [f"{name}: {old} → {new}" for name, (old, new) in unit["changes"].items()]
    records = [f"record {', '.join(unit['records'])}"] if unit["records"] else []
    return "; ".join([*changed, *records, *([unit["why"]] if unit["why"] else [])])
