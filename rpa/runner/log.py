"""One log per shop: rotated, masked, with run and unit on every line."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from loguru import logger

from rpa.config.mask import Masker

if TYPE_CHECKING:
    from loguru import Record

__all__ = ["log_to"]

_FORMAT = (
    "{time:YYYY-MM-DD HH:mm:ss.SSS} {level:<7} run={extra[run]} unit={extra[unit]} {message}\n"
)


def log_to(path: Path, masker: Masker, run: str) -> None:
    """Send this process's log to a shop's file, and nothing to the terminal.

    Args:
        path: The log file; rotated at 10 MB, kept for 30 days.
        masker: Knows the secrets.
        run: The run's id.
    """
    logger.remove()
    logger.configure(extra={"run": run, "unit": "-"})

    def write(record: Record) -> str:
        # The traceback goes into the message, so that what it says is masked like the rest.
        if record["exception"] is not None and record["exception"].value is not None:
            trace = "".join(traceback.format_exception(record["exception"].value))
            record["message"] += f"\n{trace}"
        record["message"] = masker.text(record["message"])
        return _FORMAT

    path.parent.mkdir(parents=True, exist_ok=True)
    logger.add(
        path,
        format=write,
        rotation="10 MB",
        retention="30 days",
        encoding="utf-8",
        backtrace=False,
        diagnose=False,  # values of variables may be secrets
    )
