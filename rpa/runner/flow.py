"""Flows: what is done for one item, step by step.

A flow is a class whose methods are its steps, in the order they are written::

    class CopyListing(Flow[CopyItem]):
        effect = "copy-listing"
        store = Backoffice

        @prepare(state="selected")
        async def select(self, page: Page, item: CopyItem) -> None: ...

        @submit("copy", carrier="sku")
        async def copy(self, page: Page, item: CopyItem) -> None: ...

A flow may write its own ``run`` with loops and branches instead; its steps are then recognised by
name and arguments. Outside a run, steps are plain coroutines, so that they can be tested alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar, get_args, get_origin

from playwright.async_api import Page

from rpa.core.keys import step_key
from rpa.errors import FlowError
from rpa.gate.rules import SubmitRule
from rpa.inputs import Item
from rpa.runner.store import Store, Submit
from rpa.verify.probe import Probe

__all__ = ["Flow", "Step", "StepCall", "StepKind", "Walker", "prepare", "read", "submit"]

ItemT = TypeVar("ItemT", bound=Item)
StepFunction = Callable[..., Awaitable[Any]]


class StepKind(StrEnum):
    """What a step may touch."""

    READ = "read"
    PREPARE = "prepare"
    SUBMIT = "submit"


@dataclass(frozen=True)
class Step:
    """One declared step.

    Attributes:
        name: Its method's name; renaming it is a new step.
        kind: What it may touch.
        function: The method.
        state: The unit's status once a prepare step is done.
        action: For a submit: the store's name for it, or a declaration of its own.
        carrier: For a submit: the item's field in which the shop itself will show the unit.
        shows: For a submit: item fields the shop's list shows too, to be compared.
    """

    name: str
    kind: StepKind
    function: StepFunction
    state: str = ""
    action: str | Submit = ""
    carrier: str = ""
    shows: tuple[str, ...] = ()

    def submit_of(self, store: Store) -> Submit:
        """Find the submit this step makes in a store.

        Raises:
            FlowError: The store has no such submit.
        """
        if isinstance(self.action, Submit):
            return self.action
        try:
            return store.submits[self.action]
        except KeyError:
            known = ", ".join(sorted(store.submits)) or "none"
            raise FlowError(
                f"step {self.name}: store {store.name} has no submit {self.action!r}; "
                f"it has: {known}"
            ) from None


class Walker(Protocol):
    """Performs steps with the journal around them."""

    async def perform(self, call: StepCall) -> Any:
        """Perform one step, or give back what the journal knows of it."""

    def called(self, call: StepCall) -> None:
        """Take note of a call, so that a forgotten await is found."""


@dataclass(eq=False)
class StepCall:
    """A step that was called and waits to be awaited."""

    step: Step
    flow: Flow[Any]
    walker: Walker
    page: Page
    item: Item
    arguments: tuple[Any, ...]
    awaited: bool = False

    @property
    def key(self) -> str:
        """The step key."""
        return step_key(self.step.name, self.arguments)

    def __await__(self) -> Generator[Any, Any, Any]:
        """Perform the step."""
        self.awaited = True
        return self.walker.perform(self).__await__()


class _StepMethod:
    """A declared step as a method: through the walker in a run, plain outside."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.__doc__ = step.function.__doc__

    def __get__(self, flow: Flow[Any] | None, owner: type) -> Any:
        if flow is None:
            return self
        walker = flow.walker
        if walker is None:
            return self.step.function.__get__(flow, owner)

        def call(page: Page, item: Item, *arguments: Any) -> StepCall:
            made = StepCall(self.step, flow, walker, page, item, arguments)
            walker.called(made)
            return made

        return call


def read(function: StepFunction) -> Any:
    """Declare a step that reads data; its journaled result is used again on resume."""
    return _StepMethod(Step(_name(function), StepKind.READ, function))


def prepare(*, state: Literal["selected", "filled", ""] = "") -> Callable[[StepFunction], Any]:
    """Declare a step that only changes the page; it is done again on resume.

    Args:
        state: The unit's status once it is done.
    """
    return lambda function: _StepMethod(
        Step(_name(function), StepKind.PREPARE, function, state=state)
    )


