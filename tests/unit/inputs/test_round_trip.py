"""What is written to a file is what is read from it; and no bytes make the reader fall over."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rpa.errors import InputError
from tests.unit.inputs.goods import HEADER, Goods, read, written

LINES = ["1,红,1,1", "2,绿,2,2", '3,"蓝,1,1', ",,,", "", '4,"紫"x,1,1', "5"]

# Any text a cell can hold; one of only white space means "not given".
texts = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=30
).filter(str.strip)
codes = st.text("0123456789.-ABE红裙", min_size=1, max_size=12).filter(
    lambda code: "E" not in code  # scientific notation has tests of its own
)
prices = st.decimals(0, 999_999, places=2)
goods = st.builds(Goods, sku=codes, title=texts, price=prices, stock=st.integers(0, 10**6))
batches = st.lists(goods, min_size=1, max_size=8, unique_by=lambda item: item.sku)

quick = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quick
@given(
    items=batches,
    mark=st.sampled_from([",", ";", "\t"]),
    # Python's writer leaves a lone "\r" bare when "\n" ends its lines; then everything is quoted.
    style=st.sampled_from([("\r\n", csv.QUOTE_MINIMAL), ("\n", csv.QUOTE_ALL)]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig"]),
)
def test_csv_round_trip(
    tmp_path: Path, items: list[Goods], mark: str, style: tuple[str, Any], encoding: str
) -> None:
    stream = io.StringIO(newline="")
    rows = csv.writer(stream, delimiter=mark, lineterminator=style[0], quoting=style[1])
    rows.writerow(HEADER.strip().split(","))
    rows.writerows([item.sku, item.title, item.price, item.stock] for item in items)
    batch = read(written(tmp_path, "items.csv", stream.getvalue().encode(encoding)))
    assert [row.item.arguments() for row in batch.items] == [item.arguments() for item in items]
    assert [row.number for row in batch.items] == list(range(2, len(items) + 2))
    assert batch.rows_blank == 0
    assert batch.encoding == encoding


@quick
@given(text=st.text("红裙色连衣春夏新款女装甲乙丙丁，。（）", min_size=4, max_size=40))
@example("乙乙。女女女女")
def test_chinese_excel_round_trip(tmp_path: Path, text: str) -> None:
    content = f"{HEADER}红-1,{text},12.50,1\n".encode("gb18030")
    (row,) = read(written(tmp_path, "items.csv", content)).items
    assert row.item.title == text


@quick
@given(content=st.binary(max_size=200), suffix=st.sampled_from([".csv", ".xlsx", ".jsonl"]))
def test_any_bytes_are_items_or_an_input_error(tmp_path: Path, content: bytes, suffix: str) -> None:
    with pytest.raises(InputError):
        read(written(tmp_path, f"items{suffix}", content))


@quick
@given(lines=st.lists(st.sampled_from(LINES), max_size=6))
def test_no_row_is_lost_in_silence(tmp_path: Path, lines: list[str]) -> None:
    path = written(tmp_path, "items.csv", HEADER + "".join(f"{line}\n" for line in lines))
    try:
        batch = read(path)
    except InputError:
        return
    assert batch.rows_read + batch.rows_blank == len(lines)
    assert batch.rows_read == sum(line[:1].isdigit() for line in lines)


def test_amount_keeps_its_zeros(tmp_path: Path) -> None:
    (row,) = read(written(tmp_path, "items.csv", HEADER + "1,红,8.80,1\n")).items
    assert row.item.price.as_tuple() == Decimal("8.80").as_tuple()
