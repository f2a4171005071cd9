"""What the journal costs, as ratios and against the budgets of `design.md`.

    python -m benchmarks.journal [--quick]

Ratios are taken in one run, journal and raw file in turns, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rpa.core.record import Record
from rpa.core.states import Event
from rpa.journal import JsonlJournal, compact
from rpa.journal.header import Header
from rpa.journal.record_line import encode_record

RECORDS_PER_UNIT = 10


def story(unit: int) -> Iterator[Record]:
    """One landing as a run writes it: ten records, two of them before the click."""

    def told(event: Event, step: str = "", **data: object) -> Record:
        return Record(
            f"{unit:032x}", {"sku": f"SKU-{unit}"}, event, flow="copy_listing/1",
            run="20251130-0800-a1", step=step, step_key=step, attempt=1, data=data,
        )  # fmt: skip

    title = f"保温杯 500ml 不锈钢 便携 {unit}"
    arguments = {"sku": f"SKU-{unit}", "title": title, "price": "19.90", "stock": "20"}
    baseline = {"matching": [], "total": 12, "control": "1", "taken": 1764489600.5}
    yield told(Event.STARTED)
    for step, state in (("select", "selected"), ("fill", "filled")):
        yield told(Event.STARTED, step)
        yield told(Event.FINISHED, step, state=state)
    yield told(Event.STARTED, "copy")
    yield told(Event.ARMED, "copy", request="create", arguments=arguments, baseline=baseline)
    yield told(Event.RELEASED, "copy", request="create")
    yield told(Event.ANSWERED, "copy", request="create", status=302)
    yield told(Event.ACCEPTED, "copy", result={"record": str(unit)})


def durable_pair(root: Path, rounds: int) -> None:
    """Armed and released, against the same bytes written and synced by hand, in changing order."""
    journal = JsonlJournal.open(root / "pair.jsonl", clock=time.time)
    raw = os.open(root / "raw", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    times: dict[str, list[float]] = {"journal": [], "raw": []}
    for unit in range(rounds):
        records = list(story(unit))
        lines = [encode_record(each, 7, "2025-11-30T08:00:00.000Z") for each in records]
        for each, line in zip(records[:6], lines[:6], strict=True):
            journal.append(each)
            os.write(raw, line)
        for who in ("journal", "raw") if unit % 2 else ("raw", "journal"):
            begun = time.perf_counter()
            for each, line in zip(records[6:8], lines[6:8], strict=True):
                if who == "journal":
                    journal.append(each)
                else:
                    os.write(raw, line)
                    os.fsync(raw)
            times[who].append(time.perf_counter() - begun)
    os.close(raw)
    ours, theirs = statistics.median(times["journal"]), statistics.median(times["raw"])
    print(f"two durable records: {ours * 1e3:.3f} ms, raw write+fsync {theirs * 1e3:.3f} ms")
    print(f"  ratio {ours / theirs:.2f}x (budget 1.20x; one fsync here: {theirs * 500:.2f} ms)")


def write_history(path: Path, units: int) -> None:
    """A journal of landed units, written without its fsyncs."""
    seq = 0
    with path.open("wb") as file:
        file.write(Header("bench").line())
        for unit in range(units):
            for each in story(unit):
                seq += 1
                file.write(encode_record(each, seq, "2025-11-30T08:00:00.000Z"))


def open_once(path: Path) -> None:
    """Open a journal in this process and print what that took; memory is the process's peak."""
    begun, busy = time.perf_counter(), time.process_time()
    history = JsonlJournal.open(path, clock=time.time).history
    took = {"wall": time.perf_counter() - begun, "cpu": time.process_time() - busy}
    took["units"] = len(history.units)
    if sys.platform != "win32":
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        took["mb"] = peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
    print(json.dumps(took))


def opening(root: Path, units: int) -> None:
    """Open a long history before and after compaction, each in a process of its own."""
    path = root / "long.jsonl"
    write_history(path, units)
    records = units * RECORDS_PER_UNIT
    size = path.stat().st_size / 1e6
    print(f"{records:,} records of {units:,} landed units, {size:.0f} MB")
    _report("streaming", path, "budget for 1,000,000 records: 8 s")
    begun = time.perf_counter()
    done = compact(path, clock=time.time)
    print(f"  compaction  {time.perf_counter() - begun:.2f} s, {done.after / 1e6:.0f} MB left")
    _report("compacted", path, "budget for 100,000 units: 1 s, 150 MB")


def _report(what: str, path: Path, budget: str) -> None:
    command = [sys.executable, "-m", "benchmarks.journal", "--open", str(path)]
    runs = [
        json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        for _ in range(3)
    ]
    best = min(runs, key=lambda run: float(run["wall"]))
    memory = f", {best['mb']:.0f} MB" if "mb" in best else ""
    print(f"  {what}  {best['wall']:.2f} s (cpu {best['cpu']:.2f} s){memory} ({budget})")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="a twentieth of the size")
    parser.add_argument("--open", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.open:
        open_once(options.open)
        return
    with tempfile.TemporaryDirectory() as name:
        durable_pair(Path(name), 50 if options.quick else 500)
        opening(Path(name), 5_000 if options.quick else 100_000)


if __name__ == "__main__":
    main()
