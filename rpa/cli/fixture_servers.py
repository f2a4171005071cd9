"""Starting the real stores that ``rpa demo`` works on.

The servers are data of this package: they are never imported here, but run as programs of their
own, with an interpreter that has what they need. Where ours does not (an installed wheel), one is
set up once in the user's cache folder, from exact pins.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rpa.cli.output import say
from rpa.errors import RpaError, UsageError

__all__ = ["FixtureServer", "ask", "serving"]

_NEEDS: Final = {"oscar": "oscar", "backoffice": "aiohttp"}
_STOP_WAIT: Final = 20.0  # seconds


@dataclass
class FixtureServer:
    """A running store.

    Attributes:
        ready: What it said when it was ready: addresses, accounts, identities.
        process: Its process.
    """

    ready: dict[str, Any]
    process: subprocess.Popen[str]


@contextlib.contextmanager
def serving(name: str, data: Path, shops: list[str], *options: str) -> Iterator[FixtureServer]:
    """Run a store until the block ends.

    Args:
        name: ``oscar`` or ``backoffice``.
        data: Where the store keeps its data.
        shops: Shop names.
        options: Further options of the server.

    Raises:
        RpaError: It did not start; says where its output is.
    """
    data.mkdir(parents=True, exist_ok=True)
    output = data / "server.log"
    command = [_interpreter(name), "-m", f"fixtures.{name}", "--data", str(data)]
    command += ["--shops", ",".join(shops), *options]
    with output.open("ab") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            env=_environment(),
        )
    try:
        yield FixtureServer(_ready(name, process, output), process)
    finally:
        _stop(process)


def ask(name: str, module: str, *arguments: str) -> Any:
    """Run a store's helper program and read the JSON document it prints."""
    command = [_interpreter(name), "-m", f"fixtures.{module}", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=_environment(), check=False
    )
    if done.returncode != 0:
        raise RpaError(f"fixtures.{module} failed: {done.stderr.strip().splitlines()[-1:]}")
    return json.loads(done.stdout) if done.stdout.strip() else None


def fixtures_home() -> Path:
    """The folder that holds ``fixtures``: inside the wheel, or the checkout.

    Raises:
        UsageError: There is none; this installation came without it.
    """
    package = Path(__file__).resolve().parents[1]
    for home in (package / "_data", package.parent):
        if (home / "fixtures" / "__init__.py").is_file():
            return home
    raise UsageError("this installation holds no demo stores; install the wheel or use a checkout")


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(fixtures_home()), "PYTHONUTF8": "1"}


def _ready(name: str, process: subprocess.Popen[str], output: Path) -> dict[str, Any]:
    line = process.stdout.readline() if process.stdout else ""
    try:
        ready: dict[str, Any] = json.loads(line)
    except ValueError:
        raise RpaError(f"the {name} store did not start; see {output}") from None
    return ready


def _stop(process: subprocess.Popen[str]) -> None:
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    try:
        process.wait(_STOP_WAIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _interpreter(name: str) -> str:
    """An interpreter that has what the store needs: ours, or one set up for it."""
    if importlib.util.find_spec(_NEEDS[name]) is not None:
        return sys.executable
    import platformdirs

    pins = fixtures_home() / "fixtures" / "requirements" / f"{name}.txt"
    digest = hashlib.sha256(pins.read_bytes()).hexdigest()[:12]
    home = platformdirs.user_cache_path("landonce") / f"{name}-{digest}"
    folder, program = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    python = home / folder / program
    if not (home / "complete").exists():
        say(f"setting up the {name} store in {home} (once; a minute or so)")
        _set_up(home, python, pins)
    return str(python)


def _set_up(home: Path, python: Path, pins: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    uv = shutil.which("uv")
    if uv:
        steps = [
            [uv, "venv", "--quiet", "--python", sys.executable, str(home)],
            [uv, "pip", "install", "--quiet", "--python", str(python), "-r", str(pins)],
        ]
    else:
        steps = [
            [sys.executable, "-m", "venv", str(home)],
            [str(python), "-m", "pip", "install", "--quiet", "-r", str(pins)],
        ]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RpaError(f"setting up the store failed: {done.stderr.strip()[-500:]}")
    (home / "complete").touch()
