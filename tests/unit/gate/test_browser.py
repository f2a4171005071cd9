"""Which Chromium is chosen, on a disk and a PATH of the test's own; how one is installed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from rpa.errors import BrowserMissing, UsageError
from rpa.gate import browser
from rpa.gate.browser import (
    BrowserChoice,
    channel_files,
    find_browser,
    launch_args,
    without_window,
)

if TYPE_CHECKING:
    from playwright.async_api import Playwright

posix = pytest.mark.skipif(sys.platform == "win32", reason="the fake programs are shell scripts")


@dataclass
class Machine:
    """A PATH, Playwright's browser and the channels' places, all below one folder."""

    root: Path

    @property
    def own(self) -> Path:
        return self.root / "ms-playwright" / "chrome"

    @property
    def playwright(self) -> Playwright:
        chromium = SimpleNamespace(executable_path=str(self.own))
        return cast("Playwright", SimpleNamespace(chromium=chromium))

    def program(self, name: str, script: str = "exit 0") -> Path:
        """Put a program on the PATH."""
        return self.file(self.root / "bin" / name, script)

    def file(self, path: Path, script: str = "exit 0") -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{self.root}/called'\n{script}\n")
        path.chmod(0o755)
        return path

    def called(self) -> list[str]:
        log = self.root / "called"
        prefix = f"{self.root}/bin/"
        lines = log.read_text().splitlines() if log.exists() else []
        return [line.removeprefix(prefix) for line in lines]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    (tmp_path / "bin").mkdir()
    places = {
        channel: {sys.platform: str(tmp_path / "opt" / channel)} for channel in browser._CHANNELS
    }
    monkeypatch.setattr(browser, "_CHANNELS", places)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("RPA_BROWSER", raising=False)
    machine = Machine(tmp_path)
    python = machine.program("python", "echo 'Error: no network' >&2; exit 1")
    monkeypatch.setattr(sys, "executable", str(python))
    return machine


class TestChoice:
    @posix
    async def test_the_first_place_wins(self, machine: Machine) -> None:
        """Take away one after the other; each time the next in order is found."""
        order = [
            (machine.file(machine.own), BrowserChoice(str(machine.own), None, "Playwright's own")),
            (machine.file(machine.root / "opt/chrome"), browse(channel="chrome")),
            (machine.file(machine.root / "opt/msedge"), browse(channel="msedge")),
        ]
        for name in ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"):
            path = machine.program(name)
            order.append((path, BrowserChoice(str(path), None, f"{name} on the PATH")))
        for path, expected in order:
            assert await find_browser(machine.playwright) == expected
            path.unlink()
        assert machine.called() == [], "nothing may be run to find a browser"

    @posix
    async def test_a_choice_of_the_users_wins_over_all(
        self, machine: Machine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        machine.file(machine.own)
        path = str(machine.program("浏览器"))
        assert await find_browser(machine.playwright, path) == BrowserChoice(path, None, "given")
        monkeypatch.setenv("RPA_BROWSER", path)
        found = await find_browser(machine.playwright)
        assert found == BrowserChoice(path, None, "RPA_BROWSER")
        found = await find_browser(machine.playwright, "msedge")
        assert found == BrowserChoice(None, "msedge", "given")

    @posix
    async def test_a_command_on_the_path_may_be_named(self, machine: Machine) -> None:
        path = str(machine.program("my-chromium"))
        found = await find_browser(machine.playwright, "my-chromium")
        assert found == BrowserChoice(path, None, "given")

    @pytest.mark.parametrize("asked", ["/nowhere/chrome", "chrome-nobody-has"])
    async def test_a_choice_that_is_not_there_is_an_error(
        self, machine: Machine, asked: str
    ) -> None:
        machine.file(machine.own)
        with pytest.raises(UsageError, match=f"{asked}.*no such browser"):
            await find_browser(machine.playwright, asked)

    @pytest.mark.parametrize("asked", ["firefox", "/usr/bin/firefox-esr", "webkit", "Safari"])
    async def test_other_engines_are_refused_with_the_reason(
        self, machine: Machine, asked: str
    ) -> None:
        with pytest.raises(UsageError, match="submits need Chromium"):
            await find_browser(machine.playwright, asked)


def browse(channel: str) -> BrowserChoice:
    return BrowserChoice(None, channel, f"channel {channel}")


class TestChannels:
    def test_windows_looks_below_every_root_of_programs(self) -> None:
        roots = {"LOCALAPPDATA": "local", "PROGRAMFILES": "64", "PROGRAMFILES(X86)": "32"}
        found = [path.as_posix() for path in channel_files("msedge", "win32", roots)]
        assert found == [
            f"{root}/Microsoft/Edge/Application/msedge.exe" for root in ("local", "64", "32")
        ]
        assert channel_files("chrome", "win32", {}) == []

    def test_the_others_have_one_place(self) -> None:
        linux = channel_files("chrome", "linux", {})
        assert [path.as_posix() for path in linux] == ["/opt/google/chrome/chrome"]
        mac = channel_files("msedge", "darwin", {})
        assert [path.name for path in mac] == ["Microsoft Edge"]
        assert channel_files("chrome", "freebsd14", {}) == []


@posix
class TestInstalling:
    async def test_playwrights_download_comes_first(
        self, machine: Machine, capsys: pytest.CaptureFixture[str]
    ) -> None:
        machine.program("python", f"mkdir -p {machine.own.parent}; : > {machine.own}")
        self.allow_mkdir(machine)
        machine.program("apt-get")
        found = await find_browser(machine.playwright)
        assert found.executable == str(machine.own)
        assert machine.called() == ["python -m playwright install chromium"]
        assert "downloading" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("fonts", "packages"),
        [("", "chromium fonts-noto-cjk"), ("echo NotoSansCJK.ttc: 思源黑体", "chromium")],
    )
    async def test_then_debians_package_with_a_chinese_font_if_none_is_there(
        self,
        machine: Machine,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        fonts: str,
        packages: str,
    ) -> None:
        monkeypatch.setattr("os.geteuid", lambda: 0)
        chromium = machine.root / "bin" / "chromium"
        machine.program(
            "apt-get", f'[ "$1" = update ] && exit 100; : > {chromium}; chmod 755 {chromium}'
        )
        self.allow_mkdir(machine)
        machine.program("fc-list", fonts)
        found = await find_browser(machine.playwright)
        assert found == BrowserChoice(str(chromium), None, "chromium on the PATH")
        assert machine.called()[2:] == [
            "apt-get update",
            f"apt-get install -y --no-install-recommends {packages}",
        ]
        captured = capsys.readouterr()
        assert "apt-get" in captured.err
        assert captured.out == ""

    async def test_without_root_no_package_is_tried(
        self, machine: Machine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("os.geteuid", lambda: 1000)
        machine.program("apt-get")
        with pytest.raises(BrowserMissing):
            await find_browser(machine.playwright)
        assert machine.called() == ["python -m playwright install chromium"]

    async def test_what_was_tried_and_what_helps_is_said(
        self, machine: Machine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("os.geteuid", lambda: 0)
        machine.program("apt-get", "echo 'E: Unable to locate package chromium'; exit 100")
        with pytest.raises(BrowserMissing) as caught:
            await find_browser(machine.playwright)
        told = str(caught.value)
        for place in (
            str(machine.own),
            str(machine.root / "opt/chrome"),
            "chromium-headless-shell",
        ):
            assert place in told
        assert "failed with 1: Error: no network" in told
        assert "failed with 100: E: Unable to locate package chromium" in told
        assert "Remedy: " in told
        assert "RPA_BROWSER" in told
        assert caught.value.exit_code == 1

    async def test_an_installer_that_hangs_is_ended(
        self, machine: Machine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(browser, "_DOWNLOAD_SECONDS", 0.2)
        monkeypatch.setattr("os.geteuid", lambda: 1000)
        machine.program("python", "exec /bin/sleep 60")
        with pytest.raises(BrowserMissing, match="was not done after 0 s"):
            await find_browser(machine.playwright)

    @staticmethod
    def allow_mkdir(machine: Machine) -> None:
        """Fake programs need a few real ones on their bare PATH."""
        for name in ("mkdir", "chmod"):
            (machine.root / "bin" / name).symlink_to(f"/bin/{name}")


def test_nothing_may_pass_the_egress_by() -> None:
    assert {"--disable-quic", "--webrtc-ip-handling-policy=disable_non_proxied_udp"} <= set(
        launch_args()
    )


def test_importing_this_module_does_not_load_playwright() -> None:
    probe = "import sys, rpa.gate.browser; sys.exit('playwright' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0


@posix
def test_nobody_watches_so_no_window_is_drawn(machine: Machine) -> None:
    chromium = BrowserChoice("/usr/bin/chromium", None, "chromium on the PATH")
    assert without_window(chromium) == chromium, "there is no shell"
    shell = machine.program("chromium-headless-shell")
    assert without_window(chromium).executable == str(shell)
    for other in (
        BrowserChoice("/opt/mine/chrome", None, "given"),
        BrowserChoice(None, "msedge", "given"),
    ):
        assert without_window(other) == other, "what somebody chose stays"
