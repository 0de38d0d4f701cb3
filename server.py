"""The shop's support tools over MCP: orders, the policies, tickets.

Knows:    the tools, whose records each may show, the order of the checks.
Does not: know models, conversations, or who is a person.   (the agent does)
Gates:    1 whitelist, 2 parse, 3 validation, 5 precondition, 7 execute. 4 and 6 belong to the agent.
Run:      python server.py          speaks MCP on stdin and stdout; logs go to stderr.
          python server.py --http   speaks it over HTTP.   (serving/http.py)
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar, TypeVarTuple, get_args
from uuid import uuid4

import anyio.to_thread
import click
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult

from common.database import DatabaseSettings, is_in_memory
from common.language import LANGUAGES
from common.redaction import redact
from common.settings import load
from common.version import VERSION
from journal import AnyTrail, NoTrail, trail_on
from serving import (
    ADDS,
    ASKED_FOR,
    KEPT,
    PREVIEW,
    READS,
    SHOWN_BY,
    Admission,
    Caller,
    Facts,
    HouseServer,
    Lookups,
    Recorder,
    Refused,
    answer,
    built_or_exit,
    caller_from,
    caller_now,
    conversation_of,
    is_dry_run,
    load_access,
    serve_stdio,
    strict_tool,
    too_many_lookups,
)
from store import Category, Opening, Order, Store, Ticket, Wanted, demo_store, open_store, utc_now
from store.rules import MAX_OPEN_TICKETS, broken_rule
from store.wording import (
    broken_told,
    hand_off_told,
    in_each,
    order_in_each,
    orders_told,
    search_told,
    ticket_in_each,
    ticket_state_told,
    too_many_tickets_told,
    unknown_order_told,
    unknown_ticket_told,
)
from store.words import TicketOutcome, words
from support.arguments import SETTINGS, OrderId, Query, Summary, TicketCategory, TicketId
from support.policies import LivePolicies, add_policies
from support.session import add_session
from support.views import (
    HandOffView,
    OrderList,
    OrderView,
    PolicyAnswer,
    TicketState,
    TicketView,
    order_list,
    order_view,
    policy_answer,
    ticket_state,
)

FACTS = Facts(
    name="shopkart",
    title="ShopKart customer support",
    version=VERSION,
    instructions="Orders, policies and support tickets of a small shop.",
)

MOST_LISTED = 10
"""Orders in one list."""

Now = Callable[[], datetime]
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@dataclass(frozen=True)
class SupportDesk:
    """The tools. The docstring of a tool is what the model reads.

    who: the caller of the call that is being answered. session: names this process, where a client names no
    conversation.
    """

    store: Store
    who: Callable[[], Caller]
    now: Now
    policies: LivePolicies
    lookups: Lookups
    session: str = field(default_factory=lambda: uuid4().hex)

    async def get_order_status(self, order_id: OrderId) -> Annotated[CallToolResult, OrderView]:
        """Use this when the customer asks about one of their orders and gives its number.

        Says where the order is, when it comes or came, what is in it, what it cost, whether it is paid,
        and until when it can be returned.
        """
        order = await self._order(order_id)
        return answer(order_in_each(order, self.now().date()), order_view(order))

    async def list_my_orders(self) -> Annotated[CallToolResult, OrderList]:
        """Use this when the customer asks about their orders or a parcel and gives no order number.

        Lists the customer's own orders with their numbers, the newest first.
        """
        found = await self._ask(self.store.orders, self.who().reach, MOST_LISTED + 1)
        shown, more = list(found[:MOST_LISTED]), len(found) > MOST_LISTED
        return answer(
            in_each(lambda language: orders_told(shown, language, more=more)), order_list(shown, more=more)
        )

    async def search_policy(self, query: Query) -> Annotated[CallToolResult, PolicyAnswer]:
        """Use this when the customer asks about the shop's rules, such as returns, shipping or personal data.

        It needs no order number. Covers returns, refunds, shipping, warranty, cancellation, payment and
        privacy, and says which words of the question no policy mentions.
        """
        library = await self._ask(self.policies.library)
        found = library.search(query)
        return answer(in_each(lambda language: search_told(found, library, language)), policy_answer(found))

    async def create_ticket(
        self, order_id: OrderId, category: TicketCategory, summary: Summary, context: Context
    ) -> Annotated[CallToolResult, TicketView]:
        """Use this when the customer asks for a ticket, or for help with an order that only staff can give.

        Opens a ticket that staff answer. It does not itself refund, cancel, replace or send anything. When a
        ticket of this category is open for the order, that one is returned.
        """
        order = await self._order(order_id)
        open_now = await self._ask(self.store.open_tickets, order_id)
        existing = next((ticket for ticket in open_now if ticket.category == category), None)
        if existing is not None:
            outcome: TicketOutcome = "would_not_open" if is_dry_run(context) else "existing"
            return _ticket(order, category, existing, outcome)
        self._require_ticket_fits(order, category, len(open_now))
        if is_dry_run(context):
            return _ticket(order, category, None, "would_open")
        wanted = Wanted(category, redact(summary), order_id, order.customer_id)
        opening = await self._open(wanted)
        if opening.ticket is None:
            raise _too_many_tickets(order_id)
        return _ticket(
            order, category, opening.ticket, "opened" if opening.outcome == "created" else "existing"
        )

    async def get_ticket(self, ticket_id: TicketId) -> Annotated[CallToolResult, TicketState]:
        """Use this when the customer asks how a ticket stands and gives its number, such as T-1001.

        Says what the ticket is about, and whether staff have closed it.
        """
        self._count_lookup()
        ticket = await self._ask(self.store.get_ticket, ticket_id, self.who().reach)
        if ticket is None:
            raise _refused("unknown_ticket", lambda language: unknown_ticket_told(ticket_id, language))
        return answer(in_each(lambda language: ticket_state_told(ticket, language)), ticket_state(ticket))

    async def contact_staff(
        self, summary: Summary, context: Context
    ) -> Annotated[CallToolResult, HandOffView]:
        """Use this when the customer wants a person to help, and it is about no order in particular.

        Opens a ticket that staff answer. When one is open for this conversation, that one is returned.
        """
        caller = self.who()
        # Bound to the caller: a name that a client chose cannot reach another person's conversation.
        conversation = f"{caller.role}:{caller.customer_id}:{conversation_of(context) or self.session}"
        wanted = Wanted("other", redact(summary), None, caller.customer_id or None, conversation)
        if is_dry_run(context):
            existing = await self._ask(self.store.open_hand_off, conversation)
            return _hand_off(existing, "would_not_open" if existing else "would_open")
        opening = await self._open(wanted)
        return _hand_off(opening.ticket, "opened" if opening.outcome == "created" else "existing")

    async def _order(self, order_id: str) -> Order:
        """Return the order. Another customer's order and no order are refused in the same words."""
        self._count_lookup()
        order = await self._ask(self.store.get_order, order_id, self.who().reach)
        if order is None:
            raise _refused("unknown_order", lambda language: unknown_order_told(order_id, language))
        return order

    def _count_lookup(self) -> None:
        caller = self.who()
        if caller.role != "staff" and not self.lookups.allow(caller.customer_id):
            raise too_many_lookups()

    def _require_ticket_fits(self, order: Order, category: Category, open_tickets: int) -> None:
        if broken := broken_rule(order, category, self.now().date()):
            raise _refused(broken.code, lambda language: broken_told(broken, order, category, language))
        if open_tickets >= MAX_OPEN_TICKETS:
            raise _too_many_tickets(order.id)

    async def _open(self, wanted: Wanted) -> Opening:
        return await self._ask(lambda: self.store.open_ticket(wanted, limit=MAX_OPEN_TICKETS))

    async def _ask(self, question: Callable[[*Ts], T], *args: *Ts) -> T:
        """Ask the store: in a thread where it may have to wait, so that other calls go on meanwhile."""
        return await anyio.to_thread.run_sync(question, *args) if self.store.waits else question(*args)


