"""The probe exam, taken anew for every probe of some shops."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from rpa.cli.prepare import shops_of
from rpa.errors import RpaError

if TYPE_CHECKING:
    from rpa.config import Project
    from rpa.runner.aside import Visit
    from rpa.verify.exam import Certificate

__all__ = ["examine_shops"]


def examine_shops(
    project: Project, shops: list[str] | None, *, headed: bool, browser: str | None
) -> tuple[list[dict[str, Any]], int]:
    """Examine every probe of some shops.

    Returns:
        A row for each, and the exit code: 0 if all passed, 1 if one did not, else why a shop
        could not be looked at.
    """
    from rpa.gate.session import SessionOptions
    from rpa.runner.aside import visit_shops
    from rpa.runner.trust import Examined

    async def look(visit: Visit) -> list[Certificate]:
        folder = project.home / "exams" / visit.shop.name
        trust = Examined(folder, visit.keeper, visit.store, visit.shop.identity, time.time)
        probes = {p.name: p for submit in visit.store.submits.values() for p in submit.probes}
        return [await trust.certificate(probe, anew=True) for probe in probes.values()]

    named = [project.shop(name) for name in shops_of(project, shops)]
    options = SessionOptions(headed=headed, browser=browser)
    found = asyncio.run(visit_shops(project, named, options, look))
    rows: list[dict[str, Any]] = []
    codes = []
    for shop, result in found.items():
        if isinstance(result, RpaError):
            codes.append(result.exit_code)
            failures = {"not examined": str(result)}
            rows.append({"shop": shop, "probe": "", "passed": False, "failures": failures})
            continue
        for paper in result:
            codes.append(0 if paper.passed else 1)
            rows.append(
                {
                    "shop": shop,
                    "probe": paper.probe,
                    "passed": paper.passed,
                    "failures": paper.failures,
                }
            )
    return rows, max(codes, default=0)
