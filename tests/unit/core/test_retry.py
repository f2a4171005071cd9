"""Whether, and when, a unit is tried again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa.core.retry import MAX_ATTEMPTS, RetryDecision, decide_retry
from rpa.errors import Disposition


@pytest.mark.parametrize("disposition", [Disposition.VERIFY, Disposition.STOP])
@pytest.mark.parametrize("attempt", [1, 2])
def test_what_may_have_left_or_never_will_is_not_retried(
    disposition: Disposition, attempt: int
) -> None:
    assert decide_retry(disposition, attempt) is None


@pytest.mark.parametrize("disposition", [Disposition.RETRY, Disposition.WAIT])
def test_the_last_attempt_is_the_last(disposition: Disposition) -> None:
    assert decide_retry(disposition, MAX_ATTEMPTS - 1) is not None
    assert decide_retry(disposition, MAX_ATTEMPTS) is None
    assert decide_retry(disposition, 7, max_attempts=8) is not None


@pytest.mark.parametrize(
    ("attempt", "wait"), [(1, 1.0), (2, 2.0), (3, 4.0), (6, 32.0), (7, 60.0), (40, 60.0)]
)
def test_waits_double_up_to_a_minute(attempt: int, wait: float) -> None:
    decided = decide_retry(Disposition.RETRY, attempt, max_attempts=99)
    assert decided == RetryDecision(wait)


@pytest.mark.parametrize(("attempt", "wait"), [(1, 4.0), (2, 8.0), (5, 60.0)])
def test_a_throttled_shop_is_given_longer(attempt: int, wait: float) -> None:
    assert decide_retry(Disposition.WAIT, attempt, max_attempts=99) == RetryDecision(wait)


@given(
    retry_after=st.none() | st.floats(0, 86_400),
    jitter=st.floats(0, 0.999),
    attempt=st.integers(1, 9),
    disposition=st.sampled_from([Disposition.RETRY, Disposition.WAIT]),
)
def test_what_the_store_asked_for_is_never_undercut(
    retry_after: float | None, jitter: float, attempt: int, disposition: Disposition
) -> None:
    plain = decide_retry(disposition, attempt, max_attempts=10)
    spread = decide_retry(
        disposition, attempt, retry_after=retry_after, jitter=jitter, max_attempts=10
    )
    assert plain is not None
    assert spread is not None
    assert spread.wait >= (retry_after or 0)
    assert spread.wait >= plain.wait
