"""Stop files: how `rpa stop` asks a shop that is running to end after the unit at hand.

A file works alike on every system, needs no process id and outlives whoever wrote it; the run
that starts next removes it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

__all__ = ["heeding", "stop_file"]

_LOOK_EVERY: Final = 0.5  # seconds


def stop_file(home: Path, shop: str) -> Path:
    """Name a shop's stop file.

    Args:
        home: The project's folder for such things.
        shop: Shop name.
    """
    return home / "stop" / shop


@asynccontextmanager
async def heeding(file: Path, stopping: asyncio.Event) -> AsyncIterator[None]:
    """Set an event once the stop file is there, for as long as the block works."""
    exists = file.exists  # one look at the disk, too short to be worth a thread

    async def look() -> None:
        while True:
            if exists():
                stopping.set()
                return
            await asyncio.sleep(_LOOK_EVERY)

    looking = asyncio.ensure_future(look())
    try:
        yield
    finally:
        looking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await looking
