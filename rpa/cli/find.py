"""Finding the unit a person means: by label, by shop and label, or by the beginning of its key."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rpa.cli.journals import ShopJournal, journals_of
from rpa.config import Project
from rpa.core.fold import UnitView
from rpa.core.keys import label
from rpa.errors import UsageError
from rpa.journal import peek

__all__ = ["Found", "find_unit"]

_SHORTEST: Final = 4  # hex digits that may stand for a whole key
_MANY: Final = 10


@dataclass(frozen=True)
class Found:
    """A unit that was found.

    Attributes:
        journal: Its shop's journal.
        view: What that says of it.
    """

    journal: ShopJournal
    view: UnitView

    @property
    def label(self) -> str:
        """The unit in the words of its item."""
        return label(self.view.identity, self.view.edition)

    @property
    def name(self) -> str:
        """What names it among all shops: ``shop:label``."""
        return f"{self.journal.shop}:{self.label}"


def find_unit(project: Project, text: str, shops: Sequence[str] | None = None) -> Found:
    """Find the one unit that a person means.

    Args:
        project: The project.
        text: ``unit-3``, ``shop:unit-3``, or the first digits of its key.
        shops: Look only in these shops.

    Raises:
        UsageError: There is none, or more than one; lists them.
        JournalError: A journal cannot be read.
    """
    wanted = unicodedata.normalize("NFC", text.strip())
    every = [found for journal in journals_of(project, shops) for found in _units(journal)]
    for matches in (
        [found for found in every if found.label == wanted],
        [found for found in every if found.name == wanted],
        [found for found in every if _is_key(wanted) and found.view.key.startswith(wanted.lower())],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise UsageError(_ambiguous(text, matches))
    where = f"shop {', '.join(shops)}" if shops else "any shop"
    raise UsageError(
        f"no unit {text!r} in the journal of {where}; `rpa status --units` lists them, and a unit "
        "that was never begun is in none"
    )


def _units(journal: ShopJournal) -> Iterator[Found]:
    try:
        units = peek(journal.path).units
    except FileNotFoundError:
        return
    for view in units.values():
        yield Found(journal, view)


def _is_key(text: str) -> bool:
    return len(text) >= _SHORTEST and all(char in "0123456789abcdefABCDEF" for char in text)


def _ambiguous(text: str, matches: Sequence[Found]) -> str:
    twins = len({found.name for found in matches}) < len(matches)
    names = [f"{f.name} ({f.view.key[:12]})" if twins else f.name for f in matches[:_MANY]]
    more = f" and {len(matches) - _MANY} more" if len(matches) > _MANY else ""
    return f"{text!r} may be {', '.join(names)}{more}; say which"
