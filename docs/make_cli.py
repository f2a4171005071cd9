"""Writes docs/cli.md from the commands' own help.

python docs/make_cli.py            write it
python docs/make_cli.py --check    fail if it is not current
"""

from __future__ import annotations

import os
import sys
from itertools import chain
from pathlib import Path
from typing import Any

# Help is wrapped to the terminal; the page must not depend on whose terminal that is.
os.environ["COLUMNS"] = os.environ["TERMINAL_WIDTH"] = "100"

import typer

from rpa.cli.app import app
from rpa.cli.main import overview

PAGE = Path(__file__).parent / "cli.md"
HEAD = """# The command line

Made from the commands' own help by `docs/make_cli.py`. Exit codes: 0 all submitted, 1 unexpected, 2
usage or input, 3 units held, 4 failed or dead units remain, 5 wrong shop, 6 journal damaged or
unwritable, 75 shop locked by another run.
"""


def page() -> str:
    """The whole page."""
    root = typer.main.get_command(app)
    sections = (_section(command, name) for name, command in _commands(root).items())
    return HEAD + f"\n```text\n{overview()}```\n" + "".join(chain.from_iterable(sections))


def _commands(command: object) -> dict[str, Any]:
    listed: dict[str, Any] = getattr(command, "commands", {})
    return {name: inner for name, inner in listed.items() if not inner.hidden}


def _section(command: Any, name: str, above: str = "rpa") -> list[str]:
    path = f"{above} {name}"
    text = command.get_help(command.context_class(command, info_name=path))
    parts = [f"\n## {path}\n\n```text\n{text.strip()}\n```\n"]
    for sub, inner in _commands(command).items():
        parts += _section(inner, sub, path)
    return parts


def main() -> int:
    """Write or check the page."""
    made = page()
    if "--check" not in sys.argv:
        PAGE.write_text(made, encoding="utf-8", newline="\n")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == made:
        return 0
    sys.stderr.write("docs/cli.md is not current; run: python docs/make_cli.py\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
