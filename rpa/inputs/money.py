"""Amounts of money from text that people of different countries read differently."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, ValidationInfo

from rpa.inputs.origin import origin_of

__all__ = ["Money"]

_LIMIT = Decimal(10) ** 12  # above any price; keeps "1E+999999" from JSON away from the formatter
_MOST_DECIMALS = 4  # three in some currencies, four in wholesale unit prices

_PLAIN = re.compile(r"[0-9]+(\.[0-9]+)?")
# 1.299 is one thousand two hundred and ninety-nine in Berlin and a little over one in Beijing.
_EITHER = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
_GROUPED = {
    ".": re.compile(r"([0-9]+|[1-9][0-9]{0,2}(,[0-9]{3})+)(\.[0-9]+)?"),
    ",": re.compile(r"([0-9]+|[1-9][0-9]{0,2}(\.[0-9]{3})+)(,[0-9]+)?"),
}


def _money_text(text: str, decimal: str | None) -> Decimal:
    if decimal is None:
        if _PLAIN.fullmatch(text) and not _EITHER.fullmatch(text):
            return Decimal(text)
        if _GROUPED["."].fullmatch(text) or _GROUPED[","].fullmatch(text):
            raise ValueError(f'"{text}" is ambiguous; {_remedy(text)}')
    elif _GROUPED[decimal].fullmatch(text):
        group = "," if decimal == "." else "."
        return Decimal(text.replace(group, "").replace(decimal, "."))
    elif _GROUPED["," if decimal == "." else "."].fullmatch(text):
        raise ValueError(f'"{text}" does not fit the declared decimal separator "{decimal}"')
    raise ValueError(
        f'"{text}" is not an amount; write digits only, such as 1299.00, '
        "without currency sign, minus sign or spaces"
    )


def _remedy(text: str) -> str:
    """Name the spelling that cannot be misread, if one reading is likelier than the other."""
    if _EITHER.fullmatch(text) or re.fullmatch(r"[0-9]{1,3},[0-9]{3}", text):
        return f"write {re.sub('[.,]', '', text)} or pass --decimal . or --decimal ,"
    decimal = max(".,", key=text.rfind)
    group = "," if decimal == "." else "."
    plain = text.replace(group, "").replace(decimal, ".") if text.count(decimal) == 1 else None
    return f"write {plain or re.sub('[.,]', '', text)} or pass --decimal {decimal if plain else group}"


def _money(value: object, info: ValidationInfo) -> Decimal:
    if isinstance(value, str):
        amount = _money_text(value.strip(), origin_of(info).decimal)
    elif isinstance(value, Decimal) or (isinstance(value, int) and not isinstance(value, bool)):
        amount = Decimal(value)
    else:
        # A float has lost the amount that was written before we see it.
        raise ValueError(f"{value!r} is not an amount; give a Decimal, an int or text")
    if not amount.is_finite() or not 0 <= amount < _LIMIT:
        raise ValueError(f"{value} is outside 0 to {_LIMIT}")
    if -int(amount.as_tuple().exponent) > _MOST_DECIMALS:
        raise ValueError(f"{value} has more than {_MOST_DECIMALS} decimals; round it")
    return abs(amount)  # JSON knows -0.0


Money = Annotated[Decimal, BeforeValidator(_money)]
"""An amount ≥ 0 in the shop's own currency, exact.

Text such as "12,50", "1.299,00" or "1.299" is refused unless the reader was given the decimal
separator; a currency sign is always refused, because dropping it would guess the currency.
"""
