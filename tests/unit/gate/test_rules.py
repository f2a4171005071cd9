"""Which request is the submit."""

from __future__ import annotations

import pytest

from rpa.gate.rules import RequestSeen, SubmitRule
from rpa.gate.signals import status

ORIGIN = "http://127.0.0.1:8000/s/shop-a"


def rule(url: str, **more: str) -> SubmitRule:
    return SubmitRule("save", url, accepted=status(200), **more)  # type: ignore[arg-type]


def seen(url: str, method: str = "POST", body: str = "") -> RequestSeen:
    return RequestSeen(method, url, body)


@pytest.mark.parametrize(
    ("url", "request_url", "matches"),
    [
        ("/copies", f"{ORIGIN}/copies", True),
        ("/copies", f"{ORIGIN}/copies?retry=1", True),
        ("/copies", f"{ORIGIN}/copies#top", True),
        ("/copies", f"{ORIGIN}/copies/new", False),
        ("/copies", "http://127.0.0.1:8000/s/shop-b/copies", False),
        ("/copies*", f"{ORIGIN}/copies/new?x=1", True),
        ("*/api", "https://elsewhere.example/v2/api", True),
        ("https://api.example/x.y", "https://api.example/xzy", False),
        ("/商品", f"{ORIGIN}/商品", True),
        ("/p?type=[1]", f"{ORIGIN}/p?type=[1]", True),
        ("/p?type=[1]", f"{ORIGIN}/pXtype=1", False),
    ],
)
def test_url(url: str, request_url: str, matches: bool) -> None:
    assert rule(url).matches(seen(request_url), ORIGIN) is matches


def test_method() -> None:
    assert not rule("/x").matches(seen(f"{ORIGIN}/x", "GET"), ORIGIN)
    assert rule("/x", method="PUT|DELETE").matches(seen(f"{ORIGIN}/x", "DELETE"), ORIGIN)


def test_body() -> None:
    mutation = rule("/api", body=r"mutation\s+CreateProduct")
    assert mutation.matches(seen(f"{ORIGIN}/api", body="mutation CreateProduct {x}"), ORIGIN)
    assert not mutation.matches(seen(f"{ORIGIN}/api", body="query Products {x}"), ORIGIN)


def test_globs_cover_what_matches_with_and_without_a_query() -> None:
    assert rule("/copies").globs(ORIGIN) == (f"{ORIGIN}/copies", rf"{ORIGIN}/copies\?*")
    assert rule("*/a?b").globs(ORIGIN) == (r"*/a\?b", r"*/a\?b\?*")
