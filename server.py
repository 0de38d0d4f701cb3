"""The shop's support tools over MCP: the status of an order, the policies, a ticket.

Knows:    the arguments and results of the three tools, what of an order may be seen, the order of the checks.
Does not: know models, conversations, or who is a person.   (the agent does)
Gates:    1 whitelist, 2 parse, 3 validation, 5 precondition, 7 execute. 4 and 6 belong to the agent.
Run:      python server.py   speaks MCP on stdin and stdout; logs go to stderr.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.mcpserver.resources import TextResource
from mcp_types import CallToolResult
from pydantic import AfterValidator, BaseModel, Field

from common.language import LANGUAGES
from common.schema import MARK
from common.text import unsafe_characters
from common.version import VERSION
from serving import (
    ADDS,
    ASKED_FOR,
    KEPT,
    PREVIEW,
    READS,
    SHOWN_BY,
    Caller,
    HouseServer,
    Refused,
    answer,
    caller_from,
    is_dry_run,
    load_or_exit,
    serve_stdio,
    strict_tool,
)
from store import Category, Item, Order, OrderStatus, Payment, Policy, Store, Ticket, demo_store, utc_now
from store.forms import amount
from store.library import Found, Library, library_of
from store.rules import MAX_OPEN_TICKETS, broken_rule, return_until
from store.wording import (
    broken_told,
    in_each,
    order_in_each,
    search_told,
    ticket_in_each,
    too_many_tickets_told,
    unknown_order_told,
)
from store.words import TicketOutcome, words

SETTINGS = load_or_exit()

# ---------------------------------------------------------------- arguments and results, each type once


def _seen(text: str) -> str:
    if unsafe := unsafe_characters(text):
        raise ValueError(f"must not contain control or invisible characters ({', '.join(unsafe[:5])})")
    return text


OrderId = Annotated[
    str,
    Field(
        pattern=SETTINGS.order_id_pattern,
        description="The order number, exactly as the customer wrote it or an earlier result gave it",
        json_schema_extra={MARK: "order_id"},
    ),
]
TicketId = Annotated[
    str, Field(description="The ticket's number, such as T-1001", json_schema_extra={MARK: "ticket_id"})
]
TicketCategory = Annotated[
    Category,
    Field(
        description=(
            "delivery: late or missing, not yet delivered. return: send a delivered item back. "
            "refund: money back for a delivered or cancelled order. damaged: arrived broken or wrong. "
            "other: anything else, such as cancelling an order, another address, an invoice, a warranty claim"
        )
    ),
]
Summary = Annotated[
    str,
    Field(min_length=5, max_length=300, description="The customer's problem in one sentence"),
    AfterValidator(_seen),
]
Query = Annotated[
    str,
    Field(min_length=2, max_length=200, description="The customer's question, or a few words of it"),
    AfterValidator(_seen),
]
Money = Annotated[str, Field(description='An amount with two decimals, such as "49.99"')]
Day = Annotated[str, Field(description="YYYY-MM-DD")]


class OrderItem(BaseModel):
    """One line of an order; the price is for one piece."""

    name: str
    quantity: int
    price: Money


class OrderView(BaseModel):
    """What of an order may be seen. What is not named here does not leave the server."""

    order_id: OrderId
    status: OrderStatus
    items: list[OrderItem]
    currency: str
    total: Money
    payment: Payment
    placed_on: Day
    carrier: str | None
    tracking_number: str | None
    estimated_delivery: Day | None
    delivered_on: Day | None
    return_until: Day | None
    gift_note: str | None


PUBLIC_ORDER_FIELDS = tuple(OrderView.model_fields)


class Passage(BaseModel):
    """A section of a policy; uri is the resource that holds the whole policy."""

    policy: str
    section: str
    text: str
    uri: str


class PolicyAnswer(BaseModel):
    """The sections that fit best, and the words of the question that no policy contains."""

    found: bool
    passages: list[Passage]
    not_mentioned: list[str]


class TicketView(BaseModel):
    """A ticket. ticket_id is null, and the status not_opened, when a dry run found none open."""

    ticket_id: TicketId | None
    created: bool
    order_id: OrderId
    category: TicketCategory
    status: Literal["open", "not_opened"]
    dry_run: bool


def public(order: Order) -> OrderView:
    """Return what of an order may be seen."""
    last = return_until(order)
    return OrderView(
        order_id=order.id,
        status=order.status,
        items=[_public_item(item) for item in order.items],
        currency=order.currency,
        total=amount(order.total_minor),
        payment=order.payment,
        placed_on=order.placed_on.isoformat(),
        carrier=order.carrier,
        tracking_number=order.tracking_number,
        estimated_delivery=order.estimated_delivery.isoformat() if order.estimated_delivery else None,
        delivered_on=order.delivered_on.isoformat() if order.delivered_on else None,
        return_until=last.isoformat() if last else None,
        gift_note=order.gift_note,
    )


def _public_item(item: Item) -> OrderItem:
    return OrderItem(name=item.name, quantity=item.quantity, price=amount(item.price_minor))


# ---------------------------------------------------------------- the tools

Now = Callable[[], datetime]


@dataclass(frozen=True)
class SupportDesk:
    """The three tools, for one caller. The docstring of a tool is what the model reads.

    The tools are `async def`, which is the cheapest as long as the store answers at once. A store that waits
    for a disk or a network would hold up every other call: then they must be plain `def`, which the SDK runs
    in threads.
    """

    store: Store
    caller: Caller
    now: Now
    policies: Library

    async def get_order_status(self, order_id: OrderId) -> Annotated[CallToolResult, OrderView]:
        """Use this when the customer asks about one of their orders and gives its number.

        Says where the order is, when it comes or came, what is in it, what it cost, whether it is paid,
        and until when it can be returned.
        """
        order = self._order(order_id)
        return answer(order_in_each(order, self.now().date()), public(order))

    async def search_policy(self, query: Query) -> Annotated[CallToolResult, PolicyAnswer]:
        """Use this when the customer asks about the shop's rules, such as returns, shipping or personal data.

        It needs no order number. Covers returns, refunds, shipping, warranty, cancellation, payment and
        privacy, and says which words of the question no policy mentions.
        """
        found = self.policies.search(query)
        return answer(
            in_each(lambda language: search_told(found, self.policies, language)), _policy_answer(found)
        )

    async def create_ticket(
        self, order_id: OrderId, category: TicketCategory, summary: Summary, context: Context
    ) -> Annotated[CallToolResult, TicketView]:
        """Use this when the customer asks for a ticket, or for help with an order that only staff can give.

        Opens a ticket that staff answer. It does not itself refund, cancel, replace or send anything. When a
        ticket of this category is open for the order, that one is returned.
        """
        order = self._order(order_id)
        existing = next((t for t in self.store.open_tickets(order_id) if t.category == category), None)
        if existing is None:
            self._require_ticket_fits(order, category)
        if is_dry_run(context):
            return _preview(order, category, existing)
        opening = self.store.open_ticket(order_id, category, summary, limit=MAX_OPEN_TICKETS)
        if opening.ticket is None:
            raise _too_many_tickets(order_id)
        return _opened(order, opening.ticket, created=opening.outcome == "created")

    def _order(self, order_id: str) -> Order:
        """Return the order. Another customer's order and no order are refused in the same words."""
        order = self.store.get_order(order_id)
        if order is None or not self.caller.may_see(order.customer_id):
            raise _refused("unknown_order", lambda language: unknown_order_told(order_id, language))
        return order

    def _require_ticket_fits(self, order: Order, category: Category) -> None:
        if broken := broken_rule(order, category, self.now().date()):
            raise _refused(broken.code, lambda language: broken_told(broken, order, category, language))
        if len(self.store.open_tickets(order.id)) >= MAX_OPEN_TICKETS:
            raise _too_many_tickets(order.id)


