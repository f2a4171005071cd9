"""The one call: columns, equal rows (J17), many problems, files that cannot be items."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import Field

from rpa.errors import InputError
from rpa.inputs import Item, Money, read_items
from tests.unit.inputs.goods import HEADER, read, refusal, workbook, written

KEYED = "sku,title,price,occurrence,edition\n"


def test_input_errors_are_usage_errors() -> None:
    assert InputError.exit_code == 2


def test_batch_says_where_it_comes_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, "商品.CSV", HEADER + "1,红,1,1\n")
    monkeypatch.chdir(tmp_path)
    batch = read(Path("商品.CSV"))
    assert batch.source == tmp_path / "商品.CSV"
    assert (batch.rows_read, batch.rows_blank) == (1, 0)


@pytest.mark.parametrize(
    ("header", "why"),
    [
        (
            "sku,title,prise",
            "items.csv row 1, column prise: unknown; did you mean price?",
        ),
        (
            "sku,title,price,Edition",
            "items.csv row 1, column Edition: unknown; did you mean edition?",
        ),
        (
            "sku,title,price,备注",
            "items.csv row 1, column 备注: unknown; "
            "known are sku, title, price, stock, occurrence, edition",
        ),
        ("title,price", "items.csv: column sku is missing; the file has title, price"),
        ("sku,title,price,sku", 'items.csv row 1: column "sku" is there twice'),
        ("sku,,price,title", "items.csv row 1: column 2 has no name"),
        (",,,", "items.csv row 1: empty; the first row names the columns"),
    ],
)
def test_header_that_does_not_fit_is_refused(tmp_path: Path, header: str, why: str) -> None:
    cells = ",".join("1" for _ in header.split(","))
    assert refusal(written(tmp_path, "items.csv", f"{header}\n{cells}\n")) == why


def test_numbers_are_no_column_names(tmp_path: Path) -> None:
    message = refusal(workbook(tmp_path, ["sku", 5], ["1", "红"]))
    assert message == "商品.xlsx row 1: column 2 is named 5, not text"


def test_spaces_around_and_behind_column_names_do_no_harm(tmp_path: Path) -> None:
    text = " sku , title,price ,stock,,\n1,红,1,2,,\n"
    (row,) = read(written(tmp_path, "items.csv", text)).items
    assert row.item.stock == 2


class Headed(Item):
    identity_fields = ("sku",)

    sku: str = Field(alias="商品编码")
    price: Money = Field(alias="价格 (元)")


def test_alias_is_a_column_name_and_errors_speak_it(tmp_path: Path) -> None:
    path = written(tmp_path, "items.csv", '商品编码,"价格\n(元)"\n0017,12.50\n')
    (row,) = read_items(path, Headed).items
    assert row.item.arguments() == {"sku": "0017", "price": Decimal("12.50")}
    written(tmp_path, "items.csv", '商品编码,"价格\n(元)"\n0017,¥5\n')
    with pytest.raises(InputError, match=r"row 2, column 价格 \(元\): \"¥5\" is not"):
        read_items(path, Headed)
    written(tmp_path, "items.csv", "商品编码,sku,price\n1,1,1\n")
    with pytest.raises(InputError, match="column sku: another column already holds sku"):
        read_items(path, Headed)


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        ("1,红,1,,", "1,绿,2,,", 'sku "1", occurrence 1'),
        ("1,红,1,,", " 1 ,红,1,1,", 'sku "1", occurrence 1'),
        ("1,红,1,2,", "1,红,1,2,", 'sku "1", occurrence 2'),
        ("1,红,1,,二", "1,红,1,, 二 ", 'sku "1", occurrence 1, edition "二"'),
        ("Caf\u00e9,红,1,,", "Cafe\u0301,红,1,,", 'sku "Café", occurrence 1'),
    ],
)
def test_equal_rows_are_refused(tmp_path: Path, first: str, second: str, named: str) -> None:
    message = refusal(written(tmp_path, "items.csv", f"{KEYED}{first}\n,,,,\n{second}\n"))
    assert message == (
        f"items.csv row 4: equal to row 2 ({named}); delete one, or if both are wanted "
        "give each its own number in column occurrence"
    )


def test_occurrence_and_edition_tell_equal_rows_apart(tmp_path: Path) -> None:
    text = KEYED + "1,红,1,,\n1,红,1, 2 ,\n1,红,1,,二\n"
    batch = read(written(tmp_path, "items.csv", text))
    assert [(row.occurrence, row.edition) for row in batch.items] == [(1, ""), (2, ""), (1, "二")]
    assert {row.item.sku for row in batch.items} == {"1"}


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "2.0", "二", "２", "1e3", "9" * 5000])
def test_occurrence_is_a_whole_number_from_one(tmp_path: Path, text: str) -> None:
    message = refusal(written(tmp_path, "items.csv", f"{KEYED}1,红,1,{text},\n"))
    assert message.startswith('items.csv row 2, column occurrence: "')
    assert message.endswith(" is not a whole number from 1")
    assert len(message) < 160


def test_occurrence_may_be_a_number_cell_and_edition_may_not(tmp_path: Path) -> None:
    header = KEYED.strip().split(",")
    (row,) = read(workbook(tmp_path, header, ["1", "红", 1, 2, None])).items
    assert row.occurrence == 2
    message = refusal(workbook(tmp_path, header, ["1", "红", 1, True, 2026]))
    assert "column occurrence (cell Sheet1!D2): True is not a whole number" in message
    assert "column edition (cell Sheet1!E2): holds 2026, not text" in message


def test_all_problems_of_a_file_come_at_once_in_file_order(tmp_path: Path) -> None:
    text = HEADER + "1,红,¥1,x\n,绿,1,1\n3,蓝\n4,紫,1,1\n4,紫,1,1\n"
    lines = refusal(written(tmp_path, "items.csv", text)).splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "items.csv row 2, column price",
        "items.csv row 2, column stock",
        "items.csv row 3, column sku",
        "items.csv row 4",
        "items.csv row 6",
        "5 problems; nothing was read",
    ]


def test_many_problems_are_counted_and_twenty_shown(tmp_path: Path) -> None:
    text = HEADER + "".join(f"{n},红,¥,1\n" for n in range(300))
    lines = refusal(written(tmp_path, "items.csv", text)).splitlines()
    assert lines[0].startswith("items.csv row 2, column price: ")
    assert lines[19].startswith("items.csv row 21, column price: ")
    assert lines[20:] == ["300 problems; the first 20 are shown; nothing was read"]


def test_long_and_many_lined_values_keep_the_message_short(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, "items.csv", f'{HEADER}1,红,1,"{"长" * 500}\n"\n'))
    assert "\n" not in message
    assert len(message) < 200


def test_name_too_long_for_the_system_is_named(tmp_path: Path) -> None:
    assert "name too long" in refusal(tmp_path / f"{'长' * 200}.csv").lower()


def test_missing_file_and_folder(tmp_path: Path) -> None:
    assert refusal(tmp_path / "无.csv") == f"{tmp_path / '无.csv'}: no such file"
    assert refusal(tmp_path) == f"{tmp_path}: a folder; name the items file in it"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("items.xls", "the old Excel format; save it as .xlsx"),
        ("items.json", "unknown kind of file; use .csv, .xlsx or .jsonl"),
        ("items", "unknown kind of file; use .csv, .xlsx or .jsonl"),
    ],
)
def test_other_kinds_of_file_are_refused(tmp_path: Path, name: str, why: str) -> None:
    path = written(tmp_path, name, HEADER)
    assert refusal(path) == f"{path}: {why}"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("items.csv", "", "items.csv: the file is empty"),
        ("items.csv", "\ufeff", "items.csv: the file is empty"),
        ("items.csv", HEADER, "items.csv: no items; 0 blank rows and nothing else"),
        ("items.csv", HEADER + ",,,\n\n", "items.csv: no items; 2 blank rows and nothing else"),
        ("items.jsonl", "", "items.jsonl: no items; 0 blank rows"),
        ("items.jsonl", "\n \n", "items.jsonl: no items; 2 blank rows"),
    ],
)
def test_empty_batch_is_refused(tmp_path: Path, name: str, content: str, why: str) -> None:
    assert why in refusal(written(tmp_path, name, content))


def test_unreadable_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "items.csv", HEADER)

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    # Root reads every file, so the refusal of the system is put in its place.
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert refusal(path) == f"{path}: cannot be read: Permission denied"


def test_decimal_separator_must_be_one(tmp_path: Path) -> None:
    path = written(tmp_path, "items.csv", HEADER + '1,红,"12,50",1\n')
    assert refusal(path, decimal=";") == 'decimal separator ";": must be . or ,'
    assert read(path, decimal=",").items[0].item.price == Decimal("12.50")
    assert refusal(path) == (
        'items.csv row 2, column price: "12,50" is ambiguous; write 12.50 or pass --decimal ,'
    )
