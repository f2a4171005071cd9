"""The Typer application, made of the commands' modules."""

from __future__ import annotations

import importlib
from typing import Any

import typer
from typer.core import TyperGroup

from rpa.cli.main import COMMANDS, overview

__all__ = ["app"]


class _Commands(TyperGroup):
    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Say the same as the short way does, which never comes here."""
        formatter.write(overview())


app = typer.Typer(
    name="rpa",
    cls=_Commands,
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help starts three times faster
    pretty_exceptions_enable=False,
    add_completion=False,
)
for _name in COMMANDS:
    app.add_typer(importlib.import_module(f"rpa.cli.{_name}").app)
