"""Which column of a file feeds which field of an item."""

from __future__ import annotations

import difflib
from pathlib import Path

from rpa.errors import InputError
from rpa.inputs.item import EDITION, OCCURRENCE, Item
from rpa.inputs.table import Table

__all__ = ["match_columns"]


def match_columns(table: Table, model: type[Item], path: Path) -> dict[str, str]:
    """Map every column to its field: the field's name, or its alias (say, a Chinese heading).

    Columns must match exactly. A required field that no column feeds stops the file.

    Raises:
        InputError: An unknown column, with the closest known name; two columns for one field; a
            required column that is not there.
    """
    known = {name: name for name in (*model.model_fields, OCCURRENCE, EDITION)}
    known |= {field.alias: name for name, field in model.model_fields.items() if field.alias}
    fields: dict[str, str] = {}
    for column, row in table.columns.items():
        where = f"{path.name} row {row}, column {column}"
        if column not in known:
            raise InputError(f"{where}: unknown; {_suggestion(column, list(known))}")
        if known[column] in fields.values():
            raise InputError(f"{where}: another column already holds {known[column]}; keep one")
        fields[column] = known[column]
    for name, field in model.model_fields.items():
        if field.is_required() and name not in fields.values():
            raise InputError(
                f"{path.name}: column {field.alias or name} is missing; "
                f"the file has {', '.join(table.columns)}"
            )
    return fields


def _suggestion(column: str, known: list[str]) -> str:
    if close := difflib.get_close_matches(column, known, n=1):
        return f"did you mean {close[0]}?"
    return f"known are {', '.join(known)}"
