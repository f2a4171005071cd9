"""The header row of a CSV or XLSX file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rpa.errors import InputError
from rpa.inputs.shown import shown
from rpa.inputs.table import is_empty

__all__ = ["read_header"]


def read_header(cells: Sequence[object], path: Path) -> list[str]:
    """Turn the cells of row 1 into column names; empty cells at the end are no columns.

    Raises:
        InputError: No names, a nameless column between others, a name that is not text, or one
            name twice.
    """
    names = list(cells)
    while names and is_empty(names[-1]):
        names.pop()
    if not names:
        raise InputError(f"{path.name} row 1: empty; the first row names the columns")
    columns: list[str] = []
    for position, name in enumerate(names, start=1):
        if is_empty(name):
            raise InputError(f"{path.name} row 1: column {position} has no name")
        if not isinstance(name, str):
            raise InputError(
                f"{path.name} row 1: column {position} is named {shown(name)}, not text"
            )
        column = " ".join(name.split())  # headings such as "价格\n(元)" are one line in messages
        if column in columns:
            raise InputError(f'{path.name} row 1: column "{column}" is there twice')
        columns.append(column)
    return columns
