"""What every file format is read into before the model sees it: rows of raw values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["RawRow", "Table", "is_empty"]


@dataclass(frozen=True, slots=True)
class RawRow:
    """One physical row below the header.

    Attributes:
        number: Row number as a person sees it in the file; the header is row 1.
        values: Raw value by column. Text as written; numbers as int or Decimal.
        places: Where the cell is found, by column, if the format has a name for it ("Sheet1!A3").
        problem: Why the row cannot be read at all; empty if it can.
    """

    number: int
    values: Mapping[str, object]
    places: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def blank(self) -> bool:
        """Whether no cell holds anything."""
        return not self.problem and all(is_empty(value) for value in self.values.values())


@dataclass(frozen=True, slots=True)
class Table:
    """A file as raw rows.

    Attributes:
        encoding: "utf-8", "utf-8-sig", "gb18030" or "xlsx".
        columns: Column names, each with the number of the row that first names it.
        rows: Every physical row below the header, blank ones included.
    """

    encoding: str
    columns: Mapping[str, int]
    rows: Sequence[RawRow]


def is_empty(value: object) -> bool:
    """An empty cell means "not given": nothing at all, or only white space."""
    return value is None or (isinstance(value, str) and not value.strip())
