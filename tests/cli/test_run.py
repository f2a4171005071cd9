"""The road of a batch by commands: plan, canary, run, stop, crash, verify, resume."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from rpa.core.states import Status
from tests.support.backoffice import BackofficeServer
from tests.support.rpa_command import EVERY, ITEMS, Folder, codes

pytestmark = pytest.mark.browser

# Slow enough that a person who sees the first landing can still stop the second.
_SLOWLY = ("run", "copy_listing", "商品.csv", "--shop", "shop-a", "--slow-mo", "700", "--json")


def prospects(document: Any, shop: int = 0) -> dict[str, str]:
    """What a plan says of each unit of a shop."""
    return {unit["label"]: unit["prospect"] for unit in document["shops"][shop]["units"]}


def test_a_canary_goes_first_and_nobody_to_ask_stops_there(
    folder: Folder, server: BackofficeServer
) -> None:
    before = folder.rpa("plan", "copy_listing", "商品.csv", "--json").document
    assert [shop["session"] for shop in before["shops"]] == ["open", "open"]
    assert prospects(before) == dict.fromkeys(EVERY, "new")
    assert not folder.project.journal("shop-a").exists()

    said = folder.rpa("run", "copy_listing", "商品.csv", "--canary", "--json")
    assert said.code == 0
    assert "nobody to ask" in said.err
    assert codes(server, "shop-a") == codes(server, "shop-b") == ["unit-1"]

    said = folder.rpa("resume", "--json")
    assert (said.code, said.document["submitted"]) == (0, 6)
    assert Path(said.document["report"]).is_file()
    assert codes(server, "shop-a") == codes(server, "shop-b") == EVERY

    again = folder.rpa("run", "copy_listing", "商品.csv", "--canary", "--yes", "--json")
    assert (again.code, again.document["submitted"]) == (0, 6)
    assert [seen.route for seen in server.wire()].count("copy") == 6


def test_a_plan_tells_every_prospect_apart(folder: Folder, server: BackofficeServer) -> None:
    only_a = ("--shop", "shop-a")
    assert folder.rpa("run", "copy_listing", "商品.csv", *only_a, "--only", "unit-1").code == 0
    # Somebody copies unit-2 by another project, so nothing here explains it.
    other = Folder(folder.root.parent / "other")
    other.root.mkdir()
    other.write_shops(list(server.shops.values()))
    other.write_items(ITEMS[1:2])
    assert other.rpa("run", "copy_listing", "商品.csv", *only_a).code == 0

    dearer = (*ITEMS[0][:3], "46.90", *ITEMS[0][4:])
    folder.write_items([dearer, *ITEMS[1:]])
    journal = folder.project.journal("shop-a").read_bytes()
    plan = folder.rpa("plan", "copy_listing", "商品.csv", *only_a, "--json").document
    assert prospects(plan) == {
        "unit-1": "changed since it landed",
        "unit-2": "in the shop already",
        "unit-3": "new",
    }
    units = plan["shops"][0]["units"]
    assert units[0]["changes"] == {"price": ["45.9", "46.9"]}
    kinds = [record.partition(":")[0] for record in units[1]["records"]]
    assert kinds == ["copy", "product"]
    assert folder.project.journal("shop-a").read_bytes() == journal

    offline = folder.rpa("plan", "copy_listing", "商品.csv", *only_a, "--offline", "--json")
    assert prospects(offline.document)["unit-2"] == "new"
    assert offline.document["shops"][0]["session"] is None

    said = folder.rpa("run", "copy_listing", "商品.csv", *only_a, "--json")
    assert said.code == 3
    counts = said.document["shops"][0]["counts"]
    assert counts == {"submitted": 1, "unknown": 1, "changed": 1}
    assert codes(server) == EVERY


def test_a_killed_run_is_verified_and_then_resumed(
    folder: Folder, server: BackofficeServer
) -> None:
    only_a = ("--shop", "shop-a")
    killed = folder.rpa(
        *("run", "copy_listing", "商品.csv", *only_a, "--kill-at", "journal.synced:released:2:run")
    )
    assert killed.code == -9
    assert folder.units()["unit-2"].status is Status.SUBMITTING
    assert codes(server) == ["unit-1"]  # the request never left: its process was killed first

    said = folder.rpa("verify", "--json")
    assert said.code == 0
    assert [(unit["label"], unit["status"]) for unit in said.document["units"]] == [
        ("unit-2", "failed")
    ]
    assert "absent" in said.document["units"][0]["verdict"]
    assert codes(server) == ["unit-1"]
    assert folder.rpa("verify").out.strip() == "nothing is in doubt"

    assert folder.rpa("resume").code == 0
    assert codes(server) == EVERY


def test_what_landed_unseen_is_found_by_verify(folder: Folder, server: BackofficeServer) -> None:
    only_a = ("--shop", "shop-a")
    server.fault("commit_then_drop", on="copy", shop="shop-a", match={"sku": "unit-1"})
    held = folder.rpa("run", "copy_listing", "商品.csv", *only_a, "--no-probe", "--json")
    assert held.code == 3
    assert (held.document["held"], held.document["submitted"]) == (1, 2)

    said = folder.rpa("verify", "--json")
    assert said.code == 0
    unit = said.document["units"][0]
    assert (unit["label"], unit["status"]) == ("unit-1", "submitted")
    assert "landed" in unit["verdict"]
    assert codes(server) == EVERY


def test_stop_ends_a_shop_after_its_unit_and_resume_goes_on(
    folder: Folder, server: BackofficeServer
) -> None:
    running = folder.start(*_SLOWLY)
    _wait_for_a_landing(server)
    asked = folder.rpa("stop", "shop-a", "--json")
    assert asked.document == {"shops": [{"shop": "shop-a", "running": True}]}
    out, err = running.communicate(timeout=170)
    assert running.returncode == 4, out + err
    assert "shop-a paused: asked to stop" in err
    assert 0 < len(codes(server)) < 3

    folder.write_items([*ITEMS[1:], ("unit-4", "SRC-1004", "瑜伽垫", "78.00", "40", "")])
    resumed = folder.rpa("resume")
    assert resumed.code == 0
    assert "1 new, 1 removed and 0 changed rows" in resumed.err
    assert codes(server) == EVERY


def test_ctrl_c_finishes_the_unit_at_hand(folder: Folder, server: BackofficeServer) -> None:
    running = folder.start(*_SLOWLY)
    _wait_for_a_landing(server)
    folder.interrupt(running)
    out, err = running.communicate(timeout=170)
    assert running.returncode == 4, out + err
    statuses = {view.status for view in folder.units().values()}
    assert statuses == {Status.SUBMITTED}
    assert codes(server) == sorted(folder.units())


def test_a_second_ctrl_c_stops_at_once_and_resume_loses_nothing(
    folder: Folder, server: BackofficeServer
) -> None:
    server.fault("hang_after_commit", on="copy", shop="shop-a", match={"sku": "unit-2"})
    running = folder.start("run", "copy_listing", "商品.csv", "--shop", "shop-a", "--json")
    server.wait_landed("unit-2", timeout=120)
    folder.interrupt(running)
    time.sleep(0.5)
    folder.interrupt(running)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, out + err
    assert folder.units()["unit-2"].status in (Status.SUBMITTING, Status.UNKNOWN)
    server.release()
    resumed = folder.rpa("resume", "--json")
    assert (resumed.code, resumed.document["submitted"]) == (0, 3)
    assert codes(server) == EVERY


def _wait_for_a_landing(server: BackofficeServer) -> None:
    deadline = time.monotonic() + 120
    while not server.ledger():
        assert time.monotonic() < deadline
        time.sleep(0.05)
