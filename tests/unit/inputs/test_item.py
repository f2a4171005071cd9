"""The item class: its declaration, its identity and its arguments."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path

import pytest
from pydantic import BaseModel, Field, ValidationError

from rpa.inputs import Item, ItemCode, Money
from rpa.inputs.origin import Origin


def no_identity() -> None:
    class Bare(Item):
        sku: str


def identity_as_text() -> None:
    class Bare(Item):
        identity_fields = "sku"  # type: ignore[assignment]
        sku: str


def identity_without_field() -> None:
    class Bare(Item):
        identity_fields = ("sku", "shop")
        sku: str


def identity_of_numbers() -> None:
    class Bare(Item):
        identity_fields = ("sku",)
        sku: int


def identity_that_may_be_missing() -> None:
    class Bare(Item):
        identity_fields = ("sku",)
        sku: str | None


def taken_name() -> None:
    class Bare(Item):
        identity_fields = ("sku",)
        sku: str
        edition: str


@pytest.mark.parametrize(
    ("declare", "why"),
    [
        (no_identity, 'Bare: identity_fields must be a tuple such as ("sku",)'),
        (identity_as_text, 'Bare: identity_fields must be a tuple such as ("sku",)'),
        (identity_without_field, "Bare.shop: named in identity_fields but not a field"),
        (identity_of_numbers, "Bare.sku: an identity field must be of type str"),
        (identity_that_may_be_missing, "Bare.sku: an identity field must be of type str"),
        (taken_name, "Bare.edition: this name is taken by the reader's column"),
    ],
)
def test_wrong_declaration_names_class_and_field(declare: Callable[[], None], why: str) -> None:
    with pytest.raises(TypeError) as caught:
        declare()
    assert str(caught.value) == why


class Colour(Enum):
    RED = "红"


class Size(BaseModel):
    width: Decimal


class Full(Item):
    identity_fields = ("shop", "sku")

    sku: ItemCode
    shop: str
    price: Money
    note: str = ""
    weight: float = 0.1
    pieces: int = 1
    on_sale: bool = True
    until: date = date(2026, 2, 28)
    at: datetime = datetime(2026, 2, 28, 8, 30)  # noqa: DTZ001 (a wall clock, as in a sheet)
    colour: Colour = Colour.RED
    picture: Path = Path("图/a.png")
    pictures: tuple[Path, ...] = (Path("b.png"),)
    size: Size = Size(width=Decimal("1.50"))
    labels: dict[str, list[int]] = Field(default={"码": [1, 2]})
    remark: str | None = None


def full(**more: object) -> Full:
    return Full.model_validate({"sku": " 0017 ", "shop": "甲店\u3000", "price": "12.50", **more})


def test_identity_is_trimmed_and_in_declared_order() -> None:
    assert list(full().identity().items()) == [("shop", "甲店"), ("sku", "0017")]


def test_identity_rule_holds_for_plain_str_fields_too() -> None:
    with pytest.raises(ValidationError, match="scientific notation"):
        full(shop="6.93217E+12")


def test_identity_cannot_be_empty() -> None:
    with pytest.raises(ValidationError, match="is empty"):
        full(shop=" \u3000")


def test_other_text_is_kept_as_written() -> None:
    assert full(note=" 备注 ").note == " 备注 "


def test_arguments_are_plain_values() -> None:
    assert full().arguments() == {
        "sku": "0017",
        "shop": "甲店",
        "price": Decimal("12.50"),
        "note": "",
        "weight": Decimal("0.1"),
        "pieces": 1,
        "on_sale": True,
        "until": "2026-02-28",
        "at": "2026-02-28T08:30:00",
        "colour": "红",
        "picture": "图/a.png",
        "pictures": ["b.png"],
        "size": {"width": Decimal("1.50")},
        "labels": {"码": [1, 2]},
        "remark": None,
    }


def test_arguments_do_not_depend_on_where_the_file_lies(tmp_path: Path) -> None:
    def at(folder: Path, path: Path) -> object:
        row = {"sku": "1", "shop": "甲", "price": "1", "picture": path}
        item = Full.model_validate(row, context=Origin(folder))
        copy: Full = pickle.loads(pickle.dumps(item))  # as it goes to a shop's own process
        return copy.arguments()["picture"]

    one, two = tmp_path / "一", tmp_path / "二"
    assert at(one, one / "图" / "a.png") == at(two, two / "图" / "a.png") == "图/a.png"
    assert at(one, two / "a.png") == (two / "a.png").as_posix()


def test_argument_without_plain_form_names_class_and_field() -> None:
    class Odd(Item):
        identity_fields = ("sku",)
        sku: str
        blob: bytes = b"x"

    with pytest.raises(TypeError, match=r"Odd\.blob: bytes has no plain form"):
        Odd(sku="1").arguments()


def test_item_cannot_be_changed_or_extended() -> None:
    item = full()
    with pytest.raises(ValidationError, match="frozen"):
        item.sku = "2"
    with pytest.raises(ValidationError, match="Extra inputs"):
        full(prise=1)


@pytest.mark.parametrize("field", ["pieces", "weight"])
def test_yes_or_no_is_not_a_number(field: str) -> None:
    with pytest.raises(ValidationError, match="true is not a number"):
        full(**{field: True})
    assert full(on_sale=False).on_sale is False
