"""Batches: an items file for some shops, kept so that it can be resumed as it was."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, Self

from rpa.config import Project
from rpa.core.keys import canonical, plain, unit_key
from rpa.errors import ConfigError, InputError, JournalUnwritable
from rpa.runner.unit import Unit

if TYPE_CHECKING:  # `rpa status` and `rpa report` read manifests without waiting for all of this
    from rpa.inputs import Batch, Item, Row
    from rpa.runner.flow import Flow

__all__ = ["Differences", "Manifest", "Planned", "differences", "new_run_id", "units_of"]

_ITEMS: Final = "items.jsonl"
_UNITS: Final = "units.jsonl"
_MANIFEST: Final = "run.json"


@dataclass(frozen=True)
class Planned:
    """A unit with its item."""

    unit: Unit
    item: Item
    arguments: Mapping[str, Any]

    def is_one_of(self, names: Collection[str], shop: str) -> bool:
        """Say whether a person who gave these names means this unit, among others.

        Args:
            names: Labels, keys, or labels with the shop's name before a colon.
            shop: The shop's name.
        """
        own = (self.unit.label, self.unit.key, f"{shop}:{self.unit.label}")
        return any(name in names for name in own)


@dataclass(frozen=True)
class Manifest:
    """What one run was asked to do.

    Attributes:
        run: The run's id.
        flow: The flow, as it was named.
        shops: Shop names.
        source: The items file it was read from.
        folder: Where relative paths in the items start.
        decimal: The declared decimal separator.
        edition: The edition given for the whole run.
        batch: The run whose batch this is; its own id unless it resumes another.
        effect: The flow's effect, which is part of every unit key.
    """

    run: str
    flow: str
    shops: tuple[str, ...]
    source: str
    folder: str
    decimal: str | None = None
    edition: str = ""
    batch: str = ""
    effect: str = ""

    def save(self, project: Project, items: Batch[Any]) -> None:
        """Write the items as they were read, the names of their units, and the manifest last.

        Raises:
            JournalUnwritable: They cannot be written, so the run could never be resumed.
        """
        folder = self.place(project)
        raw = [json.dumps(dict(row.raw), ensure_ascii=False, default=str) for row in items.items]
        named = [
            json.dumps([row.item.identity(), _edition(row, self.edition)], ensure_ascii=False)
            for row in items.items
        ]
        text = json.dumps(asdict(self), ensure_ascii=False, indent=1)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, lines in ((_ITEMS, raw), (_UNITS, named), (_MANIFEST, [text])):
                (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        except OSError as error:
            raise JournalUnwritable(f"{folder} cannot be written: {error.strerror}") from None

    @classmethod
    def load(cls, project: Project, run: str) -> Self:
        """Read a run's manifest.

        Raises:
            ConfigError: There is no such run.
        """
        file = project.home / "runs" / run / _MANIFEST
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ConfigError(
                f"no run {run!r} in {project.home / 'runs'}; see `rpa status`"
            ) from None
        return cls(**{**data, "shops": tuple(data["shops"])})

    @classmethod
    def latest(cls, project: Project) -> Self:
        """Read the newest run's manifest.

        Raises:
            ConfigError: There never was a run.
        """
        runs = sorted(path.parent.name for path in (project.home / "runs").glob(f"*/{_MANIFEST}"))
        if not runs:
            raise ConfigError(f"nothing to resume: {project.home / 'runs'} holds no run")
        return cls.load(project, runs[-1])

    def again(self) -> Self:
        """The manifest of a new run of the same batch."""
        return replace(self, run=new_run_id(), batch=self.batch or self.run)

    def place(self, project: Project) -> Path:
        """The run's folder."""
        return project.home / "runs" / self.run

    def items(self, project: Project, model: type[Item]) -> Batch[Item]:
        """Read the batch's items as they were when it was planned."""
        from rpa.inputs import read_items

        kept = self.place(project) / _ITEMS
        return read_items(kept, model, decimal=self.decimal, folder=Path(self.folder))

    def units(self, project: Project, shop: str) -> list[Unit]:
        """The batch's units in one shop, for whoever needs neither flow nor items.

        Args:
            project: The project.
            shop: The shop's identity.
        """
        kept = (self.place(project) / _UNITS).read_text(encoding="utf-8")
        named = [json.loads(line) for line in kept.split("\n") if line]
        return [
            Unit(unit_key(self.effect, shop, identity, edition), identity, edition)
            for identity, edition in named
        ]


def new_run_id(now: datetime | None = None) -> str:
    """Name a run: sortable by time, unique without a counter."""
    moment = now or datetime.now(UTC)
    return f"{moment:%Y%m%dT%H%M%S}-{token_hex(2)}"


def units_of(
    batch: Batch[Any], flow: type[Flow[Any]], identity: str, edition: str = ""
) -> list[Planned]:
    """Turn a batch into one shop's units.

    Args:
        batch: The items.
        flow: The flow that does them.
        identity: The shop's identity.
        edition: An edition for every unit that names none itself.

    Raises:
        InputError: Two rows are one unit.
    """
    planned: dict[str, Planned] = {}
    for row in batch.items:
        named = _edition(row, edition)
        unit = Unit(
            unit_key(flow.effect, identity, row.item.identity(), named),
            row.item.identity(),
            named,
            row.number,
        )
        if unit.key in planned:
            first = planned[unit.key].unit.row
            raise InputError(f"{batch.source} rows {first} and {row.number} are one unit")
        planned[unit.key] = Planned(unit, row.item, plain(row.item.arguments()))
    return list(planned.values())


def _edition(row: Row[Any], edition: str) -> str:
    """The edition a row asks for, or that of its run; equal rows are told apart by it."""
    asked = row.edition or edition
    return asked if row.occurrence == 1 else f"{asked}#{row.occurrence}"


@dataclass(frozen=True)
class Differences:
    """How many rows of a file are not what they were in a batch."""

    new: int
    removed: int
    changed: int

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.new or self.removed or self.changed)


def differences(old: Batch[Any], new: Batch[Any]) -> Differences:
    """Compare two readings of a file by what their rows mean, wherever they stand."""
    before, after = _by_meaning(old), _by_meaning(new)
    both = before.keys() & after.keys()
    return Differences(
        len(after.keys() - both),
        len(before.keys() - both),
        sum(before[key] != after[key] for key in both),
    )


def _by_meaning(batch: Batch[Any]) -> dict[str, str]:
    return {
        canonical([row.item.identity(), row.occurrence, row.edition]): canonical(
            plain(row.item.arguments())
        )
        for row in batch.items
    }
