"""``rpa doctor``: finds what would keep a run from working, opens no shop and tells no secret."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rpa.cli.checkup import Finding, of_project, of_shop
from rpa.config import load_project
from rpa.runner.load import load_store
from rpa.verify.exam import Certificate, version_of
from tests.support.backoffice import ShopAccess
from tests.support.rpa_command import PASSWORD, Folder, Said

SECRET = "geheim-密码-0815"
SHOP = ShopAccess("shop-a", "http://127.0.0.1:9/s/shop-a", "掌柜", SECRET, "id-shop-a")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A project of one shop that nobody serves; nothing is wrong with it."""
    folder = Folder(tmp_path / "项目")
    folder.root.mkdir()
    folder.write_shops([SHOP])
    monkeypatch.setenv(PASSWORD.format(0), SECRET)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return folder


def by_check(said: Said) -> dict[str, Any]:
    """What the command found, by check."""
    return {finding["check"]: finding for finding in said.document["findings"]}


def project_findings(folder: Folder) -> dict[str, Finding]:
    """The project's own findings, by check."""
    return {finding.check: finding for finding in of_project(load_project(folder.root))}


def shop_findings(folder: Folder) -> dict[str, Finding]:
    """The shop's findings, by check."""
    project = load_project(folder.root)
    return {finding.check: finding for finding in of_shop(project, project.shop("shop-a"))}


def test_a_sound_project_is_sound(folder: Folder) -> None:
    said = folder.rpa("doctor", "--json")
    assert (said.code, said.document["ok"]) == (0, True), said.out
    found = by_check(said)
    assert {found[check]["state"] for check in ("browser", "journals", "locks", "clock")} == {"ok"}
    assert SECRET not in said.out + said.err


def test_everything_that_is_wrong_is_named_at_once(folder: Folder) -> None:
    (folder.root / "flows").mkdir()
    (folder.root / "flows" / "broken_flow.py").write_text("import 不存在的模块\n", encoding="utf-8")
    folder.write_shops([SHOP], {"shop-a": {"store": "nonesuch", "password": "env:NOT_SET_HERE"}})
    said = folder.rpa("doctor", "--json")
    assert (said.code, said.document["ok"]) == (1, False)
    wrong = {check: one["detail"] for check, one in by_check(said).items() if one["state"] != "ok"}
    assert list(wrong) == ["flow broken_flow", "secrets", "store"]
    assert "不存在的模块" in wrong["flow broken_flow"]
    assert "NOT_SET_HERE" in wrong["secrets"]
    assert "nonesuch" in wrong["store"]


def test_without_a_configuration_the_rest_is_told(tmp_path: Path) -> None:
    said = Folder(tmp_path).rpa("doctor", "--json")
    assert said.code == 1
    assert by_check(said)["configuration"]["state"] == "problem"
    assert by_check(said)["python"]["state"] == "ok"


@pytest.mark.skipif(sys.platform == "win32", reason="modes mean nothing there")
def test_a_session_that_others_can_read_is_a_problem(folder: Folder) -> None:
    session = folder.project.session("shop-a")
    session.parent.mkdir(parents=True)
    session.write_text("{}", encoding="utf-8")
    session.chmod(0o644)
    found = shop_findings(folder)["session"]
    assert found.state == "problem"
    assert "chmod 600" in found.detail
    session.chmod(0o600)
    assert shop_findings(folder)["session"].state == "ok"


def test_a_synced_folder_is_warned_of(folder: Folder) -> None:
    synced = Folder(folder.root / "坚果云")
    synced.root.mkdir()
    synced.write_shops([SHOP])
    found = project_findings(synced)["one computer"]
    assert found.state == "warning"
    assert "坚果云 Nutstore" in found.detail
    assert "second computer" in found.detail


def test_a_journal_from_the_future_casts_doubt_on_the_clock(folder: Folder) -> None:
    journal = folder.project.journal("shop-a")
    journal.parent.mkdir(parents=True)
    journal.touch()
    assert project_findings(folder)["clock"].state == "ok"
    os.utime(journal, (time.time() + 3600,) * 2)
    assert project_findings(folder)["clock"].state == "warning"


def test_a_folder_that_cannot_be_written_is_a_problem(folder: Folder) -> None:
    (folder.project.home / "journals").write_text("in the way", encoding="utf-8")
    found = project_findings(folder)
    assert found["journals"].state == "problem"
    assert found["locks"].state == "problem"


def test_a_probe_that_failed_its_exam_is_warned_of(folder: Folder) -> None:
    name = "probe backoffice-products"
    assert "not examined yet" in shop_findings(folder)[name].detail
    store = load_store("backoffice")(SHOP.url)
    probe = store.submits["list_product"].probes[0]
    failures = {"renamed hooks": "it read 0 rows and called them the whole list"}
    paper = Certificate(probe.name, version_of(probe), SHOP.identity, failures)
    paper.save(folder.project.home / "exams" / "shop-a" / f"{probe.name}.json")
    found = shop_findings(folder)[name]
    assert found.state == "warning"
    assert "renamed hooks" in found.detail
