"""Beginning, opening and refusing: J08, J10, J11, J13 and the header."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rpa.core.record import DURABLE
from rpa.core.states import Event
from rpa.errors import (
    Conflict,
    JournalDamaged,
    JournalError,
    JournalTooNew,
    JournalUnwritable,
    WrongShop,
)
from rpa.journal import peek
from rpa.journal.files import Files
from rpa.journal.header import Header
from rpa.journal.jsonl import MIN_FREE
from rpa.journal.record_line import seal
from rpa.journal.testing import WatchedFiles
from tests.support.journals import flying, landing, opened, record, state_of, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journals" / "店铺.jsonl"


def test_a_new_journal_is_whole_from_its_first_moment(path: Path) -> None:
    opened(path, shop="shop-1").close()
    assert path.read_bytes() == Header("shop-1").line()
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "店铺.jsonl",
        "店铺.jsonl.append.lock",
    ]


def test_without_create_a_missing_journal_is_missing(path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"店铺\.jsonl: no journal"):
        opened(path, create=False)
    assert not path.parent.exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the file is empty"),
        (b'{"kind":"journal","v":1', "no header line"),
        (b"\0" * 100 + b"\n", "not a line of JSON"),
        (seal({"kind": "diary", "v": 1}), "not the header of a journal"),
        (seal({"kind": "journal", "v": 1, "colour": "red"}), "colour"),
        (Header("a").line().replace(b'"a"', b'"b"'), "checksum"),
    ],
    ids=["empty", "torn header", "NULs", "another kind", "unknown member", "altered"],
)
@pytest.mark.parametrize("create", [True, False])
def test_a_file_without_header_is_damage_and_never_a_new_journal(
    path: Path, content: bytes, why: str, create: bool
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(JournalDamaged, match=why) as caught:
        opened(path, create=create)
    assert (caught.value.line, caught.value.byte) == (1, 0)
    assert path.read_bytes() == content


def test_a_newer_version_is_left_byte_for_byte(path: Path) -> None:
    """J10; the tail would look torn to this version."""
    path.parent.mkdir()
    content = b'{"kind":"journal","v":2,"units":{"a":1}}\nsome new way of writing'
    path.write_bytes(content)
    with pytest.raises(JournalTooNew, match="version 2"):
        opened(path)
    assert path.read_bytes() == content
    assert not list(path.parent.glob("*.torn-*"))


def test_another_shops_journal_is_refused(path: Path) -> None:
    opened(path, shop="shop-1").close()
    with pytest.raises(WrongShop, match="'shop-1', not to 'shop-2'"):
        opened(path, shop="shop-2")
    opened(path).close()


class Unreadable(Files):
    """A disk on which opening or reading a journal fails."""

    def open(self, path: Path, flags: int) -> int:
        if path.suffix == ".jsonl":
            raise PermissionError(13, "Permission denied")
        return super().open(path, flags)


def test_a_journal_that_cannot_be_read_is_not_a_missing_one(path: Path) -> None:
    """J11."""
    opened(path).close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="cannot be opened: Permission denied"):
        opened(path, files=Unreadable())
    assert path.read_bytes() == before


def test_a_directory_in_its_place_is_not_a_missing_one(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(JournalError, match=r"店铺\.jsonl cannot be opened"):
        opened(path)


def test_a_file_in_place_of_its_directory_is_not_a_missing_one(path: Path) -> None:
    path.parent.write_text("I am a file")
    with pytest.raises(JournalError, match=r"journals"):
        opened(path)


class Full(Files):
    """A disk with hardly any room."""

    def free(self, directory: Path) -> int:
        assert directory.is_dir()
        return MIN_FREE - 1


def test_a_full_disk_is_noticed_before_the_first_record(path: Path) -> None:
    """J08."""
    journal = opened(path, files=Full())
    with pytest.raises(JournalUnwritable, match=f"only {MIN_FREE - 1} bytes are free"):
        journal.append(record("1", Event.STARTED))
    assert path.read_bytes() == Header().line()
    with pytest.raises(JournalUnwritable, match="takes nothing more"):
        journal.append(record("1", Event.STARTED))


FILL_UP = """
import resource, sys
from pathlib import Path
from rpa.errors import JournalUnwritable
from tests.support.journals import opened, write
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
journal = opened(Path(sys.argv[1]))
try:
    for unit in range(1000):
        write(journal, str(unit))
