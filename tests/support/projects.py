"""Projects with journals as real runs write them: units of every kind, with pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from fixtures.pictures import picture
from rpa.config import Project, load_project
from rpa.core.keys import unit_key
from rpa.core.record import Record
from rpa.core.states import Event
from rpa.journal import JsonlJournal
from tests.support.journals import NOON

RUN = "20251130T120000-c0de"
FLOW = "copy_listing/1"
EFFECT = "copy-listing"
PASSWORD = "geheim-密码-0815"
EVERYTHING = {
    "unit-1": "submitted",
    "unit-2": "submitted",
    "unit-3": "unknown",
    "unit-4": "dead",
    "unit-5": "changed",
    "unit-6": "unknown",
    "unit-7": "failed",
    "unit-8": "unknown",
    "unit-9": "filled",
    "unit-10": "submitting",
    "unit-11": "skipped",
    "unit-12": "unknown",
}
"""What `Teller.tell_everything` leaves behind."""
TITLES = {
    "unit-1": "夏季纯棉圆领短袖T恤 男女同款 Summer cotton T-shirt",
    "unit-2": "不锈钢保温杯 500ml 大容量 Steel vacuum flask",
    "unit-3": "无线蓝牙耳机 降噪运动款 Wireless sport earphones",
    "unit-4": "加厚防滑瑜伽垫 10mm Thick yoga mat",
    "unit-5": "儿童益智积木拼装玩具 200粒 Building blocks",
}

E = Event


@dataclass
class Teller:
    """Tells stories of units into one shop's journal, with a clock that goes on by itself.

    Attributes:
        project: The project.
        shop: Shop name.
        run: The run that writes.
        now: Seconds of the wall clock; each record takes some.
        pictures: Whether evidence pictures are really there.
    """

    project: Project
    shop: str
    run: str = RUN
    now: float = NOON
    pictures: bool = False
    journal: JsonlJournal = field(init=False)

    def __post_init__(self) -> None:
        """Open the journal."""
        self.identity = self.project.shop(self.shop).identity
        self.journal = JsonlJournal.open(
            self.project.journal(self.shop), clock=lambda: self.now, shop=self.identity
        )

    def key(self, sku: str, edition: str = "") -> str:
        """The unit's key."""
        return unit_key(EFFECT, self.identity, {"sku": sku}, edition)

    def arguments(self, sku: str) -> dict[str, Any]:
        """What is submitted for a unit."""
        title = TITLES.get(sku, f"商品 {sku}")
        return {"sku": sku, "title": title, "price": "45.90", "stock": "100", "remark": "首批上架"}

    def write(self, sku: str, event: Event, *, step: str = "", **members: Any) -> Record:
        """Append one record, half a second after the last."""
        self.now += members.pop("seconds", 0.5)
        view = self.journal.history.units.get(self.key(sku))
        usual: dict[str, Any] = {"run": self.run, "attempt": view.attempt if view else 0}
        return self.journal.append(
            Record(
                unit=self.key(sku),
                identity={"sku": sku},
                event=event,
                flow=FLOW,
                step=step,
                step_key=step,
                **{**usual, **members},
            )
        )

    def land_as(self, identity: dict[str, str]) -> None:
        """A unit of a flow with other identity fields, landed without much of a story."""
        key = unit_key("list-product", self.identity, identity)
        usual = Record(key, identity, E.STARTED, flow="list/1", run=self.run, attempt=1)
        self.journal.append(usual)
        self.journal.append(replace(usual, event=E.COMPLETED))

    def shot(self, sku: str, name: str) -> tuple[str, ...]:
        """An evidence picture's name; the picture is there if pictures are wanted."""
        view = self.journal.history.units.get(self.key(sku))
        file = f"{self.run}/{self.key(sku)[:12]}-{view.attempt if view else 0}-{name}.jpg"
        if self.pictures:
            path = self.project.evidence(self.shop) / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_picture(name))
        return (file,)

    def prepare(self, sku: str) -> None:
        """A new attempt, up to the filled form."""
        view = self.journal.history.units.get(self.key(sku))
        self.write(sku, E.STARTED, attempt=(view.attempt if view else 0) + 1)
        for step, state in (("select", "selected"), ("fill", "filled")):
            self.write(sku, E.STARTED, step=step)
            self.write(sku, E.FINISHED, step=step, data={"state": state, "result": None})

    def arm(self, sku: str) -> None:
        """The submit, armed."""
        arguments = self.arguments(sku)
        baseline = {"matching": [], "total": 12, "control": "7001", "taken": self.now}
        data = {
            "request": "create",
            "arguments": arguments,
            "carrier": sku,
            "shows": {"title": arguments["title"], "price": arguments["price"]},
            "baselines": {"copies": {**baseline, "alike": [], "whole": True}},
            "fail_closed": True,
            "final": True,
        }
        self.write(sku, E.STARTED, step="copy")
        self.write(sku, E.ARMED, step="copy", data=data, evidence=self.shot(sku, "copy-before"))

    def release(self, sku: str) -> None:
        """The request, let go."""
        url = f"{self.project.shop(self.shop).url}/copies"
        self.write(sku, E.RELEASED, step="copy", data=_request(method="POST", url=url))

    def land(self, sku: str) -> None:
        """A whole attempt that lands."""
        self.prepare(sku)
        self.arm(sku)
        self.release(sku)
        answer = {"status": 303, "location": "/copies"}
        data = _request(
            answer=answer, result={"record": str(8000 + len(self.journal.history.units))}
        )
        self.write(sku, E.ACCEPTED, step="copy", data=data, seconds=1.5)
        done = {"outcome": "accepted"}
        self.write(sku, E.FINISHED, step="copy", data=done, evidence=self.shot(sku, "copy-after"))

    def lose(self, sku: str) -> None:
        """A whole attempt whose answer never came: in doubt."""
        self.prepare(sku)
        self.arm(sku)
        self.release(sku)
        error = {"class": "NoAnswer", "message": "net::ERR_EMPTY_RESPONSE"}
        data = _request(since=self.now, answer={"error": "net::ERR_EMPTY_RESPONSE"})
        self.write(sku, E.LOST, step="copy", data=data, error=error, seconds=4.0)

    def judge(self, sku: str, event: Event, why: str, *records: str) -> None:
        """A verdict of the probe."""
        data = {"why": why, "records": list(records)}
        self.write(sku, event, step="copy", data=data, evidence=self.shot(sku, "list"), seconds=2.0)

    def hold(self, sku: str) -> None:
        """In doubt, and the probe could not tell."""
        self.lose(sku)
        why = "the list says 14 records, 13 were read"
        self.judge(sku, E.INCONCLUSIVE, why, "8013")

    def fail(self, sku: str, *, permanent: bool = False) -> None:
        """An attempt that fails before anything was sent."""
        view = self.journal.history.units.get(self.key(sku))
        self.write(sku, E.STARTED, attempt=(view.attempt if view else 0) + 1)
        self.write(sku, E.STARTED, step="select")
        message = "第 3 行：找不到货源 SRC-1004" if permanent else "/source answered 503"
        error = {"class": "Invalid" if permanent else "StoreDown", "message": message}
        shot = self.shot(sku, "select-failed")
        data = {"permanent": permanent}
        self.write(sku, E.FAILED, step="select", data=data, error=error, evidence=shot)

    def change(self, sku: str) -> None:
        """A landed unit whose row has changed since."""
        self.land(sku)
        now = {**self.arguments(sku), "price": "49.90", "title": "儿童益智积木拼装玩具 300粒"}
        self.write(sku, E.CHANGED, data={"arguments": now})

    def find(self, sku: str) -> None:
        """A key that the shop shows already."""
        self.write(sku, E.FOUND, step="copy", data={"records": ["7002"]})

    def tell_everything(self) -> None:
        """A unit of every kind; `EVERYTHING` says what each has become."""
        self.land("unit-1")
        self.land("unit-2")
        self.hold("unit-3")
        self.fail("unit-4", permanent=True)
        self.change("unit-5")
        self.find("unit-6")
        self.fail("unit-7")
        self.lose("unit-8")
        self.prepare("unit-9")
        self.prepare("unit-10")
        self.arm("unit-10")
        self.release("unit-10")
        self.fail("unit-11")
        self.write("unit-11", E.SKIPPED, run="", data={"by": "王芳", "note": "停售"})
        self.lose("unit-12")
        self.judge("unit-12", E.PARTLY, "the record lacks stock", "8099")


