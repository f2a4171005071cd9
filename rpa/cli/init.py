"""``rpa init``: begin a project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from rpa.cli.output import AsJson, emit, errors_as_exit_codes
from rpa.errors import UsageError

__all__ = ["app", "init"]

app = typer.Typer()

_FILES: Final = {
    "rpa.toml": "rpa.toml",
    "items.csv": "items.csv",
    "flows/my_flow.py.txt": "flows/my_flow.py",
    "stores/my_shop.py.txt": "stores/my_shop.py",
}
"""Templates, and what they become. Python ones are no modules of ours, hence their names."""


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where.")] = Path(),
    as_json: AsJson = False,
) -> None:
    """Write rpa.toml, a flow, a store and some items to begin with; overwrite nothing."""
    with errors_as_exit_codes(as_json):
        try:
            wrote, kept = _write(folder)
        except OSError as error:
            raise UsageError(f"{error.filename}: {error.strerror}") from None
        document = {"folder": str(folder.resolve()), "wrote": wrote, "kept": kept}
        lines = [*(f"wrote {name}" for name in wrote), *(f"kept {name}, as it is" for name in kept)]
        lines.append("next: describe your shop in rpa.toml, then `rpa doctor` and `rpa login SHOP`")
        emit(document, as_json, lambda console: console.print("\n".join(lines), markup=False))


def _write(folder: Path) -> tuple[list[str], list[str]]:
    """Write what is not there yet.

    Returns:
        What was written and what was there already.
    """
    from importlib.resources import files

    templates = files("rpa") / "_data" / "init"
    wrote, kept = [], []
    for template, name in _FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write((templates / template).read_text(encoding="utf-8"))
            wrote.append(name)
        except FileExistsError:
            kept.append(name)
    lines = (templates / "gitignore.txt").read_text(encoding="utf-8").splitlines()
    (wrote if _add_lines(folder / ".gitignore", lines) else kept).append(".gitignore")
    return wrote, kept


def _add_lines(path: Path, lines: list[str]) -> bool:
    """Put lines at the end of a file that lacks them."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    missing = [line for line in lines if line not in old.splitlines()]
    gap = "" if old.endswith("\n") or not old else "\n"
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(gap + "".join(f"{line}\n" for line in missing))
    return bool(missing)
