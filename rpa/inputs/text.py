"""Bytes to text without a guess that loses anything.

Order: byte order mark, strict UTF-8, strict GB18030 (what Chinese Excel saves as "CSV").
"""

from __future__ import annotations

import codecs
from pathlib import Path

from rpa.errors import InputError

__all__ = ["decode_text"]


def decode_text(data: bytes, source: Path) -> tuple[str, str]:
    """Decode a whole file.

    Returns:
        The text without byte order mark, and "utf-8-sig", "utf-8" or "gb18030".

    Raises:
        InputError: UTF-16, NUL bytes, damaged UTF-8, or none of the encodings above.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{source.name}: the file is UTF-16; save it as UTF-8")
    if (at := data.find(b"\0")) >= 0:
        line = _line(data, at)
        raise InputError(f"{source.name} line {line}: NUL byte; save the file as UTF-8 text")
    marked = data.startswith(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8-sig"), "utf-8-sig" if marked else "utf-8"
    except UnicodeDecodeError as error:
        broken = error
    # A byte order mark promises UTF-8. So does text that is mostly good UTF-8: with one damaged
    # byte it would still pass as GB18030, as nonsense.
    if marked or _mostly_utf8(data):
        offset = len(codecs.BOM_UTF8) if marked else 0
        line = _line(data, broken.start + offset)
        raise InputError(
            f"{source.name} line {line}: damaged UTF-8 text; save the file again as UTF-8"
        )
    try:
        return data.decode("gb18030"), "gb18030"
    except UnicodeDecodeError as error:
        line = _line(data, error.start)
        raise InputError(
            f"{source.name} line {line}: neither UTF-8 nor GB18030 text; save the file as UTF-8"
        ) from error


def _mostly_utf8(data: bytes) -> bool:
    """Whether good UTF-8 characters of three bytes or more outnumber the bytes that are not UTF-8.

    Those of two bytes do not count: 女女女 in GB18030 is all of them by chance. Three in a row that
    fit are rare there, while every Chinese character takes three in UTF-8.
    """
    text = data.decode("utf-8", "surrogateescape")  # only counted, never kept
    good = sum(1 for char in text if char > "\u07ff" and not "\udc80" <= char <= "\udcff")
    return good > sum(1 for char in text if "\udc80" <= char <= "\udcff")


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
