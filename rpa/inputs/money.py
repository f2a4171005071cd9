"""Amounts of money from text that people of different countries read differently."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, ValidationInfo

from rpa.inputs.origin import origin_of
from rpa.inputs.shown import shown

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
    mark = decimal or "."
    group = "," if mark == "." else "."
    if decimal is None:
        if _PLAIN.fullmatch(text) and not _EITHER.fullmatch(text):
            return Decimal(text)
        if any(form.fullmatch(text) for form in _GROUPED.values()):
            raise ValueError(f"{shown(text)} is ambiguous; {_remedy(text, mark)}")
    elif _GROUPED[mark].fullmatch(text):
        return Decimal(text.replace(group, "").replace(mark, "."))
    elif _GROUPED[group].fullmatch(text):
        raise ValueError(f"{shown(text)} has no decimal {mark}; {_remedy(text, mark)}")
    raise ValueError(
        f"{shown(text)} is not an amount; write only digits, such as 1299{mark}00, "
        "without currency sign, minus sign or spaces"
    )


def _remedy(text: str, mark: str) -> str:
    """What to write so that nobody can misread it, and which declaration would fit the file."""
    last = max(".,", key=text.rfind)
    whole, _, fraction = text.rpartition(last)
    whole = re.sub("[.,]", "", whole)
    if text.count(last) > 1:  # nothing but thousands separators
        return f"write {whole}{fraction} or pass --decimal {'.' if last == ',' else ','}"
    if _EITHER.fullmatch(text.replace(",", ".")):
        return f"write {whole}{fraction} or {whole}{mark}{fraction}0, or pass --decimal"
    return f"write {whole}{mark}{fraction} or pass --decimal {last}"


def _money(value: object, info: ValidationInfo) -> Decimal:
    if isinstance(value, str):
        amount = _money_text(value.strip(), origin_of(info).decimal)
    elif isinstance(value, Decimal) or (isinstance(value, int) and not isinstance(value, bool)):
        amount = Decimal(value)
    else:
        # A float has lost the amount that was written before we see it.
        raise ValueError(f"{shown(value)} is not an amount; give a Decimal, an int or text")
    if not amount.is_finite() or not 0 <= amount < _LIMIT:
        raise ValueError(f"{shown(value)} is outside 0 to {_LIMIT}")
    if -int(amount.as_tuple().exponent) > _MOST_DECIMALS:
        raise ValueError(f"{shown(value)} has more than {_MOST_DECIMALS} decimals; round it")
    return abs(amount)  # JSON knows -0.0


Money = Annotated[Decimal, BeforeValidator(_money)]
"""An amount ≥ 0 in the shop's own currency, exact.

Text such as "12,50", "1.299,00" or "1.299" is refused unless the reader was given the decimal
separator; a currency sign is always refused, because dropping it would guess the currency.
"""
