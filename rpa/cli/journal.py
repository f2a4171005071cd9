"""``rpa journal``: look at the journals, take them elsewhere, make them shorter."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, emit, errors_as_exit_codes, say, table

if TYPE_CHECKING:
    from rich.console import Console

    from rpa.cli.journals import ShopJournal
    from rpa.config import Project

__all__ = ["app", "check", "compact", "export"]

app = typer.Typer(name="journal", help="Check, export and compact journals.", no_args_is_help=True)


class Format(StrEnum):
    """What an export is written as."""

    JSONL = "jsonl"
    CSV = "csv"


def _there(shops: list[str] | None) -> tuple[Project, list[ShopJournal]]:
    """The project, and those journals that are there.

    Raises:
        UsageError: None is.
    """
    from rpa.cli.journals import journals_of
    from rpa.config import load_project
    from rpa.errors import UsageError

    project = load_project()
    found = [journal for journal in journals_of(project, shops) if journal.path.exists()]
    if not found:
        raise UsageError(f"no journal in {project.home / 'journals'}; `rpa run` begins one")
    return project, found


@app.command()
def check(shop: options.Shops = None, as_json: AsJson = False) -> None:
    """Read journals from end to end and say what is wrong with them; changes nothing."""
    with errors_as_exit_codes(as_json):
        from rpa.journal import check as check_journal

        reports = [(journal.shop, check_journal(journal.path)) for journal in _there(shop)[1]]
        documents = [_plain(name, report) for name, report in reports]
        emit({"journals": documents}, as_json, lambda console: _show(console, documents))
        healthy = all(report.sound and not report.damage for _, report in reports)
    raise typer.Exit(0 if healthy else 6)


def _plain(shop: str, report: Any) -> dict[str, Any]:
    from dataclasses import asdict

    header = report.header
    return {
        "shop": shop,
        "path": str(report.path),
        "identity": header.shop if header else "",
        "generation": header.generation if header else 0,
        "version": report.version,
        "records": report.seq,
        "lines": report.lines,
        "units": {status.value: count for status, count in report.units.items()},
        "tail": report.tail,
        "sound": report.sound,
        "damage": [{**asdict(each), "path": str(each.path)} for each in report.damage],
        "too_new": report.too_new,
        "generations": [str(path) for path in report.generations],
        "missing": report.missing,
        "torn": [str(path) for path in report.torn],
    }


def _show(console: Console, documents: list[dict[str, Any]]) -> None:
    columns = ("shop", "records", "units", "generation", "verdict")
    rows = [
        (one["shop"], one["records"], sum(one["units"].values()), one["generation"], _verdict(one))
        for one in documents
    ]
    console.print(table("", columns, rows))
    for one in documents:
        for text in _remarks(one):
            console.print(text, markup=False, soft_wrap=True)


def _verdict(one: dict[str, Any]) -> str:
    if one["too_new"]:
        return "written by a newer version"
    if one["damage"]:
        return "damaged" if not one["sound"] else "an older generation is damaged"
    return "sound"


def _remarks(one: dict[str, Any]) -> list[str]:
    remarks = [
        f"{d['path']} line {d['line']} (byte {d['byte']}): {d['why']}" for d in one["damage"]
    ]
    if one["too_new"]:
        remarks.append(one["too_new"])
    if one["tail"]:
        remarks.append(
            f"{one['path']}: {one['tail']} bytes follow the last line; they are being written or "
            "were torn by a crash, and the next run mends them"
        )
    if one["missing"]:
        gone = ", ".join(map(str, one["missing"]))
        remarks.append(f"{one['path']}: generations {gone} are gone; stories begin after them")
    remarks += [f"{path}: the end of a record that a crash tore off" for path in one["torn"]]
    return remarks


@app.command()
def export(
    shop: options.Shops = None,
    form: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.JSONL,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where; else stdout.")
    ] = None,
) -> None:
    """Write every record there is, with its shop, as JSON lines or CSV."""
    with errors_as_exit_codes():
        from rpa.cli.export import export_journals

        count = export_journals(*_there(shop), as_csv=form is Format.CSV, output=output)
        say(f"{count} records{f' in {output}' if output else ''}")


@app.command()
def compact(shop: options.Shops = None, as_json: AsJson = False) -> None:
    """Write journals anew, shorter; the old ones stay beside them for `rpa show`."""
    with errors_as_exit_codes(as_json):
        from rpa.runner.tally import worst

        results = [_compact(journal) for journal in _there(shop)[1]]
        emit({"journals": results}, as_json, lambda console: _show_compacted(console, results))
        code = worst(result["exit_code"] for result in results)
    raise typer.Exit(code)


def _compact(journal: ShopJournal) -> dict[str, Any]:
    """Compact one journal; what stands in its way does not keep the others from it."""
    import time
    from dataclasses import asdict

    from rpa.errors import RpaError
    from rpa.journal import compact as compact_journal

    try:
        done = compact_journal(journal.path, clock=time.time)
    except RpaError as error:
        say(f"error: {error}")
        return {"shop": journal.shop, "exit_code": error.exit_code, "error": str(error)}
    kept = str(done.kept) if done.kept else None
    return {"shop": journal.shop, "exit_code": 0, **asdict(done), "kept": kept}


def _show_compacted(console: Console, results: list[dict[str, Any]]) -> None:
    columns = ("shop", "units", "bytes before", "bytes after", "generation")
    names = ("shop", "units", "before", "after", "generation")
    done = [result for result in results if not result["exit_code"]]
    console.print(table("", columns, [[result[name] for name in names] for result in done]))
