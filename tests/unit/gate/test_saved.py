"""Saved sessions: private, whole, and never over a fresher one."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from rpa.gate.saved import SavedSession

OLD, NEW = {"cookies": [{"value": "旧"}]}, {"cookies": [{"value": "新"}]}


@pytest.mark.skipif(sys.platform == "win32", reason="the profile folder guards it on Windows")
def test_the_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "sessions" / "shop-a.json"
    SavedSession(path).save(OLD)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    saved = SavedSession(tmp_path / "shop-a.json")
    assert saved.load() is None
    assert saved.save(OLD)
    assert SavedSession(tmp_path / "shop-a.json").load() == OLD


def test_stale_cookies_do_not_replace_fresh_ones(tmp_path: Path) -> None:
    path = tmp_path / "shop-a.json"
    SavedSession(path).save(OLD)
    slow, quick = SavedSession(path), SavedSession(path)
    slow.load()
    quick.load()
    assert quick.save(NEW)
    assert not slow.save(OLD)
    assert SavedSession(path).load() == NEW
    assert quick.save(OLD), "its own last writing is what it knows"


@pytest.mark.parametrize("broken", ["", "{", "[]", "登录"])
def test_what_is_no_session_is_none(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "shop-a.json"
    path.write_text(broken, encoding="utf-8")
    assert SavedSession(path).load() is None


def test_forget(tmp_path: Path) -> None:
    saved = SavedSession(tmp_path / "shop-a.json")
    saved.forget()
    saved.save(OLD)
    saved.forget()
    assert saved.load() is None
