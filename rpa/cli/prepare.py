"""Preparing a run: everything that can be wrong is found before anything happens."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpa.cli.output import say
from rpa.errors import FlowError, InputError, UsageError

if TYPE_CHECKING:
    from rpa.config import Project
    from rpa.inputs import Batch
    from rpa.runner.batch import Manifest
    from rpa.runner.flow import Flow

__all__ = ["check_fit", "prepare", "prepare_again", "read_batch", "refuse_weak", "shops_of"]


def prepare(
    project: Project,
    flow: str,
    items: Path,
    shops: list[str] | None,
    only: tuple[str, ...],
    *,
    decimal: str | None,
    edition: str,
) -> Manifest:
    """Check flow, shops and items of a new run, and keep them as its batch.

    Raises:
        UsageError: Something in them is wrong; nothing was written.
    """
    from rpa.runner.batch import Manifest, new_run_id

    named = shops_of(project, shops)
    flow_type, batch = read_batch(project, flow, items, decimal)
    check_fit(project, flow_type, batch, named, only, edition)
    run, source = new_run_id(), batch.source
    manifest = Manifest(
        run,
        flow,
        named,
        str(source),
        str(source.parent),
        decimal,
        edition,
        run,
        flow_type.effect,
    )
    manifest.save(project, batch)
    return manifest


def prepare_again(
    project: Project, run: str | None, shops: list[str] | None, only: tuple[str, ...]
) -> tuple[Manifest, tuple[str, ...]]:
    """Make a new run of a batch that was run before, as it was kept.

    Returns:
        Its manifest, and the shops it is about this time.

    Raises:
        UsageError: There is no such run, or its batch does not fit any more.
    """
    from rpa.runner.batch import Manifest
    from rpa.runner.load import load_flow, use_project

    old = Manifest.load(project, run) if run else Manifest.latest(project)
    strangers = set(shops or ()) - set(old.shops)
    if strangers:
        raise UsageError(
            f"run {old.run} was for {', '.join(old.shops)}, not for {', '.join(sorted(strangers))}"
        )
    named = shops_of(project, shops or list(old.shops))
    use_project(project.root)
    flow_type = load_flow(old.flow)
    batch = old.items(project, flow_type.item)
    check_fit(project, flow_type, batch, named, only, old.edition)
    _compare_with_source(old, flow_type, batch)
    manifest = old.again()
    manifest.save(project, batch)
    return manifest, named


def _compare_with_source(manifest: Manifest, flow: type[Flow[Any]], batch: Batch[Any]) -> None:
    """Say how the items file differs from the batch, which goes on as it was kept."""
    from rpa.inputs import read_items
    from rpa.runner.batch import differences

    source = Path(manifest.source)
    try:
        now = read_items(source, flow.item, decimal=manifest.decimal, folder=Path(manifest.folder))
    except InputError as error:
        say(f"going on with the batch as it was kept; its file: {str(error).splitlines()[0]}")
        return
    if found := differences(batch, now):
        say(
            f"{source.name} has {found.new} new, {found.removed} removed and {found.changed} "
            "changed rows since; going on with the batch as it was kept (`rpa run` takes the new)"
        )


def shops_of(project: Project, asked: list[str] | None) -> tuple[str, ...]:
    """The shops a command is about: those asked for, else all.

    Raises:
        ConfigError: One is not in the configuration.
    """
    return tuple(project.shop(name).name for name in dict.fromkeys(asked or project.shops))


def refuse_weak(project: Project, shops: list[str] | None, *, allowed: bool) -> None:
    """Refuse to run attached browsers with nobody watching, unless that is asked for.

    If our process dies, an attached browser lets a held submit go; a person would see it.

    Raises:
        UsageError: A shop attaches to a browser, and there is no terminal.
    """
    weak = [name for name in shops_of(project, shops) if project.shop(name).browser.cdp]
    if weak and not allowed and not sys.stdin.isatty():
        raise UsageError(
            f"{', '.join(weak)}: an attached browser (browser.cdp) does not fail closed; "
            "run it from a terminal, or with --allow-weak"
        )


def read_batch(
    project: Project, flow: str, items: Path, decimal: str | None
) -> tuple[type[Flow[Any]], Batch[Any]]:
    """Find the flow and read its items.

    Raises:
        UsageError: One of them is not there or is wrong.
    """
    from rpa.inputs import read_items
    from rpa.runner.load import load_flow, use_project

    use_project(project.root)
    flow_type = load_flow(flow)
    return flow_type, read_items(items, flow_type.item, decimal=decimal)


def check_fit(
    project: Project,
    flow: type[Flow[Any]],
    batch: Batch[Any],
    shops: tuple[str, ...],
    only: tuple[str, ...] = (),
    edition: str = "",
) -> None:
    """See whether flow, stores, items and the units asked for go together.

    Raises:
        UsageError: They do not.
    """
    from rpa.runner.batch import units_of
    from rpa.runner.load import load_store

    unheard = set(only)
    for name in shops:
        shop = project.shop(name)
        store = load_store(shop.store)(shop.url)
        if flow.store is not None and not isinstance(store, flow.store):
            raise FlowError(
                f"flow {flow.__name__} is for store {flow.store.name}; shop {name} is {shop.store}"
            )
        for step in flow(store).steps:
            if step.action:
                step.submit_of(store)
        for planned in units_of(batch, flow, shop.identity, edition):
            unheard = {text for text in unheard if not planned.is_one_of((text,), name)}
    if unheard:
        raise InputError(f"{batch.source.name}: no unit {', '.join(sorted(unheard))}; see --only")
