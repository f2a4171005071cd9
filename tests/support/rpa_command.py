"""The real ``rpa`` command in a real project folder, as a person would start it."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rpa.config import Project, load_project
from rpa.core.fold import UnitView
from rpa.journal import peek
from tests.support.backoffice import BackofficeServer, ShopAccess

PASSWORD = "SHOP_PASSWORD_{}"
COLUMNS = ("sku", "source_id", "title", "price", "stock", "remark")
ITEMS = (
    ("unit-1", "SRC-1001", "夏季纯棉圆领短袖T恤 Summer T-shirt", "45.90", "100", "首批上架"),
    ("unit-2", "SRC-1002", "不锈钢保温杯 500ml Steel flask", "69.00", "50", "首批上架"),
    ("unit-3", "SRC-1003", "无线蓝牙耳机 降噪运动款 Earphones", "149.00", "30", "主推款"),
)
EVERY = sorted(row[0] for row in ITEMS)


@dataclass(frozen=True)
class Said:
    """What a command said when it ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The JSON document on stdout, which is all there may be."""
        return json.loads(self.out)

    @property
    def errors(self) -> list[str]:
        """The lines that say what went wrong."""
        return [line for line in self.err.splitlines() if line.startswith("error: ")]


@dataclass
class Folder:
    """A project folder and the environment its commands run in."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)

    def rpa(self, *arguments: str, before: Callable[[], None] | None = None) -> Said:
        """Run a command to its end.

        Args:
            arguments: As typed.
            before: Called in the command's process before it begins; POSIX only.
        """
        process = self.start(*arguments, before=before)
        out, err = process.communicate(timeout=170)
        return Said(process.returncode, out, err)

    def start(
        self, *arguments: str, before: Callable[[], None] | None = None
    ) -> subprocess.Popen[str]:
        """Start a command and leave it running."""
        return subprocess.Popen(
            [sys.executable, "-m", "rpa", *arguments],
            cwd=self.root,
            env={**os.environ, **self.environment, "PYTHONUTF8": "1", "COLUMNS": "200"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            preexec_fn=before,
        )

    def write_items(
        self, rows: Sequence[Sequence[str]] = ITEMS, columns: Sequence[str] = COLUMNS
    ) -> str:
        """Write ``商品.csv`` and give its name."""
        text = io.StringIO()
        csv.writer(text).writerows([columns, *rows])
        (self.root / "商品.csv").write_text(text.getvalue(), encoding="utf-8", newline="")
        return "商品.csv"

    def write_shops(
        self, shops: Sequence[ShopAccess], changes: Mapping[str, Mapping[str, str]] | None = None
    ) -> None:
        """Write ``rpa.toml``, and put the passwords where it points."""
        tables = []
        for number, shop in enumerate(shops):
            self.environment[PASSWORD.format(number)] = shop.password
            keys = {
                "store": "backoffice",
                "url": shop.url,
                "identity": shop.identity,
                "username": shop.account,
                "password": f"env:{PASSWORD.format(number)}",
                **(changes or {}).get(shop.name, {}),
            }
            lines = [f"{key} = {json.dumps(text)}" for key, text in keys.items()]
            tables.append("\n".join([f"[shops.{shop.name}]", *lines, "settle = 0.5"]))
        text = 'sessions = "sessions"\n\n' + "\n\n".join(tables) + "\n"
        (self.root / "rpa.toml").write_text(text, encoding="utf-8")

    @property
    def project(self) -> Project:
        """The project as commands see it."""
        return load_project(self.root)

    def units(self, shop: str = "shop-a") -> dict[str, UnitView]:
        """What a shop's journal knows, by merchant code; nothing if there is no journal."""
        try:
            views = peek(self.project.journal(shop)).units.values()
        except FileNotFoundError:
            return {}
        return {view.identity["sku"]: view for view in views}

    def interrupt(self, process: subprocess.Popen[str]) -> None:
        """Do what Ctrl-C does."""
        process.send_signal(signal.SIGINT)


def codes(server: BackofficeServer, shop: str | None = None) -> list[str]:
    """Merchant codes of what landed, sorted; one for each landing."""
    return sorted(landed.key for landed in server.ledger(shop))
