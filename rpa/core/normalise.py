"""Normalise: the building blocks with which a store declares its equality.

A shop tidies what it is given: it escapes, folds widths, collapses blanks, forgets case. A store's
adapter says which of that its shop does, and both sides of every comparison go through it::

    matching = Matching(Carrier.EXACT, compose(unescape_entities, nfkc, collapse_spaces), ...)

Declare no more than the shop does: what the equality forgets can never tell two units apart.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable
from itertools import zip_longest
from typing import Final

__all__ = [
    "Normaliser",
    "collapse_spaces",
    "compose",
    "explain_difference",
    "fold_case",
    "map_punctuation",
    "nfkc",
    "unescape_entities",
]

Normaliser = Callable[[str], str]
"""Turns a text into the form in which a shop takes two texts to be the same."""

_INVISIBLE: Final = dict.fromkeys(
    map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")  # soft hyphen, zero width, marks
)
_PUNCTUATION: Final = str.maketrans(
    "“”„«»‘’‚‐‑‒–—―−。、・「」『』【】〔〕《》〈〉",
    '"""""\'\'\'-------.,·""""[][]<><>',
)


def compose(*parts: Normaliser) -> Normaliser:
    """Make one normaliser of several, applied from left to right."""

    def normalise(text: str) -> str:
        for part in parts:
            text = part(text)
        return text

    return normalise


def nfkc(text: str) -> str:
    """Fold compatible forms: full-width letters and digits, ligatures, composed accents."""
    return unicodedata.normalize("NFKC", text)


def unescape_entities(text: str) -> str:
    """Undo HTML escaping, however often it was applied: ``&amp;amp;`` is ``&``."""
    while (plain := html.unescape(text)) != text:
        text = plain
    return text


def collapse_spaces(text: str) -> str:
    """Drop what cannot be seen, and make every run of blanks of any width one space."""
    return " ".join(text.translate(_INVISIBLE).split())


def fold_case(text: str) -> str:
    """Forget upper and lower case."""
    return text.casefold()


def map_punctuation(text: str) -> str:
    """Put plain quotes, dashes, stops and brackets for the typographic and the Chinese ones."""
    return text.translate(_PUNCTUATION)


_HARMLESS: Final[tuple[tuple[str, Normaliser], ...]] = (
    ("escaping", unescape_entities),
    ("blanks and invisible characters", collapse_spaces),
    ("case", fold_case),
    ("punctuation", map_punctuation),
    ("character form", nfkc),
)


def explain_difference(sent: str, shown: str) -> str:
    """Say to a person how two texts differ, with the code points that look alike on a screen.

    Returns:
        One sentence; empty if they do not differ.
    """
    if sent == shown:
        return ""
    pairs = enumerate(zip_longest(sent, shown), 1)
    at, (ours, theirs) = next((at, pair) for at, pair in pairs if pair[0] != pair[1])
    only = next((f", only by {what}" for what, part in _HARMLESS if part(sent) == part(shown)), "")
    return (
        f"sent {sent!r}, shown {shown!r}: differs{only}, "
        f"from character {at} on: sent {_named(ours)}, shown {_named(theirs)}"
    )


def _named(char: str | None) -> str:
    if char is None:
        return "nothing more"
    return f"U+{ord(char):04X} {unicodedata.name(char, 'unnamed')}"
