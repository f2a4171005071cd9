"""``rpa demo``: real listings in a real store, counted in the store's own database."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

from rpa.cli.demo_project import write_items, write_project
from rpa.cli.fixture_servers import ask, serving
from rpa.cli.launch import Canary, Result, launch_batch
from rpa.cli.output import say
from rpa.cli.prepare import prepare

__all__ = ["list_products"]

_SHOPS: Final = ["shop-a", "shop-b"]


def list_products(home: Path, job_options: dict[str, Any]) -> dict[str, Any]:
    """List five products in each of two django-oscar shops.

    Args:
        home: The demo's folder; kept, so that a second run finds everything done.
        job_options: How to open the browsers.

    Returns:
        The document of ``rpa demo --json``.
    """
    import platformdirs

    began = time.monotonic()
    say("starting two django-oscar shops (the first time builds their database: about 15 s)")
    cache = platformdirs.user_cache_path("landonce") / "oscar-template"
    data = home / "store"
    with serving("oscar", data, _SHOPS, "--cache", str(cache)) as server:
        project = write_project(home / "project", "oscar", server.ready["shops"], settle=1.0)
        items = write_items(project.root, "listing_items.csv")
        for shop in server.ready["shops"]:
            say(f"  {shop['name']}: {shop['dashboard']}")
        before = _landed(data)
        result = _run(project, items, job_options)
        after = _landed(data)
    wanted = _codes(items)
    return {
        "shops": len(_SHOPS),
        "units": len(wanted) * len(_SHOPS),
        "submitted": sum(len(after[shop]) - len(before[shop]) for shop in _SHOPS),
        "already": sum(code in before[shop] for shop in _SHOPS for code in wanted),
        "failed": result.units("failed", "dead", "pending"),
        "unknown": result.units("unknown"),
        "duplicates": sum(max(0, after[shop].count(c) - 1) for shop in _SHOPS for c in wanted),
        "lost": sum(code not in after[shop] for shop in _SHOPS for code in wanted),
        "seconds": round(time.monotonic() - began, 1),
        "exit_code": result.exit_code,
        "report": str(result.report) if result.report else None,
    }


def _run(project: Any, items: Path, job_options: dict[str, Any]) -> Result:
    from rpa.cli.summary import conclude
    from rpa.runner.job import Job

    manifest = prepare(project, "list_product", items, None, (), decimal=None, edition="")
    job = Job(root=project.root, shop="", run=manifest.run, **job_options)
    result = launch_batch(project, manifest, manifest.shops, job, Canary(wanted=False, yes=True))
    conclude(project, result)
    return result


def _codes(items: Path) -> list[str]:
    import csv

    with items.open(encoding="utf-8-sig", newline="") as file:
        return [row["sku"] for row in csv.DictReader(file)]


def _landed(data: Path) -> dict[str, list[str]]:
    """Every product code in each shop, straight from the store's database."""
    ledger = ask("oscar", "oscar.ledger", "--data", str(data))
    return {shop: [product["upc"] for product in rows] for shop, rows in ledger["shops"].items()}
