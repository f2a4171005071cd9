"""Performing one step's own code, strictly."""

from __future__ import annotations

import warnings
from typing import Any

from rpa.errors import FlowError
from rpa.runner.flow import StepCall

__all__ = ["one_line", "run_step"]

_FORGOTTEN = "was never awaited"


async def run_step(call: StepCall) -> Any:
    """Run a step's function.

    A forgotten ``await`` makes a click that never happens. Python only warns of it, so here the
    warning is an error.

    Raises:
        FlowError: The step forgot an ``await``.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = await call.step.function(call.flow, call.page, call.item, *call.arguments)
    for warning in caught:
        if issubclass(warning.category, RuntimeWarning) and _FORGOTTEN in str(warning.message):
            raise FlowError(f"step {call.step.name} forgot an `await`: {warning.message}")
    return result


def one_line(error: BaseException) -> str:
    """What an error says, in one line, without a browser's call log."""
    return (str(error).splitlines() or [type(error).__name__])[0]
