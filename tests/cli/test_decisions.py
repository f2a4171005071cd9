"""A person's word: ``rpa confirm``, ``accept``, ``requeue``, ``skip``; and what it may not do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rpa.cli.choices import possible
from rpa.cli.decision import write_word
from rpa.cli.find import find_unit
from rpa.config import Project
from rpa.core.record import Record
from rpa.core.states import Event
from rpa.errors import Conflict
from rpa.journal import JsonlJournal, export, peek
from tests.cli.conftest import OTHER, SHOP, Rpa, RpaJson
from tests.support.journals import at_noon
from tests.support.projects import EVERYTHING, Teller

SIGNED = ("--by", "王芳", "--note", "在店铺里看过")


def last_record(project: Project, shop: str = SHOP) -> Record:
    """The newest record of a shop."""
    return list(export(project.journal(shop)))[-1]


def status_of(project: Project, label: str) -> str:
    """What a unit of the first shop is now."""
    units = peek(project.journal(SHOP)).units.values()
    return next(unit.status.value for unit in units if unit.identity["sku"] == label)


@pytest.mark.parametrize(
    ("command", "becomes", "event"),
    [
        (("confirm", "unit-3", "--landed"), "submitted", Event.CONFIRMED_LANDED),
        (("confirm", "unit-3", "--not-landed"), "failed", Event.CONFIRMED_NOT_LANDED),
        (("confirm", "unit-6", "--landed"), "submitted", Event.CONFIRMED_LANDED),
        (("confirm", "unit-8", "--landed"), "submitted", Event.CONFIRMED_LANDED),
        (("confirm", "unit-12", "--not-landed"), "failed", Event.CONFIRMED_NOT_LANDED),
        (("accept", "unit-5"), "submitted", Event.ADOPTED),
        (("requeue", "unit-4"), "pending", Event.REQUEUED),
        (("requeue", "unit-8"), "unknown", Event.REQUEUED),
        (("requeue", "unit-11"), "pending", Event.REQUEUED),
        (("skip", "unit-4"), "skipped", Event.SKIPPED),
        (("skip", "unit-8"), "skipped", Event.SKIPPED),
    ],
)
def test_a_word_moves_the_unit_and_is_kept(
    told: Project, rpa_json: RpaJson, command: tuple[str, ...], becomes: str, event: Event
) -> None:
    document = rpa_json(*command, *SIGNED)
    assert document["status"] == becomes == status_of(told, command[1])
    record = last_record(told)
    assert record.event is event
    assert dict(record.data) == {"by": "王芳", "note": "在店铺里看过"}
    assert record.run == ""
    assert (document["by"], document["note"]) == ("王芳", "在店铺里看过")


def test_people_are_told_what_became_of_it(told: Project, rpa: Rpa) -> None:
    said = rpa("confirm", "unit-3", "--landed", *SIGNED).stdout
    assert said == f"{SHOP}:unit-3 is submitted now: 王芳 confirmed: it landed\n"


def test_the_shops_record_may_be_given(told: Project, rpa_json: RpaJson) -> None:
    rpa_json("confirm", "unit-3", "--landed", "--record", "8013", *SIGNED)
    step = rpa_json("show", f"{SHOP}:unit-3")["submits"][0]
    assert step == {"step": "copy", "state": "landed", "result": {"record": "8013"}}
    rpa_json("confirm", "unit-8", "--not-landed", "--record", "1", *SIGNED, exit_code=2)


def test_accepting_needs_no_reason_but_a_name(told: Project, rpa: Rpa) -> None:
    assert rpa("accept", "unit-5").exit_code == 2
    assert rpa("accept", "unit-5", "--by", "王芳", "--note", " ").exit_code == 2
    assert rpa("accept", "unit-5", "--by", "王芳").exit_code == 0
    assert dict(last_record(told).data) == {"by": "王芳"}


@pytest.mark.parametrize(
    "signed", [("--by", " ", "--note", "x"), ("--by", "x", "--note", "\u3000")]
)
def test_nobody_decides_without_name_and_reason(
    told: Project, rpa: Rpa, signed: tuple[str, ...]
) -> None:
    before = told.journal(SHOP).read_bytes()
    for command in (
        ("confirm", "unit-3", "--landed"),
        ("requeue", "unit-4"),
        ("skip", "unit-4"),
    ):
        result = rpa(*command, *signed)
        assert result.exit_code == 2
        assert "is empty" in result.stderr
        assert rpa(*command).exit_code == 2  # the options are required
    assert rpa("confirm", "unit-3", *SIGNED).exit_code == 2  # landed or not?
    assert told.journal(SHOP).read_bytes() == before


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("confirm", "unit-5", "--landed"), "accept 杭州一店:unit-5 --by WHO`; `rpa run FLOW"),
        (("confirm", "unit-2", "--landed"), "is submitted: it cannot be confirmed"),
        (("confirm", "unit-7", "--not-landed"), "`rpa resume`"),
        (("confirm", "unit-10", "--landed"), "possible: `rpa verify`"),
        (("accept", "unit-3"), "--landed --by WHO --note TEXT`"),
        (("requeue", "unit-2"), "--edition"),
        (("requeue", "unit-6"), "(step copy: foreign): it cannot be requeued"),
        (("requeue", "unit-12"), "partly"),
        (("skip", "unit-10"), "is submitting: it cannot be skipped"),
        (("skip", "unit-2"), "is submitted"),
        (("skip", "unit-11"), "possible: `rpa requeue"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(
    told: Project, rpa: Rpa, command: tuple[str, ...], says: str
) -> None:
    before = told.journal(SHOP).read_bytes()
    result = rpa(*command[:1], f"{SHOP}:{command[1]}", *command[2:], *SIGNED)
    assert result.exit_code == 2
    assert says in result.stderr
    assert told.journal(SHOP).read_bytes() == before


PERSONS = (
    Event.CONFIRMED_LANDED,
    Event.CONFIRMED_NOT_LANDED,
    Event.ADOPTED,
    Event.SKIPPED,
    Event.REQUEUED,
)


@pytest.mark.parametrize("label", EVERYTHING)
@pytest.mark.parametrize("event", PERSONS)
def test_what_is_offered_is_what_the_journal_takes(told: Project, label: str, event: Event) -> None:
    found = find_unit(told, f"{SHOP}:{label}")
    if possible(found.view, event):
        assert write_word(found, event, {"by": "王芳"})[0].event is event
    elif event is Event.REQUEUED and label in ("unit-6", "unit-12"):
        assert write_word(found, event, {})[1].held  # taken, and of no use: so it is not offered
    else:
        with pytest.raises(Conflict):
            write_word(found, event, {"by": "王芳"})


def test_a_word_that_comes_too_late_writes_nothing(told: Project) -> None:
    found = find_unit(told, "unit-3")
    teller = Teller(told, SHOP)
    teller.judge("unit-3", Event.ABSENT, "two whole readings found nothing")
    teller.prepare("unit-3")
    teller.arm("unit-3")
    teller.release("unit-3")
    teller.write("unit-3", Event.LOST, step="copy", data={"since": 1.0})
    teller.journal.close()
    before = told.journal(SHOP).read_bytes()
    with pytest.raises(Conflict, match="unit-3 was moved by somebody else and is unknown now"):
        write_word(found, Event.CONFIRMED_LANDED, {"by": "王芳"})  # they saw the first attempt
    assert told.journal(SHOP).read_bytes() == before


RUN_AND_APPEND = """
import sys, time
from pathlib import Path
from rpa.core.record import Record
from rpa.core.states import Event
from rpa.journal import JsonlJournal, RunLock
path = Path(sys.argv[1])
with RunLock(path):
    journal = JsonlJournal.open(path, clock=time.time, create=False)
    for number in range(10_000):
        unit = f"other-{number}"
        journal.append(Record(unit, {"sku": unit}, Event.STARTED, attempt=1))
        journal.append(Record(unit, {"sku": unit}, Event.COMPLETED, attempt=1))
        if number == 0:
            print("running", flush=True)
        if (path.parent / "stop").exists():
            print(number + 1, flush=True)
            break
