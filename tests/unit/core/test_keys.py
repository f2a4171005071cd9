"""Keys: the same intent is the same key for ever, and no two intents share one."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Context, Decimal, localcontext
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa.core.keys import canonical, digest, label, plain, step_key, unit_key

# Golden for ever: every journal ever written depends on these. A failure here is never mended by
# a new value.
GOLDEN_UNITS = [
    (("copy-listing", "shop-1", {"sku": "unit-3"}, ""), "75405d23bfe7b86f30f3c8b6c93ac941"),
    (("copy-listing", "shop-1", {"sku": "unit-3"}, "spring"), "530d4fee6112ec0251d01e036f8a001f"),
    (
        ("list-product", "店铺-上海", {"sku": "红色T恤🔥限时", "size": "XL"}, ""),
        "9e99fe6efec87f643c99a34a48861bdc",
    ),
]
GOLDEN_CANONICAL = [
    (
        {"b": 20.0, "a": "x", "leer": None, "c": [True, None]},
        '{"a":"x","b":"20","c":[true,null]}',
    ),
    ({"价格": Decimal("19.90"), "标题": "e\u0301"}, '{"价格":"19.9","标题":"é"}'),
    (date(2026, 11, 30), '"2026-11-30"'),
    (datetime(2026, 11, 30, 7, 5), '"2026-11-30T07:05:00"'),  # noqa: DTZ001 - as read from a sheet
    (PureWindowsPath("bilder\\红.jpg"), '"bilder/红.jpg"'),
    (("a", 1), '["a","1"]'),
    ('a"\n\u2028', '"a\\"\\n\u2028"'),
]
GOLDEN_STEPS = [
    (("copy", ()), "copy"),
    (("copy", ("shop-2", 3)), "copy#a910e9cc675b"),
    (("价格", ({"sku": "红"},)), "价格#c18e303b56e8"),
]


@pytest.mark.parametrize(("given_", "key"), GOLDEN_UNITS)
def test_golden_unit_keys(given_: tuple[str, str, Mapping[str, str], str], key: str) -> None:
    assert unit_key(*given_) == key


@pytest.mark.parametrize(("value", "text"), GOLDEN_CANONICAL)
def test_golden_canonical_forms(value: object, text: str) -> None:
    assert canonical(value) == text


@pytest.mark.parametrize(("given_", "key"), GOLDEN_STEPS)
def test_golden_step_keys(given_: tuple[str, tuple[object, ...]], key: str) -> None:
    assert step_key(*given_) == key


def test_no_edition_is_the_empty_edition() -> None:
    assert unit_key("e", "s", {"sku": "1"}) == unit_key("e", "s", {"sku": "1"}, "")


def test_another_process_gives_the_same_key() -> None:
    """Python's own `hash()` differs from process to process."""
    program = (
        "from rpa.core.keys import unit_key; "
        "print(unit_key('copy-listing', 'shop-1', {'sku': 'unit-3'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == GOLDEN_UNITS[0][1]


# J14: one intent, one key.

ONE_VALUE = [20, 20.0, 2e1, Decimal(20), Decimal("20.00"), Decimal("2E+1"), "20"]


@pytest.mark.parametrize("value", ONE_VALUE)
def test_a_number_is_its_shortest_decimal(value: object) -> None:
    assert canonical(value) == '"20"'


@pytest.mark.parametrize("value", [0, 0.0, -0.0, Decimal("-0.00"), Decimal("0E-9")])
def test_there_is_one_zero(value: object) -> None:
    assert canonical(value) == '"0"'


def test_text_stays_as_it_was_typed() -> None:
    assert canonical("20.0") != canonical(20.0)
    assert canonical("007") != canonical(7)
    assert canonical(" 20") != canonical("20")


def test_floats_are_taken_at_their_word() -> None:
    assert canonical(0.1 + 0.2) == '"0.30000000000000004"'
    assert canonical(1e-7) == '"0.0000001"'


def test_missing_and_null_are_alike() -> None:
    assert digest({"sku": "1", "note": None}) == digest({"sku": "1"})
    assert digest([None]) != digest([])  # in a list a place is a place


def test_composed_and_decomposed_text_are_one() -> None:
    for text in ("é", "한국어", "Å", "が"):
        composed, taken_apart = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
        assert composed != taken_apart
        assert digest({composed: composed}) == digest({taken_apart: taken_apart})


def test_compatible_forms_are_two() -> None:
    """A full-width code may be another product; only a store may say that it is not."""
    assert digest("ＡＢＣ") != digest("ABC")


def test_a_path_is_the_same_on_windows() -> None:
    assert canonical(PureWindowsPath("a\\b.jpg")) == canonical(PurePosixPath("a/b.jpg"))


# J15: two intents, two keys.


def test_nothing_runs_together() -> None:
    assert digest({"sku": "1", "qty": 23}) != digest({"sku": "12", "qty": 3})
    assert digest(["a,b"]) != digest(["a", "b"])
    assert digest(['a"', "b"]) != digest(["a", '"b'])
    assert unit_key("a", "b", {}) != unit_key("ab", "", {})
    assert unit_key("e", "s", {"a": "1"}, "2") != unit_key("e", "s", {"a": "12"}, "")
    assert step_key("copy", ("1", "23")) != step_key("copy", ("12", "3"))


def test_long_numbers_keep_every_digit() -> None:
    long = 10**40
    assert digest(long + 1) != digest(long + 2)
    assert digest(Decimal(f"{long}.01")) != digest(Decimal(f"{long}.02"))
    with localcontext(Context(prec=3)):
        assert canonical(Decimal("123456.50")) == '"123456.5"'


def test_types_that_look_alike_are_two() -> None:
    values: list[object] = [True, "true", 1, None, "null", [], {}, "", [None], {"a": []}]
    assert len({canonical(value) for value in values}) == len(values)


def test_two_members_never_become_one() -> None:
    with pytest.raises(ValueError, match="same name"):
        canonical({"é": 1, "e\u0301": 2})
    with pytest.raises(ValueError, match="same name"):
        canonical({1: "a", "1": "b"})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("-Infinity")])