def _refused(code: str, tell: Callable[[str], tuple[str, str]]) -> Refused:
    """Refuse in every language: the English for the model, the others for the customer."""
    english, *others = LANGUAGES
    return Refused(
        code, *tell(english), said={language: " ".join(tell(language)).strip() for language in others}
    )


def _too_many_tickets(order_id: str) -> Refused:
    return _refused("too_many_tickets", lambda language: too_many_tickets_told(order_id, language))


def _ticket(
    order: Order, category: Category, ticket: Ticket | None, outcome: TicketOutcome
) -> CallToolResult:
    view = TicketView(
        ticket_id=ticket.id if ticket else None,
        created=outcome == "opened",
        order_id=order.id,
        category=category,
        status="open" if ticket else "not_opened",
        dry_run=outcome in _DRY,
    )
    return answer(ticket_in_each(outcome, order, category, view.ticket_id), view)


def _hand_off(ticket: Ticket | None, outcome: TicketOutcome) -> CallToolResult:
    view = HandOffView(
        ticket_id=ticket.id if ticket else None,
        created=outcome == "opened",
        status="open" if ticket else "not_opened",
        dry_run=outcome in _DRY,
    )
    return answer(in_each(lambda language: hand_off_told(outcome, view.ticket_id, language)), view)


_DRY: tuple[TicketOutcome, ...] = ("would_open", "would_not_open")


