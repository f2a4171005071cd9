"""A person's word about a unit: into the journal, whoever else is writing there."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from rpa.cli.choices import refusal
from rpa.cli.find import Found, find_unit
from rpa.cli.masking import masked, masker_of
from rpa.cli.output import emit
from rpa.cli.unit_row import unit_row
from rpa.cli.words import event_in_words
from rpa.config import load_project
from rpa.core.record import Record
from rpa.core.states import Event
from rpa.core.view import UnitView
from rpa.errors import Conflict, UsageError
from rpa.journal import JsonlJournal

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["decide", "write_word"]

_ABOUT_A_STEP: Final = (Event.CONFIRMED_LANDED, Event.CONFIRMED_NOT_LANDED)


def decide(
    text: str,
    shops: Sequence[str] | None,
    event: Event,
    *,
    by: str,
    note: str | None,
    data: Mapping[str, Any] | None = None,
    as_json: bool = False,
) -> None:
    """Write a person's word about a unit, and say what it has become.

    Args:
        text: The unit, as the person named it.
        shops: Look only in these shops.
        event: What the person decided.
        by: Who decided.
        note: Why; None where nobody asks for a reason.
        data: More to keep with it.
        as_json: Give the result as one JSON document.

    Raises:
        UsageError: There is no such unit, it may not be decided so, or nobody signs for it.
        Conflict: The unit was moved by somebody else in this moment; nothing was written.
        JournalError: The journal cannot be read or written.
    """
    project = load_project()
    signed = {"by": _said(by, "--by", "who decides")}
    if note is not None:
        signed["note"] = _said(note, "--note", "why")
    found = find_unit(project, text, shops)
    refused = refusal(found, event)
    if refused:
        raise UsageError(refused)
    masker = masker_of(project, found.journal.shop)
    signed = masked(signed, masker)
    record, view = write_word(found, event, {**signed, **(data or {})})
    document = {**unit_row(found.journal.shop, view), **signed, "event": event.value}

    def people(console: Console) -> None:
        said = f"{found.name} is {view.status} now: {event_in_words(record)}"
        console.print(said, markup=False, soft_wrap=True)

    emit(masked(document, masker), as_json, people)


def _said(text: str, option: str, what: str) -> str:
    words = text.strip()
    if not words:
        raise UsageError(f"{option} is empty: say {what}; the journal keeps it")
    return words


def write_word(found: Found, event: Event, data: Mapping[str, Any]) -> tuple[Record, UnitView]:
    """Append a person's word to what the journal says by then.

    Args:
        found: The unit, as the person saw it.
        event: What the person decided.
        data: What to keep with it.

    Returns:
        The record, and what the unit has become.

    Raises:
        Conflict: The unit is not what the person saw any more; nothing was written.
        JournalError: The journal cannot be read or written.
    """
    view, path = found.view, found.journal.path
    step = view.doubtful if event in _ABOUT_A_STEP else None
    word = Record(
        unit=view.key,
        identity=view.identity,
        edition=view.edition,
        event=event,
        step=step.name if step else "",
        step_key=view.key_of(step) if step else "",
        attempt=step.attempt if step else view.attempt,
        data=data,
    )
    with closing(JsonlJournal.open(path, clock=time.time, create=False)) as journal:
        try:
            return journal.append(word), journal.history.units[view.key]
        except Conflict:
            now = journal.history.units[view.key].status
            raise Conflict(
                f"{found.name} was moved by somebody else and is {now} now; nothing was written; "
                f"look again with `rpa show`"
            ) from None
