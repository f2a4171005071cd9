"""Write docs/states.md from the tables in `rpa.core.states`; with --check, only compare.

Run as ``python docs/make_states.py [--check]``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from rpa.core.states import SUBMIT, UNIT, Event, Status, SubmitState, UnitEvent
from rpa.core.view import HELD

PAGE: Final = Path(__file__).with_name("states.md")

_HEAD: Final = """\
# States

Made from the tables in `rpa/core/states.py` by `python docs/make_states.py`; do not edit by hand.

A unit carries one status, in the words people see. Underneath, each of its submit steps is a small
machine of its own. An event that no row names raises and changes nothing. No row mentions time:
age never changes a state.

`released` is entered only from `armed`, and between two entries there is always a proof
(`verdict_absent`, `refused`, `rejected`) or a person's word (`confirmed_not_landed`).
"""

_NOTES: Final = """\
What the tables do not say (`rpa/core/guard.py`):

- A record speaks of the attempt it belongs to; one of an attempt that is over is refused.
- Each declared request of a step is armed once and released once in an attempt.
- One submit step of a unit is open (armed, released or in doubt) at a time.
- Nothing is judged that was never armed.
- After a person's "not landed", and until something is released again, evidence of landing makes
  the step `contested`, whatever state it is in.
"""

_COUPLING: Final = """\
`armed`, `doubted`, `held`, `not landed`, `rejected` and `landed` come from a submit step (the last
column above); `step landed` is a landing after which the flow has more to do.
"""

Edge = tuple[str, str, str]


def main() -> str | None:
    """Write or check the page; returns what is wrong with it."""
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
        return None
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return None
    return f"{PAGE} is not what the tables say; run python docs/make_states.py"


def page() -> str:
    """The whole page."""
    submit = [(a.value, e.value, b.value) for a, row in SUBMIT.items() for e, (b, _) in row.items()]
    unit = [(a.value, e.value, b.value) for a, row in UNIT.items() for e, b in row.items()]
    held = ", ".join(f"`{state}`" for state in HELD)
    return "\n".join(
        (
            _HEAD,
            "## A submit step\n",
            f"`unknown` waits for a verdict or a person; {held} wait for a person.\n",
            _diagram(SubmitState.READY, submit),
            _submit_table(SUBMIT),
            _NOTES,
            "## A unit\n",
            _COUPLING,
            _diagram(Status.PENDING, unit),
            _unit_table(UNIT),
        )
    )


def _diagram(start: str, edges: Iterable[Edge]) -> str:
    grouped: dict[tuple[str, str], list[str]] = {}
    for before, event, after in edges:
        grouped.setdefault((before, after), []).append(event)
    arrows = (f"    {a} --> {b}: {'<br>'.join(events)}" for (a, b), events in grouped.items())
    return "\n".join(("```mermaid", "stateDiagram-v2", f"    [*] --> {start}", *arrows, "```\n"))


def _submit_table(
    table: Mapping[SubmitState, Mapping[Event, tuple[SubmitState, UnitEvent | None]]],
) -> str:
    rows = [
        (state, event, after, moved or "")
        for state, row in table.items()
        for event, (after, moved) in row.items()
    ]
    return _table(("step is", "event", "becomes", "the unit is told"), rows)


def _unit_table(table: Mapping[Status, Mapping[UnitEvent, Status]]) -> str:
    rows = [(status, event, after) for status, row in table.items() for event, after in row.items()]
    return _table(("unit is", "event", "becomes"), rows)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
