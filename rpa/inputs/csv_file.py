"""CSV: strict quoting, every physical row accounted for."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from rpa.errors import InputError
from rpa.inputs.header import read_header
from rpa.inputs.table import RawRow, Table, is_empty
from rpa.inputs.text import decode_text

__all__ = ["read_csv"]

_DELIMITERS = ",;\t"


def read_csv(path: Path) -> Table:
    """Read a CSV file; the header line decides whether , ; or tab separates its cells.

    A row is what a spreadsheet shows as one row: a quoted cell may hold line breaks.

    Raises:
        InputError: Encoding, quoting or header; a row with a wrong number of cells is kept as a
            row with a problem.
    """
    text, encoding = decode_text(path.read_bytes(), path)
    rows = _rows(text, path)
    if not rows:
        raise InputError(f"{path.name}: the file is empty; the first row names the columns")
    columns = read_header(rows[0], path)
    return Table(
        encoding=encoding,
        columns=dict.fromkeys(columns, 1),
        rows=[_row(number, cells, columns) for number, cells in enumerate(rows[1:], start=2)],
    )


def _rows(text: str, path: Path) -> list[list[str]]:
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=_delimiter(text, path), strict=True
    )
    rows: list[list[str]] = []
    line = 1
    try:
        for cells in reader:
            rows.append(cells)
            line = reader.line_num + 1
    except csv.Error as error:
        where = f"{path.name} row {len(rows) + 1} (from line {line})"
        if "field limit" in str(error):
            raise InputError(f"{where}: {error}") from error
        raise InputError(
            f'{where}: a cell opens with " and is not closed before its separator; '
            'close it, or write "" for each " inside'
        ) from error
    return rows


def _delimiter(text: str, path: Path) -> str:
    """The one that cuts the header, and only the header, into the most cells."""
    counts = {delimiter: _header_cells(text, delimiter) for delimiter in _DELIMITERS}
    best = max(counts, key=lambda delimiter: counts[delimiter])
    if counts[best] > 1 and list(counts.values()).count(counts[best]) > 1:
        raise InputError(f"{path.name} row 1: cannot tell what separates the columns; use commas")
    return best


def _header_cells(text: str, delimiter: str) -> int:
    try:
        first = next(
            csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), []
        )
    except csv.Error:
        return 0  # the quotes make no sense with this one
    return len(first)


def _row(number: int, cells: list[str], columns: list[str]) -> RawRow:
    problem = ""
    if len(cells) < len(columns) and not all(is_empty(cell) for cell in cells):
        problem = f"{len(cells)} cells, but {len(columns)} columns; write every separator"
    if not all(is_empty(cell) for cell in cells[len(columns) :]):
        problem = f"{len(cells)} cells, but {len(columns)} columns; quote cells with separators"
    return RawRow(number, dict(zip(columns, cells, strict=False)), problem=problem)
