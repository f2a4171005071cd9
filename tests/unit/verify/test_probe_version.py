"""A certificate is for one version of a probe: what counts as another, and what does not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STORE = Path(__file__).parents[3] / "stores" / "backoffice"

ASK = """
from rpa.verify.exam import version_of
from stores.mine.probe import CopyRecords, ProductList
print(version_of(ProductList()), version_of(CopyRecords()))
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of the user's own, in a project of its own."""
    mine = tmp_path / "stores" / "mine"
    shutil.copytree(STORE, mine, ignore=shutil.ignore_patterns("__pycache__"))
    for file in mine.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("stores.backoffice", "stores.mine"), encoding="utf-8")
    return mine


def versions(store: Path, seed: int = 1) -> list[str]:
    """Ask a new process, in which sets have an order of their own."""
    asked = subprocess.run(
        [sys.executable, "-c", ASK],
        env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(store.parents[1])},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return asked.stdout.split()


def test_every_process_finds_the_same_version(store: Path) -> None:
    assert versions(store, seed=1) == versions(store, seed=2) == versions(store, seed=3)


def test_two_probes_of_one_store_differ(store: Path) -> None:
    products, records = versions(store)
    assert products != records


@pytest.mark.parametrize("file", ["probe.py", "pages.py"])
def test_a_changed_selector_is_another_version(store: Path, file: str) -> None:
    before = versions(store)
    source = store / file
    source.write_text(source.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert not set(before) & set(versions(store))