def _refused(code: str, tell: Callable[[str], tuple[str, str]]) -> Refused:
    """Refuse in every language: the English for the model, the others for the customer."""
    english, *others = LANGUAGES
    return Refused(
        code, *tell(english), said={language: " ".join(tell(language)).strip() for language in others}
    )


def _too_many_tickets(order_id: str) -> Refused:
    return _refused("too_many_tickets", lambda language: too_many_tickets_told(order_id, language))


def _policy_answer(found: Found) -> PolicyAnswer:
    passages = [
        Passage(
            policy=best.policy, section=best.heading, text=best.text, uri=_uri(best.policy, best.language)
        )
        for best in found.passages
    ]
    return PolicyAnswer(found=bool(passages), passages=passages, not_mentioned=list(found.not_mentioned))


def _uri(policy: str, language: str) -> str:
    return f"policy://{policy}" if language == LANGUAGES[0] else f"policy://{language}/{policy}"


def _preview(order: Order, category: Category, existing: Ticket | None) -> CallToolResult:
    view = TicketView(
        ticket_id=existing.id if existing else None,
        created=False,
        order_id=order.id,
        category=category,
        status="open" if existing else "not_opened",
        dry_run=True,
    )
    return _ticket_answer("would_not_open" if existing else "would_open", order, view)


