"""Orders, tickets, refusals and policies in plain sentences, as one would write them to the customer.

Knows:    which sentence of store/words says what, in each language.
Does not: decide anything. Leaves gift notes out: they are other people's words.
"""

from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache

from common.language import LANGUAGES
from store.forms import spoken_amount, spoken_date
from store.library import Found, Library
from store.model import Category, Item, Order, Ticket
from store.policies import Section
from store.rules import (
    BEFORE_DELIVERY,
    BEFORE_DISPATCH,
    DEMO_RULES,
    MAX_OPEN_TICKETS,
    Broken,
    ShopRules,
    may_have_arrived,
    return_until,
)
from store.words import PaymentState, RefusalCode, State, TicketOutcome, words

LONGEST_NAME = 40
"""Characters of an item's name in a sentence."""

MOST_NAMED = 5
"""Orders named in one sentence."""

Said = dict[str, str]
"""The same sentence by language."""


def in_each(tell: Callable[[str], str]) -> Said:
    """Return what a teller says, in each language."""
    return {language: tell(language) for language in LANGUAGES}


# ---------------------------------------------------------------- orders


@lru_cache(maxsize=512)
def order_in_each(order: Order, today: date, rules: ShopRules = DEMO_RULES) -> Said:
    """Return the state of an order in each language; to be read, not changed."""
    return in_each(lambda language: order_told(order, today, language, rules))


def order_told(order: Order, today: date, language: str = "en", rules: ShopRules = DEMO_RULES) -> str:
    """Return the state of an order: where it is, what it lacks, what it cost, what can be done with it."""
    say = words(language)
    told = say.order.format(
        order=order.id,
        items=_priced(order, language),
        state=_state_told(order, language),
    )
    parts = (
        told,
        _expected(order, today, language),
        _lacking(order, language),
        _placed(order, language),
        _possible(order, today, language, rules),
    )
    return " ".join(part for part in parts if part)


def _placed(order: Order, language: str) -> str:
    say = words(language)
    return (say.placed if order.placed_on else say.charged).format(
        date=spoken_date(order.placed_on, language) if order.placed_on else "",
        total=spoken_amount(order.total_minor, order.currency, language),
        payment=say.payments[_payment(order)],
    )


def orders_told(orders: Sequence[Order], language: str = "en", *, more: bool = False) -> str:
    """Return a customer's orders in one sentence, the first few of them by name."""
    say = words(language)
    if not orders:
        return say.my_orders.none
    named = say.my_orders.between.join(
        say.my_orders.one.format(
            order=order.id, items=items_told(order.items, language), state=_state_told(order, language)
        )
        for order in orders[:MOST_NAMED]
    )
    dated = all(order.placed_on for order in orders)
    listed = (say.my_orders.listed if dated else say.my_orders.undated).format(orders=named)
    return f"{listed} {say.my_orders.more}" if more or len(orders) > MOST_NAMED else listed


def _state_told(order: Order, language: str) -> str:
    state = words(language).states[_state(order)]
    return state.format(carried=_carried(order, language), on=_on(order, language))


def items_told(items: tuple[Item, ...], language: str = "en") -> str:
    """Return the items as in `1 x "Desk Lamp", 2 x "Tea Sampler"`."""
    say = words(language).items
    named = [
        say.one.format(quantity=item.quantity, name=name)
        for item, name in zip(items, _names(items), strict=True)
    ]
    return _listed(named, say.between, say.last)


def _names(items: Sequence[Item]) -> list[str]:
    """Return the items' names as far as they are read out; names are other people's words.

    Two variants of one thing, which begin alike, are read out further.
    """
    short = [_short(item.name, LONGEST_NAME) for item in items]
    return [
        _short(item.name, 3 * LONGEST_NAME) if short.count(name) > 1 else name
        for item, name in zip(items, short, strict=True)
    ]


_NO_QUOTES = str.maketrans(dict.fromkeys('"“”„«»', "'"))
"""Names stand in quotation marks: none of their own may end these and go on as the shop's words."""


def _short(name: str, longest: int) -> str:
    name = name.translate(_NO_QUOTES)
    return name if len(name) <= longest else name[:longest].rsplit(" ", 1)[0] + "…"


