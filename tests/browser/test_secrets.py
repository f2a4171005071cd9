"""Secrets reach no file: not the journal, a log, a trace, a picture's name or the report."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.backoffice import start_backoffice
from tests.support.rpa_command import Folder, codes

pytestmark = [pytest.mark.browser]


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file under a folder, and every member of every archive."""
    for path in folder.rglob("*"):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                yield from ((f"{path}/{name}", archive.read(name)) for name in archive.namelist())
        elif path.is_file():
            yield str(path), path.read_bytes()


def test_secrets_reach_no_file(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "project")
    folder.root.mkdir()
    items = folder.write_items()
    with start_backoffice(tmp_path / "seller", ["shop-a"]) as server:
        folder.write_shops(list(server.shops.values()))
        server.fault("status_after", "copy", status=503, match={"sku": "unit-2"})
        said = folder.rpa("run", "copy_listing", items, "--trace")
        assert said.code == 0, said.err
        assert codes(server) == ["unit-1", "unit-2", "unit-3"]
    session = json.loads((folder.root / "sessions" / "shop-a.json").read_text(encoding="utf-8"))
    cookies = [cookie["value"] for cookie in session["cookies"]]
    secrets = [server.shops["shop-a"].password, *cookies]
    assert len(secrets) > 1
    files = dict(contents(folder.root / ".rpa"))
    assert any(name.endswith(".jpg") for name in files)
    assert any("trace.zip" in name for name in files), "traces were asked for"
    leaks = [(name, s) for name, data in files.items() for s in secrets if s.encode() in data]
    assert leaks == []
    assert not any(secret in said.out + said.err for secret in secrets)
