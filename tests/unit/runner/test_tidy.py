"""Old evidence goes; what somebody still has to look at stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rpa.config import Project
from rpa.errors import JournalError
from rpa.gate.prune import prune
from rpa.runner.tidy import prune_evidence
from tests.support.projects import EVERYTHING, Teller, make_project

DAY = 86400.0
NOW = 100 * DAY


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A shop with a unit of every kind, and a trace of each."""
    project = make_project(tmp_path, "杭州一店")
    teller = Teller(project, "杭州一店", pictures=True)
    teller.tell_everything()
    for label in EVERYTHING:
        trace = project.evidence("杭州一店") / teller.run / f"{teller.key(label)[:12]}-1.trace.zip"
        trace.parent.mkdir(parents=True, exist_ok=True)
        trace.write_bytes(b"PK")
    teller.journal.close()
    return project


def files(folder: Path, age: float) -> set[str]:
    """Make every file of a folder so old, and name them."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    for path in found:
        os.utime(path, (NOW - age, NOW - age))
    return {path.relative_to(folder).as_posix() for path in found}


def test_only_evidence_of_finished_units_goes(project: Project) -> None:
    folder = project.evidence("杭州一店")
    before = files(folder, age=31 * DAY)
    dropped = prune_evidence(project, "杭州一店", lambda: NOW)
    after = files(folder, age=31 * DAY)
    assert {path.relative_to(folder).as_posix() for path in dropped} == before - after
    teller = Teller(project, "杭州一店")
    finished = {k for k, status in EVERYTHING.items() if status in ("submitted", "skipped")}
    for label in EVERYTHING:
        own = teller.key(label)[:12]
        assert any(own in name for name in before)
        assert any(own in name for name in after) == (label not in finished)
    held = teller.journal.history.units[teller.key("unit-3")].evidence
    assert set(held) <= after
    teller.journal.close()


def test_young_evidence_stays(project: Project) -> None:
    before = files(project.evidence("杭州一店"), age=29 * DAY)
    assert prune_evidence(project, "杭州一店", lambda: NOW) == []
    assert files(project.evidence("杭州一店"), age=0) == before


def test_a_shop_without_a_journal_is_left_alone(tmp_path: Path) -> None:
    project = make_project(tmp_path, "a")
    picture = project.evidence("a") / "r" / "x.jpg"
    picture.parent.mkdir(parents=True)
    picture.touch()
    assert prune_evidence(project, "a", lambda: NOW * 2) == []
    assert picture.exists()


def test_a_damaged_journal_protects_everything(project: Project) -> None:
    path = project.journal("杭州一店")
    path.write_bytes(path.read_bytes().replace(b"started", b"startet", 1))
    before = files(project.evidence("杭州一店"), age=99 * DAY)
    with pytest.raises(JournalError):
        prune_evidence(project, "杭州一店", lambda: NOW)
    assert files(project.evidence("杭州一店"), age=0) == before


def test_beyond_its_size_the_oldest_goes_first(tmp_path: Path) -> None:
    for age, name in enumerate(("neu", "mittel", "alt", "gehalten")):
        path = tmp_path / f"{name}.jpg"
        path.write_bytes(b"x" * 1_000_000)
        os.utime(path, (NOW - age, NOW - age))
    dropped = prune(tmp_path, ["gehalten.jpg"], days=1, megabytes=2, now=NOW)
    assert [path.name for path in dropped] == ["alt.jpg"]
