"""The pool: a process for each running shop, so many at a time, one per account.

Shop processes run in a process group of their own, so that only this parent hears Ctrl-C: the
first asks them to finish the unit at hand, the second stops them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from rpa.config import Project
from rpa.runner.job import Ended, Job, Message, parse_message
from rpa.runner.stopping import stop_file
from rpa.runner.turns import Turns

__all__ = ["Pool"]

_LONGEST_LINE: Final = 1 << 20
_STOP_WAIT: Final = 15.0  # seconds a stopped process gets to close its browser


@dataclass
class Pool:
    """Runs shops' jobs and passes on what they report.

    Attributes:
        project: The project.
        told: Is told of every message, with the shop's name.
        started: Is told when a shop's process has started.
    """

    project: Project
    told: Callable[[str, Message], None]
    started: Callable[[str], None] = field(default=lambda shop: None)
    _running: dict[str, asyncio.subprocess.Process] = field(default_factory=dict)
    _interrupts: int = 0

    async def run(self, jobs: Iterable[Job]) -> dict[str, Ended]:
        """Run every job to its end.

        Returns:
            How each shop's process ended, by shop name.
        """
        turns = Turns(self.project)
        listed = list(jobs)
        for job in listed:  # what was asked of an earlier run is not asked of this one
            stop_file(self.project.home, job.shop).unlink(missing_ok=True)
        with self._hearing_interrupts():
            ended = await asyncio.gather(*(self._one(job, turns) for job in listed))
        return {job.shop: end for job, end in zip(listed, ended, strict=True)}

    def interrupt(self) -> None:
        """Ask shops to finish the unit at hand; asked again, stop them."""
        self._interrupts += 1
        word = b"finish\n" if self._interrupts == 1 else b"stop\n"
        for process in self._running.values():
            if process.stdin is not None:
                with contextlib.suppress(ConnectionError):
                    process.stdin.write(word)
        if self._interrupts > 1:
            asyncio.get_running_loop().call_later(_STOP_WAIT, self._kill)

    def _kill(self) -> None:
        for process in self._running.values():
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    async def _one(self, job: Job, turns: Turns) -> Ended:
        async with turns.turn(self.project.shop(job.shop)):
            if self._interrupts:
                return Ended(exit_code=130, counts={}, error="not started")
            self.started(job.shop)
            ended = await self._process(job)
            self.told(job.shop, ended)
            return ended

    async def _process(self, job: Job) -> Ended:
        log = self.project.log(job.shop)
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.with_suffix(".stderr").open("ab") as errors:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "rpa.runner.worker",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                limit=_LONGEST_LINE,
                env={**os.environ, "PYTHONUTF8": "1"},
                **_own_group(),
            )
        self._running[job.shop] = process
        try:
            return await self._listen(job, process)
        finally:
            del self._running[job.shop]

    async def _listen(self, job: Job, process: asyncio.subprocess.Process) -> Ended:
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both were asked for as pipes")
        process.stdin.write(job.model_dump_json().encode() + b"\n")
        ended: Ended | None = None
        async for line in process.stdout:
            message = parse_message(line)
            if isinstance(message, Ended):
                ended = message
            else:
                self.told(job.shop, message)
        code = await process.wait()
        if ended is not None:
            return ended
        died = 128 - code if code < 0 else code or 1
        log = self.project.log(job.shop)
        return Ended(exit_code=died, counts={}, error=f"its process died ({died}); see {log}")

    @contextlib.contextmanager
    def _hearing_interrupts(self) -> Any:
        loop = asyncio.get_running_loop()
        before = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(self.interrupt))
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def _own_group() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}
