"""What follows the last newline when nobody is writing: the mark of a crash or a power cut.

A record goes out in one write that ends with its newline, and nothing is done on its strength
before the disk has all of it. So a *last line without a newline* was never relied on, and may be
cut away. A line that ends with a newline and is wrong is another matter: it may be one that a
click was based on, so it is damage, wherever it stands, and stops the shop.
"""

from __future__ import annotations

import os
from itertools import count

from loguru import logger

from rpa.errors import JournalUnwritable
from rpa.journal.files import Files
from rpa.journal.header import too_new
from rpa.journal.names import torn_file
from rpa.journal.record_line import BadLine, NewerVersion, decode_record
from rpa.journal.segment import Segment

__all__ = ["mend_tail"]


def mend_tail(segment: Segment, files: Files) -> None:
    """Make the file end with a whole line again; the append lock must be held.

    A tail that is a whole record gets the newline it lacks. Any other, and one of NUL bytes, is
    moved into a side file.

    Raises:
        JournalTooNew: The tail is a record of a newer version; nothing was changed.
        JournalUnwritable: The disk does not let us.
    """
    if not segment.lines.tail:
        return
    tail = segment.file.read(segment.lines.offset, segment.lines.tail)
    try:
        if _is_next(tail, segment):
            files.write_all(segment.file.fd, b"\n")
            files.fsync(segment.file.fd)
            logger.warning("{}: the last record lacked its newline", segment.path)
            segment.catch_up()
        else:
            _cut(segment, tail, files)
    except OSError as error:
        raise JournalUnwritable(f"{segment.path}: its torn tail cannot be cut: {error}") from error


def _is_next(tail: bytes, segment: Segment) -> bool:
    try:
        return decode_record(tail.removesuffix(b"\r")).seq == segment.history.seq + 1
    except BadLine:
        return False
    except NewerVersion as error:
        raise too_new(segment.path, error) from None


def _cut(segment: Segment, tail: bytes, files: Files) -> None:
    for number in count(1):
        side = torn_file(segment.path, number)
        try:
            fd = files.open(side, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            break
        except FileExistsError:
            continue
    try:
        files.write_all(fd, tail)
        files.fsync(fd)
    finally:
        os.close(fd)
    files.fsync_dir(segment.path.parent)
    files.truncate(segment.file.fd, segment.lines.offset)
    files.fsync(segment.file.fd)
    what = "NUL bytes" if not tail.strip(b"\0") else "a torn record"
    logger.warning(
        "{}: {} bytes of {} after line {} were moved to {}; the unit they belong to will be "
        "looked at again",
        segment.path, len(tail), what, segment.lines.line, side.name,
    )  # fmt: skip
