"""A browser attached over CDP: it works, it is weaker, and the journal says so."""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.backoffice import start_backoffice
from tests.support.chromium import executable
from tests.support.rpa_command import Folder, codes

pytestmark = [pytest.mark.browser]


@contextmanager
def somebodys_browser(profile: Path) -> Iterator[str]:
    """A Chromium that a person started; gives the address to attach to."""
    process = subprocess.Popen(
        [
            executable(),
            "--headless",
            "--no-sandbox",
            "--remote-debugging-port=0",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={profile}",
            "about:blank",
        ],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        line = next(line for line in process.stderr if "DevTools listening on" in line)
        port = line.split("127.0.0.1:")[1].split("/")[0]
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()
        shutil.rmtree(profile, ignore_errors=True)


def test_attached_browser(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "project")
    folder.root.mkdir()
    items = folder.write_items()
    with (
        start_backoffice(tmp_path / "seller", ["shop-a"]) as server,
        somebodys_browser(tmp_path / "profile") as address,
    ):
        folder.write_shops(list(server.shops.values()))
        with (folder.root / "rpa.toml").open("a", encoding="utf-8") as file:
            file.write(f"browser = {{cdp = {json.dumps(address)}}}\n")
        refused = folder.rpa("run", "copy_listing", items)
        assert (refused.code, codes(server)) == (2, [])
        assert "--allow-weak" in refused.errors[0]
        said = folder.rpa("run", "copy_listing", items, "--allow-weak", "--json")
        assert said.code == 0, said.err
        assert codes(server) == ["unit-1", "unit-2", "unit-3"]
        with urllib.request.urlopen(f"{address}/json/version") as answer:
            assert answer.status == 200, "somebody's browser is left running"
    armed = [step.first for view in folder.units().values() for step in view.submits.values()]
    assert [first and first["fail_closed"] for first in armed] == [False] * 3
