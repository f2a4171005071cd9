"""The copying and the listing flow in real shops of the back office, through the command line.

What the command says is compared with the server's own books: the ledger of what landed and the
list of what arrived on the wire.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from fixtures.pictures import write_picture
from tests.support.backoffice import BackofficeServer, ShopAccess, start_backoffice

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

ITEMS: Final = Path(__file__).parents[2] / "fixtures" / "data" / "copy_items.csv"
KEYS: Final = [f"unit-{number}" for number in range(1, 6)]


@dataclass
class Site:
    """A project for some shops of a running back office."""

    server: BackofficeServer
    shops: list[ShopAccess]
    root: Path

    def configure(self, **settings: Any) -> None:
        """Write rpa.toml; ``settings`` replace what a shop's table says."""
        lines = ['sessions = "sessions"', "slots = 2"]
        for shop in self.shops:
            told = {
                "store": "backoffice",
                "url": shop.url,
                "identity": shop.identity,
                "username": shop.account,
                "password": f"env:PASSWORD_{shop.name}",
                "settle": 1.0,
                **settings,
            }
            lines.append(f"[shops.{shop.name}]")
            lines += [f"{key} = {json.dumps(value)}" for key, value in told.items()]
        (self.root / "rpa.toml").write_text("\n".join(lines), encoding="utf-8")

    def copy_items(self, count: int) -> str:
        """The first items of the sample file."""
        lines = ITEMS.read_text(encoding="utf-8").splitlines()[: count + 1]
        (self.root / "商品.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return "商品.csv"

    def rpa(self, *arguments: str, exits: int = 0) -> dict[str, Any]:
        """Run a command; gives the document it prints.

        Raises:
            AssertionError: It ended with another exit code.
        """
        passwords = {f"PASSWORD_{shop.name}": shop.password for shop in self.shops}
        done = subprocess.run(
            [sys.executable, "-m", "rpa", *arguments, "--json"],
            cwd=self.root,
            env={**os.environ, **passwords},
            capture_output=True,
            encoding="utf-8",
            timeout=360,
            check=False,
        )
        assert done.returncode == exits, f"{done.stdout}\n{done.stderr}\n{self.logs()}"
        document: dict[str, Any] = json.loads(done.stdout) if done.stdout else {}
        return document

    def run(self, count: int = 3, exits: int = 0) -> dict[str, Any]:
        """Copy the first ``count`` sample items."""
        return self.rpa("run", "copy_listing", self.copy_items(count), exits=exits)

    def logs(self) -> str:
        """What the shops' processes logged, for whoever has to find out why."""
        files = sorted((self.root / ".rpa" / "logs").glob("*"))
        return "\n".join(file.read_text(encoding="utf-8") for file in files)

    def landed(self, shop: int = 0) -> list[str]:
        """Keys of the copies and products that landed, in their order."""
        lines = self.server.ledger(self.shops[shop].name)
        return [line.key for line in lines if line.effect in ("copy", "product")]

    def wire(self, route: str = "copy", shop: int = 0) -> list[tuple[str, str]]:
        """Key and outcome of the submits that arrived."""
        lines = self.server.wire(self.shops[shop].name)
        return [(line.key, line.outcome) for line in lines if line.route == route]

    def events(self, key: str, shop: int = 0) -> list[str]:
        """The story of a unit, without its steps' beginnings and ends."""
        journal = self.root / ".rpa" / "journals" / f"{self.shops[shop].name}.jsonl"
        records = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
        mine = [r["event"] for r in records if r.get("identity") == {"sku": key}]
        told = [event.removeprefix("verdict_") for event in mine]
        return [event for event in told if event not in ("started", "finished", "failed")]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BackofficeServer]:
    names = [f"shop-{number}" for number in range(1, 61)]
    with start_backoffice(tmp_path_factory.mktemp("backoffice"), names) as server:
        yield server


@pytest.fixture(scope="module")
def unused(running: BackofficeServer) -> Iterator[ShopAccess]:
    return iter(running.shops.values())


