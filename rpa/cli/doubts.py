"""Settling the doubts of some shops: by the flow that raised each, in a run of its own."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from rpa.cli.journals import journals_of
from rpa.cli.launch import Canary, launch_batch
from rpa.cli.masking import masked, masker_of
from rpa.cli.story import records_of
from rpa.cli.unit_row import unit_row
from rpa.cli.words import event_in_words, why
from rpa.core.states import Event, Status
from rpa.errors import ConfigError
from rpa.journal import peek
from rpa.journal.units import statuses

if TYPE_CHECKING:
    from rpa.cli.journals import ShopJournal
    from rpa.config import Project
    from rpa.core.fold import UnitView
    from rpa.runner.batch import Manifest

__all__ = ["settle_doubts"]

_IN_DOUBT: Final = (Status.UNKNOWN, Status.SUBMITTING)
_VERDICTS: Final = frozenset(
    {
        Event.LANDED,
        Event.ALTERED,
        Event.MULTIPLE,
        Event.PARTLY,
        Event.ABSENT,
        Event.INCONCLUSIVE,
    }
)


def settle_doubts(
    project: Project, shops: list[str] | None, run: str | None, *, headed: bool, browser: str | None
) -> tuple[list[dict[str, Any]], dict[str, str], int]:
    """Settle what is in doubt.

    Args:
        project: The project.
        shops: Only these shops.
        run: Only units this run wrote about decide which lists are read.
        headed: Show the browser.
        browser: A Chromium of the user's choice.

    Returns:
        A row for each unit that was in doubt, what went wrong by shop, and the exit code: 0 if no
        doubt is left, 3 if one is, else that of what went wrong.

    Raises:
        ConfigError: There is no such shop or run, or a doubt's run is not there any more.
        JournalError: A journal cannot be read.
    """
    from rpa.runner.job import Job
    from rpa.runner.tally import worst

    doubts = {journal: _doubts(project, journal, run) for journal in journals_of(project, shops)}
    problems: dict[str, str] = {}
    codes, runs = [0], set()
    for manifest, names in _errands(project, doubts):
        again = manifest.again()
        again.save(project, _items(project, manifest))
        runs.add(again.run)
        job = Job(
            root=project.root,
            shop="",
            run=again.run,
            settle_only=True,
            headed=headed,
            browser=browser,
        )
        result = launch_batch(project, again, tuple(names), job, Canary(wanted=False, yes=False))
        problems |= {shop: end.error for shop, end in result.ended.items() if end.error}
        codes += [end.exit_code for end in result.ended.values() if end.error]
    rows = [_row(project, journal, key, runs) for journal, keys in doubts.items() for key in keys]
    codes += [3 for row in rows if row["status"] in _IN_DOUBT]
    return rows, problems, worst(codes)


def _doubts(project: Project, journal: ShopJournal, run: str | None) -> dict[str, UnitView]:
    try:
        units = peek(journal.path).units
        found = {key: units[key] for key, status in statuses(units) if status in _IN_DOUBT}
    except FileNotFoundError:
        return {}
    if run is None:
        return found
    from rpa.runner.batch import Manifest

    batch = {unit.key for unit in Manifest.load(project, run).units(project, journal.identity)}
    return {key: view for key, view in found.items() if key in batch}


def _errands(
    project: Project, doubts: dict[ShopJournal, dict[str, UnitView]]
) -> list[tuple[Manifest, list[str]]]:
    """For each flow with doubts, its newest run and the shops to go to; the newest run last.

    A run settles all doubts of its flow, whichever run raised them.
    """
    from rpa.runner.batch import Manifest

    newest: dict[str, str] = {}
    shops: dict[str, list[str]] = defaultdict(list)
    for journal, views in doubts.items():
        for view in views.values():
            flow = view.flow.partition("/")[0]
            newest[flow] = max(newest.get(flow, ""), view.run)
            if not journal.configured:
                raise ConfigError(
                    f"{project.file}: shop {journal.shop} is not in it any more, and has units in "
                    "doubt; put it back to verify them"
                )
            if journal.shop not in shops[flow]:
                shops[flow].append(journal.shop)
    return [
        (Manifest.load(project, run), shops[flow])
        for flow, run in sorted(newest.items(), key=lambda pair: pair[1])
    ]


def _items(project: Project, manifest: Manifest) -> Any:
    from rpa.runner.load import load_flow, use_project

    use_project(project.root)
    return manifest.items(project, load_flow(manifest.flow).item)


def _row(project: Project, journal: ShopJournal, key: str, runs: set[str]) -> dict[str, Any]:
    """Where a unit stands now, and what the reading said of it."""
    row = unit_row(journal.shop, peek(journal.path).units[key])
    said = [r for r in records_of(journal.path, key) if r.run in runs and r.event in _VERDICTS]
    row["verdict"] = event_in_words(said[-1]) if said else "none; a person has to decide"
    row["why"] = why(said[-1]) if said else row["why"]
    return dict(masked(row, masker_of(project, journal.shop)))
