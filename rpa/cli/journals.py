"""The journals a command is about: those of the configured shops, and those left of others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rpa.config import Project
from rpa.errors import ConfigError

__all__ = ["ShopJournal", "journals_of"]

_GENERATION: Final = re.compile(r"(.+)\.g\d+")


@dataclass(frozen=True)
class ShopJournal:
    """One shop's journal.

    Attributes:
        shop: Shop name.
        path: The journal; may not be there yet.
        identity: The shop's identity; empty if it is not in the configuration any more.
    """

    shop: str
    path: Path
    identity: str = ""


def journals_of(project: Project, asked: Sequence[str] | None = None) -> list[ShopJournal]:
    """The journals of the shops asked for, or of all there are.

    A shop that was taken out of the configuration keeps its journal and whatever is held in it.

    Raises:
        ConfigError: A shop that was asked for is neither configured nor has it a journal.
    """
    known = {name: shop.identity for name, shop in project.shops.items()}
    left = {name: "" for name in sorted(_on_disk(project)) if name not in known}
    every = known | left
    for name in asked or ():
        if name not in every:
            raise ConfigError(f"{project.file}: no shop {name!r}; it has: {', '.join(every)}")
    names = dict.fromkeys(asked or every)
    return [ShopJournal(name, project.journal(name), every[name]) for name in names]


def _on_disk(project: Project) -> set[str]:
    found = {path.stem for path in (project.home / "journals").glob("*.jsonl")}
    older = {name for name in found if (match := _GENERATION.fullmatch(name)) and match[1] in found}
    return found - older
