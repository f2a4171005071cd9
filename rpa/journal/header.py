"""The header: the first line of every journal file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from rpa.errors import JournalDamaged, JournalTooNew
from rpa.journal.record_line import VERSION, BadLine, NewerVersion, seal, unseal

__all__ = ["Header", "read_header", "too_new"]

_BOM: Final = b"\xef\xbb\xbf"  # what some editors put in front of a file


@dataclass(frozen=True, slots=True)
class Header:
    """What a journal file says about itself.

    Attributes:
        shop: The identity of the shop it belongs to; empty if nobody said.
        generation: Which compaction wrote it; 1 if none did.
        units: How many snapshot lines follow before the first record.
        seq: The last record that those contain; the next line has the number after it.
    """

    shop: str = ""
    generation: int = 1
    units: int = 0
    seq: int = 0

    def line(self) -> bytes:
        """Write it as a line."""
        return seal({"kind": "journal", "v": VERSION, **asdict(self)})


def read_header(path: Path, line: bytes) -> Header:
    """Read a journal's first line, without its newline.

    Raises:
        JournalDamaged: It is not a header.
        JournalTooNew: A newer version wrote it.
    """
    try:
        members = unseal(line.removeprefix(_BOM).removesuffix(b"\r"))
        if members.pop("kind", None) != "journal":
            raise BadLine("not the header of a journal")
        del members["v"], members["sum"]
        return Header(**members)
    except NewerVersion as error:
        raise too_new(path, error) from None
    except (BadLine, KeyError, TypeError) as error:
        raise JournalDamaged(path, 1, 0, str(error)) from None


def too_new(path: Path, error: NewerVersion) -> JournalTooNew:
    """Say that a newer version wrote a line of this file."""
    return JournalTooNew(
        f"{path}: {error}. It was left as it is; use the version of rpa that wrote it."
    )
