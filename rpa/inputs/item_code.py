"""Identity text: the codes that say which item a row means.

A code is never a number. Spreadsheets take the zeros from "0017" and "90.750" and turn a barcode
into "6.93217E+12", and no program can put back what is gone, so such text is refused.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import BeforeValidator

from rpa.inputs.shown import shown

__all__ = ["ItemCode", "identity_text"]

# What a spreadsheet or another program writes for a long number. "1E5" and "12E34" stay usable as
# codes: no program writes a number so, they always add a sign or a decimal point.
_SCIENTIFIC = re.compile(r"[+-]?(\d+([.,]\d+)?[eE][+-]\d+|\d+[.,]\d+[eE]\d+)", re.ASCII)

# Zero-width and direction marks: two codes that look the same would be different units.
_INVISIBLE = frozenset("\u00ad\u200b\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e")


def identity_text(value: object) -> str:
    """Trim one identity text and refuse what cannot be trusted.

    The rule: white space of any kind at both ends is dropped (also the no-break space and the
    ideographic space); nothing else is changed, so leading and trailing zeros stay.

    Raises:
        ValueError: It is not text, is empty, is in scientific notation, is wrapped as
            ``="0017"`` or ``'0017``, or holds a control character or an invisible mark.
    """
    if not isinstance(value, str):
        raise ValueError(
            f"holds {shown(value)}, not text; leading zeros and long codes are lost in numbers, "
            "write it as text"
        )
    text = value.strip()
    if not text:
        raise ValueError("is empty")
    if _SCIENTIFIC.fullmatch(text):
        raise ValueError(
            f"{shown(text)} is a number in scientific notation whose digits are lost; "
            "format the column as text and enter the code again"
        )
    if text.startswith(("=", "'")):
        raise ValueError(f"{shown(text)} is how spreadsheets protect a code; write the bare code")
    for char in text:
        if char in _INVISIBLE or unicodedata.category(char) == "Cc":
            raise ValueError(
                f"{shown(text)} holds the invisible character U+{ord(char):04X}; delete it"
            )
    return text


ItemCode = Annotated[str, BeforeValidator(identity_text)]
"""A SKU, barcode or record id: text, trimmed, zeros kept, scientific notation refused."""
