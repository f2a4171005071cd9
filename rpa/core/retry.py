"""Retry: the one place that says whether, and when, a unit may be tried again.

A retry is only ever of something proven not to have left; what may have left is verified, which is
why VERIFY never appears here as a yes.
"""

from __future__ import annotations

from dataclasses import dataclass

from rpa.errors import Disposition

__all__ = ["MAX_ATTEMPTS", "RetryDecision", "decide_retry"]

MAX_ATTEMPTS = 3
_FIRST_WAIT = 1.0
_LONGEST_WAIT = 60.0


@dataclass(frozen=True, slots=True)
class RetryDecision:
    """Try again after so many seconds."""

    wait: float


def decide_retry(
    disposition: Disposition,
    attempt: int,
    *,
    retry_after: float | None = None,
    jitter: float = 0.0,
    max_attempts: int = MAX_ATTEMPTS,
) -> RetryDecision | None:
    """Say whether attempt ``attempt`` (from 1) may be followed by another.

    Args:
        disposition: What the failure allows.
        attempt: The attempt that just failed.
        retry_after: Seconds the store asked for; never undercut.
        jitter: A number in [0, 1) that spreads the waits; only ever adds.
        max_attempts: Attempts in all.

    Returns:
        The wait in seconds, or None where no attempt may follow.
    """
    if disposition not in (Disposition.RETRY, Disposition.WAIT) or attempt >= max_attempts:
        return None
    wait = min(_FIRST_WAIT * 2 ** (attempt - 1), _LONGEST_WAIT)
    if disposition is Disposition.WAIT:
        wait = min(wait * 4, _LONGEST_WAIT)
    return RetryDecision(max(wait, retry_after or 0.0) * (1 + jitter))
