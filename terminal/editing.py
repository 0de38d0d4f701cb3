"""Change one argument of a call before it is approved.

Knows:    the argument's schema: its values where it lists them, its type.
Does not: check the change: it passes every gate like the model's own.   (agent/calls.py)
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from common.approval import ApprovalRequest
from common.confusables import hidden
from common.schema import Schema, fields, inline, types_of
from common.text import visible
from terminal.words import shortened, written

Ask = Callable[[str, str], Awaitable[str]]
"""Asks one line: the question, and what stands there to be changed.  Raises: EOFError, Interrupted."""

Tell = Callable[[str], None]

_MAX_VALUE = 60


class NotAValue(Exception):
    """What was typed is no value of the argument; the text says what is."""


@dataclass(frozen=True)
class Argument:
    """One argument as it can be changed. value is None where the call leaves it out."""

    name: str
    schema: Schema
    value: Any

    @property
    def choices(self) -> list[Any]:
        """The values that the schema lists; empty where it lists none."""
        listed: object = self.schema.get("enum")
        return cast(list[Any], listed) if isinstance(listed, list) else []

    @property
    def shown(self) -> str:
        """The line of the list."""
        now = "(left out)" if self.value is None else shortened(written(self.value), _MAX_VALUE)
        one_of = f"  (one of: {self.values})" if self.choices else ""
        return f"{visible(self.name)}: {now}{one_of}"

    @property
    def values(self) -> str:
        """The listed values, with commas."""
        return ", ".join(visible(written(choice)) for choice in self.choices)

    def read(self, typed: str) -> Any:
        """Return the value that was typed.

        Raises: NotAValue.
        """
        if self.choices:
            return self._choice(typed)
        types = types_of(self.schema)
        if "string" in types or not types:
            return typed
        try:
            return json.loads(typed)
        except ValueError:
            kinds = " or ".join(sorted(types))
            raise NotAValue(f"{visible(self.name)} must be of type {kinds}, written as JSON.") from None

    def _choice(self, typed: str) -> Any:
        wanted = typed.strip().casefold()
        for choice in self.choices:
            if written(choice).casefold() == wanted:
                return choice
        raise NotAValue(f"{visible(self.name)} must be one of: {self.values}.")


def arguments_of(request: ApprovalRequest) -> list[Argument]:
    """Return the call's arguments, those that the tool takes and the call leaves out too."""
    declared = fields(inline(request.schema))
    names = [*declared, *(name for name in request.arguments if name not in declared)]
    return [Argument(name, declared.get(name, {}), request.arguments.get(name)) for name in names]


async def edited(request: ApprovalRequest, ask: Ask, tell: Tell) -> dict[str, Any] | None:
    """Let a person change one argument; return the whole arguments, or None where nothing was changed.

    Raises: EOFError, Interrupted.
    """
    arguments = arguments_of(request)
    for number, argument in enumerate(arguments, 1):
        tell(f"  {number}  {argument.shown}")
    argument = await _chosen(arguments, ask, tell)
    if argument is None:
        return None
    now = "" if argument.value is None else written(argument.value)
    # An editor draws what stands in it as it is: what cannot be seen is not put there.
    shown = "" if argument.choices or hidden(now) else now
    while True:
        typed = await ask(f"{visible(argument.name)} = ", shown)
        if not typed.strip() or typed == now:
            return None
        try:
            value = argument.read(typed)
        except NotAValue as problem:
            tell(str(problem))
            continue
        return None if value == argument.value else {**request.arguments, argument.name: value}


async def _chosen(arguments: list[Argument], ask: Ask, tell: Tell) -> Argument | None:
    while True:
        typed = (await ask(f"Which? [1-{len(arguments)}, a name, Enter: none] ", "")).strip()
        if not typed:
            return None
        for number, argument in enumerate(arguments, 1):
            if typed in (str(number), argument.name):
                return argument
        tell(f"There is no argument {shortened(typed, _MAX_VALUE)!r} here.")
