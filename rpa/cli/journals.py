"""The journals a command is about: those of the configured shops, and those left of others."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from rpa.config import Project
from rpa.errors import ConfigError, JournalError
from rpa.journal.lines import Lines
from rpa.journal.segment import open_file

__all__ = ["ShopJournal", "journals_of"]


@dataclass(frozen=True)
class ShopJournal:
    """One shop's journal.

    Attributes:
        shop: Shop name.
        path: The journal; may not be there yet.
        identity: The shop's identity.
        configured: Whether the shop is in the configuration; if not, its journal was left behind.
    """

    shop: str
    path: Path
    identity: str
    configured: bool = True


def journals_of(project: Project, asked: Sequence[str] | None = None) -> list[ShopJournal]:
    """The journals of the shops asked for, or of all there are.

    A shop that was taken out of the configuration keeps its journal and whatever is held in it.

    Raises:
        ConfigError: A shop that was asked for is neither configured nor has it a journal.
    """
    every = {
        name: ShopJournal(name, project.journal(name), shop.identity)
        for name, shop in project.shops.items()
    }
    for name in sorted(_on_disk(project) - every.keys()):
        path = project.journal(name)
        every[name] = ShopJournal(name, path, _owner_of(path), configured=False)
    for name in asked or ():
        if name not in every:
            raise ConfigError(f"{project.file}: no shop {name!r}; it has: {', '.join(every)}")
    return [every[name] for name in dict.fromkeys(asked or every)]


def _owner_of(path: Path) -> str:
    """The identity of the shop that a journal belongs to, by its own account."""
    with suppress(JournalError), closing(open_file(path)) as file:
        return Lines(path, file).header.shop
    return ""


def _on_disk(project: Project) -> set[str]:
    """Shops that have a journal; a name with a dot in it is that of an older generation."""
    found = (path.stem for path in (project.home / "journals").glob("*.jsonl"))
    return {name for name in found if "." not in name}
