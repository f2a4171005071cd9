"""The item class and the file helpers these tests share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest

from rpa.errors import InputError
from rpa.inputs import Batch, Item, Money, read_items

HEADER = "sku,title,price,stock\n"


class Goods(Item):
    """Two required texts, an amount, and a number that may be left out."""

    identity_fields = ("sku",)

    sku: str
    title: str
    price: Money
    stock: int = 0


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def workbook(folder: Path, *rows: list[Any]) -> Path:
    """A workbook with one sheet, named Sheet1 as Excel does."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Sheet1"
    for row in rows:
        sheet.append(row)
    path = folder / "商品.xlsx"
    book.save(path)
    return path


def read(path: Path, decimal: str | None = None) -> Batch[Goods]:
    return read_items(path, Goods, decimal=decimal)


def refusal(path: Path, decimal: str | None = None) -> str:
    """The message with which the file is refused."""
    with pytest.raises(InputError) as caught:
        read_items(path, Goods, decimal=decimal)
    return str(caught.value)
