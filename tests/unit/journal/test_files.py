"""J12: a scanner holds the file that is to be replaced (Windows, here through the seam)."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpa.errors import JournalUnwritable
from rpa.journal import compact
from rpa.journal.files import Files
from tests.support.journals import at_noon, opened, state_of, write


class Scanned(Files):
    """A file system whose first renames fail as Windows' do."""

    def __init__(self, winerror: int, times: int) -> None:
        self.winerror, self.times, self.calls = winerror, times, 0

    def rename(self, source: Path, target: Path) -> None:
        self.calls += 1
        if self.calls <= self.times:
            error = PermissionError(13, "in use by another process")
            error.winerror = self.winerror  # type: ignore[attr-defined]  # Windows sets it
            raise error
        super().rename(source, target)


@pytest.mark.parametrize("winerror", [5, 32, 33])
def test_a_scanner_that_lets_go_is_waited_for(tmp_path: Path, winerror: int) -> None:
    path = tmp_path / "店铺.jsonl"
    files = Scanned(winerror, times=2)
    journal = opened(path, files=files)
    assert files.calls == 3
    write(journal, "1")
    before = state_of(journal.history)
    files.calls = 0
    compact(path, clock=at_noon, files=files)
    assert files.calls == 3
    assert state_of(opened(path).history) == before


def test_a_scanner_that_holds_on_is_an_error_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "店铺.jsonl"
    write(opened(path), "1")
    before = path.read_bytes()
    files = Scanned(32, times=99)
    with pytest.raises(JournalUnwritable, match="in use by another process"):
        compact(path, clock=at_noon, files=files)
    assert files.calls == 8
    assert path.read_bytes() == before
    write(opened(path), "2")


def test_any_other_error_is_not_tried_again(tmp_path: Path) -> None:
    files = Scanned(112, times=1)  # disk full
    with pytest.raises(JournalUnwritable):
        opened(tmp_path / "店铺.jsonl", files=files)
    assert files.calls == 1
