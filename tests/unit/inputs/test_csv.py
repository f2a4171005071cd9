"""CSV files: encodings (I01, I02), codes (I03, I04, I06), blank rows (I07), quoting (I09)."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from tests.unit.inputs.goods import HEADER, read, refusal, written


@pytest.mark.parametrize(
    ("encoding", "seen"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8-sig"), ("gbk", "gb18030"), ("gb18030", "gb18030")],
)
def test_chinese_text_is_read_in_every_encoding_excel_writes(
    tmp_path: Path, encoding: str, seen: str
) -> None:
    text = HEADER + "红-0017,红色雪纺连衣裙（春夏）,129.00,5\n"
    batch = read(written(tmp_path, "商品.csv", text.encode(encoding)))
    assert batch.encoding == seen
    assert [row.item.model_dump() for row in batch.items] == [
        {
            "sku": "红-0017",
            "title": "红色雪纺连衣裙（春夏）",
            "price": batch.items[0].item.price,
            "stock": 5,
        }
    ]
    assert str(batch.items[0].item.price) == "129.00"


def test_one_damaged_byte_in_utf8_is_not_read_as_chinese_nonsense(tmp_path: Path) -> None:
    rows = [f"A-{n},红色雪纺连衣裙,129.00,5\n".encode() for n in range(2, 301)]
    rows[148] = rows[148].replace("裙".encode(), "裙".encode()[:2], 1)
    data = HEADER.encode() + b"".join(rows)
    assert "damaged UTF-8" in refusal(written(tmp_path, "items.csv", data))
    assert "items.csv line 150:" in refusal(written(tmp_path, "items.csv", data))
    marked = codecs.BOM_UTF8 + HEADER.encode() + "红,红,1,1\n".encode("gbk")
    assert refusal(written(tmp_path, "items.csv", marked)).startswith("items.csv line 2: damaged")


def test_bytes_of_no_known_encoding_name_their_line(tmp_path: Path) -> None:
    data = HEADER.encode() + b"1,\xff\xff,1,1\n"
    assert "items.csv line 2: neither UTF-8 nor GB18030" in refusal(
        written(tmp_path, "items.csv", data)
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_named(tmp_path: Path, encoding: str) -> None:
    message = refusal(written(tmp_path, "items.csv", HEADER.encode(encoding)))
    assert "UTF-16" in message or "NUL byte" in message
    assert "save" in message


def test_nul_byte_names_its_line(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, "items.csv", HEADER + "1,红\0,1,1\n"))
    assert message == "items.csv line 2: NUL byte; save the file as UTF-8 text"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_header_decides_the_separator(tmp_path: Path, mark: str) -> None:
    other = ";" if mark == "," else ","
    text = f"sku{mark}title{mark}price\n1{mark}红{other}裙{other}{other}夏{mark}12.5\n"
    (row,) = read(written(tmp_path, "items.csv", text)).items
    assert row.item.title == f"红{other}裙{other}{other}夏"


def test_header_that_splits_two_ways_is_refused(tmp_path: Path) -> None:
    assert "cannot tell what separates" in refusal(
        written(tmp_path, "items.csv", "sku,title;price\n1,2;3\n")
    )


@pytest.mark.parametrize("code", ["0017", "90.750", "00", "1E5", "12E34", "红-01", "A 1"])
def test_codes_keep_every_character(tmp_path: Path, code: str) -> None:
    (row,) = read(written(tmp_path, "items.csv", f"{HEADER}{code},红,1,1\n")).items
    assert row.item.sku == code
    assert row.item.identity() == {"sku": code}


@pytest.mark.parametrize("blank", [" ", "\t", "\u00a0", "\u3000"])
def test_codes_are_trimmed_and_the_original_is_kept(tmp_path: Path, blank: str) -> None:
    text = f"{HEADER}{blank}test{blank},{blank}红{blank},1,1\n"
    (row,) = read(written(tmp_path, "items.csv", text)).items
    assert row.item.sku == "test"
    assert row.item.title == f"{blank}红{blank}"
    assert row.raw["sku"] == f"{blank}test{blank}"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("6.93217E+12", "scientific notation"),
        ("6.93217E12", "scientific notation"),
        ('"6,93E+12"', "scientific notation"),
        ("1e-05", "scientific notation"),
        ('"=""0017"""', "write the bare code"),
        ("'0017", "write the bare code"),
        ("A\u200b1", "U+200B"),
        ('"A\n1"', "U+000A"),
    ],
)
def test_codes_a_spreadsheet_has_spoilt_are_refused(tmp_path: Path, code: str, why: str) -> None:
    message = refusal(written(tmp_path, "items.csv", f"{HEADER}1,红,1,1\n{code},红,1,1\n"))
    assert message.startswith("items.csv row 3, column sku: ")
    assert why in message
    assert "\n" not in message


def test_blank_rows_are_counted_and_rows_keep_their_numbers(tmp_path: Path) -> None:
    text = HEADER + ",,,\n1,红,1,1\n\n  , ,\t,\n2,绿,1,1\n,\n,,,,,,\n"
    batch = read(written(tmp_path, "items.csv", text))
    assert [row.number for row in batch.items] == [3, 6]
    assert batch.rows_read == 2
    assert batch.rows_blank == 5
    assert batch.rows_read + batch.rows_blank == text.count("\n") - 1


def test_half_blank_row_is_an_error(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, "items.csv", HEADER + "1,红,1,1\n2,  ,,\n"))
    assert message.splitlines() == [
        "items.csv row 3, column title: empty, but every row needs it",
        "items.csv row 3, column price: empty, but every row needs it",
        "2 problems; nothing was read",
    ]


def test_empty_cell_of_an_optional_column_takes_its_default(tmp_path: Path) -> None:
    (row,) = read(written(tmp_path, "items.csv", HEADER + "1,红,1,\n")).items
    assert row.item.stock == 0


@pytest.mark.parametrize(
    "row_3",
    [
        '2,"绿,1,1\n3,蓝,1,1\n',  # open to the end of the file
        '2,"绿,1,1\n3,"蓝",1,1\n',  # swallows the next row up to its first quote
        '2,"绿"色,1,1\n',  # text after the closing quote
    ],
)
def test_unclosed_quote_names_row_and_line(tmp_path: Path, row_3: str) -> None:
    text = HEADER + '1,"红\n裙",1,1\n' + row_3
    message = refusal(written(tmp_path, "items.csv", text))
    assert message.startswith("items.csv row 3 (from line 4): a cell opens with")


def test_line_break_in_a_quoted_cell_stays_in_its_row(tmp_path: Path) -> None:
    text = HEADER.replace("\n", "\r\n") + '1,"红\r\n""裙""",1,1\r\n2,绿,1,1\r\n'
    batch = read(written(tmp_path, "items.csv", text))
    assert [(row.number, row.item.title) for row in batch.items] == [(2, '红\r\n"裙"'), (3, "绿")]


def test_cell_larger_than_the_parser_takes_is_named(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, "items.csv", HEADER + f"1,{'红' * 140_000},1,1\n"))
    assert message.startswith("items.csv row 2 (from line 2): field larger")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("1,红,12,50,1", "5 cells, but 4 columns; quote cells with separators"),
        ("1,红", "2 cells, but 4 columns; write every separator"),
    ],
)
def test_wrong_number_of_cells_is_an_error(tmp_path: Path, row: str, why: str) -> None:
    message = refusal(written(tmp_path, "items.csv", f"{HEADER}{row}\n"))
    assert message == f"items.csv row 2: {why}"
