"""The unit: the smallest thing that is submitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rpa.core.keys import label

__all__ = ["Unit"]


@dataclass(frozen=True)
class Unit:
    """One item for one shop by one flow.

    Attributes:
        key: The unit key.
        identity: The item's identity fields.
        edition: Asks for one more landing of the same item.
        row: Where the item stands in its file.
    """

    key: str
    identity: Mapping[str, str]
    edition: str = ""
    row: int = 0

    @property
    def label(self) -> str:
        """The unit in the words of its item."""
        return label(self.identity, self.edition)
