"""Saved sessions: private files, written whole, and never over a fresher one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from filelock import FileLock
from loguru import logger

__all__ = ["SavedSession"]


class SavedSession:
    """One shop's saved session on disk (Playwright's storage state).

    The file is 0600. It is replaced whole, under a lock, and only if nobody wrote it since it was
    loaded here: an old process must not put stale cookies over fresh ones.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._loaded: bytes | None = None

    def load(self) -> dict[str, Any] | None:
        """Read the saved session; None if there is none or it is not one."""
        try:
            self._loaded = self._path.read_bytes()
            state = json.loads(self._loaded)
        except FileNotFoundError:
            self._loaded = None
            return None
        except ValueError:
            logger.warning("{} is not a saved session; logging in again", self._path)
            return None
        return state if isinstance(state, dict) else None

    def save(self, state: dict[str, Any]) -> bool:
        """Replace the saved session, unless somebody else did since `load`.

        Returns:
            Whether it was written.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(f"{self._path}.lock", timeout=10):
            if self._current() != self._loaded:
                logger.warning("{} was renewed by another process; keeping theirs", self._path)
                return False
            data = json.dumps(state, ensure_ascii=False).encode()
            self._replace(data)
            self._loaded = data
        return True

    def forget(self) -> None:
        """Remove the saved session."""
        self._path.unlink(missing_ok=True)
        self._loaded = None

    def _current(self) -> bytes | None:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return None

    def _replace(self, data: bytes) -> None:
        new = self._path.with_suffix(".new")
        new.unlink(missing_ok=True)
        # Opened private from its first byte; on Windows the user's own profile folder guards it.
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self._path)
