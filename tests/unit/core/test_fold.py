"""What records add up to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rpa.core.fold import History, StepView, UnitView
from rpa.core.states import Event, Status, SubmitState
from rpa.errors import IllegalTransition
from tests.unit.core.story import IDENTITY, SUBMIT, UNIT, of_submit, record, state_of, told

E, S, P = Event, SubmitState, Status


def unit(history: History) -> UnitView:
    return history.units[UNIT]


def step(history: History) -> StepView:
    return unit(history).submits[SUBMIT]


def refused(history: History, *records: Any, match: str) -> None:
    """Each record raises and changes nothing."""
    before = state_of(history)
    for each in records:
        with pytest.raises(IllegalTransition, match=match):
            history.apply(each)
        assert state_of(history) == before


def test_the_road_of_a_unit() -> None:
    history = History()
    seen = []
    for each in (
        record(E.STARTED, flow="CopyListing/1", run="r1"),
        record(E.STARTED, step="select", step_key="select"),
        record(E.FINISHED, step="select", step_key="select", data={"state": "selected"}),
        record(E.FINISHED, step="fill", step_key="fill", data={"state": "filled", "result": 7}),
        of_submit(E.ARMED, arguments={"title": "红"}),
        of_submit(E.RELEASED),
        of_submit(E.ACCEPTED, result={"record": "77"}),
    ):
        seen.append(history.apply(each).status)
    assert seen == [P.PENDING, P.PENDING, P.SELECTED, P.FILLED, *[P.SUBMITTING] * 2, P.SUBMITTED]
    done = unit(history)
    assert (done.flow, done.run, done.attempt, done.attempts) == ("CopyListing/1", "r1", 1, 1)
    assert (done.results["fill"], done.arguments) == (7, {"title": "红"})
    assert step(history).result == {"record": "77"}
    assert (done.doubtful, done.in_flight, done.held) == (None, None, "")
    assert done.key_of(step(history)) == SUBMIT


def test_the_sequence_is_the_last_one_seen() -> None:
    history = History([record(E.STARTED, seq=4)])
    history.apply(record(E.SKIPPED, seq=7))
    assert history.seq == 7
    assert History(units=dict(history.units), seq=history.seq).units == history.units


def test_a_key_means_one_item() -> None:
    history = told()
    refused(history, record(E.SKIPPED, identity={"sku": "别的"}), match="means")


def test_a_first_event_that_is_illegal_makes_no_unit() -> None:
    history = History()
    for each in (record(E.REQUEUED), of_submit(E.RELEASED), of_submit(E.CONFIRMED_LANDED)):
        with pytest.raises(IllegalTransition):
            history.apply(each)
    assert not history.units


def test_errors_and_evidence_stay_with_the_unit() -> None:
    history = told(
        record(E.FAILED, error={"class": "Timeout", "message": "超时"}, evidence=("a.jpg",)),
        record(E.STARTED, attempt=2, evidence=("b.jpg", "c.jpg")),
    )
    assert unit(history).error == {"class": "Timeout", "message": "超时"}
    assert unit(history).evidence == ("a.jpg", "b.jpg", "c.jpg")


# Failures.


def test_a_failed_step_fails_the_unit_and_a_permanent_one_ends_it() -> None:
    assert unit(told(record(E.FAILED, step="fill", step_key="fill"))).status is P.FAILED
    assert unit(told(record(E.FAILED, data={"permanent": True}))).status is P.DEAD


@pytest.mark.parametrize("events", [(E.ARMED,), (E.ARMED, E.RELEASED), (E.ARMED, E.LOST)])
@pytest.mark.parametrize(
    "more", [{}, {"data": {"permanent": True}}, {"step": "x", "step_key": "x"}]
)
def test_no_plain_failure_settles_a_submit(events: tuple[Event, ...], more: Any) -> None:
    """A failure after arming is for the submit's own records to tell."""
    refused(told(*events), record(E.FAILED, **more), record(E.EXHAUSTED), match="cannot be")


@pytest.mark.parametrize(
    ("events", "status"),
    [
        ((E.ARMED,), P.SUBMITTING),
        ((E.ARMED, E.RELEASED), P.SUBMITTING),
        ((E.ARMED, E.LOST), P.UNKNOWN),
        ((E.ARMED, E.NOT_SENT), P.FAILED),
        ((E.ARMED, E.RELEASED, E.REJECTED), P.DEAD),
        ((E.ARMED, E.RELEASED, E.ACCEPTED), P.SUBMITTED),
    ],
)
def test_a_submits_own_failed_record_moves_nothing(
    events: tuple[Event, ...], status: Status
) -> None:
    history = told(*events)
    history.apply(of_submit(E.FAILED, permanent=True))
    assert unit(history).status is status


