"""Details: everything that is known of one unit, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rpa.cli.choices import choices
from rpa.cli.find import Found
from rpa.cli.masking import masked, masker_of
from rpa.cli.story import differences, story_row, traces_of
from rpa.cli.unit_row import unit_row
from rpa.cli.words import next_in_words
from rpa.config import Project
from rpa.core.record import Record

__all__ = ["details"]


def details(project: Project, found: Found, records: Sequence[Record]) -> dict[str, Any]:
    """Say everything about a unit, with the shop's secrets masked.

    Args:
        project: The project.
        found: The unit.
        records: Its records, oldest first.
    """
    view, shop = found.view, found.journal.shop
    steps = list(view.submits.values())
    sent = next((step.last["arguments"] for step in steps if step.last is not None), None)
    evidence = project.evidence(shop)
    document = {
        **unit_row(shop, view),
        "identity": dict(view.identity),
        "edition": view.edition,
        "flow": view.flow,
        "arguments": view.arguments or sent,
        "differences": differences(view.arguments, view.proposed),
        "submits": [{"step": s.name, "state": s.state.value, "result": s.result} for s in steps],
        "story": [story_row(record, evidence) for record in records],
        "traces": traces_of(records, evidence),
        "next": next_in_words(view),
        "choices": [asdict(choice) for choice in choices(found)],
    }
    told: dict[str, Any] = masked(document, masker_of(project, shop))
    return told
