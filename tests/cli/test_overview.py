"""``rpa --help``: complete, quick, and the same by every way that leads to it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.main import get_group
from typer.testing import CliRunner

from rpa.cli.app import app
from rpa.cli.main import COMMANDS, overview

HEAVY = ("playwright", "pydantic", "rich", "loguru", "jinja2", "openpyxl", "asyncio", "sqlite3")


def test_the_short_way_and_the_long_way_say_the_same() -> None:
    short = subprocess.run(
        [sys.executable, "-m", "rpa", "--help"], capture_output=True, check=True, encoding="utf-8"
    )
    assert short.stdout == CliRunner().invoke(app, ["--help"]).stdout == overview()


def test_every_command_of_the_application_is_in_the_overview() -> None:
    assert set(get_group(app).commands) == set(COMMANDS)


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_explains_itself(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert "--json" in result.stdout or command == "journal"


def test_commands_load_nothing_heavy_before_they_run() -> None:
    code = f"import rpa.cli.app, sys; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(sys.platform == "win32", reason="no processor time of child processes there")
def test_the_overview_takes_less_than_ten_times_what_python_alone_takes() -> None:
    bare = min(_processor_time("-c", "pass") for _ in range(5))
    overview_too = min(_processor_time("-m", "rpa", "--help") for _ in range(5))
    assert overview_too <= 10 * bare


def _processor_time(*arguments: str) -> float:
    """Seconds of processor time, which other programs on the machine do not change."""
    import resource  # POSIX only

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
