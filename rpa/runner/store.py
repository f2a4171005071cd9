"""Stores: the adapter for one kind of back office."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from playwright.async_api import Page

from rpa.gate.rules import SubmitRule
from rpa.verify.probe import Probe

__all__ = ["Store", "Submit"]


@dataclass(frozen=True)
class Submit:
    """How one kind of submit looks in one store.

    Attributes:
        rules: Its requests, in the order they leave.
        probes: Where a landing shows, the surest place first; absence needs all of them.
        dialog: What to do with a ``confirm()`` the click raises. An undeclared dialog stops the
            step before anything is sent.
    """

    rules: tuple[SubmitRule, ...]
    probes: tuple[Probe, ...]
    dialog: Literal["accept", "refuse"] = "refuse"


class Store(ABC):
    """One kind of back office, for one shop.

    Attributes:
        name: Its name in `rpa.toml`.
        submits: Every kind of submit the adapter knows, by name.
        parallel_sessions: One account may run several shops at the same time.

    Args:
        url: The shop's address, without a trailing slash.
    """

    name: ClassVar[str]
    submits: ClassVar[Mapping[str, Submit]]
    parallel_sessions: ClassVar[bool] = False

    def __init__(self, url: str) -> None:
        self.url = url

    @abstractmethod
    async def log_in(self, page: Page, username: str, password: str) -> None:
        """Log in; whether that worked is asked by `logged_in`.

        Raises:
            LoginFailed: The store says the credentials are wrong.
        """

    @abstractmethod
    async def logged_in(self, page: Page) -> bool:
        """Open a page that needs a session, by GET, and say whether the store shows it."""

    @abstractmethod
    async def identity(self, page: Page) -> str | None:
        """Read from the page as it is, without leaving it, whose shop it is; None if it is
        nobody's (a login page, a blank page). Must not wait long: it runs before every submit.
        """  # noqa: D205 - one thought

    def rules(self) -> tuple[SubmitRule, ...]:
        """Every submit rule of the store, for the gate."""
        return tuple(rule for submit in self.submits.values() for rule in submit.rules)
