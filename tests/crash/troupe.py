"""Playing cases some at a time, ahead of the tests that ask for them: they wait more than work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Self

from tests.crash.cases import Case
from tests.crash.stage import Played

__all__ = ["AT_ONCE", "Troupe"]

AT_ONCE: Final = max(2, min(8, os.cpu_count() or 2))
"""Cases that play at the same time."""


class Troupe:
    """Plays cases in order; a context manager that ends what still plays.

    Args:
        play: Plays one case.
        cases: Those that will be asked for, in that order.
    """

    def __init__(self, play: Callable[[Case], Played], cases: Iterable[Case]) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE)
        self._played = {case: self._pool.submit(play, case) for case in cases}

    def played(self, case: Case) -> Played:
        """Wait until a case has been played."""
        return self._played[case].result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)