@pytest.fixture
def site(running: BackofficeServer, unused: Iterator[ShopAccess], tmp_path: Path) -> Site:
    """A project for one shop that no other test works in."""
    running.reset()
    made = Site(running, [next(unused)], tmp_path)
    made.configure()
    return made


def test_two_shops_get_every_item_once_and_a_second_run_submits_nothing(
    site: Site, unused: Iterator[ShopAccess]
) -> None:
    site.shops.append(next(unused))
    site.configure()
    document = site.run(5)
    assert document["submitted"] == 10
    for shop in (0, 1):
        assert site.landed(shop) == KEYS
        assert site.wire(shop=shop) == [(key, "committed") for key in KEYS]
    with ITEMS.open(encoding="utf-8", newline="") as file:
        wanted = [(row["sku"], row["title"], row["remark"]) for row in csv.DictReader(file)]
    copied = site.server.ledger(site.shops[0].name)
    assert [(line.key, line.title, line.detail["remark"]) for line in copied] == wanted
    assert site.events("unit-3") == ["armed", "released", "accepted"]
    again = site.run(5)
    assert again["submitted"] == 10
    assert len(site.wire(shop=0)) == len(site.wire(shop=1)) == 5
    logins = site.wire("login", 0)
    assert len(logins) == 1  # by the first run; the second had nothing to do


@pytest.mark.long
def test_products_with_pictures_are_listed_once(site: Site) -> None:
    for key in KEYS:
        write_picture(site.root / f"{key}.png", key)
    rows = [f"{key},茶壶 {key} A & B,手工 <礼盒>,88.50,7,Home 家居,{key}.png" for key in KEYS]
    head = "sku,title,description,price,stock,category,image"
    (site.root / "茶壶.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    site.server.fault("commit_then_drop", "create", match={"sku": "unit-2"})
    site.server.fault("drop_before_commit", "create", match={"sku": "unit-4"})
    site.rpa("run", "list_product", "茶壶.csv")
    assert sorted(site.landed()) == KEYS
    lines = site.server.ledger(site.shops[0].name)
    assert [line.detail["images"] for line in lines if line.effect == "product"] == [1] * 5
    # The picture of the attempt that was lost stays in the image space, used by nothing.
    assert [line.key for line in lines if line.effect == "image"].count("unit-4.png") == 2
    assert site.events("unit-1") == [
        *("armed", "armed", "released", "answered", "released", "accepted")
    ]
    site.rpa("run", "list_product", "茶壶.csv")
    assert len(site.landed()) == 5


@pytest.mark.parametrize(
    "mode",
    [
        "commit_then_drop",
        pytest.param("commit_then_rst", marks=pytest.mark.long),
        pytest.param("status_503_after", marks=pytest.mark.long),
        "white_page",
    ],
)
def test_a_copy_that_landed_unseen_is_found_and_never_sent_again(site: Site, mode: str) -> None:
    site.server.fault(mode, "copy", match={"sku": "unit-2"})
    assert site.run()["submitted"] == 3
    assert site.landed() == KEYS[:3]
    assert site.wire() == [(key, "committed") for key in KEYS[:3]]
    doubt = "lost" if "_then_" in mode else "ambiguous"
    assert site.events("unit-2") == ["armed", "released", doubt, "landed"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "outcome"),
    [
        ("drop_before_commit", "dropped-before"),
        ("rst_before_commit", "dropped-before"),
        ("status_503_before", "answered-before"),
        ("white_page_before", "answered-before"),
        ("login_page_200", "answered-before"),
    ],
)
def test_a_copy_that_never_landed_is_sent_once_more_after_two_readings(
    site: Site, mode: str, outcome: str
) -> None:
    site.server.fault(mode, "copy", match={"sku": "unit-2"})
    assert site.run()["submitted"] == 3
    assert sorted(site.landed()) == KEYS[:3]
    sent = [("unit-1", "committed"), ("unit-2", outcome), ("unit-3", "committed")]
    assert site.wire() == [*sent, ("unit-2", "committed")]
    doubt = "lost" if outcome == "dropped-before" else "ambiguous"
    first = ["armed", "released", doubt, "inconclusive", "absent"]
    assert site.events("unit-2") == [*first, "armed", "released", "accepted"]


