"""Who may import whom: the contracts in pyproject.toml hold, and each of them can break."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("rpa", "stores", "flows", "fixtures")

# One line in one file for each contract, by the contract's name.
FAULTS = {
    "Who may import whom in rpa": ("rpa/journal/planted.py", "import rpa.gate.rules"),
    "The core is pure: no clock, file, socket, await, chance or browser": (
        "rpa/core/planted.py",
        "import time",
    ),
    "The framework knows no store, no flow and no fixture": (
        "rpa/runner/planted.py",
        "import stores.oscar.pages",
    ),
    "Fixtures are independent witnesses": ("fixtures/planted.py", "import rpa.errors"),
    "Stores know no flow": ("stores/oscar/planted.py", "import flows.list_product"),
    "Stores and flows use the public names of rpa only": (
        "flows/planted.py",
        "import rpa.journal.base",
    ),
    "Only what drives the browser imports Playwright": (
        "rpa/config/planted.py",
        "import playwright.async_api",
    ),
}


def broken_contracts(folder: Path) -> set[str]:
    """Lint a project; returns the contracts that do not hold."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={
            **os.environ,
            "PYTHONPATH": str(folder),
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "200",
        },
    )
    results = done.stdout[done.stdout.index("Contracts\n") :]
    assert "KEPT" in results or "BROKEN" in results, done.stderr
    return {name for name in contracts() if f"{name} BROKEN" in results}


def contracts() -> set[str]:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {contract["name"] for contract in told["tool"]["importlinter"]["contracts"]}


def test_every_contract_holds() -> None:
    assert broken_contracts(ROOT) == set()


def test_every_contract_can_break(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            copied = tmp_path / file.relative_to(ROOT)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copied)
    for path, line in FAULTS.values():
        (tmp_path / path).write_text(f"{line}\n", encoding="utf-8")
    assert broken_contracts(tmp_path) == contracts() == set(FAULTS)