def submit(
    action: str | None = None,
    *,
    carrier: str,
    shows: tuple[str, ...] = (),
    rule: SubmitRule | tuple[SubmitRule, ...] = (),
    probe: Probe | tuple[Probe, ...] = (),
    dialog: Literal["accept", "refuse"] = "refuse",
) -> Callable[[StepFunction], Any]:
    """Declare a step whose effect is a fact once it lands.

    Args:
        action: The store's name for this submit; or give ``rule`` and ``probe`` here.
        carrier: The item's field in which the shop itself will show the unit (SKU, remark).
        shows: Item fields the shop's list shows too, to be compared by the verdict.
        rule: The requests that leave, with their signals.
        probe: Where a landing shows.
        dialog: What to do with a ``confirm()``.
    """
    if action is None:
        rules = rule if isinstance(rule, tuple) else (rule,)
        probes = probe if isinstance(probe, tuple) else (probe,)
        if not rules or not probes:
            raise FlowError("a submit needs the store's name for it, or both rule and probe")
        declared: str | Submit = Submit(rules, probes, dialog)
    else:
        declared = action
    return lambda function: _StepMethod(
        Step(
            _name(function),
            StepKind.SUBMIT,
            function,
            action=declared,
            carrier=carrier,
            shows=shows,
        )
    )


def _name(function: StepFunction) -> str:
    if not inspect.iscoroutinefunction(function):
        raise FlowError(f"step {getattr(function, '__qualname__', function)} must be `async def`")
    return function.__name__


class Flow(Generic[ItemT]):
    """What is done for one item.

    Attributes:
        effect: A frozen id of what the flow brings about; part of every unit key. Two flows that
            create the same thing share it.
        version: Goes into every record; raise it when steps change their meaning.
        store: The store it is written for; None for any that has the submits it names.
        ordered: A unit in doubt stops the units behind it.
        steps: Its steps, in the order they are written.
        item: The item model, from ``Flow[Model]``.
    """

    effect: ClassVar[str]
    version: ClassVar[str] = "1"
    store: ClassVar[type[Store] | None] = None
    ordered: ClassVar[bool] = False
    steps: ClassVar[tuple[Step, ...]] = ()
    item: ClassVar[type[Item]]

    def __init__(self, adapter: Store) -> None:
        self.adapter = adapter
        self.walker: Walker | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Collect steps and item model.

        Raises:
            FlowError: The class is not declared as a flow must be.
        """
        super().__init_subclass__(**kwargs)
        own = tuple(m.step for m in vars(cls).values() if isinstance(m, _StepMethod))
        names = {step.name for step in own}
        cls.steps = tuple(step for step in cls.steps if step.name not in names) + own
        for base in getattr(cls, "__orig_bases__", ()):
            if issubclass(get_origin(base) or object, Flow) and isinstance(get_args(base)[0], type):
                cls.item = get_args(base)[0]
        _check_declared(cls)

    @classmethod
    def title(cls) -> str:
        """Name and version, as records carry them."""
        return f"{cls.__name__}/{cls.version}"

    async def run(self, page: Page, item: ItemT) -> None:
        """Perform the steps in the order they are written; override for loops and branches."""
        for step in self.steps:
            await getattr(self, step.name)(page, item)


def _check_declared(flow: type[Flow[Any]]) -> None:
    name = flow.__name__
    if not getattr(flow, "effect", ""):
        raise FlowError(f"flow {name} has no effect; give it a frozen id such as 'copy-listing'")
    if not hasattr(flow, "item"):
        raise FlowError(f"flow {name} does not say its item model; write Flow[YourItem]")
    if not any(step.kind is StepKind.SUBMIT for step in flow.steps):
        raise FlowError(f"flow {name} has no @submit step, so it can do nothing")
    fields = flow.item.model_fields
    for step in flow.steps:
        wanted = (step.carrier, *step.shows) if step.kind is StepKind.SUBMIT else ()
        for field in wanted:
            if field not in fields:
                raise FlowError(f"flow {name} step {step.name}: item has no field {field!r}")
