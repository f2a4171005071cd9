"""``rpa resume``: go on with a batch."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa.cli import options
from rpa.cli.output import AsJson, errors_as_exit_codes

__all__ = ["app", "resume"]

app = typer.Typer()


@app.command()
def resume(
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="The run; the latest if not given.")
    ] = None,
    shop: options.Shops = None,
    only: options.Only = None,
    limit: options.Limit = None,
    canary: options.Canary = False,
    yes: options.Yes = False,
    headed: options.Headed = False,
    slow_mo: options.SlowMo = 0.0,
    trace: options.Trace = False,
    no_pictures: options.NoPictures = False,
    no_probe: options.NoProbe = False,
    allow_weak: options.AllowWeak = False,
    browser: options.Browser = None,
    kill_at: options.KillAt = None,
    as_json: AsJson = False,
) -> None:
    """Go on with a run's batch: what landed is left alone, doubts are settled first."""
    with errors_as_exit_codes(as_json):
        from rpa.cli.launch import Canary, launch_batch, parse_kill
        from rpa.cli.prepare import prepare_again, refuse_weak
        from rpa.cli.summary import finish
        from rpa.config import load_project
        from rpa.runner.job import Job

        project = load_project()
        refuse_weak(project, shop, allowed=allow_weak)
        kill, names = parse_kill(kill_at), tuple(only or ())
        manifest, shops = prepare_again(project, run, shop, names)
        job = Job(
            root=project.root,
            shop="",
            run=manifest.run,
            only=names,
            limit=limit,
            probe=not no_probe,
            headed=headed,
            slow_mo=slow_mo,
            trace=trace,
            pictures=not no_pictures,
            browser=browser,
            kill=kill,
        )
        result = launch_batch(project, manifest, shops, job, Canary(canary, yes))
        finish(project, result, as_json)
