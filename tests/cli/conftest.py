"""Commands run as a person would: in a project's folder, with the shop's password set."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from rpa.cli.app import app
from rpa.config import Project
from tests.support.backoffice import BackofficeServer, start_backoffice
from tests.support.projects import PASSWORD, Teller, make_project, save_run
from tests.support.rpa_command import Folder

Rpa = Callable[..., Result]
RpaJson = Callable[..., Any]

SHOP = "杭州一店"
OTHER = "shop-b"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project of two shops, and the current folder inside it."""
    project = make_project(tmp_path / "项目", SHOP, OTHER)
    monkeypatch.chdir(project.root)
    monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)
    monkeypatch.setenv("COLUMNS", "200")
    return project


@pytest.fixture
def told(project: Project) -> Project:
    """The same, with a unit of every kind in the first shop, and one landed in the second."""
    save_run(project, items=13)
    first, second = Teller(project, SHOP, pictures=True), Teller(project, OTHER)
    first.tell_everything()
    second.land("unit-1")
    first.journal.close()
    second.journal.close()
    return project


@pytest.fixture
def rpa() -> Rpa:
    """Runs a command; ``exit_code``, ``stdout`` and ``stderr`` say what came of it."""

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, list(arguments), catch_exceptions=False)

    return run


@pytest.fixture
def rpa_json(rpa: Rpa) -> RpaJson:
    """Runs a command with ``--json`` and gives the document."""

    def run(*arguments: str, exit_code: int = 0) -> Any:
        result = rpa(*arguments, "--json")
        assert result.exit_code == exit_code, result.stdout + result.stderr
        return json.loads(result.stdout)

    return run


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BackofficeServer]:
    """A back office of two shops."""
    with start_backoffice(tmp_path / "seller") as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path, server: BackofficeServer) -> Folder:
    """A project of its shops, and three items."""
    folder = Folder(tmp_path / "项目")
    folder.root.mkdir()
    folder.write_shops(list(server.shops.values()))
    folder.write_items()
    return folder
