"""One case, played with real processes: the command line, its death, and what comes after."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from fixtures.pictures import write_picture
from tests.crash.cases import Case, Victim
from tests.crash.grounds import Ground, Landed

__all__ = ["Played", "play"]

_LONGEST: Final = 240.0  # seconds for one command on a machine that is busy with much else
_MARK: Final = "RPA_CRASH_STAGE"
_FLOWS: Final = {"copy": "copy_listing", "list": "list_product", "oscar": "list_product"}
_ROUTES: Final = {"copy": "copy", "list": "create"}
_PEOPLE: Final = ("--by", "值班 王芳", "--note", "在后台看过")

Meanwhile = Callable[[subprocess.Popen[bytes]], None]


@dataclass
class Played:
    """What happened.

    Attributes:
        exits: How each command ended.
        shown: How many new records the store held after each command.
        landed: Every new record at the end.
        wanted: What the items ask for.
        journal: The shop's journal.
        arrived: Submit requests that reached the back office, by key.
        left_over: Processes that outlived their command.
        story: All of it in words, for whoever has to find out why.
    """

    wanted: list[Landed]
    journal: Path
    exits: list[int] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    landed: list[Landed] = field(default_factory=list)
    arrived: Counter[str] = field(default_factory=Counter)
    left_over: list[str] = field(default_factory=list)
    story: str = ""


def play(case: Case, ground: Ground, folder: Path) -> Played:
    """Play a case to its end.

    Args:
        case: The case.
        ground: A shop of its own.
        folder: An empty folder for the project.
    """
    stage = _Stage(case, ground, folder)
    try:
        stage.play()
    finally:
        stage.end()
    return stage.played


class _Stage:
    def __init__(self, case: Case, ground: Ground, folder: Path) -> None:
        self._case, self._ground, self._folder = case, ground, folder
        self._before = Counter(ground.records())
        self._keys = [f"杯{_digest(case.name)}-{number}" for number in (1, 2)]
        titles = [f"保温杯 {key} Steel flask" for key in self._keys]
        journal = folder / ".rpa" / "journals" / f"{ground.name}.jsonl"
        self.played = Played(list(zip(self._keys, titles, strict=True)), journal)
        self._write_project()

    def play(self) -> None:
        case = self._case
        if case.fault and self._ground.server:
            route = _ROUTES[case.flow]
            self._ground.server.fault(case.fault, route, shop=self._ground.name)
        run = ("run", _FLOWS[case.flow], "商品.csv")
        if case.held_at_server:
            self._rpa(*run, meanwhile=self._kill_while_held)
        else:
            self._rpa(*run, "--kill-at", case.kill_at)
        for point in case.again:
            self._rpa("resume", "--kill-at", f"{point}:1:worker")
        if case.word:
            self._rpa("resume", "--no-probe")
            held = self._keys[case.nth - 1]
            self._rpa("confirm", held, f"--{case.word}", *_PEOPLE)
        if case.word or self.played.exits[-1] != 0:
            self._rpa("resume")
        self.played.landed = self._new()
        if self._ground.server:
            wire = self._ground.server.wire(self._ground.name)
            mine = (line.key for line in wire if line.route == _ROUTES[case.flow])
            self.played.arrived = Counter(key for key in mine if key in self._keys)

    def end(self) -> None:
        """Keep certificates for the shop's next case, and leave no process behind."""
        exams = self._folder / ".rpa" / "exams" / self._ground.name
        if exams.is_dir():
            shutil.copytree(exams, self._ground.exams, dirs_exist_ok=True)
        for process in self._alive():
            process.kill()
        if self._ground.server:
            self._ground.server.release(self._ground.name)
        log = self._folder / ".rpa" / "logs" / f"{self._ground.name}.log"
        if log.exists():
            lines = log.read_text(encoding="utf-8").splitlines()
            self._tell(*(line for line in lines if "egress:" not in line))

    def _write_project(self) -> None:
        case, ground = self._case, self._ground
        timeout = 5 if case.fault.startswith("hang") else 60
        settings = {
            "store": ground.store,
            "url": ground.url,
            "identity": ground.identity,
            "username": ground.account,
            "password": "env:RPA_CRASH_PASSWORD",
        }
        lines = [f'{key} = "{value}"' for key, value in settings.items()]
        lines += [f"settle = {case.settle}", f"submit_timeout = {timeout}"]
        head = ['sessions = "sessions"', f"[shops.{ground.name}]"]
        (self._folder / "rpa.toml").write_text("\n".join(head + lines), encoding="utf-8")
        if ground.exams.is_dir():
            shutil.copytree(ground.exams, self._folder / ".rpa" / "exams" / ground.name)
        rows = [self._row(key, title) for key, title in self.played.wanted]
        with (self._folder / "商品.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)

    def _row(self, key: str, title: str) -> dict[str, str]:
        row = {"sku": key, "title": title, "price": "69.00", "stock": "50"}
        if self._case.flow == "copy":
            return {"source_id": "SRC-1002", **row, "remark": "首批上架"}
        write_picture(self._folder / f"{key}.png", key)
        category = "服装" if self._case.flow == "oscar" else "Home 家居"
        return {
            **row,
            "description": "双层真空 & 保温",
            "category": category,
            "image": f"{key}.png",
        }

    def _rpa(self, *arguments: str, meanwhile: Meanwhile | None = None) -> None:
        """Run a command to its end and until everything it started is gone."""
        environment = {
            **os.environ,
            "RPA_CRASH_PASSWORD": self._ground.password,
            _MARK: str(self._folder),
        }
        with subprocess.Popen(
            [sys.executable, "-m", "rpa", *arguments],
            cwd=self._folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            try:
                if meanwhile is not None:
                    meanwhile(process)
                said, _ = process.communicate(timeout=_LONGEST)
            finally:
                process.kill()
        self._wait_until_gone()
        self.played.exits.append(process.returncode)
        self.played.shown.append(len(self._new()))
        command = f"$ rpa {' '.join(arguments)} → {process.returncode}"
        self._tell(command, said.decode(errors="replace"), f"landed: {self._new()}")

    def _kill_while_held(self, process: subprocess.Popen[bytes]) -> None:
        """Kill once the server has the request: before its commit, or after it."""
        server, shop, key = self._ground.server, self._ground.name, self._keys[0]
        if server is None:
            raise ValueError(f"{self._case.name}: only the back office holds requests")
        committed = self._case.fault == "signal"
        held = server.ledger if committed else server.wire
        deadline = time.monotonic() + _LONGEST
        while not any(line.key == key for line in held(shop)):
            if process.poll() is not None or time.monotonic() > deadline:
                raise TimeoutError(f"{self._case.name}: the server got nothing to hold")
            time.sleep(0.02)
        _kill_below(process.pid, self._case.victim)
        server.release(shop)
        server.wait_landed(key)

    def _new(self) -> list[Landed]:
        """Records that were not there before the case began."""
        return sorted((Counter(self._ground.records()) - self._before).elements())

    def _alive(self) -> list[psutil.Process]:
        return [process for process in psutil.process_iter() if self._is_ours(process)]

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get(_MARK) == str(self._folder)
        except psutil.Error:  # gone meanwhile, or somebody else's
            return False

    def _wait_until_gone(self) -> None:
        deadline = time.monotonic() + 60
        while (alive := self._alive()) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.played.left_over += [process.name() for process in alive if process.is_running()]

    def _tell(self, *lines: str) -> None:
        self.played.story += "\n" + "\n".join(lines)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _kill_below(pid: int, victim: Victim) -> None:
    """Kill, from outside, as `rpa.runner.killing` does from inside."""
    command = psutil.Process(pid)
    [worker] = command.children()
    below = worker.children(recursive=True)

    def named(*parts: str) -> list[psutil.Process]:
        return [one for one in below if any(part in one.name().lower() for part in parts)]

    victims = {
        "worker": lambda: [worker],
        "run": lambda: [command, worker],
        "command": lambda: [command],
        "browser": lambda: named("chrom", "headless_shell"),
        "driver": lambda: named("node"),
        "everyone": lambda: [command, worker, *below],
    }
    for one in victims[victim]():
        with contextlib.suppress(psutil.NoSuchProcess):  # it ended meanwhile
            one.kill()
