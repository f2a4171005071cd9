"""The ``rpa`` command: its overview, and the way to everything else.

Loading the library that reads command lines takes ten times as long as starting Python, so the
overview, which people ask for most, is printed before anything is loaded.
"""

from __future__ import annotations

import sys

__all__ = ["COMMANDS", "main", "overview"]

COMMANDS = {
    "demo": "watch it work on a real store: list products, or survive a crash",
    "init": "begin a project: rpa.toml, a flow, a store and some items",
    "doctor": "check computer, project and shops",
    "plan": "show what a run would do; submit nothing",
    "run": "submit each item of a file in each shop, once",
    "resume": "go on with a run's batch",
    "verify": "settle doubts by the shops' own lists; submit nothing",
    "stop": "ask running shops to end after the unit at hand",
    "login": "log in to a shop and keep its session",
    "status": "show where every unit stands and what waits for a person",
    "show": "explain every decision about a unit",
    "confirm": "say whether a unit in doubt has landed",
    "accept": "take a changed row as it is",
    "requeue": "put a unit back to be done or verified",
    "skip": "leave a unit undone for good",
    "report": "write a run's report page",
    "journal": "check, export and compact journals",
}
"""Modules of this package, in the order of the overview; each has a Typer ``app`` of its own."""


def overview() -> str:
    """What ``rpa --help`` says."""
    lines = (f"  {name:8} {words}" for name, words in COMMANDS.items())
    return "\n".join(
        (
            "Usage: rpa COMMAND [OPTIONS] [ARGS]...",
            "",
            "  Browser automation for online shops in which a submit lands once.",
            "",
            "Commands:",
            *lines,
            "",
            "  rpa COMMAND --help explains one of them.",
            "",
        )
    )


def main() -> None:
    """Run the command line; on a terminal that cannot show UTF-8, say so in UTF-8 all the same."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    if sys.argv[1:] in (["--help"], ["-h"], ["help"]):
        sys.stdout.write(overview())
        return
    from rpa.cli.app import app

    app()
