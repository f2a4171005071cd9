"""Compaction: shorter, and nothing is decided differently afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rpa.core.decide import decide
from rpa.core.states import Event, Status
from rpa.errors import (
    Conflict,
    JournalDamaged,
    JournalError,
    JournalTooNew,
    JournalUnwritable,
    ShopLocked,
)
from rpa.journal import RunLock, check, compact, export
from rpa.journal.files import Files
from tests.support.journals import (
    STEP,
    at_noon,
    flying,
    landing,
    opened,
    record,
    state_of,
    submit,
    write,
)

STATUSES = {
    "landed": Status.SUBMITTED,
    "changed": Status.CHANGED,
    "dead": Status.DEAD,
    "skipped": Status.SKIPPED,
    "unknown": Status.UNKNOWN,
    "held": Status.UNKNOWN,
    "armed": Status.SUBMITTING,
    "failed": Status.FAILED,
    "filled": Status.FILLED,
    '引号"和\\': Status.SUBMITTED,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with a unit in every status that lasts."""
    path = tmp_path / "店铺.jsonl"
    journal = opened(path, shop="shop-1")
    write(journal, "landed", "changed", '引号"和\\')
    journal.append(record("changed", Event.CHANGED, data={"arguments": {"title": "新"}}))
    for unit in ("dead", "skipped", "unknown", "held", "armed", "failed"):
        journal.append(record(unit, Event.STARTED))
    journal.append(record("dead", Event.FAILED, data={"permanent": True}, error={"class": "X"}))
    journal.append(record("skipped", Event.SKIPPED, data={"by": "王"}))
    for unit in ("unknown", "held"):
        for each in (*flying(unit), submit(unit, Event.LOST, since=5.0)):
            journal.append(each)
    journal.append(submit("held", Event.INCONCLUSIVE, why="the list was cut"))
    journal.append(submit("armed", Event.ARMED, baseline={"matching": ["旧"], "taken": 1.5}))
    journal.append(record("failed", Event.FAILED, error={"class": "StoreDown", "status": 503}))
    for each in list(landing("filled"))[:3]:
        journal.append(each)
    journal.close()
    return path


def test_every_unit_comes_back_as_it_was(path: Path) -> None:
    before = state_of(opened(path).history)
    done = compact(path, clock=at_noon)
    assert (done.generation, done.units) == (2, len(STATUSES))
    assert done.after == path.stat().st_size < done.before
    after = opened(path).history
    assert state_of(after) == before
    assert {key: after.units[key].status for key in after.units} == STATUSES


def test_the_first_arming_is_kept_for_the_judge(path: Path) -> None:
    compact(path, clock=at_noon)
    step = opened(path).history.units["armed"].submits[STEP]
    assert step.first is not None
    assert step.first["baseline"] == {"matching": ["旧"], "taken": 1.5}


def test_it_goes_on_where_it_was(path: Path) -> None:
    plain = path.with_name("plain.jsonl")
    plain.write_bytes(path.read_bytes())
    compact(path, clock=at_noon)
    ends = []
    for each in (path, plain):
        journal = opened(each)
        with pytest.raises(Conflict):
            journal.append(submit("landed", Event.ARMED, attempt=2))
        journal.append(submit("unknown", Event.CONFIRMED_NOT_LANDED, by="王"))
        journal.append(record("unknown", Event.STARTED, 2))
        journal.append(submit("unknown", Event.ARMED, 2))
        write(journal, "新")
        ends.append((state_of(journal.history), state_of(opened(each).history)))
    assert ends[0][0] == ends[0][1] == ends[1][0] == ends[1][1]


def test_it_decides_what_it_decided(path: Path) -> None:
    def decisions() -> dict[str, object]:
        units = opened(path).history.units
        return {key: decide(units[key], {"title": "x"}) for key in [*units, "neu"] if key in units}

    before = decisions()
    compact(path, clock=at_noon)
    assert decisions() == before


def test_again_and_again(path: Path) -> None:
    for generation in range(2, 6):
        write(opened(path), f"g{generation}")
        before = state_of(opened(path).history)
        assert compact(path, clock=at_noon).generation == generation
        assert state_of(opened(path).history) == before
    last = opened(path).history.seq
    assert [each.seq for each in export(path)] == list(range(1, last + 1))
    assert [each.name for each in check(path).generations] == [
        f"店铺.g{number}.jsonl" for number in (1, 2, 3, 4)
    ]


def test_nothing_new_nothing_done(path: Path) -> None:
    compact(path, clock=at_noon)
    before = path.read_bytes()
    done = compact(path, clock=at_noon)
    assert (done.generation, done.kept) == (2, None)
    assert path.read_bytes() == before


def test_the_old_generation_is_kept_whole(path: Path) -> None:
    old = path.read_bytes()
    kept = compact(path, clock=at_noon).kept
    assert kept == path.with_name("店铺.g1.jsonl")
    assert kept.read_bytes() == old


def test_whoever_has_it_open_goes_over_to_the_new_one(path: Path) -> None:
    writer, reader = opened(path), opened(path)
    old = writer.history
    compact(path, clock=at_noon)
    assert (writer.generation, reader.generation) == (1, 1)
    write(writer, "新")
    assert reader.refresh().units["新"].status is Status.SUBMITTED
    assert (writer.generation, reader.generation) == (2, 2)
    assert state_of(opened(path).history) == state_of(reader.history)
    assert old.units["landed"].status is Status.SUBMITTED, "an old history can still be read"


