"""What is wrong with a shop or a disk stops that shop before the click, and loses nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rpa.core.record import Record
from rpa.core.states import Event, Status
from rpa.journal import export
from tests.support.backoffice import BackofficeServer
from tests.support.projects import Teller
from tests.support.rpa_command import EVERY, PASSWORD, Folder, codes

pytestmark = pytest.mark.browser


def records(folder: Folder, shop: str = "shop-a") -> list[Record]:
    """Everything a shop's journal holds."""
    return list(export(folder.project.journal(shop)))


def test_a_wrong_password_stops_the_shop_and_not_the_other(
    folder: Folder, server: BackofficeServer
) -> None:
    right = folder.environment[PASSWORD.format(0)]
    folder.environment[PASSWORD.format(0)] = "falsch-错误-4711"
    said = folder.rpa("run", "copy_listing", "商品.csv", "--limit", "1", "--json")
    shops = {shop["shop"]: shop for shop in said.document["shops"]}
    assert (said.code, shops["shop-a"]["exit_code"], shops["shop-b"]["exit_code"]) == (2, 2, 0)
    assert len(said.errors) == 1
    assert "Wrong account or password" in said.errors[0]
    assert "falsch" not in said.out + said.err
    assert records(folder) == []
    assert codes(server) == ["unit-1"]

    folder.environment[PASSWORD.format(0)] = right
    assert folder.rpa("resume").code == 0
    assert codes(server, "shop-a") == codes(server, "shop-b") == EVERY


def test_a_store_that_is_down_leaves_nothing_tried(
    folder: Folder, server: BackofficeServer
) -> None:
    server.stop()
    said = folder.rpa("run", "copy_listing", "商品.csv", "--shop", "shop-a")
    assert said.code == 4
    assert len(said.errors) == 1
    assert "does not answer" in said.errors[0]
    assert records(folder) == []

    server.restart()
    assert folder.rpa("resume").code == 0
    assert codes(server) == EVERY


def test_another_shops_page_is_never_submitted_on(folder: Folder, server: BackofficeServer) -> None:
    shop = server.shops["shop-a"]
    folder.write_shops([shop], {"shop-a": {"identity": "SHOP-Z-0000"}})
    said = folder.rpa("run", "copy_listing", "商品.csv")
    assert said.code == 5
    assert len(said.errors) == 1
    assert f"'{shop.identity}'" in said.errors[0]
    assert "'SHOP-Z-0000'" in said.errors[0]
    assert records(folder) == []
    assert not folder.project.session("shop-a").exists()
    assert codes(server) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of a file's size there")
def test_a_full_disk_stops_the_shop_before_the_click(
    folder: Folder, server: BackofficeServer
) -> None:
    path = _fat_journal(folder)
    full = path.stat().st_size
    # Room for what comes before the click, and not for the record that must precede it.
    said = folder.rpa(
        *("run", "copy_listing", "商品.csv", "--shop", "shop-a", "--no-pictures"),
        before=lambda: _limit_files(full + 1900),
    )
    assert said.code == 6
    assert len(said.errors) == 1
    assert "armed of unit" in said.errors[0]
    assert "is not on disk" in said.errors[0]
    assert codes(server) == []

    said = folder.rpa("resume", "--json")
    assert said.code == 0
    assert said.document["submitted"] == 3
    assert codes(server) == EVERY
    assert folder.units()["unit-1"].status is Status.SUBMITTED


def _fat_journal(folder: Folder) -> Path:
    """A journal larger than any file a browser writes, so that a limit hits the journal alone."""
    teller = Teller(folder.project, "shop-a")
    for number in range(16):
        teller.write(f"旧-{number}", Event.STARTED, attempt=1, data={"pad": "x" * 8_000_000})
    teller.journal.close()
    return folder.project.journal("shop-a")


def _limit_files(size: int) -> None:
    import resource  # POSIX only

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