def test_the_last_copy_is_settled_although_its_answer_ended_the_session(site: Site) -> None:
    site.server.fault("login_page_200", "copy", match={"sku": "unit-2"})
    assert site.run(2)["submitted"] == 2
    assert site.landed() == KEYS[:2]


@pytest.mark.long
def test_a_session_that_ends_under_a_copy_is_renewed(site: Site) -> None:
    site.server.fault("expired_session", "copy", match={"sku": "unit-2"})
    assert site.run()["submitted"] == 3
    assert site.landed() == KEYS[:3]
    assert site.events("unit-2") == [
        "armed",
        "released",
        "refused",
        "armed",
        "released",
        "accepted",
    ]
    assert len(site.wire("login")) == 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "landed_first"), [("hang_before_commit", False), ("hang_after_commit", True)]
)
def test_a_copy_whose_answer_never_comes(site: Site, mode: str, landed_first: bool) -> None:
    site.configure(submit_timeout=3.0)
    site.server.fault(mode, "copy", match={"sku": "unit-2"}, seconds=60.0)
    assert site.run()["submitted"] == 3
    site.server.release()
    assert sorted(site.landed()) == KEYS[:3]
    assert len(site.wire()) == (3 if landed_first else 4)
    assert site.events("unit-2")[:3] == ["armed", "released", "lost"]


@pytest.mark.long
@pytest.mark.parametrize("mode", ["late_record", "processing_then_done"])
def test_a_copy_that_shows_late_is_waited_for(site: Site, mode: str) -> None:
    site.configure(settle=8.0)
    site.server.fault(mode, "copy", match={"sku": "unit-2"}, seconds=6.0)
    site.server.fault("commit_then_drop", "copy", match={"sku": "unit-2"})
    assert site.run()["submitted"] == 3
    assert site.landed() == KEYS[:3]
    assert len(site.wire()) == 3


@pytest.mark.long
def test_a_copy_that_the_shop_gave_up_is_sent_once_more(site: Site) -> None:
    site.configure(settle=5.0)
    site.server.fault("processing_then_failed", "copy", match={"sku": "unit-2"}, seconds=3.0)
    site.server.fault("commit_then_drop", "copy", match={"sku": "unit-2"})
    assert site.run()["submitted"] == 3
    assert sorted(site.landed()) == KEYS[:3]


def test_a_copy_that_the_shop_wrote_twice_stops_the_shop(site: Site) -> None:
    site.server.fault("double_insert", "copy", match={"sku": "unit-3"})
    site.server.fault("commit_then_drop", "copy", match={"sku": "unit-3"})
    site.run()
    assert site.landed() == ["unit-1", "unit-2", "unit-3", "unit-3"]
    assert len(site.wire()) == 3
    assert site.events("unit-3")[-1] == "multiple"


def test_another_shop_than_the_configured_one_gets_nothing(site: Site) -> None:
    site.configure(identity="SHOP-99-NONE")
    site.run(exits=5)
    assert site.wire() == []


def test_wrong_credentials_submit_nothing(site: Site) -> None:
    site.configure(username="nobody@example.com")
    site.run(exits=2)
    assert site.wire() == []


def test_a_list_that_cannot_be_trusted_lets_nothing_be_submitted(site: Site) -> None:
    site.server.fault("empty_list", "records", shop=site.shops[0].name, times=None)
    site.run(exits=1)
    assert site.wire() == []


@pytest.mark.long
def test_an_item_that_the_shop_will_never_take_is_dead_and_the_others_go_on(site: Site) -> None:
    lines = [
        "source_id,title,price,stock,sku,remark",
        "SRC-9999,没有的货,1.00,1,无-1,",
        "SRC-1001,价格太细,1.0055,1,细-1,",
        "SRC-1002,保温杯,69.00,50,好-1,备注",
    ]
    (site.root / "商品.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    document = site.rpa("run", "copy_listing", "商品.csv", exits=4)
    assert (document["submitted"], document["dead"]) == (1, 2)
    assert site.landed() == ["好-1"]
    assert site.events("细-1") == ["armed", "released", "rejected"]
