"""The checks of `rpa doctor`: each says what it found, and none changes anything that matters."""

from __future__ import annotations

import os
import platform
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from rpa.cli.places import network_share, read_mounts, synced_by
from rpa.errors import ConfigError, RpaError

if TYPE_CHECKING:
    from rpa.config import Project, ShopConfig

__all__ = ["Finding", "of_computer", "of_project", "of_shop"]

_EARLIEST: Final = 1_735_689_600  # 2025-01-01; an earlier clock is not set
_AHEAD: Final = 120  # seconds by which a file may be newer than now before the clock is doubted


@dataclass(frozen=True)
class Finding:
    """What one check found.

    Attributes:
        check: What was looked at.
        state: ``problem`` keeps a run from working, ``warning`` does not.
        detail: What was seen, and the remedy where there is something to mend.
        shop: The shop it is about, if it is about one.
    """

    check: str
    state: Literal["ok", "warning", "problem"]
    detail: str
    shop: str = ""


def of_computer(browser: str | None) -> Iterator[Finding]:
    """Check what has nothing to do with any project."""
    yield Finding("python", "ok", f"{platform.python_version()} at {sys.executable}")
    yield _browser(browser)
    yield _fonts()


def of_project(project: Project) -> Iterator[Finding]:
    """Check the project's configuration, folders and flows."""
    yield Finding("configuration", "ok", f"{project.file}: {len(project.shops)} shops")
    yield Finding("identities", "ok", "every shop has an identity of its own")
    folder = project.home / "journals"
    yield _writable(folder)
    yield _lockable(folder)
    yield _one_computer(project.root.resolve())
    yield _clock(project.home)
    yield from _flows(project)


def of_shop(project: Project, shop: ShopConfig) -> Iterator[Finding]:
    """Check one shop without opening it."""
    try:
        shop.credentials()
        shop.upstream()
        yield Finding("secrets", "ok", "all there", shop.name)
    except ConfigError as error:
        yield Finding("secrets", "problem", str(error), shop.name)
    yield _session(project.session(shop.name), shop.name)
    yield from _store(project, shop)


def _browser(asked: str | None) -> Finding:
    import asyncio

    from rpa.gate.browser import browser_in_sight

    try:
        choice = asyncio.run(browser_in_sight(asked))
    except RpaError as error:
        return Finding("browser", "problem", str(error))
    if choice is None:
        remedy = "none found; the first run tries to install one, or: playwright install chromium"
        return Finding("browser", "problem", remedy)
    return Finding("browser", "ok", f"{choice.executable or choice.channel} ({choice.origin})")


def _fonts() -> Finding:
    """Without a font that has them, Chinese characters are empty boxes in every picture."""
    if not sys.platform.startswith("linux"):
        return Finding("fonts", "ok", "this system brings fonts for Chinese text")
    lister = shutil.which("fc-list")
    if lister is None:
        return Finding("fonts", "warning", "no fc-list to ask; install fontconfig")
    found = subprocess.run(
        [lister, ":lang=zh", "family"], capture_output=True, text=True, timeout=30, check=False
    )
    names = sorted({line.split(",")[0] for line in found.stdout.splitlines() if line})
    if names:
        return Finding("fonts", "ok", f"for Chinese text: {names[0]}")
    return Finding("fonts", "warning", "none for Chinese text; install fonts-noto-cjk")


def _writable(folder: Path) -> Finding:
    from rpa.journal.jsonl import MIN_FREE

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding("journals", "problem", f"{folder} cannot be written: {error.strerror}")
    detail = f"{folder}: {free / 1e9:.1f} GB free"
    return Finding("journals", "problem" if free < MIN_FREE else "ok", detail)


