"""What a run would do in each shop: by the journals, and by a look at the shops' own lists."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rpa.errors import RpaError
from rpa.journal import peek
from rpa.runner.preview import Prospect, preview, seen_there

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rpa.config import Project, ShopConfig
    from rpa.core.fold import UnitView
    from rpa.gate.session import SessionOptions
    from rpa.inputs import Batch
    from rpa.runner.aside import Visit
    from rpa.runner.flow import Flow
    from rpa.runner.preview import Preview

__all__ = ["ShopProspects", "by_journal", "by_lists"]


@dataclass(frozen=True)
class ShopProspects:
    """One shop's part of a plan.

    Attributes:
        shop: Which.
        previews: Its units, in the order of their rows.
        units: What its journal knows.
        session: Whether its list could be looked at, in words; empty if nobody looked.
        problem: Why it could not.
    """

    shop: ShopConfig
    previews: list[Preview]
    units: Mapping[str, UnitView] = field(repr=False)
    session: str = ""
    problem: RpaError | None = None


def by_journal(
    project: Project, shops: tuple[str, ...], flow: type[Flow[Any]], batch: Batch[Any], edition: str
) -> list[ShopProspects]:
    """Plan by the journals alone.

    Raises:
        JournalError: A journal cannot be read.
    """
    from rpa.runner.batch import units_of

    found = []
    for name in shops:
        shop = project.shop(name)
        try:
            units: Mapping[str, UnitView] = peek(project.journal(name)).units
        except FileNotFoundError:
            units = {}
        planned = units_of(batch, flow, shop.identity, edition)
        previews = [preview(units.get(one.unit.key), one) for one in planned]
        found.append(ShopProspects(shop, previews, units))
    return found


def by_lists(
    project: Project,
    flow: type[Flow[Any]],
    planned: list[ShopProspects],
    options: SessionOptions,
) -> list[ShopProspects]:
    """Look into the shops for units that are there already; reads only."""
    from rpa.runner.aside import visit_shops

    by_name = {one.shop.name: one for one in planned}

    async def look(visit: Visit) -> list[Preview]:
        return await _look(visit, flow, by_name[visit.shop.name])

    shops = [one.shop for one in planned]
    found = asyncio.run(visit_shops(project, shops, options, look))
    return [_with(one, found[one.shop.name]) for one in planned]


def _with(planned: ShopProspects, found: list[Preview] | RpaError) -> ShopProspects:
    if isinstance(found, RpaError):
        return replace(planned, session=_in_words(found), problem=found)
    return replace(planned, session="open", previews=found)


def _in_words(error: RpaError) -> str:
    from rpa.errors import ConfigError, LoginFailed, ProbeError, ShopLocked, StoreDown, WrongShop

    words = {
        LoginFailed: "logged out",
        ConfigError: "logged out",
        WrongShop: "another shop",
        StoreDown: "no answer",
        ShopLocked: "a run is on",
        ProbeError: "list not whole",
    }
    return next((said for kind, said in words.items() if isinstance(error, kind)), "failed")


async def _look(visit: Visit, flow_type: type[Flow[Any]], planned: ShopProspects) -> list[Preview]:
    """Read the lists of the flow's submits, and find what is there already.

    Raises:
        ProbeError: A list cannot be trusted.
    """
    from rpa.runner.foreign import found_foreign
    from rpa.runner.inspect import Inspector

    flow = flow_type(visit.store)
    submits = [step.submit_of(visit.store) for step in flow.steps if step.action]
    probes = list({probe.name: probe for submit in submits for probe in submit.probes}.values())
    inspector = Inspector(visit.shop, visit.store, time.time)
    await inspector.read(await visit.keeper.live(), probes)
    inspector.require_whole(probes)

    def seen(one: Preview) -> Preview:
        view = planned.units.get(one.planned.unit.key)
        armed = view is not None and any(step.first for step in view.submits.values())
        if one.prospect not in (Prospect.NEW, Prospect.RETRY) or armed:
            return one
        found = found_foreign(flow, inspector, one.planned, planned.units)
        return one if found is None else seen_there(one, tuple(found[1]))

    return [seen(one) for one in planned.previews]
