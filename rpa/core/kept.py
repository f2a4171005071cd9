"""Kept: what a lossy shop may have kept of a key.

Shops cut long texts, stop at a character their database cannot hold, drop it, or put question
marks in its place, and answer 200 all the same. A record that carries such a remainder may be
ours. Where the loss is one the store declares, or the well-known cut at a four-byte character, the
remainder can be told exactly; everything else is only a reason not to believe in absence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rpa.core.model import Matching

__all__ = ["Kin", "Traces", "traces"]

_MIN_LENGTH: Final = 4  # a shorter common beginning says nothing
_LAST_NARROW: Final = "\uffff"
_LOSS: Final = "?\ufffd"


class Kin(StrEnum):
    """How a text in the list is related to a key."""

    SAME = "same"
    REMAINDER = "remainder"  # exactly what the shop's known losses leave of the key
    DOUBTFUL = "doubtful"  # some loss could have left this
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Traces:
    """The forms in which a key may show in a shop's list."""

    matching: Matching
    whole: str
    remainders: frozenset[str]
    stems: frozenset[str]
    skeletons: frozenset[str]

    def kin(self, shown: str) -> Kin:
        """Say how a text in the list is related to the key."""
        text = self.matching.normalise(shown)
        if text == self.whole:
            return Kin.SAME
        kept = text.rstrip()  # a cut may leave a blank at the end, or lose it
        if kept in self.remainders:
            return Kin.REMAINDER
        if kept in self.stems:
            return Kin.DOUBTFUL
        if len(kept) >= _MIN_LENGTH and any(stem.startswith(kept) for stem in self.stems):
            return Kin.DOUBTFUL
        lossy = any(mark in kept for mark in _LOSS)
        return Kin.DOUBTFUL if lossy and _skeleton(kept) in self.skeletons else Kin.NONE


def traces(carrier: str, matching: Matching) -> Traces:
    """Work out how a key may show."""
    limit, whole = matching.max_length, matching.normalise(carrier)
    head = carrier[: _first_wide(carrier)]
    narrow = "".join(char for char in carrier if char <= _LAST_NARROW)
    plain = "".join(char for char in carrier if char.isascii())
    cuts = [whole[:limit], *_tidy([head, carrier[:limit]], matching)]
    return Traces(
        matching,
        whole,
        frozenset(cut.rstrip() for cut in cuts if len(cut.rstrip()) >= _MIN_LENGTH),
        frozenset(_tidy([carrier, head, narrow], matching)),
        frozenset(map(_skeleton, (whole, matching.normalise(plain)))),
    )


def _tidy(texts: list[str], matching: Matching) -> list[str]:
    return [matching.normalise(text).rstrip() for text in texts]


def _first_wide(text: str) -> int:
    """Position of the first character that takes four bytes; the length if there is none."""
    return next((at for at, char in enumerate(text) if char > _LAST_NARROW), len(text))


def _skeleton(text: str) -> str:
    """What survives question marks put in place of characters: the plain ASCII part."""
    return "".join(char for char in text if char.isascii() and not char.isspace() and char != "?")
