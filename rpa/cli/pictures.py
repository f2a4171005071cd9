"""Evidence pictures inside a page: as part of it while there is room, as links beyond."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

__all__ = ["Album"]

_TYPES: Final = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png"}
_KEY: Final = 12  # hex digits of the unit key that a picture's name begins with


class Album:
    """The pictures of one page.

    Args:
        page: Where the page will be.
        evidence: The only folder that pictures are taken from.
        room: Bytes of pictures that the page may hold.
    """

    def __init__(self, page: Path, evidence: Path, room: int) -> None:
        self._page, self._evidence, self._room = page, evidence.resolve(), room

    def of(self, places: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Show pictures, in order, each once.

        Args:
            places: Paths as `rpa.cli.story.story_row` gives them.

        Returns:
            For each ``caption``, ``href`` (empty if it is not kept any more), and ``src``, the
            picture itself (empty if the page has no room for it).
        """
        paths = dict.fromkeys(Path(place["path"]) for place in places)
        return [self._one(path) for path in paths if path.suffix in _TYPES]

    def link(self, path: Path) -> str:
        """How the page refers to a file beside it."""
        return quote(Path(os.path.relpath(path, self._page.parent)).as_posix())

    def _one(self, path: Path) -> dict[str, Any]:
        shown = {"caption": _caption(path), "href": "", "src": ""}
        # A name comes from the journal, and a journal from wherever it was copied.
        if not path.resolve().is_relative_to(self._evidence) or not path.is_file():
            return shown
        shown["href"] = self.link(path)
        size = path.stat().st_size
        if size <= self._room:
            self._room -= size
            data = base64.b64encode(path.read_bytes()).decode("ascii")
            shown["src"] = f"data:image/{_TYPES[path.suffix]};base64,{data}"
        return shown


def _caption(path: Path) -> str:
    """What a picture shows, by its name: ``KEY-ATTEMPT-STEP-WHEN`` or ``list-NUMBER``."""
    key, _, rest = path.stem.partition("-")
    attempt, _, what = rest.partition("-")
    if len(key) == _KEY and what:
        return f"attempt {attempt}: {what.replace('-', ' ')}"
    return path.stem.replace("-", " ")