except JournalUnwritable as error:
    print(len(journal.history.units), error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on a process's files")
def test_a_file_that_can_grow_no_more_stops_the_journal(path: Path) -> None:
    """J08 with the kernel's own short write: the record at the limit is torn."""
    done = subprocess.run(
        [sys.executable, "-c", FILL_UP, str(path)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    units, _, message = done.stdout.partition(" ")
    assert re.search("is not on disk: (only [0-9]+ of [0-9]+ bytes|.*File too large)", message)
    journal = opened(path)
    assert len(journal.history.units) in (int(units), int(units) - 1)
    assert sum(side.stat().st_size for side in path.parent.glob("*.torn-*")) < 500
    write(journal, "after")
    assert state_of(peek(path)) == state_of(journal.history)


class Ordered(WatchedFiles):
    """Keeps the order of what is written and synced."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[str] = []

    def write(self, fd: int, data: bytes) -> int:
        self.log.append("write")
        return super().write(fd, data)

    def fsync(self, fd: int) -> None:
        self.log.append("fsync")
        super().fsync(fd)

    def rename(self, source: Path, target: Path) -> None:
        self.log.append("rename")
        super().rename(source, target)

    def fsync_dir(self, directory: Path) -> None:
        self.log.append("fsync_dir")
        super().fsync_dir(directory)


def test_beginning_syncs_the_file_then_its_name(path: Path) -> None:
    """J13."""
    files = Ordered()
    opened(path, files=files)
    assert files.log == ["write", "fsync", "rename", "fsync_dir"]


@pytest.mark.parametrize("event", list(Event))
def test_what_must_be_durable_is_one_write_and_one_fsync(path: Path, event: Event) -> None:
    """J13: each event in the first place the table allows it, or a conflict with no write."""
    files = Ordered()
    journal = opened(path, files=files)
    ways = [[], [record("1", Event.STARTED)], list(flying("1")), list(landing("1"))]
    for way in ways:
        for each in way:
            try:
                journal.append(each)
            except Conflict:
                continue
        files.log.clear()
        try:
            journal.append(record("1", event, step="copy", step_key="copy"))
        except Conflict:
            assert files.log == []
            continue
        assert files.log == (["write", "fsync"] if event in DURABLE else ["write"])


def test_records_before_a_durable_one_ride_on_its_fsync(path: Path) -> None:
    files = WatchedFiles()
    journal = opened(path, files=files)
    journal.append(record("1", Event.STARTED))
    assert files.unsynced
    for each in flying("1"):
        journal.append(each)
        assert not files.unsynced


def test_a_name_that_vanished_stops_the_shop(path: Path) -> None:
    journal = opened(path)
    write(journal, "1")
    path.unlink()
    with pytest.raises(JournalError, match=r"店铺\.jsonl"):
        journal.append(record("2", Event.STARTED))
    assert not path.exists()


def test_a_copy_put_in_its_place_is_read_anew(path: Path) -> None:
    journal = opened(path)
    write(journal, "1", "2")
    restored = path.read_bytes()[: path.read_bytes().index(b'{"v":1,"seq":8,')]
    path.unlink()
    path.write_bytes(restored)
    assert journal.append(record("3", Event.STARTED)).seq == 8
    assert list(journal.history.units) == ["1", "3"]
    assert state_of(opened(path).history) == state_of(journal.history)


class Interrupting(Files):
    """A disk on which a person presses Ctrl-C just before or after a write."""

    def __init__(self, when: str) -> None:
        self.when = when
        self.armed = False

    def write(self, fd: int, data: bytes) -> int:
        fire, self.armed = self.armed, False
        if fire and self.when == "before":
            raise KeyboardInterrupt
        written = super().write(fd, data)
        if fire:
            raise KeyboardInterrupt
        return written


@pytest.mark.parametrize(("when", "seq"), [("before", 0), ("after", 1)])
def test_an_interrupted_append_leaves_the_journal_usable_and_true(
    path: Path, when: str, seq: int
) -> None:
    files = Interrupting(when)
    journal = opened(path, files=files)
    files.armed = True
    with pytest.raises(KeyboardInterrupt):
        journal.append(record("1", Event.STARTED))
    assert journal.append(record("2", Event.STARTED)).seq == seq + 1
    assert state_of(opened(path).history) == state_of(journal.history)
