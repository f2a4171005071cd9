"""Probes: how a store reads its own list.

A probe only reads. It is given a page in a fresh context, opens the list by GET, asserts the
filters it relies on, and says through a `Reading` what it saw and how much of it that was. It
never says "absent": the core does, from what the reading may claim.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from playwright.async_api import Page

from rpa.core.model import Matching, Row, Scan

__all__ = ["Probe", "Reading"]


class Reading:
    """What a probe has read so far. Incomplete until the probe says that it saw everything.

    Args:
        taken: When reading began, in seconds of the wall clock.
    """

    def __init__(self, taken: float) -> None:
        self._taken = taken
        self._rows: list[Row] = []
        self._tabs: set[str] = set()
        self._total: int | None = None
        self._doubt: str | None = None
        self.shop: str | None = None

    def add(self, row: Row) -> None:
        """Take in one row."""
        self._rows.append(row)

    def tab_read(self, tab: str, total: int | None = None) -> None:
        """Say that a tab was read to its proven end.

        Args:
            tab: Its name, as in `Matching.tabs`.
            total: How many records the tab itself says it has.
        """
        self._tabs.add(tab)
        if total is not None:
            self._total = (self._total or 0) + total

    def doubt(self, why: str) -> None:
        """Say why this reading may have missed something. The first reason stays."""
        self._doubt = self._doubt or why

    def scan(self, tabs: frozenset[str]) -> Scan:
        """Close the reading.

        Args:
            tabs: Every tab that must have been read.
        """
        unread = tabs - self._tabs
        doubt = self._doubt
        if unread and doubt is None:
            doubt = f"not read to the end: {', '.join(sorted(unread))}"
        return Scan(
            shop=self.shop,
            rows=tuple(self._rows),
            complete=doubt is None,
            tabs=frozenset(self._tabs),
            taken=self._taken,
            total=self._total,
            reason=doubt,
        )


class Probe(ABC):
    """Reads one kind of record from a shop's list.

    Attributes:
        name: Names the probe in journal and certificate.
        matching: How the store's records are compared, and when absence may be believed.
    """

    name: ClassVar[str]
    matching: ClassVar[Matching]

    @abstractmethod
    async def read(self, page: Page, url: str, reading: Reading) -> None:
        """Read the whole list.

        Wait for rows or for an explicit empty state before counting anything; call
        ``reading.tab_read`` only where the end was seen; call ``reading.doubt`` or raise where
        the page is not what it should be (a login page, a captcha, a filter that stuck).

        Args:
            page: A page in a fresh context that holds the shop's session.
            url: The shop's address.
            reading: Where to put what was read.

        Raises:
            ProbeError: The list cannot be read.
        """
