"""``rpa demo crash``: a run is killed after a submit landed and before that was written down."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

from rpa.cli.demo_project import write_items, write_project
from rpa.cli.fixture_servers import ask, serving
from rpa.cli.output import say

__all__ = ["crash"]

_SHOP: Final = "shop-a"
_UNIT: Final = "unit-3"
_LANDED: Final = "gate.answer_seen"  # the server has committed and answered; nothing is written
_NOT_LANDED: Final = "gate.released"  # written down as released; the bytes have not left
_NTH: Final = 3


def crash(home: Path, *, probe: bool, lost: bool, quiet: bool) -> dict[str, Any]:
    """Tell the story of one crash, on a store of our own.

    Args:
        home: The demo's folder; emptied first.
        probe: Let the probe settle the doubt; else it is held, and a person settles it.
        lost: Kill before the request left, not after it landed.
        quiet: Do not show what the commands print.

    Returns:
        The document of ``rpa demo crash --json``.
    """
    shutil.rmtree(home, ignore_errors=True)
    began = time.monotonic()
    stages: list[dict[str, Any]] = []
    with serving("backoffice", home / "store", [_SHOP]) as server:
        project = write_project(home / "project", "backoffice", server.ready["shops"], settle=1.0)
        items = write_items(project.root, "copy_items.csv")

        def stage(name: str, *command: str) -> None:
            say(f"$ rpa {' '.join(command)}")
            code = _rpa(project.root, command, quiet)
            say(f"  exit code {code}")
            stages.append({"stage": name, "exit_code": code})

        where = "before the request leaves" if lost else "after the server has committed it"
        say(f"copying 5 listings; the run is killed (SIGKILL) with {_UNIT}, {where}")
        kill = f"{_NOT_LANDED if lost else _LANDED}:{_NTH}:run"
        stage("run", "run", "copy_listing", items.name, "--kill-at", kill)
        stage("resume", "resume", *([] if probe else ["--no-probe"]))
        if not probe:
            word = "--not-landed" if lost else "--landed"
            note = "looked at the shop's copy records"
            stage("confirm", "confirm", _UNIT, word, "--by", "demo", "--note", note)
            stage("resume again", "resume")
        landed = _landed(home / "store")
    wanted = [f"unit-{number}" for number in range(1, 6)]
    return {
        "shops": 1,
        "units": len(wanted),
        "stages": stages,
        "submitted": sum(landed[code] > 0 for code in wanted),
        "duplicates": sum(max(0, landed[code] - 1) for code in wanted),
        "lost": sum(landed[code] == 0 for code in wanted),
        "exit_code": stages[-1]["exit_code"],
        "seconds": round(time.monotonic() - began, 1),
    }


def _rpa(root: Path, command: tuple[str, ...], quiet: bool) -> int:
    """Run one command as a person would, in a process of its own."""
    shown = subprocess.DEVNULL if quiet else sys.stderr
    done = subprocess.run(
        [sys.executable, "-m", "rpa", *command],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=shown,
        stderr=shown,
        check=False,
    )
    # A process that a signal ended has that signal's number, negative; shells add it to 128.
    return 128 - done.returncode if done.returncode < 0 else done.returncode


def _landed(data: Path) -> Counter[str]:
    """How often each code landed, by the store's own ledger."""
    ledger = ask("backoffice", "backoffice.ledger", "--data", str(data))
    return Counter(line["key"] for line in ledger["landed"] if line["effect"] == "copy")
