"""A shop's own process: reads its job from standard input, works, and reports by lines.

The parent may write ``finish`` (end after the unit at hand) or ``stop`` (end now); a parent that
goes away counts as ``finish``. Flow code may print what it likes: the reports have the real
standard output to themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import IO, Any

from loguru import logger

from rpa.config import load_project
from rpa.config.mask import Masker
from rpa.core.decide import Act
from rpa.core.keys import label
from rpa.core.record import Record
from rpa.core.states import Status
from rpa.errors import JournalError, RpaError
from rpa.gate.evidence import Evidence
from rpa.gate.rules import SubmitRule
from rpa.gate.session import SessionOptions
from rpa.journal import JsonlJournal, Reach, RunLock
from rpa.runner.batch import Manifest, Planned, units_of
from rpa.runner.bench import Workbench
from rpa.runner.flow import Flow, Step, StepKind
from rpa.runner.job import Ended, Job, Message, Moved, Phase
from rpa.runner.keeper import keep_session
from rpa.runner.killing import killer
from rpa.runner.load import load_flow, load_store, use_project
from rpa.runner.log import log_to
from rpa.runner.perform import one_line
from rpa.runner.plan import note_interrupted, settle_on_paper
from rpa.runner.shop import run_shop
from rpa.runner.stopping import heeding, stop_file
from rpa.runner.store import Store
from rpa.runner.tally import count, exit_code
from rpa.runner.trust import Examined

__all__ = ["main"]


class _Worker:
    def __init__(self, job: Job, out: IO[bytes]) -> None:
        self._job = job
        self._out = out
        self._project = load_project(job.root)
        self._shop = self._project.shop(job.shop)
        self._masker = Masker()
        self._stopping = asyncio.Event()
        self._asked: frozenset[str] = frozenset()

    def say(self, message: Message) -> None:
        with contextlib.suppress(OSError):  # nobody listens any more; the unit at hand goes on
            self._out.write(message.model_dump_json().encode() + b"\n")
            self._out.flush()

    async def work(self) -> Ended:
        """Do the job, and say how it ended."""
        log_to(self._project.log(self._shop.name), self._masker, self._job.run)
        logger.info("begin: {}", self._job.shop)
        project, shop, job = self._project, self._shop, self._job
        use_project(project.root)
        manifest = Manifest.load(project, job.run)
        flow_type, store = load_flow(manifest.flow), load_store(shop.store)(shop.url)
        items = manifest.items(project, flow_type.item)
        batch = units_of(items, flow_type, shop.identity, manifest.edition)
        path = project.journal(shop.name)
        reach = killer(job.kill)
        with (
            RunLock(path),
            contextlib.closing(
                JsonlJournal.open(path, clock=time.time, shop=shop.identity, reach=reach)
            ) as journal,
        ):
            problem: RpaError | None = None
            bench = None
            try:
                async with (
                    heeding(stop_file(project.home, job.shop), self._stopping),
                    self._bench(flow_type(store), journal, reach) as bench,
                ):
                    await self._run(bench, batch)
            except RpaError as error:
                problem = error
                logger.error("stopped: {}", error)
            finally:
                # Not before the browser is closed: until then, what is armed may still leave.
                if bench is not None and not isinstance(problem, JournalError):
                    note_interrupted(bench)
            if not isinstance(problem, JournalError):
                journal.refresh()
            counts = count(journal.history, batch)
            others = count(journal.history, [p for p in batch if p.unit.key not in self._asked])
            code = exit_code(counts, spared=others.get(Status.PENDING, 0))
            return Ended(
                exit_code=problem.exit_code if problem else code,
                counts=counts,
                error=self._masker.text(str(problem)) if problem else "",
                paused=self._paused(bench),
            )

    @asynccontextmanager
    async def _bench(
        self, flow: Flow[Any], journal: JsonlJournal, reach: Reach
    ) -> AsyncIterator[Workbench]:
        job, project, shop = self._job, self._project, self._shop
        options = SessionOptions(job.headed, job.slow_mo, job.browser)
        own = tuple(r for step in flow.steps for r in _own_rules(step, flow.adapter))
        evidence = Evidence(project.evidence(shop.name), job.run, self._masker, tracing=job.trace)
        async with keep_session(
            project, shop, flow.adapter, self._masker, options, own, asyncio.sleep, reach
        ) as keeper:
            keeper.evidence = evidence
            yield Workbench(
                shop=shop,
                store=flow.adapter,
                flow=flow,
                run=job.run,
                journal=journal,
                keeper=keeper,
                evidence=evidence if job.pictures else None,
                masker=self._masker,
                told=lambda record: self._moved(journal, record),
                phase=lambda text: self.say(Phase(text=text)),
                clock=time.time,
                reach=reach,
                stopping=self._stopping,
            )

    async def _run(self, bench: Workbench, batch: list[Planned]) -> None:
        self._asked = self._asked_for(bench, batch)
        asked = [p for p in batch if p.unit.key in self._asked]
        open_acts = (Act.DO, Act.PROBE, Act.RECORD_RESTART)
        left = sum(settle_on_paper(bench, planned) in open_acts for planned in asked)
        self.say(Phase(text="planning", total=left))
        folder = self._project.home / "exams" / self._shop.name
        trust = Examined(folder, bench.keeper, bench.store, self._shop.identity, time.time)
        await run_shop(bench, trust, batch, self._asked, probe=self._job.probe)

    def _asked_for(self, bench: Workbench, batch: list[Planned]) -> frozenset[str]:
        """Keys of the units that are to be attempted if the journal does not say otherwise."""
        job = self._job
        if job.settle_only:
            return frozenset()
        asked = [p for p in batch if not job.only or p.is_one_of(job.only, job.shop)]
        if job.limit is not None:
            asked = [p for p in asked if settle_on_paper(bench, p) is Act.DO][: job.limit]
        return frozenset(planned.unit.key for planned in asked)

    def _paused(self, bench: Workbench | None) -> str:
        """Why the shop did not go on to the next unit, if something kept it."""
        reason = bench.breaker.reason if bench else ""
        return self._masker.text(reason) or ("asked to stop" if self._stopping.is_set() else "")

    def _moved(self, journal: JsonlJournal, record: Record) -> None:
        view = journal.history.units[record.unit]
        self.say(
            Moved(
                unit=record.unit,
                label=label(record.identity, record.edition),
                event=record.event,
                status=view.status,
                step=record.step,
                held=view.held,
            )
        )

    async def obey(self) -> None:
        """Work, and end as the parent says."""
        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(self.work())

        def listen() -> None:
            for line in sys.stdin:
                if line.strip() == "stop":
                    loop.call_soon_threadsafe(task.cancel)
                    return
                loop.call_soon_threadsafe(self._stopping.set)
            with contextlib.suppress(RuntimeError):  # the loop has ended already
                loop.call_soon_threadsafe(self._stopping.set)

        threading.Thread(target=listen, daemon=True).start()
        try:
            self.say(await task)
        except asyncio.CancelledError:
            self.say(Ended(exit_code=130, counts={}, error="stopped"))
        except RpaError as error:
            said = self._masker.text(str(error))
            self.say(Ended(exit_code=error.exit_code, counts={}, error=said))
        except Exception as error:  # noqa: BLE001 - a process has nobody else to tell
            logger.exception("unexpected")
            said = self._masker.text(f"{type(error).__name__}: {one_line(error)}")
            self.say(Ended(exit_code=1, counts={}, error=said))


def _own_rules(step: Step, store: Store) -> tuple[SubmitRule, ...]:
    return step.submit_of(store).rules if step.kind is StepKind.SUBMIT else ()


def main() -> None:
    """Do the job that the first line of standard input holds."""
    # Reports go to the standard output we were given; whatever else is printed goes to the log.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    job = Job.model_validate_json(sys.stdin.readline())
    asyncio.run(_Worker(job, out).obey())


if __name__ == "__main__":
    main()