@cache
def _picture(name: str) -> bytes:
    return picture(name)  # takes a while


def _request(**data: Any) -> dict[str, Any]:
    return {"request": "create", **data}


def make_project(root: Path, *shops: str) -> Project:
    """A project of back-office shops; their password is `PASSWORD`, in ``$SHOP_PASSWORD``."""
    root.mkdir(parents=True, exist_ok=True)
    tables = [
        f'[shops.{json.dumps(shop, ensure_ascii=False)}]\nstore = "backoffice"\n'
        f'url = "http://127.0.0.1:9"\nidentity = "id-{shop}"\nusername = "op"\n'
        f'password = "env:SHOP_PASSWORD"\n'
        for shop in shops
    ]
    (root / "rpa.toml").write_text("\n".join(tables), encoding="utf-8")
    return load_project(root)


def save_run(project: Project, run: str = RUN, *, batch: str = "", items: int = 5) -> None:
    """A run's manifest and items, where `rpa run` keeps them."""
    folder = project.home / "runs" / run
    folder.mkdir(parents=True)
    manifest = {
        "run": run,
        "flow": "copy_listing",
        "shops": list(project.shops),
        "source": str(project.root / "商品.csv"),
        "folder": str(project.root),
        "decimal": None,
        "edition": "",
        "batch": batch or run,
        "effect": EFFECT,
    }
    (folder / "run.json").write_text(json.dumps(manifest, ensure_ascii=False), encoding="utf-8")
    rows = [{"sku": f"unit-{n}"} for n in range(1, items + 1)]
    units = [[row, ""] for row in rows]
    for name, lines in (("items.jsonl", rows), ("units.jsonl", units)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / name).write_text(text, encoding="utf-8")
