"""JSONL files: exact numbers, keys once, codes as text, line ends."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from tests.unit.inputs.goods import read, refusal, written

GOOD = '{"sku": "0017", "title": "红色连衣裙", "price": 12.10}'


@pytest.mark.parametrize(("mark", "encoding"), [("", "utf-8"), ("\ufeff", "utf-8-sig")])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_marks_and_line_ends(
    tmp_path: Path, mark: str, encoding: str, end: str, last: bool
) -> None:
    text = mark + GOOD + end + end + GOOD.replace("0017", "18") + (end if last else "")
    batch = read(written(tmp_path, "items.jsonl", text))
    assert batch.encoding == encoding
    assert [(row.number, row.item.sku) for row in batch.items] == [(1, "0017"), (3, "18")]
    assert batch.rows_blank == 1


def test_numbers_are_exact(tmp_path: Path) -> None:
    (row,) = read(written(tmp_path, "items.jsonl", GOOD)).items
    assert str(row.item.price) == "12.10"
    assert row.item.title == "红色连衣裙"


def test_line_separators_inside_text_end_no_row(tmp_path: Path) -> None:
    text = GOOD.replace("红色", "红\u2028色\u0085")
    (row,) = read(written(tmp_path, "items.jsonl", text)).items
    assert row.item.title == "红\u2028色\u0085连衣裙"


def test_null_and_nothing_at_all_are_empty_cells(tmp_path: Path) -> None:
    text = GOOD.replace("}", ', "stock": null}') + '\n{"sku": null, "title": " "}\n{}\n'
    batch = read(written(tmp_path, "items.jsonl", text))
    assert batch.items[0].item.stock == 0
    assert batch.rows_blank == 2


def test_minus_zero_is_zero(tmp_path: Path) -> None:
    (row,) = read(written(tmp_path, "items.jsonl", GOOD.replace("12.10", "-0.0"))).items
    assert row.item.price == Decimal(0)
    assert not row.item.price.is_signed()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"sku": "1", "sku": "2"}', 'key "sku" is there twice'),
        ('["1", "红", 1]', "not a JSON object"),
        ('"红"', "not a JSON object"),
        ("{'sku': 1}", "not JSON: Expecting property name"),
        ('{"sku": "1"', "not JSON: "),
        ('{"price": NaN}', "NaN is not a value"),
        ('{"price": -Infinity}', "-Infinity is not a value"),
        ('{"price": 1e99999999999999999999}', "not usable JSON"),
        ('{"price": ' + "9" * 5000 + "}", "not usable JSON"),
        ('{"title": "\\ud800"}', "half of a surrogate pair"),
        ("[" * 100_000, "not usable JSON"),
    ],
)
def test_line_that_is_no_item_is_refused(tmp_path: Path, line: str, why: str) -> None:
    message = refusal(written(tmp_path, "items.jsonl", f"{GOOD}\n{line}\n"))
    assert message.startswith("items.jsonl row 2: ")
    assert why in message
    assert "\n" not in message


def test_file_of_bad_lines_only_reports_the_lines(tmp_path: Path) -> None:
    assert refusal(written(tmp_path, "items.jsonl", "[]")).startswith("items.jsonl row 1: not a")


@pytest.mark.parametrize("code", ["17", "17.0", "true", '["17"]', "{}"])
def test_identity_must_be_text(tmp_path: Path, code: str) -> None:
    message = refusal(written(tmp_path, "items.jsonl", GOOD.replace('"0017"', code)))
    assert message.startswith("items.jsonl row 1, column sku: holds ")
    assert "write it as text" in message


@pytest.mark.parametrize("price", ["true", "[1]", "-1", "1E+999999", "0.00001", '"12,50"'])
def test_price_must_be_an_amount(tmp_path: Path, price: str) -> None:
    message = refusal(written(tmp_path, "items.jsonl", GOOD.replace("12.10", price)))
    assert message.startswith("items.jsonl row 1, column price: ")


def test_unknown_key_names_the_row_that_has_it(tmp_path: Path) -> None:
    text = f"{GOOD}\n{GOOD.replace('price', 'prise')}\n"
    message = refusal(written(tmp_path, "items.jsonl", text))
    assert message == "items.jsonl row 2, column prise: unknown; did you mean price?"