def _lockable(folder: Path) -> Finding:
    """A lock that a second opening of the same file does not feel is no lock."""
    from filelock import lock_descriptor

    opened: list[int] = []
    try:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            try:
                for _ in range(2):
                    opened.append(os.open(Path(place, "lock"), os.O_RDWR | os.O_CREAT))
                lock_descriptor(opened[0], blocking=False)
                felt = not lock_descriptor(opened[1], blocking=False)
            finally:
                for fd in opened:  # before the folder goes: Windows removes no open file
                    os.close(fd)
    except OSError as error:
        return Finding("locks", "problem", f"{folder}: files cannot be locked: {error.strerror}")
    if not felt:
        return Finding("locks", "problem", f"{folder}: locks have no effect on this file system")
    return Finding("locks", "ok", "one run per shop, on this computer")


def _one_computer(root: Path) -> Finding:
    share, service = network_share(root, read_mounts()), synced_by(root)
    if share or service:
        place = f"on network share {share}" if share else f"in a folder of {service}"
        return Finding(
            "one computer",
            "warning",
            f"{root} lies {place}: file locks do not keep a second computer from running the same "
            "shops at the same time; move the project to a local folder",
        )
    return Finding("one computer", "ok", "a local folder; run these shops from here only")


def _clock(home: Path) -> Finding:
    now = time.time()
    if now < _EARLIEST:
        return Finding("clock", "problem", f"it says {time.ctime(now)}; set it")
    newest = max((path.stat().st_mtime for path in home.rglob("*.jsonl")), default=0.0)
    if newest > now + _AHEAD:
        ahead = f"journals were written {newest - now:.0f} s in its future"
        return Finding("clock", "warning", f"{ahead}; absence may be believed too late or too soon")
    return Finding("clock", "ok", time.strftime("%Y-%m-%d %H:%M:%S %Z"))


def _flows(project: Project) -> Iterator[Finding]:
    from rpa.runner.load import load_flow, use_project

    use_project(project.root)
    for path in sorted((project.root / "flows").glob("[!_]*.py")):
        try:
            flow = load_flow(path.stem)
            yield Finding(f"flow {path.stem}", "ok", f"{flow.__name__}, effect {flow.effect}")
        except RpaError as error:
            yield Finding(f"flow {path.stem}", "problem", str(error))
        except Exception as error:  # noqa: BLE001 - a person's own module may raise anything
            said = f"{path}: {type(error).__name__}: {error}"
            yield Finding(f"flow {path.stem}", "problem", said)


def _session(path: Path, shop: str) -> Finding:
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return Finding("session", "ok", "none saved; the first run logs in", shop)
    if sys.platform != "win32" and mode & 0o077:
        return Finding("session", "problem", f"{path} is {mode:04o}; chmod 600 it", shop)
    return Finding("session", "ok", str(path), shop)


def _store(project: Project, shop: ShopConfig) -> Iterator[Finding]:
    from rpa.runner.load import load_store, use_project
    from rpa.verify.exam import Certificate

    use_project(project.root)
    try:
        store = load_store(shop.store)(shop.url)
    except RpaError as error:
        yield Finding("store", "problem", str(error), shop.name)
        return
    except Exception as error:  # noqa: BLE001 - a person's own module may raise anything
        said = f"{shop.store}: {type(error).__name__}: {error}"
        yield Finding("store", "problem", said, shop.name)
        return
    yield Finding("store", "ok", shop.store, shop.name)
    folder = project.home / "exams" / shop.name
    for probe in {p.name: p for submit in store.submits.values() for p in submit.probes}.values():
        kept = Certificate.load(folder / f"{probe.name}.json", probe, shop.identity)
        if kept is None:
            said = "not examined yet; the first doubt does it, or `rpa verify --exam`"
            yield Finding(f"probe {probe.name}", "ok", said, shop.name)
        elif kept.passed:
            yield Finding(f"probe {probe.name}", "ok", "passed its exam", shop.name)
        else:
            failed = "; ".join(f"{asked}: {why}" for asked, why in kept.failures.items())
            said = f"failed its exam, so doubts are held: {failed}"
            yield Finding(f"probe {probe.name}", "warning", said, shop.name)