def _priced(order: Order, language: str) -> str:
    """Return the items with their prices, unless there is one piece: then its price is the total."""
    if sum(item.quantity for item in order.items) == 1:
        return items_told(order.items, language)
    say = words(language).items
    told = [
        (say.each if item.quantity > 1 else say.at).format(
            quantity=item.quantity,
            name=name,
            price=spoken_amount(item.price_minor, order.currency, language),
        )
        for item, name in zip(order.items, _names(order.items), strict=True)
    ]
    return _listed(told, say.between, say.last)


def _listed(parts: Sequence[str], between: str, last: str) -> str:
    *first, end = parts or ("",)
    return f"{between.join(first)}{last}{end}" if first else end


def _state(order: Order) -> State:
    if may_have_arrived(order):
        return "sent"
    return "unpaid" if order.status == "pending" and order.payment == "unpaid" else order.status


def _payment(order: Order) -> PaymentState:
    if order.payment in ("refunded", "partially_refunded"):
        return order.payment
    closed = order.status in ("cancelled", "returned")
    if order.payment == "paid":
        return "owed" if closed else "paid"
    return "void" if closed else "unpaid"


def _on(order: Order, language: str) -> str:
    return (
        words(language).on_day.format(date=spoken_date(order.delivered_on, language))
        if order.delivered_on
        else ""
    )


def _carried(order: Order, language: str) -> str:
    say = words(language).carried
    template = (
        (say.whole if order.carrier and order.tracking_number else "")
        or (say.carrier if order.carrier else "")
        or (say.number if order.tracking_number else "")
    )
    return template.format(carrier=order.carrier, number=order.tracking_number)


def _expected(order: Order, today: date, language: str) -> str:
    due = order.estimated_delivery
    if due is None or order.status not in BEFORE_DELIVERY:
        return ""
    say = words(language)
    return (say.due if today <= due else say.overdue).format(date=spoken_date(due, language))


def _lacking(order: Order, language: str) -> str:
    """Return what is not known of an order, so that nobody has to guess it from silence."""
    say = words(language).lacking
    waiting = order.status in BEFORE_DELIVERY
    if order.status == "cancelled":
        return ""
    last = (order.estimated_delivery, say.due) if waiting else (order.delivered_on, say.day)
    known = ((order.carrier, say.carrier), (order.tracking_number, say.number), last)
    things = [name for value, name in known if not value]
    if not things:
        return ""
    return (say.yet if waiting else say.record).format(things=_listed(things, say.between, say.last))


def _possible(order: Order, today: date, language: str, rules: ShopRules) -> str:
    """Return whether the order can be cancelled or returned, while one of the two is a question."""
    say = words(language)
    if order.status in BEFORE_DELIVERY:
        if not rules.cancels_until_shipped:
            return ""
        return say.cancellable if order.status in BEFORE_DISPATCH else say.not_cancellable
    last = return_until(order, rules)
    if last is None:
        return ""
    return (say.returnable if today <= last else say.return_over).format(date=spoken_date(last, language))


# ---------------------------------------------------------------- tickets


@lru_cache(maxsize=512)
def ticket_in_each(outcome: TicketOutcome, order: Order, category: Category, ticket_id: str | None) -> Said:
    """Return what came of asking for a ticket in each language; to be read, not changed."""
    return in_each(lambda language: ticket_told(outcome, order, category, ticket_id, language))


def ticket_told(
    outcome: TicketOutcome, order: Order, category: Category, ticket_id: str | None, language: str = "en"
) -> str:
    """Return what came of asking for a ticket, or what would come of it."""
    say = words(language)
    return say.tickets[outcome].format(
        ticket=ticket_id,
        category=say.categories[category],
        order=order.id,
        items=items_told(order.items, language),
    )


def hand_off_told(outcome: TicketOutcome, ticket_id: str | None, language: str = "en") -> str:
    """Return what came, or would come, of asking for the staff about no order in particular."""
    return words(language).hand_offs[outcome].format(ticket=ticket_id)


