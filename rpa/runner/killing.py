"""Kill points: where a drill or a test lets a process die, for real."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
from typing import Any, Final, NoReturn

from rpa.journal.base import Reach, nowhere
from rpa.runner.job import Kill

__all__ = ["killer"]

_BROWSER: Final = ("chrom", "headless_shell")
_DRIVER: Final = ("node",)


def killer(kill: Kill | None) -> Reach:
    """Make the function that is told of every kill point."""
    if kill is None:
        return nowhere
    left = kill.nth

    def reach(point: str) -> None:
        nonlocal left
        if point != kill.point:
            return
        left -= 1
        if left == 0:
            _kill(kill)

    return reach


def _kill(kill: Kill) -> None:
    match kill.victim:
        case "browser":
            _kill_children(_BROWSER)
        case "driver":
            _kill_children(_DRIVER)
        case "run":
            os.kill(os.getppid(), _hard_signal())
            _die()
        case "worker":
            _die()


def _hard_signal() -> int:
    """SIGKILL; on Windows any signal ends a process at once and SIGKILL has no name."""
    return signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL


def _die() -> NoReturn:
    if sys.platform != "win32":
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(137)


def _kill_children(names: tuple[str, ...]) -> None:
    psutil: Any = importlib.import_module("psutil")  # a drill's need only; in the dev group
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it ended meanwhile
            if any(name in child.name().lower() for name in names):
                child.kill()
