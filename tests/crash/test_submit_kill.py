"""SIGKILL around a submit: whoever dies and wherever, each item lands once and nothing is stuck."""

from __future__ import annotations

from collections import Counter

import pytest

from rpa.core.fold import History
from rpa.core.states import Event, Status
from rpa.journal import MemoryJournal, check, export
from rpa.journal.testing import OrderMonitor
from tests.crash.cases import CASES, Case
from tests.crash.stage import Played
from tests.crash.troupe import Troupe

pytestmark = [pytest.mark.crash, pytest.mark.browser, pytest.mark.timeout(600)]


def _marks(case: Case) -> list[pytest.MarkDecorator]:
    oscar, long = [pytest.mark.store_oscar], [pytest.mark.long]
    return oscar * (case.flow == "oscar") + long * case.long


_PARAMETERS = [pytest.param(case, id=case.name, marks=_marks(case)) for case in CASES]


@pytest.mark.parametrize("case", _PARAMETERS)
def test_each_item_lands_once_and_nothing_is_stuck(troupe: Troupe, case: Case) -> None:
    played = troupe.played(case)
    assert tuple(played.exits) == case.exits, played.story
    assert case.shown in (None, played.shown[0]), played.story
    assert played.landed == played.wanted, played.story
    history = watched(played)
    assert [unit.status for unit in history.units.values()] == [Status.SUBMITTED] * 2
    assert played.left_over == [], played.story
    released = Counter(
        record.identity["sku"]
        for record in export(played.journal)
        if record.event is Event.RELEASED and record.data["request"] != "upload"
    )
    assert played.arrived <= released, "one release, one request on the wire"


def watched(played: Played) -> History:
    """Read the journal as a strict witness of its order."""
    assert check(played.journal).sound
    monitor = OrderMonitor(MemoryJournal())
    for record in export(played.journal):
        monitor.append(record)
    return monitor.history
