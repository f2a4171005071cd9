"""Finding a Chromium, and installing one where there is none."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from loguru import logger
from playwright.async_api import Playwright

from rpa.errors import BrowserMissing, UsageError

__all__ = ["BrowserChoice", "find_browser", "launch_args"]

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
_CHANNELS: Final = {
    "chrome": {
        "linux": ("/opt/google/chrome/chrome",),
        "darwin": ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",),
        "win32": (r"Google\Chrome\Application\chrome.exe",),
    },
    "msedge": {
        "linux": ("/opt/microsoft/msedge/msedge",),
        "darwin": ("/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",),
        "win32": (r"Microsoft\Edge\Application\msedge.exe",),
    },
}
_WINDOWS_ROOTS: Final = ("LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)")
_INSTALL_WAIT: Final = 600.0  # seconds


@dataclass(frozen=True, slots=True)
class BrowserChoice:
    """A Chromium to launch.

    Attributes:
        executable: Its file; None to let Playwright find the channel.
        channel: ``chrome`` or ``msedge``.
        origin: Where it was found, for people.
    """

    executable: str | None
    channel: str | None
    origin: str


def launch_args() -> list[str]:
    """Flags every browser of ours is launched with.

    QUIC would pass the egress by, and the background services call home.
    """
    return [
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]


async def find_browser(playwright: Playwright, explicit: str | None = None) -> BrowserChoice:
    """Find a Chromium, or install one.

    Args:
        playwright: A started driver, which knows where its own browser would be.
        explicit: A file or a channel (``chrome``, ``msedge``) of the user's choice.

    Raises:
        UsageError: The explicit choice is not there, or is no Chromium.
        BrowserMissing: None was found and none could be installed.
    """
    asked = explicit or os.environ.get("RPA_BROWSER")
    if asked:
        return _explicit(asked)
    own = playwright.chromium.executable_path
    found = _found(own)
    if found is None and await _install():
        found = _found(own)
    if found is None:
        raise BrowserMissing(_nothing_found(own))
    return found


def _explicit(asked: str) -> BrowserChoice:
    if any(name in Path(asked).name.lower() for name in ("firefox", "webkit", "safari")):
        raise UsageError(f"{asked}: submits need Chromium; its gate is what keeps them safe")
    if asked in _CHANNELS:
        return BrowserChoice(None, asked, f"channel {asked}")
    if not Path(asked).is_file():
        raise UsageError(f"{asked}: no such browser; give a file, chrome or msedge")
    return BrowserChoice(asked, None, "given")


def _found(own: str) -> BrowserChoice | None:
    if Path(own).is_file():
        return BrowserChoice(own, None, "Playwright's own")
    for channel, places in _CHANNELS.items():
        if any(path.is_file() for path in _channel_files(places.get(sys.platform, ()))):
            return BrowserChoice(None, channel, f"channel {channel}")
    for name in _NAMES:
        path = shutil.which(name)
        if path:
            return BrowserChoice(path, None, f"the system's {name}")
    return None


def _channel_files(places: tuple[str, ...]) -> Iterator[Path]:
    for place in places:
        if sys.platform == "win32":
            roots = (os.environ.get(root) for root in _WINDOWS_ROOTS)
            yield from (Path(root) / place for root in roots if root)
        else:
            yield Path(place)


async def _install() -> bool:
    """Try Playwright's download, then Debian's package; says what it does, for it takes a while."""
    logger.info("no Chromium found; trying Playwright's download")
    if await _succeeds(sys.executable, "-m", "playwright", "install", "chromium"):
        return True
    root = getattr(os, "geteuid", lambda: -1)() == 0
    if not (root and shutil.which("apt-get")):
        return False
    logger.info("installing Debian's chromium")
    await _succeeds("apt-get", "update", "-qq")
    return await _succeeds(
        "apt-get",
        "install",
        "-y",
        "-qq",
        "--no-install-recommends",
        "chromium",
        "fonts-noto-cjk",
    )


async def _succeeds(*command: str) -> bool:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )
    try:
        return await asyncio.wait_for(process.wait(), _INSTALL_WAIT) == 0
    except TimeoutError:
        process.kill()
        return False


def _nothing_found(own: str) -> str:
    looked = ", ".join([own, *_CHANNELS, *_NAMES])
    remedy = {
        "win32": "install Microsoft Edge, or run: python -m playwright install chromium",
        "darwin": "install Google Chrome, or run: python -m playwright install chromium",
    }.get(sys.platform, "run: python -m playwright install chromium, or: apt install chromium")
    return f"no Chromium found (looked for {looked}) and none could be installed; {remedy}"
