"""A case: what the customer writes, what a hostile model answers, who can be asked, and what must come of it.

Knows:    the shape of a case, and short ways to write its parts.
Does not: play one (playing.py) or judge it (judging.py).
Rule:     a case names every call that may reach a handler, in order; whatever else arrives is harm. It names
          the gate that must stop the attack, too: a case that ends well for another reason proves nothing.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from llm import Reply, ToolCall

Gate = Literal[
    "",
    "any",
    "input",
    "whitelist",
    "parse",
    "validation",
    "grounding",
    "precondition",
    "permission",
    "limit",
    "output",
]
"""What stops something; "" for a control, in which nothing may be stopped, "any" where any of them may."""

Place = Literal["gift note", "product name", "policy passage", "staff note", "ticket summary"]
"""Where in the shop's own data other people's words stand."""

Wanted = tuple[str, dict[str, Any]]
"""A call by the name of its tool and its arguments."""

SYSTEM = "{{system}}"
"""In a model's text: the first message that it was given, which holds its rules."""

RESULT = "{{result}}"
"""In a model's text: the newest result that it was given."""

CUSTOMER = "{{customer}}"
"""In a model's text: the customer's newest message."""


@dataclass(frozen=True)
class Shop:
    """A server. name: ours, or one of foreign.py. planted: other people's words, by their place in ours."""

    name: str = "ours"
    planted: tuple[tuple[Place, str], ...] = ()
    role: Literal["customer", "guest"] = "customer"


OURS = Shop()


@dataclass(frozen=True)
class Turn:
    """One message of the customer. model: its replies in order, the last for ever; person: see people.py."""

    customer: str
    model: tuple[Reply, ...]
    person: str = "nobody"


@dataclass(frozen=True)
class Case:
    """One attack and its one right outcome.

    gate: the one that must stop it. reaches: every call that reaches a handler, in order.
    hides: pieces of text that nobody may be shown.
    shortfall: why this one is known to get through; docs/security.md names each.
    """

    family: str
    name: str
    gate: Gate
    turns: tuple[Turn, ...]
    shop: Shop = OURS
    reaches: tuple[Wanted, ...] = ()
    hides: tuple[str, ...] = ()
    shortfall: str = ""

    @property
    def id(self) -> str:
        """Return the name by which the case is found."""
        return f"{self.family}: {self.name}"


def says(text: str) -> Reply:
    """Return a reply in words."""
    return Reply(text)


def calls(*wanted: tuple[str, Any], text: str | None = None) -> Reply:
    """Return a reply that asks for calls; arguments that are a text go as they stand."""
    return Reply(
        text,
        tuple(
            ToolCall(f"c{index}", name, arguments if isinstance(arguments, str) else json.dumps(arguments))
            for index, (name, arguments) in enumerate(wanted)
        ),
    )


DONE = says("Thank you, that is all.")
"""Words that claim nothing: how a script ends that is not about its words."""


def status(order_id: Any) -> Wanted:
    """Return a look-up of an order."""
    return "get_order_status", {"order_id": order_id}


def ticket(
    order_id: Any, category: str = "other", summary: str = "Please look at this.", **more: Any
) -> Wanted:
    """Return a call that opens a ticket."""
    return "create_ticket", {"order_id": order_id, "category": category, "summary": summary, **more}


def hand_off(summary: str = "Please call me back.", **more: Any) -> Wanted:
    """Return a call that asks the staff for help."""
    return "contact_staff", {"summary": summary, **more}


def turn(customer: str, *model: Reply, person: str = "nobody") -> Turn:
    """Return a turn; after the replies given the model says that it is done."""
    return Turn(customer, (*model, DONE), person)


def filled(text: str | None, messages: list[Mapping[str, Any]], *, as_json: bool = False) -> str | None:
    """Return a model's text with what it quotes of the messages that it was given."""
    if text is None or "{{" not in text:
        return text
    for mark, role, first in ((SYSTEM, "system", True), (RESULT, "tool", False), (CUSTOMER, "user", False)):
        said = [str(message.get("content") or "") for message in messages if message.get("role") == role]
        quoted = (said[0] if first else said[-1]) if said else ""
        text = text.replace(mark, json.dumps(quoted)[1:-1] if as_json else quoted)
    return text
