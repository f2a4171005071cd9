"""How commands talk: one JSON document or tables on stdout, everything else on stderr.

Errors are one line each, with the exit codes of the error tree.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rpa.errors import RpaError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["AsJson", "emit", "errors_as_exit_codes", "say", "talk"]

AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
"""The ``--json`` option every command has."""


def talk() -> Console:
    """The console for people: standard error, so that stdout stays clean."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """Say one thing to a person."""
    talk().print(text, markup=False, soft_wrap=True)


def emit(document: Any, as_json: bool, people: Callable[[Console], None]) -> None:
    """Give a command's result.

    Args:
        document: The result as plain data.
        as_json: Print it as one JSON document.
        people: Prints it for people, on stdout.
    """
    if as_json:
        json.dump(document, sys.stdout, ensure_ascii=False, indent=2, default=str)
        sys.stdout.write("\n")
        return
    from rich.console import Console

    people(Console(highlight=False))


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Any:
    """A table for people."""
    from rich.table import Table
    from rich.text import Text

    made = Table(*columns, title=title or None, title_justify="left")
    for row in rows:
        made.add_row(*(Text(str(cell)) for cell in row))  # brackets in a title are no markup
    return made


@contextmanager
def errors_as_exit_codes(as_json: bool = False) -> Iterator[None]:
    """Turn an error the framework knows into its exit code and one line on stderr.

    With ``--json`` the document on stdout is ``{"error": …, "exit_code": …}``.
    """
    try:
        yield
    except RpaError as error:
        if as_json:
            emit({"error": str(error), "exit_code": error.exit_code}, True, lambda _: None)
        talk().print(f"error: {error}", style="red", markup=False, soft_wrap=True)
        raise typer.Exit(error.exit_code) from None
