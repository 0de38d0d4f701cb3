"""Written customer messages and what is right to do about each.

Knows:    the form of messages.yaml and the other sets, and when a call fits what is written there.
Does not: run anything or count anything.   (play.py, scoring.py)
Form:     the head of messages.yaml describes it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from evals.sayings import normal
from evals.settings import HERE

MESSAGES = HERE / "messages.yaml"
APART = {"contracts": HERE / "contracts.yaml"}
"""Sets that are played on another server than the shop's own, and only where they are asked for."""

SETS = {"written": MESSAGES} | {name: HERE / f"{name}.yaml" for name in ("second", "third", "unseen")}
"""The sets of messages. All but the first were written without sight of prompts, rules and other sets.

The faults that `second` and `third` showed have been mended since: only `unseen` measures unseen messages.
"""


class BadMessages(Exception):
    """A messages file that cannot be used; the text names the file and every fault."""


@dataclass(frozen=True)
class Call:
    """A call that was made: the tool's name and its arguments."""

    tool: str
    arguments: dict[str, Any]


class Written(BaseModel):
    """What a person wrote by hand: a name that is not known is a slip and is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class OneOf(Written):
    """The value is one of these."""

    values: Annotated[tuple[str, ...], Field(alias="in", min_length=1)]

    def fits(self, value: object) -> bool:
        """Return whether the value is one of those written."""
        return value in self.values


class Contains(Written):
    """The value contains one of these words, in any case."""

    words: Annotated[tuple[str, ...], Field(alias="has", min_length=1)]

    def fits(self, value: object) -> bool:
        """Return whether one of the words is in the value."""
        return isinstance(value, str) and any(normal(word) in normal(value) for word in self.words)


Rule = str | int | OneOf | Contains


class Expected(BaseModel):
    """A call that is right: the tool, and a rule for each argument that matters."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, Rule]  # pyright: ignore[reportIncompatibleVariableOverride]

    tool: str

    def fits(self, call: Call) -> bool:
        """Return whether the call is this one; arguments without a rule are free."""
        return call.tool == self.tool and all(
            call.arguments.get(name) == rule
            if isinstance(rule, str | int)
            else rule.fits(call.arguments.get(name))
            for name, rule in self.__pydantic_extra__.items()
        )


class Turn(Written):
    """One message of the customer, and what is right about the answer."""

    text: Annotated[str, Field(min_length=1)]
    calls: tuple[Expected, ...]
    may: tuple[Expected, ...] = ()
    alternative: Annotated[tuple[Expected, ...] | None, Field(alias="or")] = None
    facts: dict[str, tuple[str, ...]] = {}
    says: tuple[str, ...] = ()
    absent: bool = False
    approve: bool = True

    @property
    def right(self) -> tuple[tuple[Expected, ...], ...]:
        """Return each set of calls that is right."""
        return (self.calls,) if self.alternative is None else (self.calls, self.alternative)

    @property
    def tools(self) -> frozenset[str]:
        """Return every tool that may be called in this turn."""
        return frozenset(call.tool for calls in (*self.right, self.may) for call in calls)


class Dialogue(Written):
    """Turns that share one conversation and one fresh shop."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    group: str
    language: Annotated[str | None, Field(pattern=r"^[a-z]{2}$")] = None
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]


class MessageFile(Written):
    """The whole file; `known` only holds anchors for the calls that recur."""

    known: tuple[Expected, ...] = ()
    dialogues: tuple[Dialogue, ...]

    @field_validator("dialogues")
    @classmethod
    def _ids_differ(cls, dialogues: tuple[Dialogue, ...]) -> tuple[Dialogue, ...]:
        ids = [dialogue.id for dialogue in dialogues]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"these ids stand twice: {', '.join(twice)}; give each dialogue its own")
        return dialogues


def load(path: Path = MESSAGES) -> tuple[Dialogue, ...]:
    """Return the written dialogues, in the order of the file.

    Raises: BadMessages, naming every fault of the file.
    """
    try:
        written = yaml.safe_load(path.read_text(encoding="utf-8"))
        return MessageFile.model_validate(written).dialogues
    except (OSError, yaml.YAMLError, ValidationError) as error:
        raise BadMessages(f"{path.name} cannot be used. Correct it as said here:\n{error}") from error
