"""One raw row into one checked item, or into its list of problems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from rpa.inputs.item import EDITION, OCCURRENCE, Item
from rpa.inputs.item_code import identity_text
from rpa.inputs.origin import Origin
from rpa.inputs.shown import shown
from rpa.inputs.table import RawRow, is_empty

__all__ = ["BadRow", "Row", "make_row"]

ItemT = TypeVar("ItemT", bound=Item)


@dataclass(frozen=True, slots=True)
class Row(Generic[ItemT]):
    """An item and where it stands in its file.

    Attributes:
        number: Row number as a person sees it in the file; in CSV and XLSX the header is row 1.
        item: The checked item.
        occurrence: Which of several equal rows this is, from 1.
        edition: Empty, or the name under which a unit that landed is to be done once more.
        raw: The cells by column as they were read, before any trimming.
    """

    number: int
    item: ItemT
    occurrence: int
    edition: str
    raw: Mapping[str, object]


class BadRow(Exception):
    """A row that is no item; each problem continues the text "items.csv row 5"."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def make_row(
    raw: RawRow, fields: Mapping[str, str], model: type[ItemT], origin: Origin
) -> Row[ItemT]:
    """Check one row that is not blank.

    Args:
        raw: The row.
        fields: Field name by column, from `match_columns`.
        model: The item class.
        origin: Where relative paths start and what separates decimals.

    Raises:
        BadRow: Every problem of the row.
    """
    if raw.problem:
        raise BadRow([f": {raw.problem}"])
    columns = {field: column for column, field in fields.items()}
    given = {fields[name]: value for name, value in raw.values.items() if not is_empty(value)}
    problems: list[str] = []

    def blame(field: str, why: str) -> None:
        column = columns.get(field, field)
        place = f" (cell {raw.places[column]})" if column in raw.places else ""
        problems.append(f", column {column}{place}: {why}")

    occurrence, edition = 1, ""
    try:
        occurrence = _occurrence(given.pop(OCCURRENCE, 1))
    except ValueError as error:
        blame(OCCURRENCE, str(error))
    try:
        edition = identity_text(given.pop(EDITION)) if EDITION in given else ""
    except ValueError as error:
        blame(EDITION, str(error))
    try:
        item = model.model_validate(given, context=origin, by_alias=False, by_name=True)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            blame(str(detail["loc"][0]) if detail["loc"] else "?", _why(detail))
    if problems:
        raise BadRow(problems)
    return Row(raw.number, item, occurrence, edition, raw.values)


def _occurrence(value: object) -> int:
    is_digits = isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,9}\s*", value)
    number = int(str(value)) if is_digits else value
    if isinstance(number, int) and not isinstance(number, bool) and number >= 1:
        return number
    raise ValueError(f"{shown(value)} is not a whole number from 1")


def _why(detail: Any) -> str:
    """One pydantic error as a line that starts with the value."""
    if detail["type"] == "missing":
        return "empty, but every row needs it"
    if detail["type"] == "value_error":
        return str(detail["ctx"]["error"])
    if detail["type"] == "string_type":
        return f"holds {shown(detail['input'])}, not text; format the column as text"
    return f"{shown(detail['input'])}: {detail['msg']}"
