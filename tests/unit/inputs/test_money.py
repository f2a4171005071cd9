"""Amounts of money written as text (I05)."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from rpa.inputs import Money
from rpa.inputs.origin import Origin

MONEY: TypeAdapter[Decimal] = TypeAdapter(Money)


def parsed(value: object, decimal: str | None = None) -> str:
    return str(MONEY.validate_python(value, context=Origin(Path(), decimal)))


def refusal(value: object, decimal: str | None = None) -> str:
    with pytest.raises(ValidationError) as caught:
        parsed(value, decimal)
    return str(caught.value.errors()[0]["ctx"]["error"])


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("12.50", "12.50"),
        (" 0 ", "0"),
        ("1299", "1299"),
        ("0.125", "0.125"),
        ("1299.125", "1299.125"),
        ("1.2990", "1.2990"),
        ("007.5", "7.5"),
    ],
)
def test_plain_amounts_need_no_declaration(text: str, amount: str) -> None:
    assert parsed(text) == amount


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("12,50", "write 12.50 or pass --decimal ,"),
        ("1.299,00", "write 1299.00 or pass --decimal ,"),
        ("1,299.00", "write 1299.00 or pass --decimal ."),
        ("2,4", "write 2.4 or pass --decimal ,"),
        ("3.350", "write 3350 or 3.3500, or pass --decimal"),
        ("1,299", "write 1299 or 1.2990, or pass --decimal"),
        ("1.299.000", "write 1299000 or pass --decimal ,"),
        ("1,299,000", "write 1299000 or pass --decimal ."),
    ],
)
def test_text_two_countries_read_differently_is_refused(text: str, remedy: str) -> None:
    assert refusal(text) == f'"{text}" is ambiguous; {remedy}'


@pytest.mark.parametrize(
    ("decimal", "text", "amount"),
    [
        (",", "12,50", "12.50"),
        (",", "1.299,00", "1299.00"),
        (",", "1.299", "1299"),
        (",", "1299", "1299"),
        (".", "12.50", "12.50"),
        (".", "1,299.00", "1299.00"),
        (".", "1.299", "1.299"),
        (".", "1,299,000", "1299000"),
    ],
)
def test_declared_separator_decides(decimal: str, text: str, amount: str) -> None:
    assert parsed(text, decimal) == amount


@pytest.mark.parametrize(
    ("decimal", "text", "why"),
    [
        (",", "12.50", '"12.50" has no decimal ,; write 12,50 or pass --decimal .'),
        (".", "12,50", '"12,50" has no decimal .; write 12.50 or pass --decimal ,'),
    ],
)
def test_text_against_the_declared_separator_is_refused(decimal: str, text: str, why: str) -> None:
    assert refusal(text, decimal) == why


@pytest.mark.parametrize("decimal", [None, ".", ","])
@pytest.mark.parametrize(
    "text",
    ["¥1,299", "¥12", "12元", "$5", "-1", "+1", "1e3", "12.", ".5", "1 299", "1_299", "１２", "NaN",
     "12.5.0", "1,29,9", "十二", "12\n50"],
)  # fmt: skip
def test_what_is_no_amount_is_refused_whatever_is_declared(decimal: str | None, text: str) -> None:
    message = refusal(text, decimal)
    assert "not an amount" in message or "ambiguous" in message or "no decimal" in message
    assert "\n" not in message


def test_currency_sign_is_named_in_the_remedy() -> None:
    assert refusal("¥1,299") == (
        '"¥1,299" is not an amount; write only digits, such as 1299.00, '
        "without currency sign, minus sign or spaces"
    )


@pytest.mark.parametrize("value", [12, Decimal("12.50")])
def test_numbers_are_taken_as_they_are(value: object) -> None:
    assert parsed(value) == str(value)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (12.5, "give a Decimal"),
        (True, "give a Decimal"),
        (None, "give a Decimal"),
        (Decimal("-0.01"), "outside 0 to"),
        (Decimal("NaN"), "outside 0 to"),
        (Decimal("Infinity"), "outside 0 to"),
        (10**12, "outside 0 to"),
        ("1000000000000", "outside 0 to"),
        (Decimal("0.33333"), "more than 4 decimals"),
        ("0.33333", "more than 4 decimals"),
    ],
)
def test_numbers_that_are_no_price_are_refused(value: object, why: str) -> None:
    assert why in refusal(value)
