"""Masking what commands print: a shop's secrets, wherever they got into its journal from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from rpa.config import Project
from rpa.config.mask import Masker

__all__ = ["masked", "masker_of"]


def masker_of(project: Project, shop: str) -> Masker:
    """Know a shop's secrets, as far as this process can know them without asking anybody."""
    config = project.shops.get(shop)
    if config is None:
        return Masker()
    references = (config.password, config.proxy or "")
    named = (ref.removeprefix("env:") for ref in references if ref.startswith("env:"))
    secrets = [secret for name in named if (secret := os.environ.get(name))]
    return Masker([*secrets, *(urlsplit(s).password or "" for s in secrets if "://" in s)])


def masked(value: Any, masker: Masker) -> Any:
    """Mask every text inside plain data."""
    match value:
        case str():
            return masker.text(value)
        case Mapping():
            return {masker.text(str(key)): masked(inner, masker) for key, inner in value.items()}
        case list() | tuple():
            return [masked(inner, masker) for inner in value]
        case _:
            return value
