"""XLSX: one sheet, numbers exact, nothing hidden, merged or uncomputed."""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import openpyxl
from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from rpa.errors import InputError
from rpa.inputs.header import read_header
from rpa.inputs.table import RawRow, Table, is_empty

__all__ = ["read_xlsx"]

_OLE = b"\xd0\xcf\x11\xe0"  # an old .xls under a new name, or a workbook with a password
_CELL_LIMIT = 2_000_000  # about 1 GB in the parser
# What the parser raises on a damaged workbook; its XML errors are SyntaxErrors.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, SyntaxError, NotImplementedError),
    *(KeyError, IndexError, AttributeError, TypeError, ValueError),
)


def read_xlsx(path: Path) -> Table:
    """Read the only visible sheet that holds anything.

    Row numbers are the sheet's own. A formula counts as its stored result.

    Raises:
        InputError: No workbook, several filled sheets, merged cells, a bad header. A hidden row,
            an error cell and a formula without stored result are kept as rows with a problem.
    """
    data = path.read_bytes()
    if data.startswith(_OLE):
        raise InputError(
            f"{path.name}: an old Excel file, or one with a password; "
            "save it as .xlsx without a password"
        )
    sheet = _filled_sheet(_load(data, path, results=False), path)
    if merged := sorted(str(cells) for cells in sheet.merged_cells.ranges):
        raise InputError(
            f"{path.name}: {sheet.title}!{merged[0]} is merged; unmerge it and fill every cell"
        )
    cells = [list(row) for row in sheet.iter_rows()]
    results = sheet
    if any(cell.data_type == "f" for row in cells for cell in row):
        results = _load(data, path, results=True)[sheet.title]
    columns = read_header([cell.value for cell in cells[0]], path)
    return Table(
        encoding="xlsx",
        columns=dict.fromkeys(columns, 1),
        rows=[_row(number, row, columns, results) for number, row in enumerate(cells[1:], start=2)],
    )


def _load(data: bytes, path: Path, *, results: bool) -> Workbook:
    try:
        with warnings.catch_warnings():
            # From memory: the parser leaves a damaged file open. Its warnings are about styles and
            # lists that it could not write back.
            warnings.simplefilter("ignore", UserWarning)
            return openpyxl.load_workbook(io.BytesIO(data), data_only=results)
    except _DAMAGE as error:
        raise InputError(f"{path.name}: not a readable .xlsx workbook ({error})") from error


def _filled_sheet(workbook: Workbook, path: Path) -> Worksheet:
    """The sheet to read; which of several was meant is not ours to guess."""
    filled = []
    for sheet in workbook.worksheets:
        if sheet.sheet_state != "visible":
            continue  # lists behind drop-downs are kept on hidden sheets
        if sheet.max_row * sheet.max_column > _CELL_LIMIT:
            raise InputError(
                f"{path.name}: sheet {sheet.title} reaches to {sheet.calculate_dimension()}; "
                "delete the empty rows and columns behind the data, or save it as CSV"
            )
        if any(not is_empty(cell.value) for row in sheet.iter_rows() for cell in row):
            filled.append(sheet)
    if not filled:
        raise InputError(f"{path.name}: the workbook is empty; the first row names the columns")
    if len(filled) > 1:
        names = ", ".join(sheet.title for sheet in filled)
        raise InputError(f"{path.name}: several sheets hold data ({names}); keep one")
    return filled[0]


def _row(
    number: int, cells: Sequence[Cell | MergedCell], columns: list[str], results: Worksheet
) -> RawRow:
    values: dict[str, object] = {}
    places: dict[str, str] = {}
    problem = ""
    for position, cell in enumerate(cells):
        place = f"{results.title}!{cell.coordinate}"
        value, trouble = _value(cell, results)
        if not trouble and position >= len(columns) and not is_empty(value):
            trouble = "lies beyond the last named column"
        if trouble:
            problem = problem or f"cell {place} {trouble}"
        elif position < len(columns):
            values[columns[position]] = value
            places[columns[position]] = place
    filled = any(not is_empty(value) for value in values.values())
    if results.row_dimensions[number].hidden and filled:
        problem = problem or "the row is hidden; show it, or delete it if it is not meant"
    return RawRow(number, values, places, problem)


def _value(cell: Cell | MergedCell, results: Worksheet) -> tuple[object, str]:
    """The value of a cell and, if it has none that can be trusted, why."""
    value: object = cell.value
    if cell.data_type == "f":
        stored = results[cell.coordinate]
        value = stored.value
        # A stored empty text (type "str") is an answer; nothing stored is none.
        if value is None and stored.data_type != "str":
            return None, "is a formula without a stored result; open the file in Excel and save it"
        cell = stored
    if cell.data_type == "e":
        return None, f"holds the error {value}"
    if isinstance(value, float):
        # A spreadsheet keeps 15 digits; the rest is noise of binary arithmetic.
        return Decimal(f"{value:.15g}"), ""
    return value, ""
