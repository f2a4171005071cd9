"""A project for a demo, written anew for where its store serves this time."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rpa.cli.fixture_servers import ask, fixtures_home

if TYPE_CHECKING:
    from rpa.config import Project

__all__ = ["VARIABLE", "write_items", "write_project"]

VARIABLE: Final = "LANDONCE_DEMO"
"""Environment variables of this name and a number hold the demo stores' passwords."""


def write_project(root: Path, store: str, shops: list[dict[str, Any]], settle: float) -> Project:
    """Write ``rpa.toml`` for a running store, and put its password where the file points.

    Args:
        root: The project's folder.
        store: The store's name.
        shops: Its shops, as the server says when it is ready.
        settle: Seconds before absence is believed.
    """
    from rpa.config import load_project

    root.mkdir(parents=True, exist_ok=True)
    lines = ['sessions = "sessions"  # a demo\'s sessions are worth nothing elsewhere']
    for shop in shops:
        variable = f"{VARIABLE}_{len(lines)}"
        os.environ[variable] = shop["password"]
        lines += [
            "",
            f"[shops.{shop['name']}]",
            f"store = {_text(store)}",
            f"url = {_text(shop['url'])}",
            f"identity = {_text(shop.get('identity', shop['name']))}",
            f"username = {_text(shop['account'])}",
            f'password = "env:{variable}"',
            f"settle = {settle}",
        ]
    (root / "rpa.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (root / ".gitignore").write_text("*\n", encoding="utf-8")
    return load_project(root)


def write_items(root: Path, name: str) -> Path:
    """Put a sample items file into the project, and draw the pictures it names."""
    source = fixtures_home() / "fixtures" / "data" / name
    items = root / name
    shutil.copyfile(source, items)
    ask("oscar" if "listing" in name else "backoffice", "pictures", str(items))
    return items


def _text(value: str) -> str:
    """A TOML string; JSON's is one."""
    return json.dumps(value, ensure_ascii=False)
