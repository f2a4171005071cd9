"""When a shop pauses."""

from __future__ import annotations

from itertools import product

import pytest

from rpa.core.breaker import Breaker
from rpa.core.states import Event

DOUBTS = (Event.LOST, Event.AMBIGUOUS)
ANSWERS = (Event.ACCEPTED, Event.REFUSED, Event.REJECTED, Event.LANDED)


@pytest.mark.parametrize("doubts", list(product(DOUBTS, repeat=3)))
def test_three_unknowns_in_a_row_open_it(doubts: tuple[Event, ...]) -> None:
    breaker, reasons = Breaker(), []
    for event in doubts:
        breaker.see(event)
        reasons.append(breaker.reason)
    assert reasons == ["", "", "3 submits in a row ended unknown"]


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_breaks_the_row(answer: Event) -> None:
    breaker = Breaker(limit=2)
    for event in (Event.LOST, answer, Event.LOST):
        breaker.see(event)
    assert not breaker.reason


@pytest.mark.parametrize("other", sorted(set(Event) - {*DOUBTS, *ANSWERS, Event.MULTIPLE}))
def test_nothing_else_counts_either_way(other: Event) -> None:
    breaker = Breaker(limit=2)
    breaker.see(Event.LOST)
    breaker.see(other)
    assert not breaker.reason
    breaker.see(Event.LOST)
    assert breaker.reason


def test_one_duplicate_opens_it_and_nothing_closes_it() -> None:
    breaker = Breaker()
    breaker.see(Event.MULTIPLE)
    breaker.see(Event.ACCEPTED)
    assert breaker.reason == "a unit landed more than once"
