"""Exporting journals: every record in a form that other programs read."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from rpa.cli.journals import ShopJournal
from rpa.cli.masking import masked, masker_of
from rpa.config import Project
from rpa.core.keys import label
from rpa.errors import UsageError
from rpa.journal import export

__all__ = ["export_journals"]

_OF_THE_RECORD: Final = (
    *("seq", "time", "run", "unit", "identity", "edition", "flow", "step", "step_key"),
    *("attempt", "event", "data", "error", "evidence"),
)
_COLUMNS: Final = ("shop", "label", *_OF_THE_RECORD)
_NESTED: Final = ("identity", "data", "error", "evidence")


def export_journals(
    project: Project, journals: Sequence[ShopJournal], *, as_csv: bool, output: Path | None
) -> int:
    """Write every record of some journals, shop after shop.

    Args:
        project: The project.
        journals: Which.
        as_csv: CSV with a header, else one JSON object per line.
        output: The file; None is standard output. It is whole or not there.

    Returns:
        How many records were written.

    Raises:
        UsageError: The file cannot be written.
        JournalError: A journal is damaged or cannot be read.
    """
    encoding = "utf-8-sig" if as_csv else "utf-8"  # the mark tells spreadsheets what it is
    with _opened(output, encoding) as stream:
        write = _csv(stream) if as_csv else _jsonl(stream)
        count = 0
        for row in _rows(project, journals):
            write(row)
            count += 1
        return count


def _rows(project: Project, journals: Sequence[ShopJournal]) -> Iterator[dict[str, Any]]:
    for journal in journals:
        masker = masker_of(project, journal.shop)
        for record in export(journal.path):
            row = {name: getattr(record, name) for name in _OF_THE_RECORD}
            named = {"shop": journal.shop, "label": label(record.identity, record.edition)}
            yield masked({**named, **row}, masker)


def _jsonl(stream: IO[str]) -> Callable[[dict[str, Any]], object]:
    return lambda row: stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def _csv(stream: IO[str]) -> Callable[[dict[str, Any]], object]:
    writer = csv.DictWriter(stream, _COLUMNS, lineterminator="\n")
    writer.writeheader()

    def write(row: dict[str, Any]) -> None:
        nested = {name: json.dumps(row[name], ensure_ascii=False) for name in _NESTED if row[name]}
        writer.writerow({**row, **dict.fromkeys(_NESTED), **nested})

    return write


@contextmanager
def _opened(output: Path | None, encoding: str) -> Iterator[IO[str]]:
    """A place to write to; a file appears under its name when it is whole."""
    if output is None:
        yield sys.stdout
        return
    partial = output.with_name(f"{output.name}.part")
    try:
        with partial.open("w", encoding=encoding, newline="") as stream:
            yield stream
        os.replace(partial, output)
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)
