"""SIGKILL at every named point of the journal, and two processes on one file."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from rpa.core.record import DURABLE
from rpa.core.states import Event, Status, SubmitState
from rpa.journal import check, compact, export
from tests.support.journals import STEP, at_noon, landing, opened, state_of, submit, write

pytestmark = pytest.mark.crash

ROOT = Path(__file__).parents[2]
EVENTS = [*(each.event for each in landing("1")), Event.LOST]
APPEND_POINTS = [
    "journal.begun",
    *(
        f"journal.{point}:{event}"
        for event in dict.fromkeys(EVENTS)
        for point in ("before_write", "written", "synced")
        if point != "synced" or event in DURABLE
    ),
]
COMPACT_POINTS = ["compact.written", "compact.kept", "compact.replaced", "compact.synced"]


def child(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.support.journal_child", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("point", APPEND_POINTS)
def test_a_kill_while_appending_loses_nothing_that_returned(tmp_path: Path, point: str) -> None:
    path = tmp_path / "店铺.jsonl"
    done = child("append", path, point)
    assert done.returncode == -9, done.stderr
    returned = done.stdout.split()

    journal = opened(path)
    story = [each.event for each in export(path)]
    written = 0 if "before_write" in point or point == "journal.begun" else 1
    assert story[: len(returned)] == returned
    assert len(story) == len(returned) + written
    assert check(path).sound

    for key in list(journal.history.units):
        flying = journal.history.units[key].in_flight
        if flying is not None:
            journal.append(submit(key, Event.RESTARTED))
            assert journal.history.units[key].submits[STEP].state is SubmitState.UNKNOWN
    write(journal, "3")
    assert state_of(opened(path).history) == state_of(journal.history)


@pytest.mark.parametrize("point", COMPACT_POINTS)
def test_a_kill_while_compacting_changes_nothing(tmp_path: Path, point: str) -> None:
    path = tmp_path / "店铺.jsonl"
    write(opened(path), "1", "2")
    compact(path, clock=at_noon)
    write(opened(path), "3")
    before = state_of(opened(path).history)

    done = child("compact", path, point)
    assert done.returncode == -9, done.stderr
    assert state_of(opened(path).history) == before
    write(opened(path), "4")
    assert compact(path, clock=at_noon).generation in (3, 4)
    assert opened(path).history.units["4"].status is Status.SUBMITTED
    assert [each.seq for each in export(path)] == list(range(1, 29))
    assert check(path).sound
    assert check(path).missing == []
    assert not path.with_name("店铺.jsonl.new").exists()


def test_a_kill_at_no_point_is_no_kill(tmp_path: Path) -> None:
    assert child("append", tmp_path / "a.jsonl", "nowhere").returncode == 0
    assert child("compact", tmp_path / "a.jsonl", "nowhere").returncode == 0


def race(path: Path, count: int) -> list[subprocess.Popen[bytes]]:
    """Two processes that begin to append at the same moment."""
    command = [sys.executable, "-m", "tests.support.journal_child", "race", str(path)]
    racers = [
        subprocess.Popen(
            [*command, name, str(count)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for name in ("甲", "乙")
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.read(5) == b"ready"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write(b"!")
        racer.stdin.flush()
    return racers


def test_two_processes_append_to_one_file(tmp_path: Path) -> None:
    """J06: each line whole, each number once, nothing lost."""
    path = tmp_path / "店铺.jsonl"
    for racer in race(path, 300):
        racer.communicate()
        assert racer.returncode == 0

    records = list(export(path))
    assert [each.seq for each in records] == list(range(1, 601))
    names = [each.unit for each in records]
    assert {*names} == {f"{name}-{number}" for name in ("甲", "乙") for number in range(300)}
    assert sum(one[0] != two[0] for one, two in pairwise(names)) > 50, "they never met"
    assert check(path).sound


def test_compactions_amid_two_processes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "店铺.jsonl"
    write(opened(path), "0")
    racers = race(path, 300)
    while any(racer.poll() is None for racer in racers):
        compact(path, clock=at_noon)
    for racer in racers:
        racer.communicate()
        assert racer.returncode == 0
    assert [each.seq for each in export(path)] == list(range(1, 608))
    assert len(opened(path).history.units) == 601
    assert len(check(path).generations) > 1