def test_a_submit_step_that_fails_before_it_is_armed_again_fails_the_unit() -> None:
    history = told(E.ARMED, E.NOT_SENT, record(E.STARTED, attempt=2))
    history.apply(of_submit(E.FAILED, attempt=2))
    assert unit(history).status is P.FAILED


def test_attempts_are_counted_from_the_last_requeue_and_numbered_for_ever() -> None:
    history = told()
    for attempt in (2, 3):
        history.apply(record(E.FAILED, attempt=attempt - 1))
        history.apply(record(E.STARTED, attempt=attempt))
    history.apply(record(E.FAILED, attempt=3))
    history.apply(record(E.EXHAUSTED))
    assert (unit(history).status, unit(history).attempts) == (P.DEAD, 3)
    history.apply(record(E.REQUEUED))
    assert (unit(history).attempt, unit(history).attempts) == (3, 0)
    refused(history, record(E.STARTED, attempt=1), match="the last one is attempt 3")
    history.apply(record(E.STARTED, attempt=4))
    assert (unit(history).attempt, unit(history).attempts) == (4, 1)


def test_a_requeued_unit_can_be_armed_again() -> None:
    history = told(E.ARMED, E.RELEASED, E.REJECTED, record(E.REQUEUED))
    history.apply(record(E.STARTED, attempt=2))
    history.apply(of_submit(E.ARMED, attempt=2))
    assert unit(history).status is P.SUBMITTING


# Stale writers.


@pytest.mark.parametrize("event", [E.STARTED, E.FINISHED, E.FAILED, E.COMPLETED])
def test_a_stale_writer_moves_no_unit(event: Event) -> None:
    history = told(record(E.FAILED), record(E.STARTED, attempt=2))
    refused(history, record(event, step="fill", step_key="fill"), match="attempt 1; the last one")
    history.apply(record(event, attempt=2, step="fill", step_key="fill"))


def test_one_attempt_begins_once() -> None:
    refused(told(), record(E.STARTED, attempt=1), match="started of the unit speaks of attempt 1")


def test_a_stale_writer_arms_nothing() -> None:
    history = told(record(E.FAILED), record(E.STARTED, attempt=2))
    refused(history, of_submit(E.ARMED, attempt=1), match="attempt 1; the last one is attempt 2")


def test_an_attempt_arms_once() -> None:
    history = told(E.ARMED, E.NOT_SENT, record(E.STARTED, attempt=2))
    refused(history, of_submit(E.ARMED, attempt=1), match="the last one is attempt 2")
    history.apply(of_submit(E.ARMED, attempt=2))
    refused(history, of_submit(E.ARMED, attempt=3, request="image"), match="attempt 3; the last")


@pytest.mark.parametrize(
    "event",
    [E.RELEASED, E.NOT_SENT, E.LOST, E.AMBIGUOUS, E.RESTARTED],
)
@pytest.mark.parametrize("attempt", [1, 3])
def test_a_submits_event_is_of_the_attempt_that_armed_it(event: Event, attempt: int) -> None:
    history = told(E.ARMED, E.NOT_SENT, record(E.STARTED, attempt=2))
    history.apply(of_submit(E.ARMED, attempt=2))
    refused(history, of_submit(event, attempt=attempt), match=f"attempt {attempt}; the last one")


@pytest.mark.parametrize("event", [E.ABSENT, E.CONFIRMED_LANDED, E.CONFIRMED_NOT_LANDED])
def test_a_word_on_an_attempt_that_is_over_is_refused(event: Event) -> None:
    history = told(E.ARMED, E.LOST, E.ABSENT, record(E.STARTED, attempt=2))
    for each in (E.ARMED, E.LOST):
        history.apply(of_submit(each, attempt=2))
    refused(history, of_submit(event, attempt=1), match="the last one is attempt 2")
    history.apply(of_submit(event, attempt=2))


# Requests of one step.


