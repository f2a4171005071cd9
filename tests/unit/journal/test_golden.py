"""Golden journals: what an older build wrote means the same for ever.

`fixtures/journals/v1/expected.json` says what each file comes to. Neither those files nor what
they are expected to mean may change; a new version of the format gets a directory of its own.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rpa.core.fold import History
from rpa.core.keys import unit_key
from rpa.core.states import Event
from rpa.core.view import UnitView
from rpa.errors import JournalDamaged, JournalTooNew
from rpa.journal import check, compact, export
from tests.support.journals import at_noon, opened, record

GOLDEN = Path(__file__).parents[3] / "fixtures" / "journals" / "v1"
EXPECTED: dict[str, dict[str, Any]] = json.loads((GOLDEN / "expected.json").read_text("utf-8"))
WHOLE = [name for name, expected in EXPECTED.items() if "units" in expected]
DAMAGED = [name for name, expected in EXPECTED.items() if "damage" in expected]
NEWER = [name for name, expected in EXPECTED.items() if "newer" in expected]


def summary(history: History) -> dict[str, Any]:
    """What a history must say for ever, in the words of the file of expectations."""
    return {unit.identity["sku"]: _unit(unit) for unit in history.units.values()}


def _unit(unit: UnitView) -> dict[str, Any]:
    said: dict[str, Any] = {
        "key": unit.key,
        "status": unit.status,
        "attempts": unit.attempts,
        "held": bool(unit.held),
        "arguments": unit.arguments,
        "proposed": unit.proposed,
        "error": unit.error,
        "evidence": list(unit.evidence),
    }
    for step in unit.submits.values():
        said[step.name] = {
            "state": step.state,
            "attempt": step.attempt,
            "released": list(step.released),
            "first": step.first,
            "since": step.since,
            "absent_at": step.absent_at,
            "result": step.result,
        }
    return said


@pytest.fixture
def golden(tmp_path: Path) -> Iterator[Path]:
    """A copy to open, and proof that looking at the originals left them alone."""
    before = {each.name: each.read_bytes() for each in GOLDEN.iterdir()}
    shutil.copytree(GOLDEN, tmp_path / "v1")
    yield tmp_path / "v1"
    assert {each.name: each.read_bytes() for each in GOLDEN.iterdir()} == before


def test_every_golden_journal_is_expected_to_mean_something() -> None:
    older_generations = {"compacted.g1.jsonl"}
    assert {each.name for each in GOLDEN.glob("*.jsonl")} == EXPECTED.keys() | older_generations
    assert WHOLE
    assert DAMAGED
    assert NEWER


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_one_folds_to_the_same_for_ever(golden: Path, name: str) -> None:
    expected = EXPECTED[name]
    assert check(GOLDEN / name).tail == expected["tail"]
    journal = opened(golden / name, shop="temu:6650013")
    assert journal.history.seq == expected["seq"]
    assert summary(journal.history) == expected["units"]
    assert len(list(golden.glob(f"{name}.torn-*"))) == expected["torn"]


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_one_can_be_written_on_and_compacted(golden: Path, name: str) -> None:
    path = golden / name
    journal = opened(path)
    before = journal.history.seq
    journal.append(record("new", Event.STARTED, identity={"sku": "新"}))
    expected = summary(journal.history)
    generation = journal.generation
    journal.close()
    assert compact(path, clock=at_noon).generation == generation + 1
    assert summary(opened(path).history) == expected
    assert [each.seq for each in export(path)] == list(range(1, before + 2))


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_one_is_refused_at_the_same_place(golden: Path, name: str) -> None:
    path = golden / name
    before = path.read_bytes()
    with pytest.raises(JournalDamaged) as caught:
        opened(path)
    assert [caught.value.line, caught.value.byte] == EXPECTED[name]["damage"]
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", NEWER)
def test_a_newer_one_is_left_byte_for_byte(golden: Path, name: str) -> None:
    path = golden / name
    before = path.read_bytes()
    with pytest.raises(JournalTooNew, match="format version 2"):
        opened(path)
    assert path.read_bytes() == before


def test_the_keys_in_them_are_still_the_keys_of_their_items() -> None:
    for each in export(GOLDEN / "every_status.jsonl"):
        assert each.unit == unit_key("create listing", "temu:6650013", each.identity)
