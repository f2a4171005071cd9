"""``--kill-at``: points may hold colons, victims are known."""

from __future__ import annotations

import pytest

from rpa.cli.launch import parse_kill
from rpa.errors import UsageError
from rpa.runner.job import Kill


@pytest.mark.parametrize(
    ("text", "kill"),
    [
        ("submit.armed:1", Kill(point="submit.armed")),
        ("journal.synced:released:3", Kill(point="journal.synced:released", nth=3)),
        (
            "journal.synced:released:3:browser",
            Kill(point="journal.synced:released", nth=3, victim="browser"),
        ),
        (None, None),
    ],
)
def test_what_is_understood(text: str | None, kill: Kill | None) -> None:
    assert parse_kill(text) == kill


@pytest.mark.parametrize("text", ["", "submit.armed", "submit.armed:x:run", "a:1:nobody", "a:-1"])
def test_what_is_not(text: str) -> None:
    with pytest.raises(UsageError, match="POINT:NTH"):
        parse_kill(text)