def test_each_declared_request_is_armed_and_released_once() -> None:
    history = told(of_submit(E.ARMED, request="upload"), of_submit(E.ARMED, request="create"))
    refused(history, of_submit(E.ARMED, request="upload"), match="already armed")
    refused(history, of_submit(E.RELEASED, request="delete"), match="may not be released")
    history.apply(of_submit(E.RELEASED, request="upload"))
    refused(history, of_submit(E.RELEASED, request="upload"), match="may not be released")
    refused(history, of_submit(E.NOT_SENT), match="cannot have not_sent")
    history.apply(of_submit(E.ANSWERED, request="upload"))
    history.apply(of_submit(E.RELEASED, request="create"))
    assert step(history).armed == step(history).released == ("upload", "create")


@pytest.mark.parametrize("bad", [{"request": None}, {"request": 3}])
def test_arming_names_the_request(bad: Any) -> None:
    refused(told(), of_submit(E.ARMED, **bad), match="must name the request")
    refused(told(E.ARMED), of_submit(E.RELEASED, **bad), match="may not be released")


def test_a_new_attempt_starts_with_clean_hands() -> None:
    history = told(
        of_submit(E.ARMED, baseline=1),
        E.RELEASED,
        of_submit(E.LOST, since=10.0),
        of_submit(E.INCONCLUSIVE, absent_at=20.0),
        of_submit(E.ABSENT),
        record(E.STARTED, attempt=2),
        of_submit(E.ARMED, attempt=2, baseline=2, arguments={"title": "新"}),
    )
    now = step(history)
    assert (now.armed, now.released, now.since, now.absent_at) == (("create",), (), None, None)
    assert now.first is not None
    assert now.last is not None
    assert (now.first["baseline"], now.last["baseline"]) == (1, 2)


# Two readings that find nothing.


def test_the_first_clean_reading_is_the_one_that_counts() -> None:
    history = told(E.ARMED, of_submit(E.LOST, since=10.0))
    for absent_at in (20.0, 23.0, 26.0):
        history.apply(of_submit(E.INCONCLUSIVE, absent_at=absent_at))
    assert (step(history).since, step(history).absent_at) == (10.0, 20.0)


@pytest.mark.parametrize("between", [E.INCONCLUSIVE, E.PARTLY])
def test_doubt_in_between_begins_the_counting_again(between: Event) -> None:
    history = told(E.ARMED, E.LOST, of_submit(E.INCONCLUSIVE, absent_at=20.0), between)
    assert step(history).absent_at is None
    history.apply(of_submit(E.INCONCLUSIVE, absent_at=30.0))
    assert step(history).absent_at == 30.0


# Several submit steps.


def test_a_landing_before_the_last_step_leaves_more_to_do() -> None:
    history = told(of_submit(E.ARMED, final=False), E.RELEASED, E.ACCEPTED)
    assert (unit(history).status, step(history).state) == (P.PENDING, S.LANDED)
    history.apply(record(E.COMPLETED))
    assert unit(history).status is P.SUBMITTED


def test_a_landed_step_is_never_entered_again() -> None:
    history = told(of_submit(E.ARMED, final=False), E.RELEASED, E.ACCEPTED)
    history.apply(record(E.FAILED))
    history.apply(record(E.STARTED, attempt=2))
    refused(history, of_submit(E.ARMED, attempt=2), match="landed cannot have armed")


@pytest.mark.parametrize("open_", [(E.ARMED,), (E.ARMED, E.RELEASED), (E.ARMED, E.LOST)])
def test_one_step_is_open_at_a_time(open_: tuple[Event, ...]) -> None:
    """Else a landing of one would hide the doubt about the other."""
    history = told(E.ARMED, E.NOT_SENT, record(E.STARTED, attempt=2))
    for event in open_:
        history.apply(of_submit(event, step="ship", attempt=2))
    late = (of_submit(E.LANDED), of_submit(E.PARTLY), of_submit(E.FOUND))
    refused(history, *late, match="settle it before copy")


def test_a_landing_settles_the_steps_before_it() -> None:
    history = told(record(E.FINISHED, step="fill", step_key="fill"))
    for each in (of_submit(E.ARMED, final=False), *map(of_submit, (E.RELEASED, E.ACCEPTED))):
        history.apply(each)
    history.apply(of_submit(E.FINISHED))
    history.apply(record(E.FINISHED, step="look", step_key="look"))
    assert (unit(history).settled, unit(history).finished) == (("fill",), ("look",))
    assert set(unit(history).results) == {"fill", "look"}


@pytest.mark.parametrize("event", [E.LANDED, E.ALTERED, E.MULTIPLE, E.PARTLY])
def test_nothing_is_judged_that_was_never_armed(event: Event) -> None:
    refused(told(), of_submit(event), match="never armed")
    foreign = told(E.FOUND, E.CONFIRMED_NOT_LANDED)
    refused(foreign, of_submit(event), match="never armed")


