"""J01 to J05: what crashes, power cuts and editors leave in a journal file."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpa.core.states import Event, Status
from rpa.errors import JournalDamaged, JournalError, JournalTooNew
from rpa.journal.record_line import MAX_LINE, encode_record, seal
from tests.support.journals import opened, record, state_of, write

TIME = "2025-11-30T12:00:00.000Z"
NUL = b"\0" * 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal in which units 1 and 2 have landed."""
    path = tmp_path / "店铺.jsonl"
    journal = opened(path)
    write(journal, "1", "2")
    journal.close()
    return path


def sides(path: Path) -> list[Path]:
    return sorted(path.parent.glob("*.torn-*"))


def next_line(unit: str = "3", seq: int = 15) -> bytes:
    """The line of a record that would come next: it begins a Chinese unit."""
    return encode_record(record(unit, Event.STARTED, data={"题": "中文"}), seq, TIME)


def cut_in_a_character() -> bytes:
    line = next_line()
    return line[: line.index("中".encode()) + 1]


@pytest.mark.parametrize(
    "tail",
    [
        b'{"v":1,"seq":15,"ti',
        cut_in_a_character(),
        next_line()[:-2],
        NUL,
        b'{"v":1,"seq":1' + NUL,
        NUL + b'{"v":1,"seq":1',
        next_line(seq=99)[:-1],
        b"\xff\xfe",
    ],
    ids=[
        "half a record",
        "half a character",
        "all but the brace",
        "NULs",
        "half a record and NULs",
        "NULs and half a record",
        "a whole record that is not the next",
        "not even UTF-8",
    ],
)
def test_a_torn_tail_is_moved_aside_and_the_next_record_is_whole(path: Path, tail: bytes) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + tail)

    journal = opened(path)
    assert path.read_bytes() == whole
    assert [side.read_bytes() for side in sides(path)] == [tail]
    write(journal, "3")
    assert state_of(opened(path).history) == state_of(journal.history)
    assert journal.history.units["3"].status is Status.SUBMITTED


def test_a_record_that_only_lacks_its_newline_is_kept(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + next_line()[:-1])
    journal = opened(path)
    assert journal.history.seq == 15
    assert path.read_bytes() == whole + next_line()
    assert not sides(path)


def test_every_torn_tail_gets_a_side_file_of_its_own(path: Path) -> None:
    for tail in (b"{1", b"{22", b"{333"):
        with path.open("ab") as file:
            file.write(tail)
        opened(path).close()
    assert [side.name for side in sides(path)] == [f"店铺.jsonl.torn-{n}" for n in (1, 2, 3)]
    assert [side.read_bytes() for side in sides(path)] == [b"{1", b"{22", b"{333"]


def test_a_tail_that_another_process_left_is_mended_by_the_next_append(path: Path) -> None:
    """J01 while we run: a process died in the middle of its write, and ours goes on."""
    journal = opened(path)
    with path.open("ab") as file:
        file.write(next_line("9")[:40])
    write(journal, "3")
    assert len(sides(path)) == 1
    assert state_of(opened(path).history) == state_of(journal.history)


@pytest.mark.parametrize("unit", ["1", "2"])
def test_a_whole_line_with_a_wrong_checksum_is_damage_wherever_it_stands(
    path: Path, unit: str
) -> None:
    lines = path.read_bytes().split(b"\n")
    number = next(n for n, line in enumerate(lines) if f"商品-{unit}".encode() in line)
    lines[number] = lines[number].replace("商品".encode(), "商店".encode())
    path.write_bytes(b"\n".join(lines))
    before = path.read_bytes()

    with pytest.raises(JournalDamaged, match="checksum") as caught:
        opened(path)
    assert caught.value.line == number + 1
    assert caught.value.byte == len(b"\n".join(lines[:number])) + 1
    assert f"line {number + 1} (byte {caught.value.byte})" in str(caught.value)
    assert path.read_bytes() == before
    assert not sides(path)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"\n", b"\n" + NUL, "JSON"),
        (b"\n", b"\nnot json\n", "JSON"),
        (b"\n", b"\n[1]\n", "object"),
        (b"\n", b"\n{}\n", "checksum"),
    ],
    ids=["NULs before good data", "text", "a list", "no checksum"],
)
def test_damage_in_the_middle_stops_with_line_and_byte(
    path: Path, old: bytes, new: bytes, why: str
) -> None:
    content = path.read_bytes()
    first = content.index(b"\n")
    path.write_bytes(content.replace(old, new, 1))
    before = path.read_bytes()
    with pytest.raises(JournalDamaged, match=why) as caught:
        opened(path)
    assert (caught.value.line, caught.value.byte) == (2, first + 1)
    assert path.read_bytes() == before


