"""What no sequence of events can do, and what no honest reading can say.

The promises of the core are stated here once, as code, and held against everything: every path
through the tables, any events in any order, any world a probe may read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from rpa.core.decide import Act, decide
from rpa.core.fold import History
from rpa.core.record import Record
from rpa.core.snapshot import unit_from_json, unit_to_json
from rpa.core.states import SUBMIT, Event, Status, SubmitState, UnitEvent
from rpa.errors import IllegalTransition
from tests.unit.core.story import state_of

Table = Mapping[SubmitState, Mapping[Event, tuple[SubmitState, UnitEvent | None]]]

PROOFS = {Event.ABSENT, Event.REFUSED, Event.REJECTED}
WORDS = {Event.CONFIRMED_NOT_LANDED}
LANDINGS = {
    *(Event.ACCEPTED, Event.LANDED, Event.ALTERED, Event.MULTIPLE, Event.CONFIRMED_LANDED),
}
DOUBTFUL = {SubmitState.UNKNOWN, SubmitState.PARTLY, SubmitState.FOREIGN, SubmitState.CONTESTED}
IN_HAND = {SubmitState.ARMED, SubmitState.RELEASED}


# Every path through the table.


def second_release(table: Table) -> list[Event] | None:
    """Find a path that leaves and enters ``released`` twice without proof or word in between.

    A state is where the step is, and whether something was released that nothing has disproved.
    """
    start = (SubmitState.READY, False)
    todo: list[tuple[tuple[SubmitState, bool], list[Event]]] = [(start, [])]
    seen = {start}
    while todo:
        (state, owed), path = todo.pop(0)
        for event, (became, _) in table[state].items():
            enters = event is Event.RELEASED and state is not SubmitState.RELEASED
            if enters and owed:
                return [*path, event]
            after = (became, (owed or enters) and event not in PROOFS | WORDS)
            if after not in seen:
                seen.add(after)
                todo.append((after, [*path, event]))
    return None


def test_no_path_releases_twice_without_proof_or_word() -> None:
    assert second_release(SUBMIT) is None


@pytest.mark.parametrize(
    ("state", "event", "became"),
    [
        (SubmitState.RELEASED, Event.LOST, SubmitState.READY),  # a timeout taken for a failure
        (SubmitState.RELEASED, Event.RESTARTED, SubmitState.READY),  # a restart rolled back
        (SubmitState.UNKNOWN, Event.INCONCLUSIVE, SubmitState.READY),  # doubt taken for absence
        (SubmitState.RELEASED, Event.NOT_SENT, SubmitState.READY),  # what left, unsaid
    ],
)
def test_the_usual_mistakes_are_found(
    state: SubmitState, event: Event, became: SubmitState
) -> None:
    """A test of the test: each of these tables has killed somebody's shop."""
    wrong = {**SUBMIT, state: {**SUBMIT[state], event: (became, UnitEvent.FAILED)}}
    path = second_release(wrong)
    assert path is not None
    assert path.count(Event.RELEASED) == 2
    assert event in path


def test_what_left_is_known_to_have_left() -> None:
    """Out of ``released`` there is only: landed, refused, or doubt."""
    after = {became for became, _ in SUBMIT[SubmitState.RELEASED].values()}
    kept = {SubmitState.RELEASED, SubmitState.LANDED, SubmitState.REFUSED, SubmitState.UNKNOWN}
    assert after == kept


def test_doubt_ends_by_verdict_or_word_only() -> None:
    verdicts = {e for e in Event if e.value.startswith("verdict_")}
    words = {e for e in Event if e.value.startswith("confirmed_")}
    for state in DOUBTFUL:
        assert set(SUBMIT[state]) <= verdicts | words, state


# Any events in any order.

UNITS = [f"{name}{'0' * 31}" for name in "ab"]
STEPS = ["copy", "ship"]
REQUESTS = ["upload", "create"]
IDENTITIES = {unit: {"sku": f"红色T恤-{unit[0]}"} for unit in UNITS}
SUBMIT_EVENTS = sorted({event for row in SUBMIT.values() for event in row})
UNIT_EVENTS = sorted(set(Event) - set(SUBMIT_EVENTS))

payloads = st.fixed_dictionaries(
    {"request": st.sampled_from([*REQUESTS, None])},
    optional={
        "final": st.booleans(),
        "arguments": st.sampled_from([{"title": "红"}, {"title": "蓝"}]),
        "state": st.sampled_from(["selected", "filled", "andere"]),
        "permanent": st.booleans(),
        "absent_at": st.floats(0, 9),
        "since": st.floats(0, 9),
        "result": st.just({"record": "77"}),
        "why": st.just("验证码"),
        "records": st.sampled_from([[], ["77"]]),
    },
)


