"""What the support tools give: what of an order, a ticket or a policy may be seen.

Knows:    the fields that leave the server, and no others.
Does not: read the store, or put anything into sentences.   (store/wording.py)
"""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from common.language import LANGUAGES
from common.schema import VOICE
from store import Item, Order, OrderStatus, Payment, Ticket
from store.coverage import AnswerStatus
from store.library import Found
from store.money import amount
from store.rules import DEMO_RULES, ShopRules, return_until
from support.arguments import OrderId, TicketCategory, TicketId

Money = Annotated[str, Field(description='An amount in the currency\'s own decimals, such as "49.99"')]
Day = Annotated[str, Field(description="YYYY-MM-DD")]
ShopsWords = Annotated[str, Field(json_schema_extra={VOICE: "shop"})]
"""What the shop itself wrote: a link or an address in it may be told to a customer."""
OthersWords = Annotated[str, Field(json_schema_extra={VOICE: "others"})]
"""What anybody may have written: no link, amount or date in it is the shop's."""
AskedWords = Annotated[str, Field(json_schema_extra={VOICE: "asked"})]
"""Words of the question itself."""


class OrderItem(BaseModel):
    """One line of an order; the price is for one piece."""

    name: OthersWords
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
    placed_on: Day | None
    carrier: str | None
    tracking_number: str | None
    estimated_delivery: Day | None
    delivered_on: Day | None
    return_until: Day | None
    gift_note: OthersWords | None


PUBLIC_ORDER_FIELDS = tuple(OrderView.model_fields)


class ListedOrder(BaseModel):
    """An order in a list: enough to tell it from the others."""

    order_id: OrderId
    status: OrderStatus
    items: list[OthersWords]
    placed_on: Day | None


class OrderList(BaseModel):
    """The customer's orders, newest first; more: there are older ones."""

    orders: list[ListedOrder]
    more: bool


class Passage(BaseModel):
    """A section of a policy; uri is the resource that holds the whole policy, anchor the place in it."""

    id: str
    policy: str
    title: ShopsWords
    section: ShopsWords
    anchor: str
    text: ShopsWords
    uri: str


class PolicyAnswer(BaseModel):
    """The sections that fit best, and whether they answer.

    answer_status: not_stated where the shop's policies do not say what was asked, however near a section is.
    matched: the words of the question that the passages hold; unmatched: those that no policy mentions.
    """

    found: bool
    answer_status: AnswerStatus
    matched: list[AskedWords]
    unmatched: list[AskedWords]
    passages: list[Passage]


class TicketView(BaseModel):
    """A ticket. ticket_id is null, and the status not_opened, when a dry run found none open."""

    ticket_id: TicketId | None
    created: bool
    order_id: OrderId
    category: TicketCategory
    status: Literal["open", "not_opened"]
    dry_run: bool


class HandOffView(BaseModel):
    """A ticket about no order; as a TicketView else."""

    ticket_id: TicketId | None
    created: bool
    status: Literal["open", "not_opened"]
    dry_run: bool


class TicketState(BaseModel):
    """How a ticket stands; order_id is null for one about no order, note what the staff wrote at its end."""

    ticket_id: TicketId
    order_id: OrderId | None
    category: TicketCategory
    status: Literal["open", "closed"]
    opened_on: Day
    closed_on: Day | None
    note: ShopsWords | None


class TicketList(BaseModel):
    """The customer's tickets, newest first; more: there are older ones."""

    tickets: list[TicketState]
    more: bool


def order_view(order: Order, rules: ShopRules = DEMO_RULES) -> OrderView:
    """Return what of an order may be seen."""
    last = return_until(order, rules)
    return OrderView(
        order_id=order.id,
        status=order.status,
        items=[_item_view(item, order.currency) for item in order.items],
        currency=order.currency,
        total=amount(order.total_minor, order.currency),
        payment=order.payment,
        placed_on=order.placed_on.isoformat() if order.placed_on else None,
        carrier=order.carrier,
        tracking_number=order.tracking_number,
        estimated_delivery=order.estimated_delivery.isoformat() if order.estimated_delivery else None,
        delivered_on=order.delivered_on.isoformat() if order.delivered_on else None,
        return_until=last.isoformat() if last else None,
        gift_note=order.gift_note,
    )


def _item_view(item: Item, currency: str) -> OrderItem:
    return OrderItem(name=item.name, quantity=item.quantity, price=amount(item.price_minor, currency))


def order_list(orders: list[Order], *, more: bool) -> OrderList:
    """Return what of some orders may be seen in a list."""
    return OrderList(orders=[_listed(order) for order in orders], more=more)


def _listed(order: Order) -> ListedOrder:
    return ListedOrder(
        order_id=order.id,
        status=order.status,
        items=[item.name for item in order.items],
        placed_on=order.placed_on.isoformat() if order.placed_on else None,
    )


def ticket_state(ticket: Ticket) -> TicketState:
    """Return what of a ticket may be seen; its summary is other people's words."""
    return TicketState(
        ticket_id=ticket.id,
        order_id=ticket.order_id,
        category=ticket.category,
        status=ticket.status,
        opened_on=ticket.opened_at.date().isoformat(),
        closed_on=ticket.closed_at.date().isoformat() if ticket.closed_at else None,
        note=ticket.note,
    )


def ticket_list(tickets: list[Ticket], *, more: bool) -> TicketList:
    """Return how some tickets stand."""
    return TicketList(tickets=[ticket_state(ticket) for ticket in tickets], more=more)


def policy_answer(found: Found) -> PolicyAnswer:
    """Return what a search came to."""
    passages = [
        Passage(
            id=best.id,
            policy=best.policy,
            title=best.title,
            section=best.heading,
            anchor=best.anchor,
            text=best.text,
            uri=policy_uri(best.policy, best.language),
        )
        for best in found.passages
    ]
    return PolicyAnswer(
        found=bool(passages),
        answer_status=found.coverage.status,
        matched=list(found.coverage.matched),
        unmatched=list(found.coverage.unmatched),
        passages=passages,
    )


def policy_uri(policy: str, language: str) -> str:
    """Return the address of a policy's resource: a translation has its language before its name."""
    return f"policy://{policy}" if language == LANGUAGES[0] else f"policy://{language}/{policy}"
