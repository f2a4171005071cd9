"""Finding a Chromium, and installing one where there is none.

Only Chromium can be gated, so no other browser is ever looked for. A place the user names is the
only one tried. Otherwise the first of these that is there: Playwright's own, Google Chrome,
Microsoft Edge, a Chromium on the PATH; then one is installed.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from filelock import AsyncFileLock

from rpa.errors import BrowserMissing, UsageError

if TYPE_CHECKING:
    from playwright.async_api import Playwright

__all__ = [
    "BrowserChoice",
    "browser_in_sight",
    "channel_files",
    "find_browser",
    "launch_args",
    "make_sure_of_browser",
    "without_window",
]

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
# Where Playwright itself looks for a channel: its registry, `_createChromiumChannel`.
_CHANNELS: Final = {
    "chrome": {
        "linux": "/opt/google/chrome/chrome",
        "darwin": "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "win32": "Google/Chrome/Application/chrome.exe",
    },
    "msedge": {
        "linux": "/opt/microsoft/msedge/msedge",
        "darwin": "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
        "win32": "Microsoft/Edge/Application/msedge.exe",
    },
}
_WINDOWS_ROOTS: Final = ("LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)")
_DOWNLOAD_SECONDS: Final = 600.0
_PACKAGE_SECONDS: Final = 900.0
_REMEDIES: Final = {
    "win32": "install Microsoft Edge, or run: python -m playwright install chromium",
    "darwin": "install Google Chrome, or run: python -m playwright install chromium",
    "linux": "run: python -m playwright install --with-deps chromium, "
    "or on Debian as root: apt-get install chromium fonts-noto-cjk",
}


@dataclass(frozen=True, slots=True)
class BrowserChoice:
    """A Chromium to launch.

    Attributes:
        executable: Its file; None to let Playwright find the channel.
        channel: `chrome` or `msedge`.
        origin: Where it was found, for people.
    """

    executable: str | None
    channel: str | None
    origin: str


def launch_args() -> list[str]:
    """Flags every browser of ours is launched with.

    QUIC and WebRTC run over UDP, which would pass the egress by. The rest keeps the browser from
    calling home through it; an autofill server that is not https is never asked, while the usual
    one is told about every form that is shown.
    """
    return [
        "--disable-quic",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--autofill-server-url=http://127.0.0.1:9/",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]


async def find_browser(playwright: Playwright, explicit: str | None = None) -> BrowserChoice:
    """Find a Chromium, or install one.

    Args:
        playwright: A started driver, which knows where its own browser would be.
        explicit: The user's choice: a file, a command on the PATH, or a channel (`chrome`,
            `msedge`). The environment variable RPA_BROWSER says the same.

    Raises:
        UsageError: The explicit choice is not there, or is no Chromium.
        BrowserMissing: None was found and none could be installed.
    """
    choice = _asked_for(explicit)
    if choice is not None:
        return choice
    own = playwright.chromium.executable_path
    found = _found(own)
    if found is not None:
        return found
    async with AsyncFileLock(Path(tempfile.gettempdir()) / "landonce-browser.lock"):
        # Several shops start at once; the first installs, the others find what it installed.
        failures = [] if _found(own) else await _install()
    found = _found(own)
    if found is None:
        raise BrowserMissing(_nothing_found(own, failures))
    return found


def without_window(choice: BrowserChoice) -> BrowserChoice:
    """The same Chromium for work nobody watches.

    Debian's `chromium` draws a whole browser window even where there is no screen, which keeps a
    core half busy; its package `chromium-headless-shell` runs the same pages without.
    """
    shell = shutil.which("chromium-headless-shell")
    if shell is None or choice.executable is None or Path(choice.executable).name != "chromium":
        return choice
    return BrowserChoice(shell, None, f"{choice.origin}, without a window")


async def browser_in_sight(explicit: str | None = None) -> BrowserChoice | None:
    """Find the Chromium a run would use, and install nothing.

    Raises:
        UsageError: The explicit choice is not there, or is no Chromium.
    """
    from playwright.async_api import async_playwright

    choice = _asked_for(explicit)
    if choice is not None:
        return choice
    async with async_playwright() as playwright:
        return _found(playwright.chromium.executable_path)


async def make_sure_of_browser(explicit: str | None = None) -> None:
    """Have a Chromium, before processes are started that have no terminal to say so on.

    Raises:
        UsageError: The explicit choice is not there, or is no Chromium.
        BrowserMissing: None was found and none could be installed.
    """
    if explicit is None and _found("") is not None:
        return
    from playwright.async_api import async_playwright  # not needed where a browser is in sight

    async with async_playwright() as playwright:
        await find_browser(playwright, explicit)


def channel_files(channel: str, platform: str, environment: Mapping[str, str]) -> list[Path]:
    """Where a channel's browser may be.

    Args:
        channel: `chrome` or `msedge`.
        platform: As `sys.platform`.
        environment: As `os.environ`; names the roots of programs on Windows.
    """
    place = _CHANNELS[channel].get(platform)
    if place is None:
        return []
    if platform != "win32":
        return [Path(place)]
    return [Path(environment[root], place) for root in _WINDOWS_ROOTS if root in environment]


def _asked_for(explicit: str | None) -> BrowserChoice | None:
    asked = explicit or os.environ.get("RPA_BROWSER")
    return _explicit(asked, "given" if explicit else "RPA_BROWSER") if asked else None


def _explicit(asked: str, origin: str) -> BrowserChoice:
    if any(name in Path(asked).name.lower() for name in ("firefox", "webkit", "safari")):
        raise UsageError(f"{asked} ({origin}): submits need Chromium, the only one we can gate")
    if asked in _CHANNELS:
        return BrowserChoice(None, asked, origin)
    path = asked if Path(asked).is_file() else shutil.which(asked)
    if path is None:
        raise UsageError(f"{asked} ({origin}): no such browser; give a file, chrome or msedge")
    return BrowserChoice(path, None, origin)


def _found(own: str) -> BrowserChoice | None:
    if Path(own).is_file():
        return BrowserChoice(own, None, "Playwright's own")
    for channel in _CHANNELS:
        if any(file.is_file() for file in channel_files(channel, sys.platform, os.environ)):
            return BrowserChoice(None, channel, f"channel {channel}")
    for name in _NAMES:
        path = shutil.which(name)
        if path:
            return BrowserChoice(path, None, f"{name} on the PATH")
    return None


async def _install() -> list[str]:
    """Try Playwright's download, then Debian's package.

    Returns:
        What was tried in vain, in words.
    """
    download = [sys.executable, "-m", "playwright", "install", "chromium"]
    _tell("no Chromium found: downloading Playwright's (about 200 MB)")
    failure = await _run(download, _DOWNLOAD_SECONDS)
    if failure is None:
        return []
    failures = [failure]
    if shutil.which("apt-get") and getattr(os, "geteuid", lambda: -1)() == 0:
        packages = ["chromium"] if await _shows_chinese() else ["chromium", "fonts-noto-cjk"]
        _tell(f"the download failed: installing {' and '.join(packages)} with apt-get")
        # An update that fails in part still leaves an older list of packages to install from.
        await _run(["apt-get", "update"], _PACKAGE_SECONDS)
        install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
        failure = await _run(install, _PACKAGE_SECONDS)
        failures += [failure] if failure else []
    return failures


async def _shows_chinese() -> bool:
    """Whether there is a font for Chinese pages; pictures of them are evidence."""
    if shutil.which("fc-list") is None:
        return False
    process = await asyncio.create_subprocess_exec(
        "fc-list", ":lang=zh", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    return bool((await process.communicate())[0].strip())


async def _run(command: list[str], seconds: float) -> str | None:
    """Run an installer; None if it succeeded, else what went wrong."""
    # Into a file: a pipe would stay open, and we wait, for as long as a grandchild holds it.
    with tempfile.TemporaryFile() as output:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        )
        try:
            async with asyncio.timeout(seconds):
                code = await process.wait()
        except TimeoutError:
            return f"`{' '.join(command)}` was not done after {seconds:.0f} s"
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        output.seek(0)
        lines = output.read().decode("utf-8", "replace").splitlines()
    if code == 0:
        return None
    why = next((line for line in lines if "rror" in line or line.startswith("E:")), "")
    return f"`{' '.join(command)}` failed with {code}: {why.strip()}"


def _tell(what: str) -> None:
    """Say on stderr what takes so long; stdout may be a JSON document."""
    sys.stderr.write(f"rpa: {what}\n")
    sys.stderr.flush()


def _nothing_found(own: str, failures: list[str]) -> str:
    files = [str(f) for c in _CHANNELS for f in channel_files(c, sys.platform, os.environ)]
    return "\n".join(
        [
            "no Chromium found. Looked at:",
            *[f"  {place}" for place in [own, *files]],
            f"  {', '.join(_NAMES)} on the PATH",
            "Tried to install one:",
            *[f"  {failure}" for failure in failures],
            f"Remedy: {_REMEDIES.get(sys.platform, _REMEDIES['linux'])}; "
            "or name one with --browser or RPA_BROWSER",
        ]
    )