"""


def test_people_decide_while_a_run_is_on(told: Project, rpa: Rpa) -> None:
    path = told.journal(SHOP)
    command = [sys.executable, "-c", RUN_AND_APPEND, str(path)]
    words: dict[str, tuple[Any, ...]] = {
        "unit-3": ("confirm", "--landed"),
        "unit-4": ("requeue",),
        "unit-5": ("accept",),
        "unit-7": ("skip",),
        "unit-8": ("confirm", "--not-landed"),
    }
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        for unit, (name, *options) in words.items():
            result = rpa(name, f"{SHOP}:{unit}", *options, *SIGNED)
            assert result.exit_code == 0, result.stderr
        (path.parent / "stop").touch()
        appended = int(process.stdout.readline())
    assert process.returncode == 0
    journal = JsonlJournal.open(path, clock=at_noon, create=False)
    statuses = {view.identity["sku"]: view.status for view in journal.history.units.values()}
    journal.close()
    assert [statuses[unit] for unit in words] == [
        "submitted",
        "pending",
        "submitted",
        "skipped",
        "failed",
    ]
    assert sum(sku.startswith("other-") for sku in statuses) == appended


def test_two_people_cannot_both_have_the_last_word(told: Project) -> None:
    """Of many words said at once about one unit exactly one is written."""
    command = [sys.executable, "-X", "utf8", "-m", "rpa", "confirm", "unit-3", *SIGNED]
    processes = [
        subprocess.Popen(
            [*command, "--landed" if number % 2 else "--not-landed"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for number in range(4)
    ]
    ended = [(process.communicate(), process.returncode) for process in processes]
    codes = sorted(code for _, code in ended)
    assert codes[0] == 0, ended
    assert all(code in (1, 2) for code in codes[1:]), ended  # too late by a moment, or by more
    words = [r for r in export(told.journal(SHOP)) if r.event in PERSONS[:2]]
    assert len(words) == 1


def test_a_word_about_a_shop_that_was_taken_out(told: Project, rpa: Rpa) -> None:
    toml = told.file.read_text(encoding="utf-8")
    told.file.write_text(toml[toml.index(f'[shops."{OTHER}"]') :], encoding="utf-8")
    assert rpa("confirm", f"{SHOP}:unit-3", "--landed", *SIGNED).exit_code == 0
    assert status_of(told, "unit-3") == "submitted"


def test_no_journal_is_begun_by_a_word(project: Project, rpa: Rpa) -> None:
    assert rpa("skip", "unit-1", *SIGNED).exit_code == 2
    assert not Path(project.journal(SHOP)).exists()
