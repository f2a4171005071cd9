"""How a value looks inside an error message: one line, quoted if it is text, never long."""

from __future__ import annotations

import json

__all__ = ["shown"]

_LONGEST = 60


def shown(value: object) -> str:
    """The value for a message; line breaks and quotes escaped, other letters as they are."""
    if not isinstance(value, str):
        return shown(str(value))[1:-1]
    text = value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"
    return json.dumps(text, ensure_ascii=False)