# ---------------------------------------------------------------- the server


def support_reply(question: str) -> str:
    """Answer a customer's question from what the tools return."""
    return (
        "Answer this customer of the shop. Use the tools for every fact, name only what a tool returned, "
        f"and say so when the policies do not answer.\n\nThe customer writes: {question}"
    )


def _ticket_words() -> dict[str, Any]:
    """Return the words by which customers ask for a ticket, and those that show its category."""
    asked_for = {language: words(language).asks() for language in LANGUAGES}
    shown_by = {
        category: {language: words(language).shown_by(category) for language in LANGUAGES}
        for category in get_args(Category)
    }
    return {ASKED_FOR: asked_for, SHOWN_BY: {"category": shown_by}}


def _words_for(key: Literal["contact", "ticket_state"]) -> dict[str, Any]:
    """Return the words by which customers ask for a tool; store/words/ has them under this key."""
    return {ASKED_FOR: {language: getattr(words(language), key) for language in LANGUAGES}}


def configured_store(now: Now = utc_now) -> Store:
    """Return the store of DATABASE_URL; the demo shop where that is in memory.

    Raises: DatabaseUnusable when it cannot be used.
    """
    url = load(DatabaseSettings).database_url
    return demo_store(now) if is_in_memory(url) else open_store(url, now)


def trail_of(store: Store) -> AnyTrail:
    """Return the audit trail beside the store's data; none is kept of what is gone with the process."""
    return trail_on(store.engine) if store.waits else NoTrail()


def build_server(store: Store | None = None, caller: Caller | None = None, now: Now = utc_now) -> HouseServer:
    """Return the support server: the shop and the caller of the settings, unless others are given.

    Raises: DatabaseUnusable, JournalUnusable, UnknownCustomer, BadAccess: each says what to correct.
    """
    shop = configured_store(now) if store is None else store
    own = caller_from(SETTINGS, shop) if caller is None else caller
    desk = SupportDesk(
        shop, lambda: caller_now(own), now, LivePolicies(shop), Lookups(SETTINGS.shopkart_lookups_per_minute)
    )
    kept = (
        {} if shop.waits else {KEPT: "Tickets are kept in memory only: they are gone when the server stops."}
    )
    opens = {PREVIEW: True} | kept
    tools = [
        strict_tool(desk.get_order_status, title="Look up an order", annotations=READS),
        strict_tool(desk.list_my_orders, title="List the customer's orders", annotations=READS),
        strict_tool(desk.search_policy, title="Search the shop's policies", annotations=READS),
        strict_tool(
            desk.create_ticket, title="Open a ticket", annotations=ADDS, meta=opens | _ticket_words()
        ),
        strict_tool(
            desk.get_ticket, title="Look up a ticket", annotations=READS, meta=_words_for("ticket_state")
        ),
        strict_tool(
            desk.contact_staff,
            title="Contact the staff",
            annotations=ADDS,
            meta=opens | _words_for("contact"),
        ),
    ]
    access = load_access(SETTINGS.access_file, [tool.name for tool in tools])
    recorder = Recorder(trail_of(shop), desk.who, desk.session)
    server = HouseServer(FACTS, tools, Admission(desk.who, access), recorder)
    add_policies(server, shop)
    add_session(server, shop, desk.who)
    server.prompt(name="support-reply", title="Answer a customer")(support_reply)
    return server


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--http", "over_http", is_flag=True, help="Serve over HTTP instead of stdin and stdout.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen on.")
@click.option("--port", default=8000, show_default=True, help="With --http: its port; 0 takes a free one.")
def main(over_http: bool, host: str, port: int) -> None:
    """Serve the shop's support tools to one MCP client on stdin and stdout, or to many over HTTP.

    Example: SHOPKART_TOKEN_SECRET=... python server.py --http --port 8000
    """
    if not over_http:
        serve_stdio(build_server)
        return
    from serving.http import serve_http  # here: who is served on stdin and stdout need not wait for it

    shop = built_or_exit(configured_store)
    serve_http(lambda who: build_server(shop, who), lambda: caller_from(SETTINGS, shop), host=host, port=port)


if __name__ == "__main__":
    main()
