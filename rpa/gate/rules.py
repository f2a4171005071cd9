"""Submit rules: which request *is* the submit, and what its answer means.

A rule belongs to a store. The gate holds every request that matches any rule of the store, armed or
not; a rule that matches too little lets a submit slip by, so match generously and let the gate
block what is not expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rpa.gate.signals import Answer, Signal, never

__all__ = ["RequestSeen", "SubmitRule"]


@dataclass(frozen=True, slots=True)
class RequestSeen:
    """A request as the gate saw it, before it left.

    Attributes:
        method: HTTP method.
        url: The whole URL.
        body: The text parts of its body; file contents are never seen here.
    """

    method: str
    url: str
    body: str


@dataclass(frozen=True)
class SubmitRule:
    """One request of a submit step.

    Attributes:
        name: Names the request within its step, for the journal.
        url: Path (from the shop's address) or whole URL, with or without a query; ``*`` is a
            wildcard.
        accepted: Proof from the answer alone that it landed.
        refused: Proof that it did not land and may be tried again.
        rejected: Proof that it did not land and never will; a person decides.
        method: HTTP methods, separated by ``|``.
        body: Regular expression that the body's text must contain (GraphQL: the operation).
        harmless: A landed request of this rule alone leaves nothing anybody would count, such as
            an uploaded picture that no product uses yet.
        follow: A 307/308 answer is followed as part of the same attempt. Off, the gate stops it.
        shop: Reads the shop's id from the request where the store carries it there.
        result: Reads record ids from an accepted answer, for later steps.
    """

    name: str
    url: str
    accepted: Signal
    refused: Signal = never
    rejected: Signal = never
    method: str = "POST"
    body: str | None = None
    harmless: bool = False
    follow: bool = False
    shop: Callable[[RequestSeen], str | None] | None = None
    result: Callable[[Answer], Mapping[str, Any]] | None = None

    def globs(self, origin: str) -> tuple[str, str]:
        """The rule's URL patterns in CDP's wildcard form: as it is, and with any query."""
        literal = self._whole(origin).replace("?", r"\?")
        return literal, rf"{literal}\?*"

    def matches(self, request: RequestSeen, origin: str) -> bool:
        """Say whether a request is this rule's."""
        if request.method not in self.method.split("|"):
            return False
        if not self._url(origin).fullmatch(request.url.partition("#")[0]):
            return False
        return self._body is None or self._body.search(request.body) is not None

    def _whole(self, origin: str) -> str:
        return origin.rstrip("/") + self.url if self.url.startswith("/") else self.url

    def _url(self, origin: str) -> re.Pattern[str]:
        wild = ".*".join(re.escape(part) for part in self._whole(origin).split("*"))
        return re.compile(rf"{wild}(\?.*)?", re.DOTALL)

    @cached_property
    def _body(self) -> re.Pattern[str] | None:
        return re.compile(self.body) if self.body is not None else None