def test_a_number_that_is_none(value: object) -> None:
    with pytest.raises(ValueError, match="finite"):
        canonical({"price": value})


@pytest.mark.parametrize("value", [b"x", {1, 2}, object(), 1j])
def test_a_type_without_a_canonical_form(value: object) -> None:
    with pytest.raises(TypeError, match="no canonical form"):
        canonical([value])


def test_half_a_surrogate_is_no_key() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        digest("\ud83d")


# Properties.

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False)
    | _texts
)
_values = st.recursive(
    _leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(_texts.map(lambda t: unicodedata.normalize("NFC", t)), inner, max_size=3)
    ),
    max_leaves=8,
)


def _meaning(value: Any) -> Any:
    """What a value means, built without the code under test; equal meanings, equal values."""
    match value:
        case bool() | None:
            return ("constant", value)
        case str():
            return ("word", unicodedata.normalize("NFC", value))
        case int() | Decimal():
            text = f"{value:f}" if isinstance(value, Decimal) else str(value)
            whole, _, part = text.partition(".")
            part = part.rstrip("0")
            text = f"{whole}.{part}" if part else whole
            return ("word", "0" if text == "-0" else text)
        case list():
            return ("list", tuple(_meaning(inner) for inner in value))
        case _:
            members = ((key, _meaning(inner)) for key, inner in value.items() if inner is not None)
            return ("members", frozenset(members))


@given(_values, _values)
def test_equal_text_exactly_where_equal_meaning(one: Any, other: Any) -> None:
    assert (canonical(one) == canonical(other)) == (_meaning(one) == _meaning(other))


@given(st.dictionaries(st.text("ab", max_size=2), st.sampled_from(["", "a", "b", "ab"])))
def test_equal_text_exactly_where_equal_meaning_among_near_ones(one: dict[str, str]) -> None:
    other = {value: key for key, value in one.items()}
    assert (canonical(one) == canonical(other)) == (one == other)


@given(st.lists(st.tuples(_texts, _leaves), unique_by=lambda p: unicodedata.normalize("NFC", p[0])))
def test_the_order_of_members_says_nothing(members: list[tuple[str, Any]]) -> None:
    assert canonical(dict(members)) == canonical(dict(reversed(members)))


@given(_values)
def test_the_plain_form_is_final(value: Any) -> None:
    """What a journal keeps compares equal with what it was made from."""
    kept = json.loads(json.dumps(plain(value)))
    assert canonical(kept) == canonical(value)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30))
def test_a_decimal_means_its_value(value: Decimal) -> None:
    assert Decimal(json.loads(canonical(value))) == value


def test_labels_are_for_people() -> None:
    assert label({"sku": "unit-3"}) == "unit-3"
    assert label({"sku": "红", "size": "XL"}, "spring") == "红/XL@spring"