def ticket_state_told(ticket: Ticket, language: str = "en") -> str:
    """Return whether a ticket is open, and since or until when."""
    say = words(language)
    told = say.ticket_states[ticket.status].format(
        ticket=ticket.id,
        category=say.categories[ticket.category],
        about=say.about["order" if ticket.order_id else "none"].format(order=ticket.order_id),
        date=spoken_date((ticket.closed_at or ticket.opened_at).date(), language),
    )
    note = say.staff_note.format(note=ticket.note) if ticket.note else ""
    return told[:1].upper() + told[1:] + note


def tickets_told(tickets: Sequence[Ticket], language: str = "en", *, more: bool = False) -> str:
    """Return how a customer's tickets stand, the first few of them."""
    say = words(language).my_tickets
    if not tickets:
        return say["none"]
    told = [ticket_state_told(ticket, language) for ticket in tickets[:MOST_NAMED]]
    return " ".join([*told, say["more"]] if more or len(tickets) > MOST_NAMED else told)


# ---------------------------------------------------------------- refusals


def unknown_order_told(order_id: str, language: str = "en") -> tuple[str, str]:
    """Return what happened, and what to do now."""
    return _refused("unknown_order", language, order=order_id)


def unknown_ticket_told(ticket_id: str, language: str = "en") -> tuple[str, str]:
    """Return what happened, and what to do now."""
    return _refused("unknown_ticket", language, ticket=ticket_id)


def too_many_tickets_told(order_id: str, language: str = "en") -> tuple[str, str]:
    """Return what happened, and what to do now."""
    return _refused("too_many_tickets", language, order=order_id, limit=MAX_OPEN_TICKETS)


def too_many_hand_offs_told(language: str = "en") -> tuple[str, str]:
    """Return what happened, and what to do now."""
    return _refused("too_many_hand_offs", language, limit=MAX_OPEN_TICKETS)


def broken_told(
    broken: Broken,
    order: Order,
    category: Category,
    language: str = "en",
    rules: ShopRules = DEMO_RULES,
) -> tuple[str, str]:
    """Return which rule a ticket would break, and which ticket would break none."""
    say = words(language)
    last = return_until(order, rules)
    return _refused(
        _refusal(broken, order),
        language,
        order=order.id,
        category=say.categories[category],
        status=say.statuses[order.status],
        needs=say.needs[category],
        date=spoken_date(last, language) if last else "",
        days=rules.return_days,
        fitting=fitting_told(broken, language),
    )


def fitting_told(broken: Broken, language: str = "en") -> str:
    """Return which tickets can be opened instead."""
    say = words(language)
    return say.fitting.format(categories=say.comma.join(say.categories[each] for each in broken.fitting))


def _refusal(broken: Broken, order: Order) -> RefusalCode:
    if broken.code == "nothing_to_refund":
        return "refunded_already" if order.payment == "refunded" else "not_paid"
    return broken.code


def _refused(code: RefusalCode, language: str, **values: object) -> tuple[str, str]:
    refusal = words(language).refusals[code]
    return refusal.message.format(**values), refusal.next.format(**values)


# ---------------------------------------------------------------- policies


def search_told(found: Found, library: Library, language: str = "en") -> str:
    """Return the sentences that answer, after what the policies do not say."""
    say = words(language).policies
    if found.untranslated:
        return say.untranslated
    silent = say.between.join(say.word.format(word=word) for word in found.unmatched)
    if not found.passages:
        return say.nothing_on.format(words=silent) if silent else say.nothing
    parts = [] if found.stated else [say.silent.format(words=silent) if silent else say.unanswered]
    parts += [
        _quoted(library.translated(passage, language), excerpt, language)
        for passage, excerpt in zip(found.passages, found.excerpts, strict=False)
    ]
    return " ".join(parts)


def _quoted(section: Section, excerpt: Sequence[int], language: str) -> str:
    say = words(language).policies
    template = say.quoted if section.language == language else say.in_english
    text = " ".join(section.sentences[index] for index in excerpt)
    named = section.title[:1].lower() + section.title[1:]
    return template.format(policy=named, title=section.title, heading=section.heading, text=text)
