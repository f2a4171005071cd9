"""Finding flows and stores by name: the project's own first, then the shipped and installed."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar

from rpa.errors import ConfigError
from rpa.runner.flow import Flow
from rpa.runner.store import Store

__all__ = ["load_flow", "load_store", "use_project"]

T = TypeVar("T")


def use_project(root: Path) -> None:
    """Let the project's own ``flows`` and ``stores`` be found, beside the shipped ones."""
    place = str(root)
    if place not in sys.path:
        sys.path.insert(0, place)


def load_flow(name: str) -> type[Flow[Any]]:
    """Find a flow: ``copy_listing``, ``flows.copy_listing:CopyListing`` or an entry point.

    Raises:
        ConfigError: There is none, or it cannot be imported; says where was looked.
    """
    return _load(name, "flows", "rpa.flows", Flow)


def load_store(name: str) -> Callable[[str], Store]:
    """Find a store: ``oscar``, ``stores.temu:Temu`` or an entry point.

    Returns:
        Its class; call it with the shop's address.

    Raises:
        ConfigError: There is none, or it cannot be imported; says where was looked.
    """
    return _load(name, "stores", "rpa.stores", Store)  # type: ignore[type-abstract] # a subclass


def _load(name: str, package: str, group: str, kind: type[T]) -> type[T]:
    for point in entry_points(group=group, name=name):
        return _checked(point.load(), name, kind)
    module_name, _, attribute = name.partition(":")
    if "." not in module_name:
        module_name = f"{package}.{module_name}"
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not module_name.startswith(error.name):
            raise ConfigError(f"{module_name}: {error}") from error
        raise ConfigError(
            f"no {kind.__name__.lower()} {name!r}: looked for entry point {group} and module "
            f"{module_name}; give MODULE:CLASS for one that lives elsewhere"
        ) from None
    if attribute:
        return _checked(getattr(module, attribute, None), name, kind)
    return _only_class(module, name, kind)


def _only_class(module: Any, name: str, kind: type[T]) -> type[T]:
    found = [
        value
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, kind)
        and value is not kind
        and value.__module__.startswith(module.__name__)
    ]
    if len(found) == 1:
        return found[0]
    names = ", ".join(value.__name__ for value in found) or "none"
    raise ConfigError(f"{module.__name__} holds {names}; say which: {name}:CLASS")


def _checked(value: Any, name: str, kind: type[T]) -> type[T]:
    if inspect.isclass(value) and issubclass(value, kind):
        return value
    raise ConfigError(f"{name} is not a {kind.__name__}")
