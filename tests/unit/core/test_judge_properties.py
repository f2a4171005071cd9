"""No false absence and no false landing, in any world a probe may honestly read.

A world is a shop with what is in it, and what it does to texts on the way in. The probe is honest:
it may miss anything, but never claims to have read what it has not. Judged over and over, with the
fold's rule for the two readings in between, it must never say "absent" of what landed, nor "landed"
of what did not.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from rpa.core.judge import baseline_for, judge
from rpa.core.model import (
    Carrier,
    Expected,
    Matching,
    Row,
    RowStatus,
    Scan,
    Verdict,
    VerdictKind,
)
from rpa.core.normalise import collapse_spaces, compose, fold_case, nfkc, unescape_entities

SHOP, TABS = "店铺-上海", ("在售", "审核中")
LANDINGS = {VerdictKind.LANDED, VerdictKind.ALTERED, VerdictKind.MULTIPLE, VerdictKind.PARTLY}
SETTLE, AGAIN, LIMIT = 20.0, 5.0, 8
RELEASED_BY = 100.0  # the request was over by then

NORMALISER = compose(unescape_entities, nfkc, collapse_spaces, fold_case)


@dataclass(frozen=True)
class ShopKind:
    """What a shop does to texts, and whether it says so."""

    name: str
    keeps: Callable[[str], str]
    limit: int | None = None


def _before_wide(text: str) -> str:
    return next((text[:at] for at, char in enumerate(text) if char > "\uffff"), text)


SHOPS = [
    ShopKind("as sent", str),
    ShopKind("tidies", lambda text: " ".join(text.split())),
    ShopKind("escapes twice", lambda text: html.escape(html.escape(text))),
    ShopKind("forgets case", str.upper),
    ShopKind("cuts", lambda text: text[:LIMIT], LIMIT),
    ShopKind("tidies, then cuts", lambda text: " ".join(text.split())[:LIMIT].strip(), LIMIT),
    ShopKind("cuts, then tidies", lambda text: " ".join(text[:LIMIT].split()), LIMIT),
    ShopKind("stops at four bytes", _before_wide),
    ShopKind("stops at four bytes and cuts", lambda text: _before_wide(text)[:LIMIT], LIMIT),
    ShopKind("drops four bytes", lambda t: "".join(c for c in t if c <= "\uffff")),
    ShopKind("? for four bytes", lambda t: "".join(c if c <= "\uffff" else "?" for c in t)),
    ShopKind("? for all but ASCII", lambda t: t.encode("ascii", "replace").decode()),
    ShopKind("???? for four bytes", lambda t: "".join(c if c <= "\uffff" else "????" for c in t)),
]

# Few letters, so that keys are often each other's beginnings; no "?" or entity of their own, so
# that a loss can be told from a key.
keys = st.text(st.sampled_from("aAb1- \u3000红色恤🔥🎁&<"), min_size=1, max_size=14).filter(
    lambda text: text.strip(" \u3000") != ""
)


@dataclass(frozen=True)
class Thing:
    """A record in the shop, with the tab it is in and when it can first be seen."""

    row: Row
    tab: str
    visible: float


@dataclass
class World:
    """A shop, its unit in doubt, and its probe."""

    matching: Matching
    expected: Expected
    things: list[Thing]
    known: frozenset[str]
    before: Scan

    def honest(self, taken: float, missing: set[str], unread: set[str], shows_total: bool) -> Scan:
        """Read the list, missing some rows and tabs, and own up to it."""
        there = [thing for thing in self.things if thing.visible <= taken]
        seen = [t.row for t in there if t.row.record not in missing and t.tab not in unread]
        return Scan(
            shop=SHOP,
            rows=tuple(seen),
            complete=not unread and len(seen) == len(there),
            tabs=frozenset(TABS) - unread,
            taken=taken,
            total=len(there) if shows_total else None,
        )


@st.composite
def worlds(draw: st.DrawFn, landed: bool) -> World:
    """A shop in which our unit landed or did not, and others work beside us."""
    kind = draw(st.sampled_from(SHOPS))
    event(kind.name)
    ours = draw(keys)
    others = draw(st.lists(keys, max_size=4, unique=True))
    same = {NORMALISER(ours), NORMALISER(kind.keeps(ours))}
    for other in others:
        # What carries our very key, or reads as ours would, is ours for all that anyone can tell.
        assume(NORMALISER(other) not in same and NORMALISER(kind.keeps(other)) not in same)
    matching = Matching(
        draw(st.sampled_from(list(Carrier))),
        NORMALISER,
        frozenset(TABS),
        marks=draw(st.sampled_from([(), ("库存",)])),
        settle=SETTLE,
        again=AGAIN,
        max_length=kind.limit,
    )
    statuses = st.sampled_from([RowStatus.LIVE, RowStatus.LIVE, RowStatus.PENDING])
    marks = st.booleans().map(lambda whole: {"库存": whole})
    things = [Thing(Row("r0", "老款-00"), TABS[0], 0.0)]
    for number, other in enumerate(others, 1):
        row = Row(f"o{number}", kind.keeps(other), status=draw(statuses), marks=draw(marks))
        things.append(Thing(row, draw(st.sampled_from(TABS)), draw(st.sampled_from([0.0, 90.0]))))
    if landed:
        for number in range(draw(st.integers(1, 2))):
            row = Row(f"m{number}", kind.keeps(ours), status=draw(statuses), marks=draw(marks))
            visible = RELEASED_BY + draw(st.floats(-5, SETTLE))
            things.append(Thing(row, draw(st.sampled_from(TABS)), visible))
    siblings = frozenset(draw(st.lists(st.sampled_from(others), unique=True)) if others else ())
    expected = Expected(SHOP, ours, since=RELEASED_BY, siblings=siblings)
    known = frozenset(draw(st.lists(st.sampled_from(["r0", "gone"]), unique=True)))
    world = World(matching, expected, things, known, Scan(SHOP, (), True, frozenset(), 0.0))
    world.before = world.honest(50.0, *draw(readings(world)))
    return world


def readings(world: World) -> st.SearchStrategy[tuple[set[str], set[str], bool]]:
    """What a probe misses: mostly nothing."""
    records = st.sets(st.sampled_from([thing.row.record for thing in world.things]))
    nothing: set[str] = set()
    return st.tuples(
        st.just(nothing) | records,
        st.just(nothing) | st.sets(st.sampled_from(TABS)),
        st.booleans(),
    )


@st.composite
def judged(draw: st.DrawFn, landed: bool) -> tuple[World, list[Verdict]]:
    """A world, read and judged up to six times, as the runner does it."""
    world = draw(worlds(landed=landed))
    baseline = baseline_for(world.expected.carrier, world.before, world.matching)
    expected, verdicts, taken = world.expected, [], RELEASED_BY
    for _ in range(draw(st.integers(1, 6))):
        taken += draw(st.sampled_from([0.5, AGAIN, SETTLE]))
        scan = world.honest(taken, *draw(readings(world)))
        now = taken + draw(st.floats(0, 5))
        verdict = judge(expected, baseline, scan, world.matching, now, world.known)
        verdicts.append(verdict)
        first = expected.absent_at if expected.absent_at is not None else scan.taken
        expected = replace(expected, absent_at=first if verdict.clean else None)
    return world, verdicts


@settings(max_examples=150)
@given(judged(landed=True))
def test_what_landed_is_never_absent(case: tuple[World, list[Verdict]]) -> None:
    world, verdicts = case
    kinds = {verdict.kind for verdict in verdicts}
    event(f"found: {bool(kinds & LANDINGS)}")
    assert VerdictKind.ABSENT not in kinds, (world.expected, verdicts)


@settings(max_examples=150)
@given(judged(landed=False))
def test_what_did_not_land_is_never_landed(case: tuple[World, list[Verdict]]) -> None:
    world, verdicts = case
    kinds = {verdict.kind for verdict in verdicts}
    event(f"absent: {VerdictKind.ABSENT in kinds}")
    assert not kinds & LANDINGS, (world.expected, verdicts)


@settings(max_examples=60)
@given(judged(landed=True))
def test_a_landing_names_the_records_that_landed(case: tuple[World, list[Verdict]]) -> None:
    _, verdicts = case
    for verdict in verdicts:
        if verdict.kind in LANDINGS:
            assert all(record.startswith("m") for record in verdict.records)
            assert verdict.records
