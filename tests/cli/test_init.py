"""``rpa init``: a project that works as it stands, and never writes over anybody's files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.backoffice import start_backoffice
from tests.support.rpa_command import Folder, codes

FILES = ["rpa.toml", "items.csv", "flows/my_flow.py", "stores/my_shop.py", ".gitignore"]


def test_it_writes_what_is_missing_and_keeps_what_is_there(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    (tmp_path / "项目").mkdir()
    (tmp_path / "项目" / "items.csv").write_text("我的\n", encoding="utf-8")
    (tmp_path / "项目" / ".gitignore").write_text("秘密/\n.env", encoding="utf-8")

    first = folder.rpa("init", "项目", "--json").document
    assert first["wrote"] == [name for name in FILES if name != "items.csv"]
    assert first["kept"] == ["items.csv"]
    assert (tmp_path / "项目" / "items.csv").read_text("utf-8") == "我的\n"
    assert (tmp_path / "项目" / ".gitignore").read_text("utf-8") == "秘密/\n.env\n.rpa/\n"

    before = {name: (tmp_path / "项目" / name).read_bytes() for name in FILES}
    assert folder.rpa("init", "项目", "--json").document["kept"] == FILES
    assert {name: (tmp_path / "项目" / name).read_bytes() for name in FILES} == before


def test_its_flow_and_store_are_typed_and_in_style(tmp_path: Path) -> None:
    Folder(tmp_path).rpa("init")
    strict = ("--strict", "--explicit-package-bases", "--namespace-packages")
    for command in (
        ("mypy", *strict),
        ("ruff", "check", "--isolated"),
        ("ruff", "format", "--check", "--isolated", "--line-length", "100"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command, "flows", "stores"],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.browser
def test_a_run_lands_its_items(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "项目")
    folder.root.mkdir()
    assert folder.rpa("init").code == 0
    with start_backoffice(tmp_path / "seller", ["my-shop"]) as server:
        shop = server.shops["my-shop"]
        config = folder.root / "rpa.toml"
        text = config.read_text(encoding="utf-8")
        for old, new in (
            ("http://127.0.0.1:8000/s/my-shop", shop.url),
            ("my-shop-id", shop.identity),
            ("me@example.com", shop.account),
        ):
            assert text.count(f'"{old}"') == 1
            text = text.replace(f'"{old}"', f'"{new}"')
        config.write_text(f'sessions = "sessions"\n{text}', encoding="utf-8")
        folder.environment["MY_SHOP_PASSWORD"] = shop.password

        assert folder.rpa("run", "my_flow", "items.csv").code == 0
        assert codes(server) == ["my-0001", "my-0002"]
        exam = folder.rpa("verify", "--exam", "--json")
        assert exam.code == 0
        assert exam.document["exams"] == [
            {"shop": "my-shop", "probe": "my-shop-copies", "passed": True, "failures": {}}
        ]
        assert folder.rpa("doctor", "--json").document["ok"]
