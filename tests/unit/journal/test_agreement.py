"""Memory and disk agree, whatever happens to them in whatever order."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from rpa.core.record import Record
from rpa.core.states import Event
from rpa.errors import Conflict
from rpa.journal import MemoryJournal, check, compact, export, peek
from tests.support.journals import at_noon, landing, opened, record, state_of, submit

UNITS = ("1", "二", '3"\\')
units = st.sampled_from(UNITS)
attempts = st.integers(1, 3)
text = st.text(max_size=8)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | text,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(text, inner, max_size=2),
    max_leaves=4,
)


class Agreement(RuleBasedStateMachine):
    """One journal in memory, and one on disk that two processes' worth of objects have open."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.path = self.root / "店铺.jsonl"

    @initialize()
    def begin(self) -> None:
        self.memory = MemoryJournal(clock=at_noon)
        self.disk = [opened(self.path), opened(self.path)]

    def teardown(self) -> None:
        for journal in self.disk:
            journal.close()
        shutil.rmtree(self.root)

    @rule(
        unit=units,
        event=st.sampled_from(Event),
        attempt=attempts,
        data=st.dictionaries(text, plain, max_size=2),
        writer=st.sampled_from((0, 1)),
    )
    def unit_event(
        self, unit: str, event: Event, attempt: int, data: dict[str, Any], writer: int
    ) -> None:
        self._append(record(unit, event, attempt, data=data, evidence=("图.jpg",)), writer)

    @rule(
        unit=units,
        event=st.sampled_from(Event),
        attempt=attempts,
        since=st.none() | st.floats(0, 1e9),
        writer=st.sampled_from((0, 1)),
    )
    def submit_event(
        self, unit: str, event: Event, attempt: int, since: float | None, writer: int
    ) -> None:
        self._append(submit(unit, event, attempt, since=since), writer)

    @rule(unit=units, length=st.integers(1, 7), writer=st.sampled_from((0, 1)))
    def part_of_a_landing(self, unit: str, length: int, writer: int) -> None:
        for each in list(landing(unit))[:length]:
            self._append(each, writer)

    @rule(torn=st.binary(min_size=1, max_size=40).filter(lambda torn: b"\n" not in torn))
    def a_process_dies_in_its_write(self, torn: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(torn)

    @rule(which=st.sampled_from((0, 1)))
    def open_again(self, which: int) -> None:
        self.disk[which].close()
        self.disk[which] = opened(self.path)

    @rule()
    def compacted(self) -> None:
        compact(self.path, clock=at_noon)

    def _append(self, each: Record, writer: int) -> None:
        try:
            expected: object = self.memory.append(each)
        except Conflict as conflict:
            expected = str(conflict)
        try:
            got: object = self.disk[writer].append(each)
        except Conflict as conflict:
            got = str(conflict)
        assert got == expected

    @invariant()
    def both_say_the_same(self) -> None:
        expected = state_of(self.memory.history)
        for journal in self.disk:
            assert state_of(journal.refresh()) == expected
        assert state_of(peek(self.path)) == expected
        assert list(export(self.path)) == self.memory.records
        assert check(self.path).sound


Agreement.TestCase.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
TestAgreement = Agreement.TestCase
