"""``rpa doctor``: is everything there that a run needs?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, emit, errors_as_exit_codes

if TYPE_CHECKING:
    from rich.console import Console

    from rpa.cli.checkup import Finding

__all__ = ["app", "doctor"]

app = typer.Typer()


@app.command()
def doctor(browser: options.Browser = None, as_json: AsJson = False) -> None:
    """Check computer, project and shops without opening any; exit 1 if something keeps a run."""
    with errors_as_exit_codes(as_json):
        from dataclasses import asdict

        findings = _findings(browser)
        sound = not any(finding.state == "problem" for finding in findings)
        document = {"ok": sound, "findings": [asdict(finding) for finding in findings]}
        emit(document, as_json, lambda console: _show(console, findings))
    raise typer.Exit(0 if sound else 1)


def _findings(browser: str | None) -> list[Finding]:
    from rpa.cli.checkup import Finding, of_computer, of_project, of_shop
    from rpa.config import load_project
    from rpa.errors import ConfigError, JournalUnwritable

    found = list(of_computer(browser))
    try:
        project = load_project()
    except ConfigError as error:
        return [*found, Finding("configuration", "problem", str(error))]
    try:
        found += of_project(project)
        for shop in project.shops.values():
            found += of_shop(project, shop)
    except JournalUnwritable as error:
        found.append(Finding("journals", "problem", str(error)))
    return found


def _show(console: Console, findings: list[Finding]) -> None:
    for one in findings:
        about = f"{one.shop}: {one.check}" if one.shop else one.check
        style = {"problem": "red", "warning": "yellow"}.get(one.state)
        line = f"{one.state:8} {about:24} {one.detail}"
        console.print(line, style=style, markup=False, soft_wrap=True)