# Held.


@pytest.mark.parametrize(
    ("events", "state", "why"),
    [
        ((E.ARMED, E.LOST, E.INCONCLUSIVE), S.UNKNOWN, "the probe could not decide"),
        ((E.ARMED, E.LOST, E.PARTLY), S.PARTLY, "landed partly"),
        ((E.FOUND,), S.FOREIGN, "no attempt of ours explains it"),
        (
            (E.ARMED, E.LOST, E.CONFIRMED_NOT_LANDED, E.LANDED),
            S.CONTESTED,
            "confirmed as not landed",
        ),
    ],
)
def test_held_units_say_why(events: tuple[Event, ...], state: SubmitState, why: str) -> None:
    history = told(*events)
    doubtful = unit(history).doubtful
    assert doubtful is not None
    assert (unit(history).status, doubtful.state) == (P.UNKNOWN, state)
    assert why in unit(history).held
    given = told(*events[:-1], of_submit(events[-1], why="验证码"))
    assert unit(given).held == "验证码"


def test_what_settles_a_unit_takes_it_off_the_list() -> None:
    history = told(E.ARMED, E.LOST, E.INCONCLUSIVE, E.CONFIRMED_LANDED)
    assert (unit(history).status, unit(history).held) == (P.SUBMITTED, "")


def test_skipping_sets_the_status_and_keeps_the_doubt() -> None:
    history = told(E.ARMED, E.LOST, E.INCONCLUSIVE, record(E.SKIPPED))
    assert (unit(history).status, unit(history).held) == (P.SKIPPED, "")
    assert step(history).state is S.UNKNOWN
    refused(history, of_submit(E.ARMED, attempt=2), match="unknown cannot have armed")
    history.apply(record(E.REQUEUED))
    assert unit(history).status is P.UNKNOWN  # to be verified, not to be done again


def test_a_requeued_unknown_goes_to_verify() -> None:
    history = told(E.ARMED, E.LOST, E.INCONCLUSIVE, record(E.REQUEUED))
    assert (unit(history).status, unit(history).held) == (P.UNKNOWN, "")
    refused(history, record(E.STARTED, attempt=2), match="cannot be began")


@pytest.mark.parametrize(
    "events",
    [(E.FOUND,), (E.ARMED, E.LOST, E.PARTLY), (E.ARMED, E.LOST, E.CONFIRMED_NOT_LANDED, E.LANDED)],
)
def test_requeueing_what_a_person_must_settle_leaves_it_held(events: tuple[Event, ...]) -> None:
    history = told(*events, record(E.REQUEUED))
    assert unit(history).status is P.UNKNOWN
    assert unit(history).held


# A person's word, and evidence against it.


@pytest.mark.parametrize("sighting", [E.LANDED, E.ALTERED, E.MULTIPLE, E.PARTLY])
@pytest.mark.parametrize(
    "since",
    [
        (),
        (E.ARMED, E.NOT_SENT),  # another attempt began, and nothing left
        (E.ARMED, E.RESTARTED),
    ],
)
def test_a_landing_after_a_denial_is_contested(sighting: Event, since: tuple[Event, ...]) -> None:
    history = told(E.ARMED, E.LOST, E.CONFIRMED_NOT_LANDED)
    if since:
        history.apply(record(E.STARTED, attempt=2))
    for event in since:
        history.apply(of_submit(event, attempt=2))
    history.apply(of_submit(sighting, attempt=2 if since else 1))
    assert (unit(history).status, step(history).state) == (P.UNKNOWN, S.CONTESTED)


def test_a_landing_after_a_newer_release_is_that_ones() -> None:
    history = told(E.ARMED, E.LOST, E.CONFIRMED_NOT_LANDED, record(E.STARTED, attempt=2))
    for event in (E.ARMED, E.RELEASED, E.LOST, E.LANDED):
        history.apply(of_submit(event, attempt=2))
    assert unit(history).status is P.SUBMITTED


@pytest.mark.parametrize(
    ("word", "status"), [(E.CONFIRMED_LANDED, P.SUBMITTED), (E.CONFIRMED_NOT_LANDED, P.FAILED)]
)
@pytest.mark.parametrize("events", [(E.FOUND,), (E.ARMED, E.LOST), (E.ARMED, E.LOST, E.PARTLY)])
def test_a_person_may_settle_any_doubt(
    events: tuple[Event, ...], word: Event, status: Status
) -> None:
    assert unit(told(*events, word)).status is status


