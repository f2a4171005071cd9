"""The page about states is made from the tables, and says what they say today."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from rpa.core.states import SUBMIT, UNIT

DOCS = Path(__file__).parents[2] / "docs"


def run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script), *arguments], capture_output=True, encoding="utf-8"
    )


def test_the_committed_page_is_current() -> None:
    done = run(DOCS / "make_states.py", "--check")
    assert done.returncode == 0, done.stderr


def test_an_old_page_is_found_and_made_anew(tmp_path: Path) -> None:
    script = Path(shutil.copy(DOCS / "make_states.py", tmp_path))
    page = tmp_path / "states.md"
    assert run(script, "--check").returncode == 1
    assert run(script).returncode == 0
    assert run(script, "--check").returncode == 0
    page.write_text(page.read_text(encoding="utf-8").replace("contested", "done"), encoding="utf-8")
    stale = run(script, "--check")
    assert stale.returncode == 1
    assert "run python docs/make_states.py" in stale.stderr


def test_every_row_of_both_tables_is_on_the_page() -> None:
    page = (DOCS / "states.md").read_text(encoding="utf-8")
    for state, row in SUBMIT.items():
        for event, (became, moved) in row.items():
            assert f"| {state} | {event} | {became} | {moved or ''} |" in page
            assert f"    {state} --> {became}: " in page
    for status, moves in UNIT.items():
        for unit_event, after in moves.items():
            assert f"| {status} | {unit_event} | {after} |" in page
            assert f"    {status} --> {after}: " in page
