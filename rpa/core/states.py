"""The tables: everything that may happen to a unit, and nothing else.

Theory of operation. A unit carries one status, in the words people see. Underneath, each submit
step of the unit is a small machine of its own. Both are tables in this file, and the diagram in the
docs is generated from here. What a table cannot know (attempts, several requests, several steps)
is checked in `guard`, which only ever forbids.

A submit is a fact once it lands on the store's server. Our process can die between landing and
writing it down, so the machine separates what we *intend* (``armed``, on disk before the click),
what we *let go* (``released``, on disk before the bytes may leave) and what we *know*
(``landed``, ``refused``). Everything between letting go and knowing is ``unknown``, and only two
things leave ``unknown``: a verdict of the probe, or a person's word. There is no timer: age never
changes a state, which is why no row below mentions time.

The property the whole house stands on can be read off the table: ``released`` is entered only
from ``armed``; ``armed`` is entered only from ``ready``, ``refused`` and ``denied``; and those
three are reached, after a release, only by *proof* (VERDICT_ABSENT, or a REFUSED or REJECTED that
the store declares provably not landed) or by a *person* (CONFIRMED_NOT_LANDED). Tests walk every
path to show it.

The two machines are coupled one way: a submit event may carry a unit event with it (`SUBMIT` values
are pairs). While a unit is submitting or in doubt, only such events and a person move it; a plain
failure cannot. A landing that is not the flow's last step brings the unit back to ``pending``,
because there is more to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from rpa.errors import IllegalTransition

__all__ = [
    "SUBMIT",
    "UNIT",
    "Event",
    "Status",
    "SubmitState",
    "UnitEvent",
    "advance_submit",
    "advance_unit",
]


class Status(StrEnum):
    """What a unit is, in the words people see."""

    PENDING = "pending"
    SELECTED = "selected"
    FILLED = "filled"
    SUBMITTING = "submitting"
    SUBMITTED = "submitted"
    FAILED = "failed"
    UNKNOWN = "unknown"
    DEAD = "dead"
    SKIPPED = "skipped"
    CHANGED = "changed"


class SubmitState(StrEnum):
    """What one submit step is. The last three wait for a person ("held")."""

    READY = "ready"
    ARMED = "armed"
    RELEASED = "released"
    LANDED = "landed"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    DENIED = "denied"
    PARTLY = "partly"
    FOREIGN = "foreign"
    CONTESTED = "contested"


class Event(StrEnum):
    """What a journal record says happened. Past tense, never changed once released."""

    STARTED = "started"
    FINISHED = "finished"
    FAILED = "failed"
    COMPLETED = "completed"
    EXHAUSTED = "exhausted"
    ARMED = "armed"
    NOT_SENT = "not_sent"
    RELEASED = "released"
    ANSWERED = "answered"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    REJECTED = "rejected"
    LOST = "lost"
    AMBIGUOUS = "ambiguous"
    RESTARTED = "restarted"
    FOUND = "found"
    LANDED = "verdict_landed"
    ALTERED = "verdict_altered"
    MULTIPLE = "verdict_multiple"
    PARTLY = "verdict_partly"
    ABSENT = "verdict_absent"
    INCONCLUSIVE = "verdict_inconclusive"
    CONFIRMED_LANDED = "confirmed_landed"
    CONFIRMED_NOT_LANDED = "confirmed_not_landed"
    CHANGED = "changed"
    RESTORED = "restored"
    ADOPTED = "adopted"
    SKIPPED = "skipped"
    REQUEUED = "requeued"


class UnitEvent(StrEnum):
    """What moves a unit's status; a record's event is turned into one of these."""

    BEGAN = "began"
    SELECTED = "selected"
    FILLED = "filled"
    FAILED = "failed"
    DIED = "died"
    ARMED = "armed"
    NOT_LANDED = "not landed"
    REJECTED = "rejected"
    STEP_LANDED = "step landed"
    LANDED = "landed"
    DOUBTED = "doubted"
    HELD = "held"
    COMPLETED = "completed"
    CHANGED = "changed"
    RESTORED = "restored"
    ADOPTED = "adopted"
    SKIPPED = "skipped"
    REQUEUED = "requeued"
    REQUEUED_IN_DOUBT = "requeued in doubt"


_S, _E, _U = SubmitState, Event, UnitEvent

_LANDINGS = (_E.LANDED, _E.ALTERED, _E.MULTIPLE)
_VERDICT_LANDED = {event: (_S.LANDED, _U.LANDED) for event in _LANDINGS}
_BY_A_PERSON = {
    _E.CONFIRMED_LANDED: (_S.LANDED, _U.LANDED),
    _E.CONFIRMED_NOT_LANDED: (_S.DENIED, _U.NOT_LANDED),
}
_IN_DOUBT = {event: (_S.UNKNOWN, _U.DOUBTED) for event in (_E.LOST, _E.AMBIGUOUS, _E.RESTARTED)}

SUBMIT: Final[Mapping[SubmitState, Mapping[Event, tuple[SubmitState, UnitEvent | None]]]] = {
    _S.READY: {
        _E.ARMED: (_S.ARMED, _U.ARMED),
        _E.FOUND: (_S.FOREIGN, _U.HELD),
        **_VERDICT_LANDED,  # it landed late, after an absence we believed
        _E.PARTLY: (_S.PARTLY, _U.HELD),
        _E.INCONCLUSIVE: (_S.UNKNOWN, _U.HELD),  # something like it has turned up since
    },
    _S.ARMED: {
        _E.ARMED: (_S.ARMED, None),  # the next declared request of the same attempt
        _E.NOT_SENT: (_S.READY, _U.NOT_LANDED),
        _E.RELEASED: (_S.RELEASED, None),
        **_IN_DOUBT,
    },
    _S.RELEASED: {
        _E.RELEASED: (_S.RELEASED, None),  # the next declared request of the same attempt
        _E.ANSWERED: (_S.RELEASED, None),
        _E.ACCEPTED: (_S.LANDED, _U.LANDED),
        _E.REFUSED: (_S.REFUSED, _U.NOT_LANDED),
        _E.REJECTED: (_S.REFUSED, _U.REJECTED),
        **_IN_DOUBT,
    },
    _S.UNKNOWN: {
        **_VERDICT_LANDED,
        _E.PARTLY: (_S.PARTLY, _U.HELD),
        _E.ABSENT: (_S.READY, _U.NOT_LANDED),
        _E.INCONCLUSIVE: (_S.UNKNOWN, _U.HELD),
        **_BY_A_PERSON,
    },
    _S.REFUSED: {
        _E.ARMED: (_S.ARMED, _U.ARMED),
        **_VERDICT_LANDED,
        _E.PARTLY: (_S.PARTLY, _U.HELD),
        _E.INCONCLUSIVE: (_S.UNKNOWN, _U.HELD),
    },
    _S.DENIED: {
        _E.ARMED: (_S.ARMED, _U.ARMED),
        **{event: (_S.CONTESTED, _U.HELD) for event in (*_LANDINGS, _E.PARTLY)},
    },
    _S.PARTLY: {
        **_VERDICT_LANDED,
        _E.PARTLY: (_S.PARTLY, _U.HELD),
        _E.ABSENT: (_S.READY, _U.NOT_LANDED),
        _E.INCONCLUSIVE: (_S.PARTLY, _U.HELD),
        **_BY_A_PERSON,
    },
    _S.FOREIGN: _BY_A_PERSON,
    _S.CONTESTED: _BY_A_PERSON,
    _S.LANDED: {},
}
"""Submit step: state, event → next state, and what that does to the unit."""

_P = Status
_PREPARING = {
    _U.BEGAN: _P.PENDING,
    _U.SELECTED: _P.SELECTED,
    _U.FILLED: _P.FILLED,
    _U.FAILED: _P.FAILED,
    _U.DIED: _P.DEAD,
    _U.ARMED: _P.SUBMITTING,
    _U.COMPLETED: _P.SUBMITTED,
    _U.SKIPPED: _P.SKIPPED,
    _U.HELD: _P.UNKNOWN,
    _U.LANDED: _P.SUBMITTED,
    _U.STEP_LANDED: _P.PENDING,
}
_SETTLED = {_U.LANDED: _P.SUBMITTED, _U.STEP_LANDED: _P.PENDING}

UNIT: Final[Mapping[Status, Mapping[UnitEvent, Status]]] = {
    _P.PENDING: _PREPARING,
    _P.SELECTED: _PREPARING,
    _P.FILLED: _PREPARING,
    _P.FAILED: {
        _U.BEGAN: _P.PENDING,
        _U.DIED: _P.DEAD,
        _U.SKIPPED: _P.SKIPPED,
        _U.REQUEUED: _P.PENDING,
        _U.HELD: _P.UNKNOWN,
        **_SETTLED,
    },
    _P.SUBMITTING: {  # no plain failure here: only what the submit itself tells
        _U.NOT_LANDED: _P.FAILED,
        _U.REJECTED: _P.DEAD,
        _U.DOUBTED: _P.UNKNOWN,
        **_SETTLED,
    },
    _P.UNKNOWN: {
        _U.HELD: _P.UNKNOWN,
        _U.NOT_LANDED: _P.FAILED,
        _U.SKIPPED: _P.SKIPPED,
        _U.REQUEUED_IN_DOUBT: _P.UNKNOWN,
        **_SETTLED,
    },
    _P.DEAD: {
        _U.REQUEUED: _P.PENDING,
        _U.SKIPPED: _P.SKIPPED,
        _U.HELD: _P.UNKNOWN,
        _U.LANDED: _P.SUBMITTED,  # a refusal we believed, and the shop shows it all the same
        _U.STEP_LANDED: _P.DEAD,  # the fact is kept, the unit still waits for a person
    },
    _P.SKIPPED: {_U.REQUEUED: _P.PENDING, _U.REQUEUED_IN_DOUBT: _P.UNKNOWN},
    _P.SUBMITTED: {_U.CHANGED: _P.CHANGED},
    _P.CHANGED: {
        _U.CHANGED: _P.CHANGED,
        _U.RESTORED: _P.SUBMITTED,
        _U.ADOPTED: _P.SUBMITTED,
    },
}
"""Unit: status, unit event → next status."""


def advance_submit(state: SubmitState, event: Event) -> tuple[SubmitState, UnitEvent | None]:
    """Say what a submit step becomes, and what that does to its unit.

    Raises:
        IllegalTransition: The table has no such row.
    """
    try:
        return SUBMIT[state][event]
    except KeyError:
        raise IllegalTransition(f"a submit that is {state} cannot have {event}") from None


def advance_unit(status: Status, event: UnitEvent) -> Status:
    """Say what a unit becomes.

    Raises:
        IllegalTransition: The table has no such row.
    """
    try:
        return UNIT[status][event]
    except KeyError:
        raise IllegalTransition(f"a unit that is {status} cannot be {event}") from None
