"""A view as plain JSON and back."""

from __future__ import annotations

import json

import pytest

from rpa.core.fold import UnitView
from rpa.core.record import Record
from rpa.core.snapshot import unit_from_json, unit_to_json
from rpa.core.states import Event
from tests.unit.core.story import IDENTITY, UNIT, of_submit, record, told

E = Event

STORIES: list[tuple[Event | Record, ...]] = [
    (),
    (record(E.FINISHED, step="fill", step_key="fill", data={"state": "filled", "result": 3}),),
    (of_submit(E.ARMED, baseline={"matching": ["红"]}, since=0.0),),
    (E.ARMED, E.NOT_SENT),
    (E.ARMED, E.RELEASED, of_submit(E.LOST, since=5.5), of_submit(E.INCONCLUSIVE, absent_at=9.0)),
    (E.ARMED, E.LOST, E.CONFIRMED_NOT_LANDED),
    (E.ARMED, E.RELEASED, of_submit(E.ACCEPTED, result={"record": "77"})),
    (record(E.FAILED, error={"class": "超时"}, evidence=("a.jpg", "b.jpg")), record(E.EXHAUSTED)),
]


@pytest.mark.parametrize("story", STORIES)
def test_what_is_written_comes_back_equal(story: tuple[Event | Record, ...]) -> None:
    unit = told(*story).units[UNIT]
    written = unit_to_json(unit)
    assert unit_from_json(json.loads(json.dumps(written, ensure_ascii=False))) == unit
    assert list(written)[:2] == ["key", "status"]


def test_a_new_unit_is_little_more_than_its_key() -> None:
    written = unit_to_json(UnitView(UNIT, IDENTITY))
    assert written == {"key": UNIT, "status": "pending", "identity": IDENTITY}


def test_what_is_not_known_is_not_guessed() -> None:
    whole = unit_to_json(told(E.ARMED).units[UNIT])
    with pytest.raises(ValueError, match="wartend"):
        unit_from_json({**whole, "status": "wartend"})
    with pytest.raises(TypeError, match="colour"):
        unit_from_json({**whole, "colour": "red"})
    with pytest.raises(TypeError, match="identity"):
        unit_from_json({"key": UNIT})
