"""The report page: one HTML file that needs nothing else, not even a script."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rpa.cli.pictures import Album
from rpa.cli.words import local_time
from rpa.config import Project
from rpa.core.states import Status
from rpa.errors import UsageError
from rpa.runner.batch import Manifest

__all__ = ["write_page"]

_ROOM: Final = 12_000_000  # bytes of pictures; a mail or a chat still takes the page
_TICKS: Final = 6
_STEPS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 86400)
_THINNEST: Final = 0.4  # per cent of the timeline
_HINT: Final = 80  # characters
_TONES: Final = {
    Status.SUBMITTED: "good",
    Status.UNKNOWN: "held",
    Status.CHANGED: "held",
    Status.FAILED: "bad",
    Status.DEAD: "bad",
    Status.SKIPPED: "off",
}


def write_page(project: Project, manifest: Manifest, data: dict[str, Any]) -> Path:
    """Write a run's report beside its manifest.

    Args:
        project: The project.
        manifest: The run.
        data: What `rpa.cli.report_data.report_data` gathered.

    Raises:
        UsageError: It cannot be written; an older report is as it was.
    """
    path = manifest.place(project) / "report.html"
    album = Album(path, project.home / "evidence", _ROOM)
    units = [{**unit, "tone": _tone(unit["status"]), "hint": _hint(unit)} for unit in data["units"]]
    for unit in units:
        places = [place for row in unit["story"] for place in row["evidence"]]
        unit["pictures"] = album.of(places)
        unit["traces"] = [album.link(Path(trace)) for trace in unit["traces"]]
    page = _environment().get_template("report.html.j2")
    text = page.render({**data, "units": units, "axis": _axis(data), "verdict": _verdict(data)})
    partial = path.with_suffix(".part")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    return path


def _environment() -> Environment:
    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FileSystemLoader(Path(__file__).parent),
    )
    made.filters.update(clock=local_time, tone=_tone, duration=_duration, ordered=_ordered)
    return made


def _tone(status: str) -> str:
    return _TONES.get(Status(status), "open")


def _ordered(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Counts by status, what is done first, then what somebody has to see to."""
    order = ("good", "held", "bad", "open", "off")
    return sorted(counts.items(), key=lambda pair: order.index(_tone(pair[0])))


def _hint(unit: dict[str, Any]) -> str:
    """The most telling of a unit's arguments: the longest text that fits a line."""
    own = set(unit["identity"].values())
    texts = [
        value
        for value in (unit["arguments"] or {}).values()
        if isinstance(value, str) and value not in own and "\n" not in value
    ]
    return max((text for text in texts if len(text) <= _HINT), key=len, default="")


def _verdict(data: dict[str, Any]) -> dict[str, str]:
    """One sentence for the whole batch, and its tone."""
    by_tone = {"good": 0, "held": 0, "bad": 0, "off": 0, "open": 0}
    for status, count in data["counts"].items():
        by_tone[_tone(status)] += count
    total = sum(by_tone.values())
    for tone, words in (
        ("held", "of {total} units wait for a person"),
        ("bad", "of {total} units failed"),
        ("open", "of {total} units are not done yet"),
    ):
        if by_tone[tone]:
            return {"tone": tone, "words": f"{by_tone[tone]} {words.format(total=total)}"}
    skipped = f", {by_tone['off']} skipped" if by_tone["off"] else ""
    return {"tone": "good", "words": f"{by_tone['good']} units submitted{skipped}"}


def _axis(data: dict[str, Any]) -> dict[str, Any]:
    """Where the bars are and what the marks beneath them say; positions in per cent."""
    bars = [bar for lane in data["lanes"] for bar in lane["bars"]]
    if not bars:
        return {"lanes": [], "ticks": []}
    begin: float = min(bar["begin"] for bar in bars)
    span: float = max(max(bar["end"] for bar in bars) - begin, 1.0)

    def at(moment: float) -> float:
        return round(100 * (moment - begin) / span, 3)

    lanes = [
        {
            "shop": lane["shop"],
            "bars": [
                {
                    **bar,
                    "left": min(at(bar["begin"]), 100 - _THINNEST),
                    "width": max(at(bar["end"]) - at(bar["begin"]), _THINNEST),
                    "seconds": bar["end"] - bar["begin"],
                }
                for bar in lane["bars"]
            ],
        }
        for lane in data["lanes"]
    ]
    step = next((s for s in _STEPS if span / s <= _TICKS), span / _TICKS)
    first = (begin // step + 1) * step
    moments = [first + step * number for number in range(int((begin + span - first) // step) + 1)]
    return {"lanes": lanes, "ticks": [{"left": at(m), "words": _time(m)} for m in moments]}


def _time(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().strftime("%H:%M:%S")


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
