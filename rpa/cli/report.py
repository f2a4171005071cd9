"""``rpa report``: one page for each run, whole in itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rpa.cli.output import AsJson, emit, errors_as_exit_codes

if TYPE_CHECKING:
    from pathlib import Path

    from rpa.config import Project

__all__ = ["app", "report", "write_report"]

app = typer.Typer()


@app.command()
def report(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="Which run; the newest if not given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a run's report page: counts, timeline, every unit's story with its pictures."""
    with errors_as_exit_codes(as_json):
        from rpa.cli.report_data import report_data
        from rpa.cli.report_page import write_page
        from rpa.config import load_project
        from rpa.runner.batch import Manifest

        project = load_project()
        manifest = Manifest.load(project, run) if run else Manifest.latest(project)
        document = report_data(project, manifest)
        path = write_page(project, manifest, document)
        emit(
            {"report": str(path), **document},
            as_json,
            lambda console: console.print(f"report: {path}", markup=False, soft_wrap=True),
        )


def write_report(project: Project, run: str) -> Path:
    """Write a run's report page, as `rpa report` does.

    Args:
        project: The project.
        run: The run's id.

    Returns:
        The page.

    Raises:
        ConfigError: There is no such run.
        JournalError: A journal is damaged or cannot be read.
        UsageError: The page cannot be written.
    """
    from rpa.cli.report_data import report_data
    from rpa.cli.report_page import write_page
    from rpa.runner.batch import Manifest

    manifest = Manifest.load(project, run)
    return write_page(project, manifest, report_data(project, manifest))
