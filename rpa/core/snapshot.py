"""Snapshot: a unit's view as plain JSON and back, so that a journal need not keep its story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, Final

from rpa.core.states import Status, SubmitState
from rpa.core.view import StepView, UnitView

__all__ = ["unit_from_json", "unit_to_json"]


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


_STEP: Final = {field.name: _default(field) for field in fields(StepView)}
_UNIT: Final = {field.name: _default(field) for field in fields(UnitView)}
_TUPLES: Final = {name for name, value in (_STEP | _UNIT).items() if isinstance(value, tuple)}


def unit_to_json(unit: UnitView) -> dict[str, Any]:
    """Write all that is known about a unit; what is as in a new view is left out.

    Key and status come first, so that a reader who only counts need not read on.
    """
    members = {"key": unit.key, "status": unit.status, **_members(unit, _UNIT)}
    if unit.submits:
        members["submits"] = {key: _members(step, _STEP) for key, step in unit.submits.items()}
    return members


def unit_from_json(members: Mapping[str, Any]) -> UnitView:
    """Read it back; what is written by `unit_to_json` comes back equal.

    Raises:
        TypeError: A member is missing or unknown.
        ValueError: A status or state is unknown.
    """
    values = _values(members)
    values["status"] = Status(members.get("status", Status.PENDING))
    values["submits"] = {
        key: _step_from_json(step) for key, step in members.get("submits", {}).items()
    }
    return UnitView(**values)


def _step_from_json(members: Mapping[str, Any]) -> StepView:
    state = SubmitState(members.get("state", SubmitState.READY))
    return StepView(**{**_values(members), "state": state})


def _members(view: object, defaults: Mapping[str, object]) -> dict[str, Any]:
    found = ((name, getattr(view, name)) for name in defaults)
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in found
        if value != defaults[name]
    }


def _values(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if name in _TUPLES else value for name, value in members.items()}
