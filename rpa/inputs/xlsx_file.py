"""XLSX: one sheet, numbers exact, nothing hidden, merged or uncomputed."""

from __future__ import annotations

import warnings
import zipfile
import zlib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import openpyxl
from openpyxl.cell.cell import Cell
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from rpa.errors import InputError
from rpa.inputs.header import read_header
from rpa.inputs.table import RawRow, Table, is_empty

__all__ = ["read_xlsx"]

_OLE = b"\xd0\xcf\x11\xe0"  # an old .xls under a new name, or a workbook with a password
_CELL_LIMIT = 2_000_000
# What the parser raises on a damaged workbook (its XML errors are SyntaxErrors).
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, EOFError, SyntaxError,
    KeyError, IndexError, AttributeError, TypeError, ValueError,
)  # fmt: skip


def read_xlsx(path: Path) -> Table:
    """Read the only visible sheet that holds anything.

    Row numbers are the sheet's own. Formulas count as their stored result.

    Raises:
        InputError: No workbook, more than one filled sheet, merged cells, a bad header. A hidden
            row, an error cell or a formula without stored result is a row with a problem.
    """
    with path.open("rb") as file:
        if file.read(len(_OLE)) == _OLE:
            raise InputError(
                f"{path.name}: an old Excel file or one with a password; "
                "save it as .xlsx without a password"
            )
    sheet = _filled_sheet(_load(path, results=False), path)
    if merged := sorted(str(cells) for cells in sheet.merged_cells.ranges):
        raise InputError(
            f"{path.name}: {sheet.title}!{merged[0]} is merged; unmerge it and fill every cell"
        )
    cells = [list(row) for row in sheet.iter_rows()]
    if any(cell.data_type == "f" for row in cells for cell in row):
        results = _load(path, results=True)[sheet.title]
        cells = [[_result(cell, results) for cell in row] for row in cells]
    columns = read_header([cell.value for cell in cells[0]], path)
    return Table(
        encoding="xlsx",
        columns=dict.fromkeys(columns, 1),
        rows=[_row(row, columns, sheet) for row in cells[1:]],
    )
