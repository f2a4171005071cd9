"""A store's equality, block by block, and how a difference is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa.core.normalise import (
    Normaliser,
    collapse_spaces,
    compose,
    explain_difference,
    fold_case,
    map_punctuation,
    nfkc,
    unescape_entities,
)


@pytest.mark.parametrize(
    ("part", "shown", "same_as"),
    [
        (unescape_entities, "A &amp; B &lt;C&gt;", "A & B <C>"),
        (unescape_entities, "A &amp;amp;amp; B", "A & B"),
        (unescape_entities, "&#32418;&#x8272; &quot;T&quot;", '红色 "T"'),
        (unescape_entities, "100 % & mehr", "100 % & mehr"),
        (nfkc, "ＳＫＵ－００１", "SKU-001"),
        (nfkc, "e\u0301 ﬁ ㎏", "é fi kg"),
        (collapse_spaces, "A  B", "A B"),
        (collapse_spaces, "A\u3000B", "A B"),
        (collapse_spaces, "\u00a0A\u00a0 \t\nB ", "A B"),
        (collapse_spaces, "红\u200b色\ufeffT\u00ad恤", "红色T恤"),
        (collapse_spaces, "  \u200b ", ""),
        (fold_case, "11111m STRASSE", "11111M straße"),
        (map_punctuation, "“红色”—‘T’恤、大。", "\"红色\"-'T'恤,大."),
        (map_punctuation, "【新】《款》「女」", '[新]<款>"女"'),
    ],
)
def test_part(part: Normaliser, shown: str, same_as: str) -> None:
    assert part(shown) == part(same_as)


@pytest.mark.parametrize(
    ("part", "one", "other"),
    [
        (unescape_entities, "A & B", "A + B"),
        (nfkc, "红色", "蓝色"),
        (nfkc, "A  B", "A B"),
        (collapse_spaces, "A B", "AB"),
        (collapse_spaces, "unit-1", "unit-10"),
        (fold_case, "11111m", "11111n"),
        (map_punctuation, "T恤-红", "T恤红"),
    ],
)
def test_part_keeps_apart(part: Normaliser, one: str, other: str) -> None:
    assert part(one) != part(other)


@pytest.mark.parametrize(
    "part", [unescape_entities, nfkc, collapse_spaces, fold_case, map_punctuation]
)
@given(text=st.text())
def test_once_is_enough(part: Normaliser, text: str) -> None:
    assert part(part(text)) == part(text)


@given(st.text(), st.integers(0, 4))
def test_however_often_it_was_escaped(text: str, times: int) -> None:
    escaped = text
    for _ in range(times):
        escaped = escaped.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    assert unescape_entities(escaped) == unescape_entities(text)


def test_parts_apply_from_left_to_right() -> None:
    whole = compose(unescape_entities, nfkc, collapse_spaces, fold_case)
    assert whole("Ａ&nbsp;&amp;  ｂ") == "a & b"
    assert compose()("  unchanged ") == "  unchanged "
    assert compose(str.strip, str.upper, lambda text: text[:2])(" abc ") == "AB"


def test_no_difference_needs_no_words() -> None:
    assert explain_difference("红色T恤", "红色T恤") == ""


@pytest.mark.parametrize(
    ("sent", "shown", "told"),
    [
        ("A & B", "A &amp; B", "only by escaping, from character 4 on"),
        ("A\u00a0B", "A B", "only by blanks and invisible characters, from character 2 on"),
        ("A\u00a0B", "A B", "sent U+00A0 NO-BREAK SPACE, shown U+0020 SPACE"),
        ("红\u200b色", "红色", "sent U+200B ZERO WIDTH SPACE, shown U+8272 CJK UNIFIED"),
        ("11111M", "11111m", "only by case, from character 6 on"),
        ("“a”", '"a"', "only by punctuation, from character 1 on"),
        ("ＡＢ", "AB", "only by character form"),
        ("红色T恤🔥限时", "红色T恤", "from character 5 on: sent U+1F525 FIRE, shown nothing more"),
        ("红", "红色", "sent nothing more, shown U+8272 CJK UNIFIED IDEOGRAPH-8272"),
        ("a\x00", "a\x01", "sent U+0000 unnamed, shown U+0001 unnamed"),
    ],
)
def test_difference_is_told_with_code_points(sent: str, shown: str, told: str) -> None:
    text = explain_difference(sent, shown)
    assert told in text
    assert text.startswith(f"sent {sent!r}, shown {shown!r}: differs")


@given(st.text(max_size=6), st.text(max_size=6))
def test_only_a_difference_is_told(sent: str, shown: str) -> None:
    assert bool(explain_difference(sent, shown)) == (sent != shown)
