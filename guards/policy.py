"""The shop's own rules on who must agree to which call.

Knows:    tools, arguments, the rules of approval.yaml as text.
Does not: read a file (agent/settings.py names it), or ask anybody.
Rule:     the first rule that fits decides; a change that none fits asks the person. A rule that would spare a
          question fits only what is certain: no tool that may alter or delete something or that is odd, no
          value that is missing or cannot be compared. Every other rule fits these, too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from common.plain_yaml import NotPlain, as_written
from common.text import fold
from guards.approval import is_reversible

Decision = Literal["ask", "allow", "deny", "staff"]
Effect = Literal["adds", "may_destroy"]


class BadPolicy(Exception):
    """A text that is no set of rules; it says where and why."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Amount = Annotated[Decimal, Field(allow_inf_nan=False)]
Text = Annotated[str, Field(min_length=1)]


class Condition(_Strict):
    """What the value of one argument must be; each that is given must hold.

    over, under: compared as numbers, not including the limit itself. one_of: compared as text, a number as
    one, and yes or no as either is written.
    """

    over: Amount | None = None
    under: Amount | None = None
    one_of: Annotated[list[Text], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "Condition":
        if self.over is self.under is self.one_of is None:
            raise ValueError("it says nothing of the value; write over, under or one_of")
        return self


class Rule(_Strict):
    """One rule. What it leaves out fits everything.

    server: as the card names it; see `Policy.at`. tool: its exact name. effect: what its server says a call
    may do. when: conditions by argument; a dotted name reaches into objects, and of a list every item is
    looked at.
    say: what the customer is told where nobody at this end may agree.
    """

    server: Text | None = None
    tool: Text | None = None
    effect: Effect | None = None
    when: dict[str, Condition] = Field(default_factory=dict[str, Condition])
    decision: Decision
    say: Annotated[str, Field(max_length=300)] = ""


class _File(_Strict):
    rules: list[Rule] = Field(default_factory=list[Rule])


@dataclass(frozen=True)
class Policy:
    """The rules, in order."""

    rules: Sequence[Rule] = field(default_factory=tuple[Rule, ...])

    def at(self, server: str, *, own: bool) -> "Policy":
        """Return the rules for the tools of one server. own: it is the shop's own, started here.

        A rule that spares a question and names no server is about the shop's own alone: another server may
        call a tool by the same name.
        """
        return Policy(
            tuple(
                rule
                for rule in self.rules
                if rule.server == server or (rule.server is None and (own or rule.decision != "allow"))
            )
        )

    def strange_to(self, bridge: Any) -> list[str]:
        """Return a sentence for each tool that the rules name and this server does not have.

        bridge: a session with it, as far as its label and its tools.
        """
        here = {tool.name for tool in bridge.tools}
        rules = self.at(bridge.label, own=True).rules
        names = dict.fromkeys(rule.tool for rule in rules if rule.tool and rule.tool not in here)
        return [
            f"A rule of APPROVAL_FILE is about the tool {name!r}, which this server does not have."
            for name in names
        ]

    def decide(
        self, tool: Any, arguments: dict[str, Any], *, changes: bool = True, odd: bool = False
    ) -> Rule | None:
        """Return the rule for a call, if one fits.

        changes: the call may change something; one that only reads is decided by a rule that names its tool.
        odd: something about the tool is not to be trusted.
        """
        certain = is_reversible(tool) and not odd
        for rule in self.rules:
            spares = rule.decision == "allow"
            if spares and not certain:
                continue
            if (
                (changes or rule.tool)
                and _is_about(rule, tool)
                and all(
                    _holds(condition, list(_values(arguments, name.split("."))), spares=spares)
                    for name, condition in rule.when.items()
                )
            ):
                return rule
        return None


def policy_of(text: str) -> Policy:
    """Return the rules of a text in YAML.

    Raises: BadPolicy.
    """
    try:
        data = as_written(text)
    except NotPlain as error:
        raise BadPolicy(f"At {error}.") from None
    except RecursionError:
        raise BadPolicy("It is nested too deeply to be read.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise BadPolicy(f"It is no YAML{where}: {getattr(error, 'problem', None) or error}.") from None
    if data is None:
        raise BadPolicy("It is empty. Where there shall be no rules, write: rules: []")
    try:
        return Policy(tuple(_File.model_validate(data).rules))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "its top"
        raise BadPolicy(f"At {where}: {first['msg']} ({str(first['input'])[:60]!r}).") from None


def _is_about(rule: Rule, tool: Any) -> bool:
    effect: Effect = "adds" if is_reversible(tool) else "may_destroy"
    return rule.tool in (None, tool.name) and rule.effect in (None, effect)


_MISSING = object()
"""Stands where a rule looks for a value and there is none."""


def _values(value: Any, path: Sequence[str]) -> Iterator[Any]:
    """Yield what stands at a path, in each item where there is a list."""
    if isinstance(value, list) and value:
        for item in cast(list[Any], value):
            yield from _values(item, path)
    elif not path:
        yield value
    elif isinstance(value, dict):
        yield from _values(cast(dict[str, Any], value).get(path[0], _MISSING), path[1:])
    else:
        yield _MISSING


def _holds(condition: Condition, values: Sequence[Any], *, spares: bool) -> bool:
    """Say whether a condition holds: for every value where the rule spares a question, else for any.

    A value that is not there or cannot be compared holds for a rule that spares nothing.
    """
    found = [_fits(condition, value) for value in values]
    return all(each is True for each in found) if spares else any(each is not False for each in found)


def _fits(condition: Condition, value: Any) -> bool | None:
    """Return whether one value fits; None where that cannot be known."""
    if not isinstance(value, str | int | float):
        return None
    found = [_is_listed(condition, value), _is_between(condition, value)]
    if False in found:
        return False
    return None if None in found else True


def _is_listed(condition: Condition, value: str | float) -> bool | None:
    if condition.one_of is None:
        return True
    found = [_same(value, listed) for listed in condition.one_of]
    if True in found:
        return True
    return None if None in found else False


def _is_between(condition: Condition, value: str | float) -> bool | None:
    if condition.over is None and condition.under is None:
        return True
    number = _number(value)
    if number is None:
        return None
    return (condition.over is None or number > condition.over) and (
        condition.under is None or number < condition.under
    )


def _same(value: str | float, listed: str) -> bool | None:
    """Return whether a value is one of a list; None for a text that a server may take for it."""
    if isinstance(value, bool):
        return listed.casefold() in (_YES if value else _NO)
    number = _number(listed)
    if not isinstance(value, str):
        return number is not None and _number(value) == number
    if value.strip().casefold() == listed.strip().casefold():
        return True
    alike = _levelled(value) == _levelled(listed) or (number is not None and _number(value) == number)
    return None if alike else False


def _levelled(text: str) -> str:
    return "".join(fold(text).casefold().split())


_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")


def _number(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
