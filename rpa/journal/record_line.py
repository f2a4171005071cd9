"""One record as one line of JSON, with a checksum that is cheap to check.

The checksum is the line's last member and covers every byte before it, so that checking needs
no parsing: ``<body>,"sum":"<crc32 of body, 8 hex digits>"}``. Members that are empty are left
out. `docs/journal-format.md` describes each member for people.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from rpa.core.record import Record
from rpa.core.states import Event

__all__ = [
    "MAX_LINE",
    "VERSION",
    "BadLine",
    "NewerVersion",
    "decode_lines",
    "decode_record",
    "encode_record",
    "seal",
    "sound",
    "unseal",
]

VERSION: Final = 1
"""The format this build writes; it reads every version up to this one."""
MAX_LINE: Final = 16 * 1024 * 1024
"""Longest line in bytes; a longer one is damage, not a record."""

_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_ASCII: Final = json.JSONEncoder(separators=(",", ":"))
_SUM_LENGTH: Final = len(',"sum":"01234567"}')
_EVENTS: Final[dict[str, Event]] = {str(event): event for event in Event}
_ORDER: Final = (
    *("run", "unit", "identity", "edition", "flow", "step", "step_key"),
    *("attempt", "event", "data", "error", "evidence"),
)
_ALWAYS: Final = frozenset({"unit", "identity", "event"})
_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    **dict.fromkeys(("unit", "flow", "run", "edition", "step", "step_key", "time"), str),
    **dict.fromkeys(("identity", "data"), dict),
    **dict.fromkeys(("attempt", "seq"), int),
    "event": Event,
    "error": (dict, type(None)),
    "evidence": tuple,
}


class BadLine(ValueError):
    """A line that is not a whole record of a known version; says why."""


class NewerVersion(ValueError):
    """A line that a newer version wrote."""


def seal(members: dict[str, Any]) -> bytes:
    """Write members as one line with its checksum and its newline.

    Raises:
        TypeError: A value that JSON has no form for.
        ValueError: A number that is not finite, or a line longer than `MAX_LINE`.
    """
    try:
        body = _JSON.encode(members).encode()[:-1]  # without the closing brace
    except UnicodeEncodeError:  # half a surrogate pair, as pages can hold; UTF-8 has no form for it
        body = _ASCII.encode(members).encode()[:-1]
    line = b'%b,"sum":"%08x"}\n' % (body, zlib.crc32(body))
    if len(line) > MAX_LINE:
        raise ValueError(f"a line of {len(line)} bytes is longer than {MAX_LINE}")
    return line


def unseal(line: bytes) -> dict[str, Any]:
    """Check a line, without its newline, and read its members.

    Raises:
        BadLine: It is damaged.
        NewerVersion: A newer version wrote it.
    """
    whole = sound(line)
    try:
        members = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise BadLine("not a line of JSON") from None
    if not isinstance(members, dict):
        raise BadLine("not a JSON object")
    version = members.get("v", VERSION)
    if isinstance(version, int) and version > VERSION:
        raise NewerVersion(f"format version {version}; this build reads up to {VERSION}")
    if not whole:
        raise BadLine("the checksum does not match")
    return members


def sound(line: bytes) -> bool:
    """Say whether a line, without its newline, carries its own checksum."""
    body = line[:-_SUM_LENGTH]
    return line[-_SUM_LENGTH:] == b',"sum":"%08x"}' % zlib.crc32(body)


def encode_record(record: Record, seq: int, time: str) -> bytes:
    """Write a record as a line.

    Args:
        record: What happened; its own number and time do not matter.
        seq: Its position in the journal.
        time: The journal's time.

    Raises:
        TypeError: A value that JSON has no form for.
        ValueError: A number that is not finite, or a line that is too long.
    """
    members: dict[str, Any] = {"v": VERSION, "seq": seq, "time": time}
    for name in _ORDER:
        value = getattr(record, name)
        if value or name in _ALWAYS or (name == "error" and value is not None):
            members[name] = dict(value) if isinstance(value, Mapping) else value
    return seal(members)


def decode_record(line: bytes) -> Record:
    """Read a line, without its newline, as a record.

    Raises:
        BadLine: It is damaged or not a record.
        NewerVersion: A newer version wrote it.
    """
    record = _record(unseal(line))
    for name, kind in _TYPES.items():
        if not isinstance(getattr(record, name), kind):
            raise BadLine(f"{name} is {getattr(record, name)!r}")
    return record


def decode_lines(lines: list[bytes]) -> list[Record] | None:
    """Read many lines at once, about twice as fast as one by one.

    Returns:
        The records, or None if any line is not in perfect order; then read them one by one to
        learn which and why. Types are not looked at again: the checksum says that
        `encode_record` wrote the line.
    """
    if not all(map(sound, lines)):
        return None
    try:
        many = json.loads(b"[%b]" % b",".join(lines))
        records = [_record(members) for members in many]
    except (ValueError, TypeError, AttributeError):
        return None
    return records if len(records) == len(lines) else None


def _record(members: dict[str, Any]) -> Record:
    """Build a record; members this version does not know are passed over."""
    get = members.get
    try:
        if members["v"] != VERSION:
            raise BadLine(f"format version {members['v']!r}")
        record = _new(Record)
        _set_unit(record, members["unit"])
        _set_identity(record, members["identity"])
        _set_event(record, _EVENTS[members["event"]])
        _set_flow(record, get("flow", ""))
        _set_run(record, get("run", ""))
        _set_edition(record, get("edition", ""))
        _set_step(record, get("step", ""))
        _set_step_key(record, get("step_key", ""))
        _set_attempt(record, get("attempt", 0))
        _set_data(record, get("data") or {})
        _set_error(record, get("error"))
        _set_evidence(record, tuple(get("evidence", ())))
        _set_seq(record, members["seq"])
        _set_time(record, members["time"])
    except (KeyError, TypeError) as error:
        raise BadLine(f"not a record: {error}") from None
    return record


# A frozen dataclass sets its fields one by one through object.__setattr__. Its slots do the same
# in a third of the time, and reading a long journal is mostly this.
_new: Final = object.__new__
(
    _set_unit, _set_identity, _set_event, _set_flow, _set_run, _set_edition, _set_step,
    _set_step_key, _set_attempt, _set_data, _set_error, _set_evidence, _set_seq, _set_time,
) = (Record.__dict__[field.name].__set__ for field in fields(Record))  # fmt: skip