def _opened(order: Order, ticket: Ticket, *, created: bool) -> CallToolResult:
    view = TicketView(
        ticket_id=ticket.id,
        created=created,
        order_id=order.id,
        category=ticket.category,
        status="open",
        dry_run=False,
    )
    return _ticket_answer("opened" if created else "existing", order, view)


def _ticket_answer(outcome: TicketOutcome, order: Order, view: TicketView) -> CallToolResult:
    return answer(ticket_in_each(outcome, order, view.category, view.ticket_id), view)


# ---------------------------------------------------------------- the server


def support_reply(question: str) -> str:
    """Answer a customer's question from what the tools return."""
    return (
        "Answer this customer of the shop. Use the tools for every fact, name only what a tool returned, "
        f"and say so when the policies do not answer.\n\nThe customer writes: {question}"
    )


_TICKET_META = {
    PREVIEW: True,
    KEPT: "Tickets are kept in memory only: they are gone when the server stops.",
}


def _ticket_words() -> dict[str, Any]:
    """Return the words by which customers ask for a ticket, and those that show its category."""
    asked_for = {language: words(language).asks() for language in LANGUAGES}
    shown_by = {
        category: {language: words(language).shown_by(category) for language in LANGUAGES}
        for category in get_args(Category)
    }
    return {ASKED_FOR: asked_for, SHOWN_BY: {"category": shown_by}}


def build_server(store: Store | None = None, caller: Caller | None = None, now: Now = utc_now) -> MCPServer:
    """Return the support server: the demo shop and the caller of the settings, unless others are given."""
    shop = demo_store(now) if store is None else store
    who = caller_from(SETTINGS) if caller is None else caller
    desk = SupportDesk(shop, who, now, library_of(tuple(shop.policies())))
    server = HouseServer(
        "shopkart",
        title="ShopKart customer support",
        version=VERSION,
        instructions="Orders, policies and support tickets of a small shop.",
        tools=[
            strict_tool(desk.get_order_status, title="Look up an order", annotations=READS),
            strict_tool(desk.search_policy, title="Search the shop's policies", annotations=READS),
            strict_tool(
                desk.create_ticket,
                title="Open a ticket",
                annotations=ADDS,
                meta=_TICKET_META | _ticket_words(),
            ),
        ],
    )
    _add_policies(server, shop.policies())
    server.prompt(name="support-reply", title="Answer a customer")(support_reply)
    return server


def _add_policies(server: MCPServer, policies: Sequence[Policy]) -> None:
    """List the English policies as resources; a translation has its language before its name."""
    by_place = {(policy.language, policy.name): policy for policy in policies}
    for policy in policies:
        if policy.language == LANGUAGES[0]:
            server.add_resource(
                TextResource(
                    uri=_uri(policy.name, policy.language),
                    name=policy.name,
                    title=f"{policy.title} policy",
                    description=f"The shop's {policy.name} policy, whole.",
                    mime_type="text/markdown",
                    text=policy.text,
                )
            )

    def translated_policy(language: str, name: str) -> str:
        policy = by_place.get((language, name))
        if policy is None:
            raise ResourceNotFoundError("There is no policy of that name in that language.")
        return policy.text

    server.resource(
        "policy://{language}/{name}",
        title="A policy in another language",
        description=f"One of the shop's policies, whole, in {', '.join(LANGUAGES[1:])}.",
        mime_type="text/markdown",
    )(translated_policy)


if __name__ == "__main__":
    serve_stdio(build_server)
