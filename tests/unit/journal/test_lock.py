"""H07, J07: locks that end with their process, and notes that do not."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from loguru import logger

from rpa.core.states import Event
from rpa.errors import JournalUnwritable, ShopLocked
from rpa.journal import RunLock
from rpa.journal.files import Files
from rpa.journal.lock import AppendLock
from rpa.journal.testing import FaultyFiles
from tests.support.journals import at_noon, opened, record

ROOT = Path(__file__).parents[3]
HOLD = """
import sys, time
from pathlib import Path
from rpa.journal.files import Files
from rpa.journal.lock import AppendLock, RunLock
path = Path(sys.argv[1])
run = RunLock(path)
append = AppendLock(path, Files())
with append.held():
    print("held", flush=True)
    time.sleep(600)
"""


@contextmanager
def holder(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds both locks of a journal."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def said() -> Iterator[list[str]]:
    """What is logged meanwhile."""
    lines: list[str] = []
    sink = logger.add(lines.append, format="{message}")
    try:
        yield lines
    finally:
        logger.remove(sink)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "店铺.jsonl"


def test_a_second_run_is_told_who_holds_the_shop(path: Path) -> None:
    with holder(path) as other, pytest.raises(ShopLocked) as caught:
        RunLock(path)
    owner = f"process {other.pid} on {socket.gethostname()}, since 20"
    assert f"店铺 is locked by another run: {owner}" in str(caught.value)
    assert caught.value.exit_code == 75


def test_a_lock_is_one_per_shop_even_within_a_process(path: Path) -> None:
    with RunLock(path):
        with pytest.raises(ShopLocked, match=f"process {os.getpid()} "):
            RunLock(path)
        with RunLock(path.with_name("other.jsonl")):
            pass
    with RunLock(path):
        pass


def test_the_locks_of_a_killed_process_are_free_at_once(path: Path) -> None:
    with holder(path) as other:
        other.kill()
        other.wait()
    assert other.pid == json.loads(path.with_name("店铺.jsonl.run.owner").read_text())["pid"]
    with said() as lines, RunLock(path):
        opened(path).append(record("1", Event.STARTED))
    assert f"left by a run that is gone: process {other.pid} on " in lines[0]


@pytest.mark.parametrize(
    "note", ["", "{", "[]", '{"pid": 1}', '{"pid": 1, "host": "elsewhere", "since": "long ago"}']
)
def test_a_note_alone_stops_nobody(path: Path, note: str) -> None:
    path.with_name("店铺.jsonl.run.owner").write_text(note)
    with said() as lines, RunLock(path, clock=at_noon):
        mine = json.loads(path.with_name("店铺.jsonl.run.owner").read_text())
    assert mine["pid"] == os.getpid()
    assert mine["since"] == "2025-11-30T12:00:00+00:00"
    assert len(lines) == 1


def test_a_lock_without_a_note_still_stops_the_second(path: Path) -> None:
    with RunLock(path):
        path.with_name("店铺.jsonl.run.owner").unlink()
        with pytest.raises(ShopLocked, match="its owner left no note"):
            RunLock(path)


def test_release_takes_the_note_away_and_leaves_the_lock_file(path: Path) -> None:
    lock = RunLock(path)
    lock.release()
    assert [each.name for each in path.parent.iterdir()] == ["店铺.jsonl.run.lock"]


def test_a_note_that_cannot_be_written_frees_the_lock(path: Path) -> None:
    with pytest.raises(JournalUnwritable, match=r"cannot be locked: .*No space"):
        RunLock(path, files=FaultyFiles(1))
    with RunLock(path):
        pass


def test_an_append_waits_for_another_and_not_for_ever(path: Path) -> None:
    journal = opened(path)
    with holder(path):
        lock = AppendLock(path, Files(), patience=0.2)
        with pytest.raises(JournalUnwritable, match=r"locked for 0\.2 s.*frozen"), lock.held():
            pass
        lock.close()
    assert journal.append(record("1", Event.STARTED)).seq == 1
