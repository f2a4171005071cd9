"""Masking: known secrets never reach a log, a trace or an error."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import quote

__all__ = ["Masker"]

_MASK: Final = "***"
_SHORTEST: Final = 4  # shorter values would blank half of every text


class Masker:
    """Replaces every secret it has been told of."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets: set[str] = set()
        self.add(*secrets)

    def add(self, *secrets: str) -> None:
        """Learn secrets, and the form they take inside addresses."""
        for secret in secrets:
            if len(secret) >= _SHORTEST:
                self._secrets |= {secret, quote(secret, safe="")}

    def text(self, text: str) -> str:
        """Mask a text."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, _MASK)
        return text

    def data(self, data: bytes) -> bytes:
        """Mask bytes, whatever they are."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            data = data.replace(secret.encode(), _MASK.encode())
        return data

    def archive(self, path: Path) -> None:
        """Mask every member of a zip file, in place."""
        masked = path.with_suffix(".masked")
        with (
            zipfile.ZipFile(path) as old,
            zipfile.ZipFile(masked, "w", zipfile.ZIP_DEFLATED) as new,
        ):
            for member in old.infolist():
                new.writestr(member.filename, self.data(old.read(member)))
        shutil.move(masked, path)
