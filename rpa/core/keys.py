"""Keys: the same intent gives the same key, for ever.

Canonical JSON makes that so: object keys sorted, text in NFC, numbers as their shortest plain
decimal string (``20``, ``20.0`` and ``Decimal("20.00")`` are one value; the *text* ``"20.0"`` is
another), missing and null alike. Golden values in the tests must never change: every journal ever
written depends on them.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import PurePath
from typing import Any, Final

__all__ = ["canonical", "digest", "label", "plain", "step_key", "unit_key"]

_KEY_LENGTH: Final = 32  # hex digits: 128 bits, no collision in any shop's life


def _number(value: Decimal) -> str:
    if not value.is_finite():
        raise ValueError(f"{value} has no canonical form; give a finite number")
    # Not `normalize()`: it rounds to the ambient decimal context, so that two long order numbers
    # could become one.
    text = format(value, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def plain(value: object) -> Any:
    """Turn a value into what canonical JSON is made of: text, bool, null, list, dict."""
    match value:
        case None | bool():
            return value
        case str():
            return unicodedata.normalize("NFC", value)
        case int() | Decimal():
            return _number(Decimal(value))
        case float():
            return _number(Decimal(repr(value)))
        case date():
            return value.isoformat()
        case PurePath():
            return unicodedata.normalize("NFC", value.as_posix())
        case Mapping():
            return _members(value)
        case list() | tuple():
            return [plain(inner) for inner in value]
        case _:
            raise TypeError(f"{type(value).__name__} has no canonical form: {value!r}")


def _members(value: Mapping[Any, Any]) -> dict[str, Any]:
    names = [unicodedata.normalize("NFC", str(key)) for key in value]
    if len(set(names)) != len(names):
        raise ValueError(f"two members of {sorted(names)} have the same name")
    return {
        name: plain(inner)
        for name, inner in zip(names, value.values(), strict=True)
        if inner is not None
    }


def canonical(value: object) -> str:
    """Write a value as canonical JSON.

    Raises:
        TypeError: A value of a type that has no canonical form.
        ValueError: A number that is not finite, or two members with one name.
    """
    return json.dumps(plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(value: object) -> str:
    """Hash a value's canonical form: 32 hex digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:_KEY_LENGTH]


def unit_key(effect: str, shop: str, identity: Mapping[str, str], edition: str = "") -> str:
    """Name a unit for ever.

    Args:
        effect: The flow's frozen effect id, so that renaming a flow changes nothing.
        shop: The identity proven on the shop's page, so that renaming a shop changes nothing.
        identity: The item's identity fields.
        edition: A word that asks for one more landing of the same item; empty by default.
    """
    return digest({"effect": effect, "shop": shop, "identity": identity, "edition": edition})


def step_key(name: str, arguments: tuple[object, ...] = ()) -> str:
    """Name a step of a unit: its name and its own arguments, never its position."""
    return f"{name}#{digest(arguments)[:12]}" if arguments else name


def label(identity: Mapping[str, str], edition: str = "") -> str:
    """Say a unit in the words of its item, for people: ``unit-3`` or ``unit-3@spring``."""
    words = "/".join(identity.values())
    return f"{words}@{edition}" if edition else words
