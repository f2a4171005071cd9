"""XLSX files: number cells (I03, I04), empty rows (I07), merged cells (I08), formulas, sheets."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest
from openpyxl.styles import PatternFill
from openpyxl.worksheet.worksheet import Worksheet

from tests.unit.inputs.goods import read, refusal, workbook, written

HEADER = ["sku", "title", "price", "stock"]


def changed(path: Path, change: Callable[[Worksheet], object]) -> Path:
    book = openpyxl.load_workbook(path)
    change(book.worksheets[0])
    book.save(path)
    return path


def test_numbers_are_exact_and_text_is_kept(tmp_path: Path) -> None:
    rows = [["0017", "红色连衣裙", 12.9, 5], ["90.750", "绿", "8.80", 7.0]]
    batch = read(workbook(tmp_path, HEADER, *rows))
    assert batch.encoding == "xlsx"
    assert [(row.number, row.item.sku, row.item.price, row.item.stock) for row in batch.items] == [
        (2, "0017", Decimal("12.9"), 5),
        (3, "90.750", Decimal("8.80"), 7),
    ]


def test_noise_of_binary_arithmetic_is_not_a_price(tmp_path: Path) -> None:
    (row,) = read(workbook(tmp_path, HEADER, ["1", "红", 0.1 + 0.2, 1])).items
    assert row.item.price == Decimal("0.3")


@pytest.mark.parametrize("code", [17, 6932170000001, 90.75, True])
def test_number_in_the_identity_column_names_the_cell(tmp_path: Path, code: object) -> None:
    message = refusal(workbook(tmp_path, HEADER, ["1", "红", 1, 1], [code, "红", 1, 1]))
    assert message.startswith("商品.xlsx row 3, column sku (cell Sheet1!A3): holds ")
    assert "not text" in message


def test_number_in_any_text_column_is_refused(tmp_path: Path) -> None:
    message = refusal(workbook(tmp_path, HEADER, ["1", 2024, 1, 1]))
    assert message == (
        "商品.xlsx row 2, column title (cell Sheet1!B2): holds 2024, not text; "
        "format the column as text"
    )


def test_yes_or_no_is_not_a_number(tmp_path: Path) -> None:
    message = refusal(workbook(tmp_path, HEADER, ["1", "红", 1, True]))
    assert message.endswith("column stock (cell Sheet1!D2): true is not a number")


def test_formatted_empty_rows_are_skipped_and_counted(tmp_path: Path) -> None:
    def paint(sheet: Worksheet) -> None:
        for number in range(3, 1003):
            sheet.cell(number, 1).fill = PatternFill("solid", fgColor="FFFF00")
        sheet.cell(1003, 2).value = "   "
        sheet.append(["2", "绿", 1, 1])

    batch = read(changed(workbook(tmp_path, HEADER, ["1", "红", 1, 1]), paint))
    assert [row.number for row in batch.items] == [2, 1004]
    assert batch.rows_blank == 1001


def test_format_far_below_the_data_is_refused(tmp_path: Path) -> None:
    path = changed(
        workbook(tmp_path, HEADER, ["1", "红", 1, 1]),
        lambda sheet: setattr(
            sheet.cell(1_048_576, 1), "fill", PatternFill("solid", fgColor="FFFF00")
        ),
    )
    assert "sheet Sheet1 reaches to A1:D1048576" in refusal(path)


def test_merged_cells_name_their_range(tmp_path: Path) -> None:
    path = workbook(tmp_path, HEADER, *[[str(n), "红", 1, 1] for n in range(5)])
    message = refusal(changed(path, lambda sheet: sheet.merge_cells("B2:B6")))
    assert message == "商品.xlsx: Sheet1!B2:B6 is merged; unmerge it and fill every cell"


def with_sheet_xml(path: Path, changes: dict[str, str]) -> None:
    """Change the XML of the sheet: what Excel writes there and openpyxl cannot."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    for name, text in parts.items():
        if name.endswith("sheet1.xml"):
            for pattern, new in changes.items():
                text, count = re.subn(pattern, new, text)
                assert count == 1
            parts[name] = text
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)


def test_formula_counts_as_its_stored_result(tmp_path: Path) -> None:
    path = workbook(tmp_path, HEADER, ["1", "红", "=6+6.5", 1], ['=""', None, None, None])
    with_sheet_xml(
        path,
        {
            '<c r="C2">(<f>[^/]*</f>).*?</c>': r'<c r="C2">\1<v>12.5</v></c>',
            '<c r="A3">(<f>[^/]*</f>).*?</c>': r'<c r="A3" t="str">\1<v></v></c>',
        },
    )
    batch = read(path)
    assert [row.item.price for row in batch.items] == [Decimal("12.5")]
    assert batch.rows_blank == 1


def test_formula_without_stored_result_is_refused(tmp_path: Path) -> None:
    message = refusal(workbook(tmp_path, HEADER, ["1", "红", "=6+6.5", 1]))
    assert message.startswith("商品.xlsx row 2: cell Sheet1!C2 is a formula without a stored")


def test_error_cell_is_refused(tmp_path: Path) -> None:
    message = refusal(workbook(tmp_path, HEADER, ["1", "红", "#N/A", 1]))
    assert message == "商品.xlsx row 2: cell Sheet1!C2 holds the error #N/A"


def test_hidden_row_is_neither_listed_nor_dropped_in_silence(tmp_path: Path) -> None:
    path = workbook(tmp_path, HEADER, ["1", "红", 1, 1], ["2", "绿", 1, 1])
    message = refusal(changed(path, lambda sheet: setattr(sheet.row_dimensions[3], "hidden", True)))
    assert message.startswith("商品.xlsx row 3: the row is hidden")


def test_cell_beyond_the_named_columns_is_refused(tmp_path: Path) -> None:
    message = refusal(workbook(tmp_path, HEADER, ["1", "红", 1, 1, "备注"]))
    assert message == "商品.xlsx row 2: cell Sheet1!E2 lies beyond the last named column"


def test_second_filled_sheet_is_refused_and_hidden_or_empty_ones_are_not(tmp_path: Path) -> None:
    path = workbook(tmp_path, HEADER, ["1", "红", 1, 1])
    book = openpyxl.load_workbook(path)
    book.create_sheet("空")
    lists = book.create_sheet("列表")
    lists["A1"] = "服装"
    lists.sheet_state = "hidden"
    book.save(path)
    assert read(path).rows_read == 1
    lists.sheet_state = "visible"
    book.save(path)
    assert refusal(path) == "商品.xlsx: several sheets hold data (Sheet1, 列表); keep one"


def test_empty_workbook_is_refused(tmp_path: Path) -> None:
    assert "the workbook is empty" in refusal(workbook(tmp_path))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "without a password"),
        (b"sku,title\n", "not a readable .xlsx workbook"),
        (b"", "not a readable .xlsx workbook"),
    ],
)
def test_file_that_is_no_workbook_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    assert why in refusal(written(tmp_path, "items.xlsx", content))


def test_half_downloaded_workbook_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path, HEADER, ["1", "红", 1, 1])
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    assert "not a readable .xlsx workbook" in refusal(path)


def test_workbook_with_broken_xml_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path, HEADER, ["1", "红", 1, 1])
    with_sheet_xml(path, {"</sheetData>": ""})
    assert "not a readable .xlsx workbook" in refusal(path)
