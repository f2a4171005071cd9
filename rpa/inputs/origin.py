"""Where a row comes from: pydantic's validation context for the field types."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationInfo

__all__ = ["Origin", "origin_of"]


@dataclass(frozen=True, slots=True)
class Origin:
    """What a field type must know about the file its text was read from.

    Attributes:
        folder: Absolute folder of the items file; relative picture paths start here.
        decimal: The decimal separator the person declared, "." or ","; None if nothing was
            declared, and then text that two countries read differently is refused.
    """

    folder: Path = field(default_factory=Path.cwd)
    decimal: str | None = None


def origin_of(info: ValidationInfo) -> Origin:
    """The origin of the value under validation; the working folder for items made in code."""
    return info.context if isinstance(info.context, Origin) else Origin()
