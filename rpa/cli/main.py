"""The ``rpa`` command."""

from __future__ import annotations

import importlib
import sys
from typing import Final

import typer

__all__ = ["app", "main"]

_COMMANDS: Final[tuple[str, ...]] = (
    "demo",
    "init",
    "doctor",
    "plan",
    "run",
    "resume",
    "verify",
    "stop",
    "login",
    "status",
    "show",
    "confirm",
    "accept",
    "requeue",
    "skip",
    "report",
    "journal",
)
"""Modules of this package, in the order of the help; each has a Typer ``app`` of its own."""

app = typer.Typer(
    name="rpa",
    help="Browser automation for online shops in which a submit lands once.",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help starts three times faster
    pretty_exceptions_enable=False,
    add_completion=False,
)
for _command in _COMMANDS:
    app.add_typer(importlib.import_module(f"rpa.cli.{_command}").app)


def main() -> None:
    """Run the command line; on a terminal that cannot show UTF-8, say so in UTF-8 all the same."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    app()
