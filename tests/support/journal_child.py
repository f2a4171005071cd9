"""A process that works on a journal and is killed at a named point; run as a module.

python -m tests.support.journal_child append PATH POINT
python -m tests.support.journal_child compact PATH POINT
python -m tests.support.journal_child race PATH NAME COUNT
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from rpa.core.states import Event
from rpa.journal import JsonlJournal, Reach, compact
from rpa.journal.testing import OrderMonitor, WatchedFiles
from tests.support.journals import landing, record, submit


def append(path: Path, point: str) -> None:
    """Let unit 1 land and unit 2 be lost; print each event as it returns."""
    files = WatchedFiles()
    journal = JsonlJournal.open(path, clock=time.time, reach=_die_at(point), files=files)
    monitor = OrderMonitor(journal, files)
    lost = [*list(landing("2"))[:5], submit("2", Event.LOST, since=1.0)]
    for each in (*landing("1"), *lost):
        monitor.append(each)
        os.write(1, f"{each.event}\n".encode())


def race(path: Path, name: str, count: str) -> None:
    """Append many records of 9 kB, once told to start."""
    journal = JsonlJournal.open(path, clock=time.time)
    os.write(1, b"ready")
    os.read(0, 1)
    for number in range(int(count)):
        journal.append(record(f"{name}-{number}", Event.STARTED, data={"text": "中" * 3000}))
        time.sleep(0.0005)  # as a run, which has other things to do; the lock is not a fair one


def _die_at(point: str) -> Reach:
    def reach(here: str) -> None:
        if here == point:
            os.kill(os.getpid(), signal.SIGKILL)

    return reach


def main() -> None:
    """Do what the command line says."""
    match sys.argv[1:]:
        case ["append", path, point]:
            append(Path(path), point)
        case ["compact", path, point]:
            compact(Path(path), clock=time.time, reach=_die_at(point))
        case ["race", path, name, count]:
            race(Path(path), name, count)


if __name__ == "__main__":
    main()
