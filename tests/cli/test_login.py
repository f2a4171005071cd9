"""``rpa login``: a session is kept once it is the right shop's, and no other."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.backoffice import BackofficeServer, start_backoffice
from tests.support.rpa_command import PASSWORD, Folder

pytestmark = pytest.mark.browser


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BackofficeServer]:
    """A back office of one shop."""
    with start_backoffice(tmp_path / "seller", ["shop-a"]) as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path, server: BackofficeServer) -> Folder:
    """A project of it."""
    folder = Folder(tmp_path / "项目")
    folder.root.mkdir()
    folder.write_shops(list(server.shops.values()))
    return folder


def test_the_session_is_kept_private_used_again_and_forgotten(
    folder: Folder, server: BackofficeServer
) -> None:
    session = folder.project.session("shop-a")
    said = folder.rpa("login", "shop-a", "--json")
    assert said.code == 0
    identity = server.shops["shop-a"].identity
    assert said.document == {"shop": "shop-a", "identity": identity, "session": str(session)}
    if sys.platform != "win32":
        assert stat.S_IMODE(session.stat().st_mode) == 0o600

    del folder.environment[PASSWORD.format(0)]
    assert folder.rpa("login", "shop-a").code == 0  # by the saved session alone

    assert folder.rpa("login", "shop-a", "--forget").code == 0
    assert not session.exists()
    said = folder.rpa("login", "shop-a")
    assert said.code == 2
    assert f"set the environment variable {PASSWORD.format(0)}" in said.errors[0]


def test_another_shop_is_named_beside_the_configured_one_and_not_kept(
    folder: Folder, server: BackofficeServer
) -> None:
    shop = server.shops["shop-a"]
    folder.write_shops([shop], {"shop-a": {"identity": "SHOP-Z-0000"}})
    said = folder.rpa("login", "shop-a")
    assert said.code == 5
    assert len(said.errors) == 1
    assert f"'{shop.identity}'" in said.errors[0]
    assert "'SHOP-Z-0000'" in said.errors[0]
    assert not folder.project.session("shop-a").exists()
