"""What the journal says, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from rpa.core.decide import Act, decide
from rpa.core.fold import UnitView
from rpa.core.record import Record
from rpa.core.retry import MAX_ATTEMPTS
from rpa.core.states import Event, Status

__all__ = ["event_in_words", "local_time", "next_in_words", "waits_for", "why"]

_E = Event
_OF_A_STEP: Final[Mapping[Event, str]] = {
    _E.STARTED: "step {step} began",
    _E.FINISHED: "step {step} ended{state}{outcome}",
    _E.FAILED: "step {step} failed",
}
_WORDS: Final[Mapping[Event, str]] = {
    _E.STARTED: "attempt {attempt} began",
    _E.FINISHED: "done",
    _E.FAILED: "it failed",
    _E.COMPLETED: "every step is done",
    _E.EXHAUSTED: "given up: its attempts are used up",
    _E.ARMED: "about to click {step}: request {request} may leave once",
    _E.NOT_SENT: "proven not sent: the request never left",
    _E.RELEASED: "request {request} was let go: {method} {url}",
    _E.ANSWERED: "the shop answered {answer} to request {request}",
    _E.ACCEPTED: "landed: the shop's answer {answer} shows it{records}",
    _E.REFUSED: "refused: by its answer {answer} the shop did not take it",
    _E.REJECTED: "refused for good: by its answer {answer} the shop will not take it",
    _E.LOST: "in doubt: what became of the request was not seen",
    _E.AMBIGUOUS: "in doubt: the answer {answer} proves nothing",
    _E.RESTARTED: "in doubt: its run is gone",
    _E.FOUND: "the shop shows this key already{records}, and no attempt of ours explains it",
    _E.LANDED: "verdict: landed{records}",
    _E.ALTERED: "verdict: landed, but the shop shows it altered{records}",
    _E.MULTIPLE: "verdict: landed more than once{records}",
    _E.PARTLY: "verdict: landed partly{records}",
    _E.ABSENT: "verdict: absent; it did not land",
    _E.INCONCLUSIVE: "verdict: inconclusive",
    _E.CONFIRMED_LANDED: "{by} confirmed: it landed{records}",
    _E.CONFIRMED_NOT_LANDED: "{by} confirmed: it did not land",
    _E.CHANGED: "its row is not what landed any more",
    _E.RESTORED: "its row is again what landed",
    _E.ADOPTED: "{by} accepted the changed row as it is; nothing is submitted for it",
    _E.SKIPPED: "{by} skipped it",
    _E.REQUEUED: "{by} put it back to be done",
}
_DOUBT: Final = "the run ended or lost sight of it; the next run or `rpa verify` looks at the shop"


def event_in_words(record: Record) -> str:
    """Say what happened, in one line."""
    data = record.data
    words = _OF_A_STEP if record.step and record.event in _OF_A_STEP else _WORDS
    return words[record.event].format(
        step=record.step,
        attempt=record.attempt,
        request=data.get("request", "?"),
        method=data.get("method", ""),
        url=data.get("url", ""),
        by=data.get("by", "somebody"),
        answer=_answer(data),
        records=_records(data),
        state=f": the unit is {data['state']}" if data.get("state") else "",
        outcome=f": {_outcome(data['outcome'])}" if data.get("outcome") else "",
    )


def why(record: Record) -> str:
    """Say why it happened, as far as the record knows: an error, a verdict's reason, a note."""
    error, data = record.error or {}, record.data
    kind, message = error.get("class", ""), error.get("message", "")
    said = f"{kind}: {message}" if kind and message else f"{kind}{message}"
    reasons = [said, str(data.get("why") or ""), str(data.get("note") or "")]
    return "; ".join(reason for reason in reasons if reason)


def waits_for(view: UnitView) -> str:
    """Say why a unit is held; empty if it is not."""
    return view.held or (_DOUBT if view.status is Status.UNKNOWN else "")


def next_in_words(view: UnitView) -> str:
    """Say what the next run will do with a unit, if its row is still what it was."""
    return _NEXT[decide(view)](view)


def local_time(text: str, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """A record's time on this computer's clock; the text itself if it is none."""
    try:
        return datetime.fromisoformat(text).astimezone().strftime(form)
    except ValueError:
        return text


def _to_do(view: UnitView) -> str:
    if view.status is Status.FAILED:
        return f"it is tried again: attempt {view.attempts + 1} of {MAX_ATTEMPTS}"
    return "it is begun anew; nothing of it was let go" if view.attempts else "it is begun"


def _nothing(view: UnitView) -> str:
    return "nothing: it was skipped" if view.status is Status.SKIPPED else "nothing: it has landed"


_NEXT: Final[Mapping[Act, Callable[[UnitView], str]]] = {
    Act.DO: _to_do,
    Act.SKIP: _nothing,
    Act.HOLD: lambda view: "nothing, until a person decides",
    Act.PROBE: lambda view: "the shop's own list is read, to see whether it landed",
    Act.RECORD_RESTART: lambda view: (
        "if no run is at it any more, it is in doubt: the shop's own list is read"
    ),
    Act.BURY: lambda view: f"given up: {view.attempts} attempts failed",
}


def _answer(data: Mapping[str, Any]) -> str:
    answer = data.get("answer") or {}
    status = answer.get("status", data.get("status", ""))
    location = f" → {answer['location']}" if answer.get("location") else ""
    return f"{status}{location}" if status else "(none)"


def _records(data: Mapping[str, Any]) -> str:
    record = (data.get("result") or {}).get("record")
    records = data.get("records") or ([record] if record else [])
    return f" (record {', '.join(map(str, records))})" if records else ""


def _outcome(event: str) -> str:
    return event.replace("_", " ")
