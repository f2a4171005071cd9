"""One call from an items file to checked items, or to an error that names every bad row."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from rpa.errors import InputError
from rpa.inputs.columns import match_columns
from rpa.inputs.csv_file import read_csv
from rpa.inputs.item import Item
from rpa.inputs.jsonl_file import read_jsonl
from rpa.inputs.origin import Origin
from rpa.inputs.row import BadRow, Row, make_row
from rpa.inputs.shown import shown
from rpa.inputs.table import Table

__all__ = ["Batch", "read_items"]

ItemT = TypeVar("ItemT", bound=Item)


def _read_xlsx(path: Path) -> Table:
    from rpa.inputs.xlsx_file import read_xlsx  # a quarter of every shop process's start

    return read_xlsx(path)


_READERS = {".csv": read_csv, ".xlsx": _read_xlsx, ".jsonl": read_jsonl}
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Batch(Generic[ItemT]):
    """The items of one file.

    Attributes:
        source: The file, absolute.
        encoding: How its text was read: "utf-8", "utf-8-sig", "gb18030" or "xlsx".
        items: The rows that hold an item, in file order.
        rows_blank: Rows below the header in which every cell is empty.
    """

    source: Path
    encoding: str
    items: tuple[Row[ItemT], ...]
    rows_blank: int

    @property
    def rows_read(self) -> int:
        """Rows that became items; with `rows_blank`, every physical row below the header."""
        return len(self.items)


def read_items(
    path: Path, model: type[ItemT], *, decimal: str | None = None, folder: Path | None = None
) -> Batch[ItemT]:
    """Read a CSV, XLSX or JSONL file whole, or refuse it whole.

    Args:
        path: The file; its suffix says the format.
        model: The item class. Two columns never reach it: ``occurrence`` (a whole number from 1,
            for equal rows that are both wanted) and ``edition`` (text, to do a unit once more).
        decimal: The decimal separator of amounts written as text, "." or ",". Without it, amounts
            that two countries read differently are refused.
        folder: Where relative paths in the rows start; the file's own folder if not given.

    Raises:
        InputError: One line for each bad row, at most 20, each naming file, row and column.
    """
    if decimal not in (None, ".", ","):
        raise InputError(f'decimal separator "{decimal}": must be . or ,')
    source = Path(os.path.abspath(path))
    table = _read_table(source, path)
    if all(row.blank for row in table.rows):
        raise InputError(f"{path}: no items; {len(table.rows)} blank rows and nothing else")
    readable = any(not row.problem and not row.blank for row in table.rows)
    fields = match_columns(table, model, source) if readable else {}
    origin = Origin(folder or source.parent, decimal)
    items: list[Row[ItemT]] = []
    problems: list[str] = []
    seen: dict[tuple[object, ...], int] = {}
    for raw in table.rows:
        if raw.blank:
            continue
        try:
            row = make_row(raw, fields, model, origin)
            _refuse_equal(row, seen)
        except BadRow as bad:
            problems += [f"{source.name} row {raw.number}{problem}" for problem in bad.problems]
        else:
            items.append(row)
    if problems:
        raise InputError(_report(problems))
    blank = sum(row.blank for row in table.rows)
    return Batch(source, table.encoding, tuple(items), blank)


def _read_table(source: Path, given: Path) -> Table:
    suffix = source.suffix.lower()
    try:
        if source.is_dir():
            raise InputError(f"{given}: a folder; name the items file in it")
        if not source.exists():
            raise InputError(f"{given}: no such file")
        if suffix == ".xls":
            raise InputError(f"{given}: the old Excel format; save it as .xlsx")
        if suffix not in _READERS:
            raise InputError(f"{given}: unknown kind of file; use .csv, .xlsx or .jsonl")
        return _READERS[suffix](source)
    except OSError as error:
        raise InputError(f"{given}: cannot be read: {error.strerror}") from error


def _refuse_equal(row: Row[ItemT], seen: dict[tuple[object, ...], int]) -> None:
    """Two rows with one key would be one unit: was it written twice, or wanted twice?"""
    identity = {
        name: unicodedata.normalize("NFC", text) for name, text in row.item.identity().items()
    }
    key = (*identity.values(), row.occurrence, unicodedata.normalize("NFC", row.edition))
    first = seen.setdefault(key, row.number)
    if first != row.number:
        named = ", ".join(f"{name} {shown(text)}" for name, text in identity.items())
        edition = f", edition {shown(row.edition)}" if row.edition else ""
        raise BadRow(
            [
                f": equal to row {first} ({named}, occurrence {row.occurrence}{edition}); "
                "delete one, or if both are wanted give each its own number in column occurrence"
            ]
        )


def _report(problems: list[str]) -> str:
    lines = problems[:_SHOWN]
    if len(problems) > 1:
        more = f"; the first {_SHOWN} are shown" if len(problems) > _SHOWN else ""
        lines.append(f"{len(problems)} problems{more}; nothing was read")
    return "\n".join(lines)
