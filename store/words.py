"""The shop's words in each language: store/words/*.yaml, read once and checked.

Knows:    which words there must be.
Does not: put sentences together.   (store/wording.py)
"""

from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import yaml
from pydantic import BaseModel, ConfigDict

from store.model import Category, OrderStatus

_FOLDER = Path(__file__).with_name("words")

# The C loader where PyYAML was built with it: the server reads five files on its way up.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

State = Literal[OrderStatus, "unpaid", "sent"]
PaymentState = Literal["paid", "unpaid", "partially_refunded", "refunded", "owed", "void"]
"""owed: paid for what will not be delivered or came back. void: never paid, and never will be."""
TicketOutcome = Literal["opened", "existing", "would_open", "would_not_open"]
RefusalCode = Literal[
    "unknown_order", "unknown_ticket", "wrong_state", "outside_return_window",
    "refunded_already", "not_paid", "too_many_tickets", "too_many_hand_offs",
]  # fmt: skip


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Items(_Part):
    """How a line of an order is named: alone, with its price, with the price of each piece."""

    one: str
    at: str
    each: str
    between: str
    last: str


class Carried(_Part):
    """By whom an order is brought, as far as that is known."""

    whole: str
    carrier: str
    number: str


class Lacking(_Part):
    """What an order does not have: not yet, or not on record."""

    yet: str
    record: str
    between: str
    last: str
    carrier: str
    number: str
    due: str
    day: str


class Refusal(_Part):
    """What happened, and what to do now."""

    message: str
    next: str


class MyOrders(_Part):
    """How a customer's orders are listed."""

    listed: str
    undated: str
    one: str
    between: str
    none: str
    more: str


class Policies(_Part):
    """How a policy is quoted, and how it is said that none answers."""

    quoted: str
    in_english: str
    silent: str
    unanswered: str
    untranslated: str
    nothing: str
    nothing_on: str
    word: str
    between: str


class Words(_Part):
    """Everything the shop says in one language, as templates."""

    date: str
    money: Literal["code", "symbol", "name"]
    comma: str
    items: Items
    order: str
    carried: Carried
    on_day: str
    states: dict[State, str]
    due: str
    overdue: str
    lacking: Lacking
    placed: str
    charged: str
    payments: dict[PaymentState, str]
    cancellable: str
    not_cancellable: str
    returnable: str
    return_over: str
    categories: dict[Category, str]
    tickets: dict[TicketOutcome, str]
    my_orders: MyOrders
    about: dict[Literal["order", "none"], str]
    ticket_states: dict[Literal["open", "closed"], str]
    staff_note: str
    my_tickets: dict[Literal["none", "more"], str]
    hand_offs: dict[TicketOutcome, str]
    refusals: dict[RefusalCode, Refusal]
    statuses: dict[OrderStatus, str]
    needs: dict[Category, str]
    fitting: str
    policies: Policies
    asked_for: dict[Category | Literal["any"], list[str]]
    shows: dict[Category, list[str]]
    contact: list[str]
    ticket_state: list[str]

    def asks(self) -> list[str]:
        """Return every word by which a ticket is asked for."""
        return [word for words in self.asked_for.values() for word in words]

    def shown_by(self, category: Category) -> list[str]:
        """Return the words that show a ticket's category."""
        return [*self.asked_for[category], *self.shows.get(category, [])]


@cache
def words(language: str) -> Words:
    """Return the words of a language.  Raises: FileNotFoundError for one that the shop does not speak."""
    return Words.model_validate(read_yaml(_FOLDER / f"{language}.yaml"))


def read_yaml(path: Path) -> dict[str, Any]:
    """Return what stands in one of the store's own word files."""
    return cast(dict[str, Any], yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader))
