"""rpa.toml: what is wrong is said with file and key, and secrets are never in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpa.config import load_project
from rpa.config.secret import resolve
from rpa.errors import ConfigError

SHOP = """
[shops."店铺-a"]
store = "oscar"
url = "http://127.0.0.1:8000/"
identity = "甲店"
username = "seller"
password = "env:SHOP_A_PASSWORD"
"""


def write(folder: Path, text: str) -> Path:
    (folder / "rpa.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_project_is_found_from_below(tmp_path: Path) -> None:
    below = write(tmp_path, SHOP) / "a" / "b"
    below.mkdir(parents=True)
    project = load_project(below)
    shop = project.shop("店铺-a")
    assert (project.root, shop.url, shop.identity) == (tmp_path, "http://127.0.0.1:8000", "甲店")


def test_an_editor_may_leave_a_mark_at_the_beginning(tmp_path: Path) -> None:
    assert load_project(write(tmp_path, "\ufeff" + SHOP)).shops


def test_its_home_is_ignored_by_git(tmp_path: Path) -> None:
    home = load_project(write(tmp_path, SHOP)).home
    assert (home / ".gitignore").read_text() == "*\n"


def test_sessions_are_kept_outside_the_tree(tmp_path: Path) -> None:
    session = load_project(write(tmp_path, SHOP)).session("店铺-a")
    assert tmp_path not in session.parents


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no shops"),
        ("shops = 3", "no shops"),
        ("[shops.a]\nstore=", "rpa.toml"),
        ("[shops.店铺]", "needs quotes"),
        (SHOP.replace("identity", "identiti"), "key shops.店铺-a.identit"),
        (SHOP.replace("env:SHOP_A_PASSWORD", "hunter2"), "never the secret itself"),
        (SHOP.replace("env:SHOP_A_PASSWORD", "keyring:only-service"), "keyring:SERVICE/NAME"),
        (SHOP.replace("http://127.0.0.1:8000/", "shop.example"), "whole address"),
        (SHOP.replace("http://127", "http://u:p@127"), "no credentials in addresses"),
        (SHOP + 'proxy = "http://u:geheim@proxy:3128"', "proxy with a password"),
        (SHOP + 'proxy = "ftp://proxy:1"', "http://HOST:PORT"),
        (SHOP + 'browser = {cdp = "http://192.0.2.1:9222"}', "loopback only"),
        (SHOP + SHOP.replace('"店铺-a"', "b"), "one shop, one identity"),
        (SHOP.replace("店铺-a", "a.g1"), "shops.a.g1.name"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError) as told:
        load_project(write(tmp_path, text))
    assert says in str(told.value)
    assert "rpa.toml" in str(told.value)
    assert "hunter2" not in str(told.value)
    assert "geheim" not in str(told.value)


def test_no_project(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="rpa init"):
        load_project(tmp_path)


def test_an_unknown_shop_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no shop 'b'; it has: 店铺-a"):
        load_project(write(tmp_path, SHOP)).shop("b")


def test_secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shop = load_project(write(tmp_path, SHOP)).shop("店铺-a")
    with pytest.raises(ConfigError, match=r"shops\.店铺-a\.password: .* SHOP_A_PASSWORD"):
        shop.credentials()
    monkeypatch.setenv("SHOP_A_PASSWORD", "hunter2")
    username, password = shop.credentials()
    assert (username, password) == ("seller", "hunter2")
    assert "hunter2" not in repr(password)


def test_a_keyring_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "keyring", None)
    with pytest.raises(ConfigError, match=r"landonce\[keyring\]"):
        resolve("keyring:landonce/shop-a", "shops.a.password")