def test_a_history_from_before_a_second_compaction_can_still_be_read(path: Path) -> None:
    compact(path, clock=at_noon)
    journal = opened(path)
    old, expected = journal.history, state_of(journal.history)
    write(opened(path), "新")
    compact(path, clock=at_noon)
    journal.refresh()
    assert journal.generation == 3
    assert state_of(old) == expected


def test_a_closed_journal_says_so(path: Path) -> None:
    compact(path, clock=at_noon)
    journal = opened(path)
    history = journal.history
    journal.close()
    with pytest.raises(JournalError, match="is closed; open it again"):
        history.units["landed"]


def test_units_are_one_object_while_somebody_holds_them(path: Path) -> None:
    compact(path, clock=at_noon)
    journal = opened(path)
    unit = journal.history.units["unknown"]
    assert journal.history.units["unknown"] is unit
    journal.append(submit("unknown", Event.CONFIRMED_LANDED, by="王"))
    assert unit.status is Status.SUBMITTED
    assert journal.history.units["unknown"] is unit


def test_units_behave_like_a_mapping(path: Path) -> None:
    compact(path, clock=at_noon)
    units = opened(path).history.units
    assert len(units) == len(STATUSES)
    assert list(units) == list(opened(path).history.units)
    assert "landed" in units
    assert "gone" not in units
    assert units.get("gone") is None
    del units["landed"]
    assert "landed" not in units


def test_a_run_that_is_on_is_left_alone(path: Path) -> None:
    before = path.read_bytes()
    with RunLock(path, clock=at_noon) as lock:
        with pytest.raises(ShopLocked, match="since 2025-11-30T12:00:00"):
            compact(path, clock=at_noon)
        assert path.read_bytes() == before
        assert compact(path, clock=at_noon, held=lock).generation == 2


def test_a_torn_tail_is_mended_first(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"v":1,')
    compact(path, clock=at_noon)
    assert check(path).sound
    assert len(check(path).torn) == 1


def test_there_must_be_a_journal(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no journal"):
        compact(tmp_path / "none.jsonl", clock=at_noon)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("extra", "error"), [(b"x\n", JournalDamaged), (b'{"v":2}\n', JournalTooNew)]
)
def test_what_it_cannot_read_it_leaves_alone(
    path: Path, extra: bytes, error: type[Exception]
) -> None:
    path.write_bytes(path.read_bytes() + extra)
    before = path.read_bytes()
    with pytest.raises(error):
        compact(path, clock=at_noon)
    assert path.read_bytes() == before


def test_a_snapshot_that_is_cut_is_damage_and_never_a_torn_tail(path: Path) -> None:
    compact(path, clock=at_noon)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for cut in (b"".join(lines[:-1]), whole[:-20], lines[0]):
        path.write_bytes(cut)
        with pytest.raises(JournalDamaged, match="snapshot lacks"):
            opened(path)
        assert path.read_bytes() == cut


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"submitted"', b'"pending"', "checksum"),
        (b'{"key":"landed"', b'{"kez":"landed"', "checksum"),
    ],
)
def test_a_damaged_unit_is_damage(path: Path, old: bytes, new: bytes, why: str) -> None:
    compact(path, clock=at_noon)
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    with pytest.raises(JournalDamaged, match=why) as caught:
        opened(path)
    assert caught.value.line == 2


def test_a_unit_that_was_altered_after_opening_is_an_error(path: Path) -> None:
    compact(path, clock=at_noon)
    units = opened(path).history.units
    path.write_bytes(path.read_bytes().replace(b'"submitted"', b'"sub-mitted'))
    with pytest.raises(JournalError, match=r"byte \d+\): unit landed cannot be read"):
        units["landed"]


def test_a_record_in_the_place_of_a_unit_is_damage(path: Path) -> None:
    compact(path, clock=at_noon)
    lines = path.read_bytes().splitlines(keepends=True)
    stray = path.with_name("店铺.g1.jsonl").read_bytes().splitlines(keepends=True)[1]
    path.write_bytes(b"".join([lines[0], stray, *lines[2:]]))
    with pytest.raises(JournalDamaged, match="not a unit of the snapshot"):
        opened(path)


def test_an_editor_may_save_a_compacted_journal_too(path: Path) -> None:
    expected = state_of(opened(path).history)
    compact(path, clock=at_noon)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert state_of(opened(path).history) == expected


def test_a_foreign_file_in_the_way_is_not_overwritten(path: Path) -> None:
    """A shop may be called like another shop's old generation."""
    neighbour = path.with_name("店铺.g1.jsonl")
    write(opened(neighbour), "neighbour")
    theirs, ours = neighbour.read_bytes(), path.read_bytes()
    with pytest.raises(JournalError, match="is in the way"):
        compact(path, clock=at_noon)
    assert (neighbour.read_bytes(), path.read_bytes()) == (theirs, ours)


class WithoutLinks(Files):
    """A file system that knows no second names, as on many memory cards."""

    def link(self, source: Path, target: Path) -> None:
        raise OSError(1, "Operation not permitted")


def test_without_links_the_old_generation_is_copied(path: Path) -> None:
    old = path.read_bytes()
    kept = compact(path, clock=at_noon, files=WithoutLinks()).kept
    assert kept is not None
    assert kept.read_bytes() == old
    assert os.stat(kept).st_nlink == 1
    assert [each.name for each in path.parent.glob("*.part")] == []


def test_a_unit_too_long_for_a_line_stops_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rpa.journal.record_line.MAX_LINE", 200)
    before = path.read_bytes()
    with pytest.raises(JournalUnwritable, match="was not compacted: a line of"):
        compact(path, clock=at_noon)
    assert path.read_bytes() == before