@pytest.mark.parametrize("events", [(), (E.ARMED,), (E.ARMED, E.RELEASED), (E.ARMED, E.NOT_SENT)])
def test_a_person_may_not_settle_what_is_not_in_doubt(events: tuple[Event, ...]) -> None:
    words = (of_submit(E.CONFIRMED_LANDED), of_submit(E.CONFIRMED_NOT_LANDED))
    refused(told(*events), *words, match="cannot have")


# Late evidence.


def test_what_lands_late_is_believed() -> None:
    absent = told(E.ARMED, E.RELEASED, E.LOST, E.ABSENT, E.LANDED)
    refused_ = told(E.ARMED, E.RELEASED, E.REFUSED, E.ALTERED)
    dead = told(E.ARMED, E.RELEASED, E.REJECTED, E.MULTIPLE)
    assert {unit(history).status for history in (absent, refused_, dead)} == {P.SUBMITTED}


def test_a_dead_unit_whose_first_step_landed_late_stays_dead() -> None:
    history = told(of_submit(E.ARMED, final=False), E.RELEASED, E.REJECTED, E.LANDED)
    assert (unit(history).status, step(history).state) == (P.DEAD, S.LANDED)


@pytest.mark.parametrize("events", [(E.ARMED, E.LOST, E.ABSENT), (E.ARMED, E.RELEASED, E.REFUSED)])
def test_a_record_that_is_only_like_it_brings_the_doubt_back(events: tuple[Event, ...]) -> None:
    """A copy still processing, found just before the unit is done again."""
    history = told(*events)
    empties: list[dict[str, Any]] = [{}, {"records": []}, {"absent_at": 5.0}]
    for empty in empties:
        refused(history, of_submit(E.INCONCLUSIVE, **empty), match="only a record")
    history.apply(of_submit(E.INCONCLUSIVE, records=["77"], why="处理中"))
    assert (unit(history).status, unit(history).held) == (P.UNKNOWN, "处理中")
    history.apply(of_submit(E.LANDED))
    assert unit(history).status is P.SUBMITTED


def test_late_doubt_about_a_dead_unit_holds_it() -> None:
    assert unit(told(E.ARMED, E.RELEASED, E.REJECTED, E.PARTLY)).status is P.UNKNOWN


# Changed.

OLD, NEW = {"title": "红"}, {"title": "蓝"}
LANDED = (of_submit(E.ARMED, arguments=OLD), of_submit(E.RELEASED), of_submit(E.ACCEPTED))


def test_a_changed_unit_is_held_with_old_and_new() -> None:
    history = told(*LANDED, record(E.CHANGED, data={"arguments": NEW}))
    changed = unit(history)
    assert (changed.status, changed.arguments, changed.proposed) == (P.CHANGED, OLD, NEW)
    assert changed.held
    refused(history, of_submit(E.CONFIRMED_LANDED), record(E.SKIPPED), match="cannot")


@pytest.mark.parametrize(("event", "arguments"), [(E.ADOPTED, NEW), (E.RESTORED, OLD)])
def test_a_changed_unit_has_two_ways_back(event: Event, arguments: dict[str, str]) -> None:
    history = told(*LANDED, record(E.CHANGED, data={"arguments": NEW}), record(event))
    settled = unit(history)
    assert (settled.status, settled.arguments) == (P.SUBMITTED, arguments)
    assert (settled.proposed, settled.held) == (None, "")


@pytest.mark.parametrize("data", [{}, {"arguments": None}, {"arguments": "红"}])
def test_a_change_carries_the_rows_arguments(data: dict[str, Any]) -> None:
    refused(told(*LANDED), record(E.CHANGED, data=data), match="must carry the row's arguments")


# The shape of it.


def test_a_record_can_be_told_again_with_another_number() -> None:
    """Order is file order: neither sequence nor time decides anything."""
    events = [
        record(E.STARTED, time="2026-11-30T10:10:00Z", seq=1),
        replace(of_submit(E.ARMED), time="2026-11-30T10:00:00Z", seq=2),
        replace(of_submit(E.RELEASED), time="1970-01-01T00:00:00Z", seq=3),
    ]
    timeless = [replace(each, time="", seq=0) for each in events]
    assert state_of(History(events))["units"] == state_of(History(timeless))["units"]


def test_identity_is_kept_beside_the_key() -> None:
    assert unit(told()).identity == IDENTITY
