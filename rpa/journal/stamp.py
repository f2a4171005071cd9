"""What every journal does with a record before it takes it: number, date, check, fold."""

from __future__ import annotations

from datetime import UTC, datetime

from rpa.core.fold import History
from rpa.core.record import Record
from rpa.errors import Conflict, IllegalTransition
from rpa.journal.record_line import decode_record, encode_record

__all__ = ["take"]


def take(history: History, record: Record, now: float) -> tuple[Record, bytes]:
    """Number and date a record and fold it into a history, all or nothing.

    Args:
        history: The newest state; holds the record afterwards.
        record: What happened.
        now: Seconds of the wall clock.

    Returns:
        The record as it will be read back (what went in as a tuple is a list now), and its line.

    Raises:
        Conflict: The state does not allow it.
        TypeError: A payload that JSON has no form for.
        ValueError: A field of a wrong type, or a record that is too long.
    """
    time = datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds")
    line = encode_record(record, history.seq + 1, time.replace("+00:00", "Z"))
    stamped = decode_record(line[:-1])
    try:
        history.apply(stamped)
    except IllegalTransition as error:
        raise Conflict(f"{record.event} of unit {record.unit} was not written: {error}") from error
    return stamped, line
