"""Attempting one unit until it has landed, is in doubt, or may not be tried again now."""

from __future__ import annotations

from loguru import logger

from rpa.errors import Conflict, LoggedOut, RpaError, StepError, StoreDown
from rpa.gate.session import ShopSession
from rpa.runner.batch import Planned
from rpa.runner.bench import Workbench
from rpa.runner.desk import Desk
from rpa.runner.inspect import Inspector
from rpa.runner.retrying import retrying
from rpa.runner.walk import Walk

__all__ = ["attempt_unit"]


async def attempt_unit(bench: Workbench, inspector: Inspector, planned: Planned) -> None:
    """Attempt a unit; what became of it is in the journal.

    Raises:
        FlowError: The flow is written wrongly; every unit would fail alike.
        WrongShop: The page belongs to another shop.
        JournalError: The journal cannot be written.
    """
    label = planned.unit.label
    try:
        async for attempt in retrying(bench.sleep):
            with attempt, logger.contextualize(unit=label):
                await _once(bench, inspector, planned, attempt.retry_state.attempt_number)
    except (StoreDown, LoggedOut) as error:
        bench.breaker.reason = str(error)  # the next unit would fare no better
    except (StepError, Conflict) as error:
        logger.warning("{}: {}", label, error)
    except RpaError:
        raise
    except Exception as error:  # noqa: BLE001 - a flow's bug fails its unit, not the whole shop
        logger.opt(exception=error).error("{} failed unexpectedly", label)


async def _once(bench: Workbench, inspector: Inspector, planned: Planned, number: int) -> None:
    # A second attempt first makes sure that the session has not ended under the first.
    session = await (bench.keeper.live() if number == 1 else bench.keeper.enter_again())
    view = bench.view(planned.unit.key)
    desk = bench.desk(planned.unit, (view.attempt if view else 0) + 1)
    submits = bench.submits().values()
    if any(inspector.weak(submit) for submit in submits):
        probes = [probe for submit in submits for probe in submit.probes]
        await inspector.read(session, probes)
    await _traced(bench, session, desk, planned, inspector)


async def _traced(
    bench: Workbench, session: ShopSession, desk: Desk, planned: Planned, inspector: Inspector
) -> None:
    walk = Walk(bench.flow, planned.item, desk, session, inspector.baselines)
    if bench.evidence is None:
        await walk.walk()
        return
    name = f"{desk.unit.key[:12]}-{desk.attempt}"
    await bench.evidence.begin(session.context)
    try:
        await walk.walk()
    except Exception:
        await bench.evidence.failed(session.context, name)
        raise
    await bench.evidence.succeeded(session.context, name)
