"""SIGKILL around a submit: whoever dies and wherever, each item lands once and nothing is stuck."""

from __future__ import annotations

import pytest

from rpa.core.fold import History
from rpa.core.states import Status
from rpa.journal import MemoryJournal, check, export
from rpa.journal.testing import OrderMonitor
from tests.crash.cases import CASES, Case
from tests.crash.stage import Played
from tests.crash.troupe import Troupe

pytestmark = [pytest.mark.crash, pytest.mark.browser, pytest.mark.timeout(600)]


def _marks(number: int, case: Case) -> list[pytest.MarkDecorator]:
    """Every second case is quick enough for every day; the others are for the long runs."""
    marks = [pytest.mark.store_oscar] if case.flow == "oscar" else []
    return [*marks, pytest.mark.long] if number % 2 else marks


_PARAMETERS = [
    pytest.param(case, id=case.name, marks=_marks(number, case))
    for number, case in enumerate(CASES)
]


@pytest.mark.parametrize("case", _PARAMETERS)
def test_each_item_lands_once_and_nothing_is_stuck(troupe: Troupe, case: Case) -> None:
    played = troupe.played(case)
    assert tuple(played.exits) == case.exits, played.story
    assert case.shown in (None, played.shown[0]), played.story
    assert played.landed == played.wanted, played.story
    history = watched(played)
    assert [unit.status for unit in history.units.values()] == [Status.SUBMITTED] * 2
    assert played.left_over == [], played.story


def watched(played: Played) -> History:
    """Read the journal as a strict witness of its order."""
    assert check(played.journal).sound
    monitor = OrderMonitor(MemoryJournal())
    for record in export(played.journal):
        monitor.append(record)
    return monitor.history
