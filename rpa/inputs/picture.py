"""Picture files named in a row: found beside the items file, and whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, ValidationInfo

from rpa.inputs.origin import origin_of
from rpa.inputs.shown import shown

__all__ = ["PictureFile"]

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"


def _is_cut(data: bytes) -> bool | None:
    """Whether a picture ends too early; None when it is no PNG, JPEG or WebP at all.

    A shop often takes half a picture without a word, so a broken download must stop here.
    """
    if data.startswith(_PNG):
        end = data.rfind(b"IEND")  # and its checksum of four bytes
        return end < 0 or len(data) < end + 8
    if data.startswith(_JPEG):
        scan = data.rfind(b"\xff\xda")  # a thumbnail in the header has an end mark of its own
        return scan < 0 or data.find(b"\xff\xd9", scan) < 0
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return len(data) < int.from_bytes(data[4:8], "little") + 8
    return None


def _picture(value: object, info: ValidationInfo) -> Path:
    if not isinstance(value, (str, Path)):
        raise ValueError(f"{shown(value)} is not the path of a picture")
    written = str(value).strip()
    path = Path(os.path.abspath(origin_of(info).folder / written))
    try:
        data = path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise ValueError(f"picture {shown(written)} cannot be read: {error.strerror}") from error
    if data is None:
        hint = "; write / between folders" if "\\" in written else ""
        raise ValueError(f"no picture {shown(written)} in {origin_of(info).folder}{hint}")
    cut = _is_cut(data)
    if cut is None:
        raise ValueError(f"{shown(written)} is not a PNG, JPEG or WebP picture")
    if cut:
        raise ValueError(f"picture {shown(written)} ends too early; download or save it again")
    return path


PictureFile = Annotated[Path, BeforeValidator(_picture)]
"""Absolute path of a whole PNG, JPEG or WebP file, written relative to the items file's folder."""
