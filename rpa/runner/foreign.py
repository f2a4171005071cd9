"""Foreign records: the shop shows a unit's exact key, and no attempt of ours explains it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rpa.core.fold import UnitView
from rpa.core.states import Status
from rpa.runner.batch import Planned
from rpa.runner.flow import Flow
from rpa.runner.inspect import Inspector

__all__ = ["found_foreign"]


def found_foreign(
    flow: Flow[Any], inspector: Inspector, planned: Planned, units: Mapping[str, UnitView]
) -> tuple[str, list[str]] | None:
    """Look for a unit in the newest reading of the shop's lists.

    Args:
        flow: The flow, for its store.
        inspector: Holds the readings.
        planned: The unit; nothing of it was ever armed.
        units: What the journal knows: another edition of the same item explains a record.

    Returns:
        The step that would make it and the records that are there; None if there are none.
    """
    for step in flow.steps:
        if not step.carrier:
            continue
        submit = step.submit_of(flow.adapter)
        records = inspector.shown(submit, str(planned.arguments[step.carrier]))
        if records and not inspector.weak(submit) and not _landed_before(planned, units):
            return step.name, records
    return None


def _landed_before(planned: Planned, units: Mapping[str, UnitView]) -> bool:
    return any(
        view.identity == planned.unit.identity and view.status is Status.SUBMITTED
        for view in units.values()
    )
