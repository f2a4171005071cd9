"""JSONL: one JSON object per line, numbers exact, no key twice."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from rpa.inputs.table import RawRow, Table
from rpa.inputs.text import decode_text

__all__ = ["read_jsonl"]


def read_jsonl(path: Path) -> Table:
    """Read a JSONL file; row numbers are line numbers, and there is no header.

    Raises:
        InputError: Encoding. A line that is no JSON object is kept as a row with a problem.
    """
    text, encoding = decode_text(path.read_bytes(), path)
    # Only "\n" ends a line: text may hold U+2028, and str.splitlines would cut there.
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    rows = [_row(number, line.removesuffix("\r")) for number, line in enumerate(lines, start=1)]
    columns: dict[str, int] = {}
    for row in rows:
        for column in row.values:
            columns.setdefault(column, row.number)
    return Table(encoding=encoding, columns=columns, rows=rows)


def _row(number: int, line: str) -> RawRow:
    if not line.strip():
        return RawRow(number, {})
    try:
        value = json.loads(
            line, parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_no_key_twice
        )
        json.dumps(value, ensure_ascii=False, default=str).encode()  # a lone \ud800 is no text
    except UnicodeEncodeError:
        return RawRow(number, {}, problem="half of a surrogate pair such as \\ud800 is no text")
    except json.JSONDecodeError as error:
        return RawRow(number, {}, problem=f"not JSON: {error.msg} at character {error.colno}")
    except (ValueError, ArithmeticError, RecursionError) as error:
        return RawRow(number, {}, problem=f"not usable JSON: {error}")
    if not isinstance(value, dict):
        return RawRow(number, {}, problem="not a JSON object; write one {…} per line")
    return RawRow(number, value)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f'key "{key}" is there twice')
        found[key] = value
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a value")