def test_a_missing_line_is_damage(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines[:4] + lines[5:]))
    with pytest.raises(JournalDamaged, match="record 5 stands where 4 should be") as caught:
        opened(path)
    assert caught.value.line == 5


def test_two_computers_whose_locks_do_not_reach_each_other_are_noticed(path: Path) -> None:
    """J07: on some network shares both would hold the append lock, and number alike."""
    mine = opened(path)
    with path.open("ab") as file:
        file.write(next_line("mine", seq=15) + next_line("theirs", seq=15))
    before = path.read_bytes()
    with pytest.raises(JournalDamaged, match="record 15 stands where 16 should be"):
        mine.append(record("3", Event.STARTED))
    assert path.read_bytes() == before


def test_a_record_the_table_forbids_is_damage(path: Path) -> None:
    with path.open("ab") as file:
        file.write(encode_record(record("1", Event.ADOPTED), 15, TIME))
    with pytest.raises(JournalDamaged, match="does not follow") as caught:
        opened(path)
    assert caught.value.line == 16


def sealed(**changed: object) -> bytes:
    members = {"v": 1, "seq": 15, "time": TIME, "unit": "3", "identity": {}, "event": "started"}
    return seal({**members, **changed})


@pytest.mark.parametrize(
    "changed", [{"event": "vanished"}, {"attempt": "x"}, {"evidence": 1}, {"v": 0}, {"v": None}]
)
def test_a_line_with_a_good_checksum_that_is_no_record_is_damage(
    path: Path, changed: dict[str, object]
) -> None:
    with path.open("ab") as file:
        file.write(sealed(**changed))
    with pytest.raises(JournalDamaged) as caught:
        opened(path)
    assert caught.value.line == 16


def test_a_member_this_version_does_not_know_is_passed_over(path: Path) -> None:
    with path.open("ab") as file:
        file.write(sealed(attempt=1, colour="红"))
    assert opened(path).history.seq == 15


def test_a_byte_order_mark_and_windows_line_ends_are_accepted(path: Path) -> None:
    """J05: somebody opened the journal in an editor and saved it."""
    expected = state_of(opened(path).history)
    content = path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + content + b"\r\n")  # and one blank line at the end
    journal = opened(path)
    assert state_of(journal.history) == expected
    write(journal, "3")
    assert state_of(opened(path).history) == state_of(journal.history)


def test_a_windows_editor_that_dropped_the_last_newline(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n")[:-2])
    journal = opened(path)
    assert journal.history.seq == 14
    assert not sides(path)


def test_a_line_of_a_newer_version_leaves_the_file_as_it_is(path: Path) -> None:
    for newer in (b'{"v":2,"seq":15,"new":true}\n{"v":2,', b'{"v":2,"seq":15,"new":true}'):
        content = path.read_bytes()
        path.write_bytes(content + newer)
        with pytest.raises(JournalTooNew, match="version 2; this build reads up to 1"):
            opened(path)
        assert path.read_bytes() == content + newer
        path.write_bytes(content)
    assert not sides(path)


def test_a_line_without_end_is_damage(path: Path) -> None:
    """J18: one line of more bytes than any record has."""
    end = path.stat().st_size
    with path.open("ab") as file:
        file.write(b"x" * (MAX_LINE + 100_000))
    with pytest.raises(JournalDamaged, match="longer than 16777216 bytes") as caught:
        opened(path)
    assert (caught.value.line, caught.value.byte) == (16, end)
    assert path.stat().st_size == end + MAX_LINE + 100_000


def test_the_longest_record_comes_back(path: Path) -> None:
    text = "x" * (MAX_LINE - 1000)
    journal = opened(path)
    journal.append(record("3", Event.STARTED, data={"text": text}))
    assert opened(path).history.seq == 15


@pytest.mark.parametrize(
    "change",
    [lambda old: old[:-30], lambda old: b"{}\n" + old, lambda old: old[:-30] + b"x" * 60],
    ids=["cut short", "a line put in front", "rewritten"],
)
def test_a_file_that_another_program_writes_while_we_have_it_stops_the_shop(
    path: Path, change: object
) -> None:
    assert callable(change)
    journal = opened(path)
    path.write_bytes(change(path.read_bytes()))
    before = path.read_bytes()
    with pytest.raises(JournalError, match="changed by another program"):
        journal.append(record("3", Event.STARTED))
    assert path.read_bytes() == before
