"""Retrying what provably did not leave; `rpa.core.retry` decides, tenacity waits."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from playwright.async_api import Error as PlaywrightError
from tenacity import AsyncRetrying, RetryCallState

from rpa.core.retry import MAX_ATTEMPTS, RetryDecision, decide_retry
from rpa.errors import Disposition, LoggedOut, RpaError

__all__ = ["retrying"]

Sleep = Callable[[float], Awaitable[None]]


def retrying(
    sleep: Sleep = asyncio.sleep,
    spread: Callable[[], float] = random.random,
    max_attempts: int = MAX_ATTEMPTS,
) -> AsyncRetrying:
    """Make a retry loop.

    Args:
        sleep: Waits so many seconds.
        spread: Gives numbers in [0, 1), so that shops do not come back all at once.
        max_attempts: Attempts in all.
    """

    def decision(state: RetryCallState) -> RetryDecision | None:
        error = state.outcome.exception() if state.outcome else None
        if error is None:
            return None
        return decide_retry(
            _disposition(error),
            state.attempt_number,
            retry_after=getattr(error, "retry_after", None),
            jitter=spread() / 4,
            max_attempts=max_attempts,
        )

    def wait(state: RetryCallState) -> float:
        decided = decision(state)
        return decided.wait if decided else 0.0

    return AsyncRetrying(
        retry=lambda state: decision(state) is not None, wait=wait, sleep=sleep, reraise=True
    )


def _disposition(error: BaseException) -> Disposition:
    if isinstance(error, LoggedOut):
        return Disposition.RETRY  # the next attempt logs in first
    if isinstance(error, RpaError):
        return error.disposition
    if isinstance(error, PlaywrightError | TimeoutError):
        return Disposition.RETRY
    return Disposition.STOP