class AnyEvents(RuleBasedStateMachine):
    """Whatever is written to a journal, in whatever order, by whatever writer."""

    def __init__(self) -> None:
        super().__init__()
        self.history = History()
        self.seen: set[str] = set()
        self.owed: set[tuple[str, str, str]] = set()  # released, and nothing has disproved it
        self.landed: set[tuple[str, str]] = set()
        self.seq = 0

    @rule(
        unit=st.sampled_from(UNITS),
        event=st.sampled_from(SUBMIT_EVENTS),
        step=st.sampled_from(STEPS),
        late=st.sampled_from([0, 0, 0, 0, -1, 1]),
        data=payloads,
    )
    def submit(self, unit: str, event: Event, step: str, late: int, data: dict[str, Any]) -> None:
        """An event of a submit step, mostly of the attempt it belongs to."""
        view = self.history.units.get(unit)
        known = view.submits.get(step) if view else None
        attempt = view.attempt if view else 1
        if known is not None and event is not Event.ARMED:
            attempt = known.attempt
        self.tell(Record(unit, IDENTITIES[unit], event, step=step, step_key=step,
                         attempt=attempt + late, data=data))  # fmt: skip

    @rule(
        unit=st.sampled_from(UNITS),
        event=st.sampled_from(UNIT_EVENTS),
        step=st.sampled_from(["", "", "fill", *STEPS]),
        late=st.sampled_from([0, 0, 0, -1]),
        data=payloads,
    )
    def plain(self, unit: str, event: Event, step: str, late: int, data: dict[str, Any]) -> None:
        """An event of the unit or of a step that submits nothing."""
        view = self.history.units.get(unit)
        begins = event is Event.STARTED and not step
        attempt = (view.attempt if view else 0) + begins
        self.tell(Record(unit, IDENTITIES[unit], event, step=step, step_key=step,
                         attempt=attempt + late, data=data))  # fmt: skip

    @rule(unit=st.sampled_from(UNITS), request=st.sampled_from(REQUESTS), by=st.sampled_from(
        [Event.LOST, Event.RESTARTED, Event.REFUSED, Event.ACCEPTED, Event.AMBIGUOUS]
    ))  # fmt: skip
    def attempt(self, unit: str, request: str, by: Event) -> None:
        """An attempt as a runner makes it, so that deep states are reached often."""
        view = self.history.units.get(unit)
        attempt = (view.attempt if view else 0) + 1
        for event in (Event.STARTED, Event.ARMED, Event.RELEASED, by):
            step = "" if event is Event.STARTED else "copy"
            self.tell(Record(unit, IDENTITIES[unit], event, step=step, step_key=step,
                             attempt=attempt, data={"request": request}))  # fmt: skip

    @rule()
    def restart(self) -> None:
        """Another process folds what was kept of the units, and goes on."""
        units = {key: unit_from_json(unit_to_json(v)) for key, v in self.history.units.items()}
        self.history = History(units=units, seq=self.history.seq)

    def tell(self, record: Record) -> None:
        """Apply a record; what is refused must have changed nothing."""
        self.seq += 1
        before = state_of(self.history)
        try:
            unit = self.history.apply(record)
        except IllegalTransition:
            assert state_of(self.history) == before
            return
        self.seen.add(record.unit)
        place = (record.unit, record.step_key)
        if record.event is Event.RELEASED:
            request = (*place, record.data["request"])
            assert request not in self.owed, "a second release without proof or word"
            assert place not in self.landed, "a release of what has landed"
            self.owed.add(request)
        elif record.event in PROOFS | WORDS:
            self.owed = {request for request in self.owed if request[:2] != place}
        elif record.event in LANDINGS:
            step = unit.submits[record.step_key]
            assert (step.state is SubmitState.LANDED) or step.denied
            if step.state is SubmitState.LANDED:
                self.landed.add(place)

    @invariant()
    def nothing_is_lost(self) -> None:
        """Every unit ever seen is there, in one status."""
        assert set(self.history.units) == self.seen
        assert all(isinstance(unit.status, Status) for unit in self.history.units.values())

    @invariant()
    def no_failure_is_read_as_done(self) -> None:
        """A unit counts as submitted only where its submits landed, or where it made none."""
        for unit in self.history.units.values():
            if unit.status in (Status.SUBMITTED, Status.CHANGED):
                states = {step.state for step in unit.submits.values()}
                assert not states & (DOUBTFUL | IN_HAND)
            for key, step in unit.submits.items():
                assert (step.state is SubmitState.LANDED) == ((unit.key, key) in self.landed)

    @invariant()
    def status_and_steps_agree(self) -> None:
        """What people see is what the steps are."""
        for unit in self.history.units.values():
            states = [step.state for step in unit.submits.values()]
            flying = sum(state in IN_HAND for state in states)
            doubtful = sum(state in DOUBTFUL for state in states)
            assert flying + doubtful <= 1
            assert flying == (unit.status is Status.SUBMITTING)
            assert (unit.status is Status.UNKNOWN) <= (doubtful == 1)
            assert doubtful <= (unit.status in (Status.UNKNOWN, Status.SKIPPED))

    @invariant()
    def what_was_released_is_never_done_again_unasked(self) -> None:
        """Where a release is owed an explanation, nobody is told to do the unit."""
        for key, step, _ in self.owed:
            unit = self.history.units[key]
            if unit.submits[step].state is not SubmitState.LANDED:
                assert decide(unit) in (Act.RECORD_RESTART, Act.PROBE, Act.HOLD, Act.SKIP)

    @invariant()
    def who_waits_for_a_person_is_told_why(self) -> None:
        """A held unit has a reason, and only a held unit has one."""
        for unit in self.history.units.values():
            if unit.held:
                assert unit.status in (Status.UNKNOWN, Status.CHANGED)
            if unit.status in (Status.UNKNOWN, Status.CHANGED) and decide(unit) is Act.HOLD:
                assert unit.held

    @invariant()
    def age_changes_nothing(self) -> None:
        """The same view leads to the same act, whenever it is looked at and whatever it dates."""
        for unit in self.history.units.values():
            twin = unit_from_json(unit_to_json(unit))
            for step in twin.submits.values():
                step.since = step.absent_at = None
            assert decide(twin) is decide(unit)


TestAnyEvents = AnyEvents.TestCase
TestAnyEvents.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
