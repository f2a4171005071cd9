"""Previewing: what a run would do with each unit, without writing or submitting anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from rpa.core.decide import Act, decide
from rpa.core.fold import UnitView
from rpa.core.states import Status
from rpa.runner.batch import Planned

__all__ = ["Preview", "Prospect", "preview", "seen_there"]


class Prospect(StrEnum):
    """What would become of a unit in a run."""

    NEW = "new"
    RETRY = "failed, tried again"
    DOUBT = "in doubt, verified first"
    SUBMITTED = "submitted already"
    CHANGED = "changed since it landed"
    FOREIGN = "in the shop already"
    HELD = "held"
    DEAD = "dead"
    SKIPPED = "skipped"


_BY_ACT: Final = {
    Act.DO: Prospect.RETRY,
    Act.PROBE: Prospect.DOUBT,
    Act.RECORD_RESTART: Prospect.DOUBT,
    Act.RECORD_CHANGE: Prospect.CHANGED,
    Act.RECORD_RESTORED: Prospect.SUBMITTED,
    Act.BURY: Prospect.DEAD,
}
_BY_STATUS: Final = {
    Status.SUBMITTED: Prospect.SUBMITTED,
    Status.SKIPPED: Prospect.SKIPPED,
    Status.CHANGED: Prospect.CHANGED,
    Status.DEAD: Prospect.DEAD,
}
_WITH_REASON: Final = (Prospect.RETRY, Prospect.DOUBT, Prospect.HELD, Prospect.DEAD)


@dataclass(frozen=True)
class Preview:
    """One unit's prospect.

    Attributes:
        planned: The unit.
        prospect: What would become of it.
        why: A held unit's reason, or the last failure.
        changes: For a changed unit, what landed and what the row says now, by field.
        records: For a unit that is there already, the shop's records of it.
    """

    planned: Planned
    prospect: Prospect
    why: str = ""
    changes: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    records: tuple[str, ...] = ()


def preview(view: UnitView | None, planned: Planned) -> Preview:
    """Say what a run would do with a unit, by the journal alone."""
    if view is None:
        return Preview(planned, Prospect.NEW)
    act = decide(view, planned.arguments)
    prospect = _BY_ACT.get(act) or _BY_STATUS.get(view.status, Prospect.HELD)
    if act is Act.DO and view.error is None:
        prospect = Prospect.NEW  # begun, and nothing of it was let go or failed
    why = view.held or (view.error or {}).get("message", "")
    changes = _changes(view, planned) if prospect is Prospect.CHANGED else {}
    return Preview(planned, prospect, why if prospect in _WITH_REASON else "", changes)


def seen_there(previewed: Preview, records: tuple[str, ...]) -> Preview:
    """Take in that the shop shows the unit's key, and no attempt of ours explains it."""
    return replace(previewed, prospect=Prospect.FOREIGN, records=records)


def _changes(view: UnitView, planned: Planned) -> dict[str, tuple[Any, Any]]:
    old, new = view.arguments or {}, planned.arguments
    return {
        name: (old.get(name), new.get(name))
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name)
    }
