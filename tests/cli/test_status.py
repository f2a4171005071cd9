"""``rpa status``: counts, what waits for a person, who runs now, and what it must not do."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from rpa.config import Project
from rpa.journal import compact
from tests.cli.conftest import OTHER, SHOP, Rpa, RpaJson
from tests.support.journals import at_noon
from tests.support.projects import EVERYTHING, RUN, Teller, make_project

HOLD_THE_LOCK = """
import sys, time
from pathlib import Path
from rpa.journal import RunLock
with RunLock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def holding(path: Path) -> subprocess.Popen[str]:
    """A process that runs the shop."""
    command = [sys.executable, "-c", HOLD_THE_LOCK, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_every_shop_is_counted(told: Project, rpa_json: RpaJson) -> None:
    document = rpa_json("status")
    assert [shop["shop"] for shop in document["shops"]] == [SHOP, OTHER]
    assert document["shops"][0]["counts"] == dict(Counter(EVERYTHING.values()))
    assert document["shops"][1]["counts"] == {"submitted": 1}
    assert document["counts"]["submitted"] == 3
    assert document["run"]["run"] == RUN


def test_what_waits_for_a_person_is_listed_with_its_reason(
    told: Project, rpa_json: RpaJson
) -> None:
    document = rpa_json("status")
    held = {unit["label"]: unit for unit in document["held"]}
    assert list(held) == ["unit-3", "unit-5", "unit-6", "unit-8", "unit-12"]
    assert held["unit-3"]["why"] == "the list says 14 records, 13 were read"
    assert held["unit-5"]["why"] == "its row has changed since it landed"
    assert "no attempt of ours explains it" in held["unit-6"]["why"]
    assert "`rpa verify`" in held["unit-8"]["why"]
    assert held["unit-12"]["why"] == "the record lacks stock"
    assert [unit["error"] for unit in document["dead"]] == ["第 3 行：找不到货源 SRC-1004"]


def test_people_see_the_same(told: Project, rpa: Rpa) -> None:
    shown = rpa("status").stdout
    for text in (SHOP, OTHER, "the list says 14 records", "找不到货源", RUN, "商品.csv"):
        assert text in shown
    assert "unit-1 " not in shown  # it landed and needs nobody


def test_units_are_listed_when_asked_for(told: Project, rpa: Rpa, rpa_json: RpaJson) -> None:
    listed = rpa_json("status", "--units", "--shop", SHOP)["units"]
    assert {unit["label"]: unit["status"] for unit in listed} == EVERYTHING
    assert "/source answered 503" in rpa("status", "--units").stdout


def test_a_long_list_is_cut_for_people_and_for_nobody_else(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    teller = Teller(told, OTHER)
    for number in range(40):
        teller.fail(f"坏的-{number}", permanent=True)
    teller.journal.close()
    assert len(rpa_json("status")["dead"]) == 41
    shown = rpa("status").stdout
    assert "and 11 more; `rpa status --units` lists all" in shown
    assert "坏的-39" not in shown
    assert "坏的-39" in rpa("status", "--units").stdout


def test_the_exit_code_tells_nothing_unless_asked(told: Project, rpa: Rpa) -> None:
    assert rpa("status").exit_code == 0
    assert rpa("status", "--check").exit_code == 3
    assert rpa("status", "--check", "--shop", OTHER).exit_code == 0
    teller = Teller(told, OTHER)
    teller.fail("unit-2")
    teller.journal.close()
    assert rpa("status", "--check", "--shop", OTHER).exit_code == 4


def test_a_run_is_counted_with_the_units_it_never_began(told: Project, rpa_json: RpaJson) -> None:
    teller = Teller(told, OTHER, run="another")
    teller.land("not of this batch")
    teller.journal.close()
    shops = rpa_json("status", "--run", RUN)["shops"]
    assert shops[0]["counts"]["pending"] == 1
    assert shops[1]["counts"] == {"pending": 12, "submitted": 1}


def test_nothing_was_ever_run(project: Project, rpa: Rpa, rpa_json: RpaJson) -> None:
    assert rpa_json("status")["counts"] == {}
    assert "no run yet" in rpa("status").stdout
    assert rpa("status", "--run", "20250101T000000-0000").exit_code == 2
    assert rpa("status", "--shop", "nowhere").exit_code == 2


def test_a_damaged_journal_hides_no_other(told: Project, rpa: Rpa, rpa_json: RpaJson) -> None:
    path = told.journal(OTHER)
    path.write_bytes(path.read_bytes().replace(b"started", b"startet", 1))
    document = rpa_json("status", exit_code=6)
    assert document["shops"][0]["counts"]["dead"] == 1
    assert "line 2" in document["shops"][1]["error"]
    result = rpa("status", "--check")
    assert result.exit_code == 6
    assert "line 2 (byte" in result.stderr
    assert "journal cannot be read" in result.stdout


def test_who_runs_now_is_told_and_whoever_was_killed_is_not(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    assert rpa_json("status")["shops"][0]["running"] is None
    process = holding(told.journal(SHOP))
    running = rpa_json("status")["shops"][0]["running"]
    assert running["pid"] == process.pid
    assert f"running: process {process.pid}" in rpa("status").stdout
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert rpa_json("status")["shops"][0]["running"] is None


def test_a_shop_taken_out_of_the_configuration_is_not_forgotten(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    compact(told.journal(SHOP), clock=at_noon)  # its older generation is no shop of its own
    make_project(told.root, OTHER)
    shops = {shop["shop"]: shop for shop in rpa_json("status")["shops"]}
    assert list(shops) == [OTHER, SHOP]
    assert not shops[SHOP]["configured"]
    assert len(shops[SHOP]["held"]) == 5
    assert "not in rpa.toml" in rpa("status").stdout


def test_a_compacted_journal_counts_alike(told: Project, rpa_json: RpaJson) -> None:
    before = rpa_json("status", "--units")
    compact(told.journal(SHOP), clock=at_noon)
    assert rpa_json("status", "--units") == before


def test_no_command_that_only_reads_waits_for_a_browser_library(told: Project) -> None:
    script = (
        "import sys\nfrom rpa.cli.app import app\n"
        "for line in sys.stdin.read().splitlines():\n"
        "    try:\n        app(line.split())\n"
        "    except SystemExit as end:\n        assert not end.code, line\n"
        "assert 'playwright' not in sys.modules, line\n"
    )
    commands = (
        "status --json",
        f"show {SHOP}:unit-3",
        f"confirm {SHOP}:unit-3 --landed --by 王芳 --note 有",
        f"skip {SHOP}:unit-4 --by 王芳 --note 停售",
        "report",
        "journal check",
        "journal export",
        "journal compact",
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script],
        input="\n".join(commands),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
