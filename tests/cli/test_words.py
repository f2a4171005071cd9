"""What the journal can say has words, all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rpa.cli.timeline import TONES
from rpa.cli.words import event_in_words, local_time, next_in_words, why
from rpa.core.record import Record
from rpa.core.states import Event, Status
from rpa.core.view import UnitView

FULL: Mapping[str, Any] = {
    "request": "create",
    "method": "POST",
    "url": "http://127.0.0.1:9/copies",
    "answer": {"status": 303, "location": "/copies"},
    "result": {"record": "8001"},
    "by": "王芳",
    "state": "filled",
    "outcome": "not_sent",
    "why": "{braces} are text",
}


@pytest.mark.parametrize("event", Event)
@pytest.mark.parametrize("step", ["", "copy"])
@pytest.mark.parametrize("data", [{}, FULL])
def test_every_event_has_words(event: Event, step: str, data: Mapping[str, Any]) -> None:
    words = event_in_words(Record("u", {}, event, step=step, attempt=2, data=data))
    assert words
    assert not {"{", "}"} & set(words)
    assert "None" not in words


def test_words_name_what_they_speak_of() -> None:
    record = Record("u", {}, Event.ACCEPTED, step="copy", data=FULL)
    assert event_in_words(record) == (
        "landed: the shop's answer 303 → /copies shows it (record 8001)"
    )
    verdict = Record("u", {}, Event.MULTIPLE, step="copy", data={"records": ["1", "2"]})
    assert event_in_words(verdict) == "verdict: landed more than once (record 1, 2)"


def test_reasons_are_put_together() -> None:
    error = {"class": "StoreDown", "message": "503"}
    data = {"why": "zweimal", "note": "备注"}
    assert why(Record("u", {}, Event.FAILED, error=error, data=data)) == (
        "StoreDown: 503; zweimal; 备注"
    )
    assert why(Record("u", {}, Event.FAILED, error={"message": "nur Text"})) == "nur Text"
    assert why(Record("u", {}, Event.STARTED)) == ""


@pytest.mark.parametrize("status", Status)
def test_every_status_has_a_next(status: Status) -> None:
    assert next_in_words(UnitView("u", {}, status=status))
    assert "given up" in next_in_words(UnitView("u", {}, status=Status.FAILED, attempts=3))


def test_every_outcome_has_a_tone() -> None:
    silent = set(Event) - set(TONES)
    assert silent == {
        *(Event.STARTED, Event.FINISHED, Event.ARMED, Event.RELEASED, Event.ANSWERED),
        *(Event.CONFIRMED_NOT_LANDED, Event.RESTORED, Event.ADOPTED),
        *(Event.SKIPPED, Event.REQUEUED),
    }


def test_a_time_that_is_none_is_shown_as_it_is() -> None:
    assert local_time("neulich") == "neulich"
    assert local_time("2025-11-30T12:00:00.500Z", "%M:%S") == "00:00"
