"""Signals: what an answer proves.

An answer is read by the gate before the page sees it. A signal looks at nothing else: a toast, an
exception or the page itself proves nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlsplit

__all__ = [
    "Answer",
    "Signal",
    "all_of",
    "any_of",
    "json_where",
    "never",
    "redirects_to",
    "status",
    "text_matches",
]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for a released request.

    Attributes:
        status: HTTP status; None if no answer came.
        location: Where a redirect leads, as sent.
        body: The body's text; None for redirects, and where it did not arrive whole.
        error: Chromium's reason where no answer came.
    """

    status: int | None
    location: str | None = None
    body: str | None = None
    error: str | None = None

    def to_json(self) -> dict[str, Any]:
        """What the journal keeps: never the body, which may hold anything."""
        kept = {
            "status": self.status,
            "location": self.location,
            "length": None if self.body is None else len(self.body),
            "error": self.error,
        }
        return {name: value for name, value in kept.items() if value is not None}


Signal = Callable[[Answer], bool]


def never(answer: Answer) -> bool:
    """Nothing proves this."""
    return False


def status(*codes: int) -> Signal:
    """The answer has one of these statuses."""
    return lambda answer: answer.status in codes


def redirects_to(*paths: str) -> Signal:
    """A 302 or 303 whose Location's path matches one of these globs."""

    def signal(answer: Answer) -> bool:
        if answer.status not in (302, 303) or answer.location is None:
            return False
        path = urlsplit(answer.location).path
        return any(fnmatchcase(path, glob) for glob in paths)

    return signal


def text_matches(pattern: str, *codes: int) -> Signal:
    """A whole body with one of these statuses (200 if none is named) contains the pattern."""
    wanted = codes or (200,)
    compiled = re.compile(pattern)
    return lambda answer: (
        answer.status in wanted and answer.body is not None and bool(compiled.search(answer.body))
    )


def json_where(test: Callable[[Mapping[str, Any]], bool], *codes: int) -> Signal:
    """A whole JSON object with one of these statuses (200 if none is named) passes the test."""
    wanted = codes or (200,)

    def signal(answer: Answer) -> bool:
        if answer.status not in wanted or answer.body is None:
            return False
        try:
            value = json.loads(answer.body)
        except ValueError:
            return False
        return isinstance(value, dict) and test(value)

    return signal


def all_of(*signals: Signal) -> Signal:
    """Every signal holds."""
    return lambda answer: all(signal(answer) for signal in signals)


def any_of(*signals: Signal) -> Signal:
    """At least one signal holds."""
    return lambda answer: any(signal(answer) for signal in signals)
