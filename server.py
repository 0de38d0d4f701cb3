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
from typing import Annotated, TypeVar, TypeVarTuple
from uuid import uuid4

import anyio.to_thread
import click
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult

from common.language import LANGUAGES
from common.redaction import redact
from common.version import VERSION
from serving import (
    ADDS,
    KEPT,
    PREVIEW,
    READS,
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
)
from store import Category, Opening, Order, Store, Ticket, Wanted, utc_now
from store.rules import DEMO_RULES, MAX_OPEN_TICKETS, ShopRules, broken_rule
from store.wording import (
    broken_told,
    fitting_told,
    hand_off_told,
    in_each,
    order_in_each,
    orders_told,
    search_told,
    ticket_in_each,
    ticket_state_told,
    tickets_told,
    too_many_hand_offs_told,
    too_many_tickets_told,
    unknown_order_told,
    unknown_ticket_told,
)
from store.words import TicketOutcome
from support.arguments import SETTINGS, OrderId, Query, Summary, TicketCategory, TicketId, is_order_id
from support.asking import ticket_words, words_for
from support.hand_offs import name_of_hand_off
from support.policies import LivePolicies, add_policies
from support.session import add_session
from support.shop import configured_store, rules_of, trail_of
from support.views import (
    HandOffView,
    OrderList,
    OrderView,
    PolicyAnswer,
    TicketList,
    TicketState,
    TicketView,
    order_list,
    order_view,
    policy_answer,
    ticket_list,
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

UNCOUNTED = frozenset({"search_policy"})
"""Tools whose calls do not count towards the limit of a minute: the rules are everybody's."""

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
    rules: ShopRules = DEMO_RULES
    session: str = field(default_factory=lambda: uuid4().hex)

    async def get_order_status(self, order_id: OrderId) -> Annotated[CallToolResult, OrderView]:
        """Use this when the customer asks about one of their orders and gives its number.

        Says where the order is, when it comes or came, what is in it, what it cost, whether it is paid,
        and until when it can be returned.
        """
        order = await self._order(order_id)
        return answer(order_in_each(order, self.now().date(), self.rules), order_view(order, self.rules))

    async def list_my_orders(self) -> Annotated[CallToolResult, OrderList]:
        """Use this when the customer asks about their orders or a parcel and gives no order number.

        Lists the customer's own orders with their numbers, the newest first.
        """
        found = await self._ask(self.store.orders, self.who().reach, MOST_LISTED + 1)
        # A number of another form was imported under another ORDER_ID_PATTERN: nobody can ask for it.
        shown = [order for order in found[:MOST_LISTED] if is_order_id(order.id)]
        more = len(found) > MOST_LISTED
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
        ticket = await self._ask(self.store.get_ticket, ticket_id, self.who().reach)
        if ticket is None:
            raise _refused("unknown_ticket", lambda language: unknown_ticket_told(ticket_id, language))
        return answer(in_each(lambda language: ticket_state_told(ticket, language)), ticket_state(ticket))

    async def list_my_tickets(self) -> Annotated[CallToolResult, TicketList]:
        """Use this when the customer asks about their tickets and gives no ticket number.

        Lists the customer's own tickets with how each stands, the newest first.
        """
        found = await self._ask(self.store.newest_tickets, self.who().reach, MOST_LISTED + 1)
        shown, more = list(found[:MOST_LISTED]), len(found) > MOST_LISTED
        return answer(
            in_each(lambda language: tickets_told(shown, language, more=more)), ticket_list(shown, more=more)
        )

    async def contact_staff(
        self, summary: Summary, context: Context
    ) -> Annotated[CallToolResult, HandOffView]:
        """Use this when the customer wants a person to help, and it is about no order in particular.

        Opens a ticket that staff answer. When one is open for this conversation, that one is returned.
        """
        caller = self.who()
        conversation = name_of_hand_off(caller, conversation_of(context) or self.session)
        wanted = Wanted("other", redact(summary), None, caller.customer_id or None, conversation)
        if is_dry_run(context):
            existing = await self._ask(self.store.open_hand_off, conversation)
            if existing is None and await self._ask(self.store.has_all_hand_offs, wanted, MAX_OPEN_TICKETS):
                raise _refused("too_many_hand_offs", too_many_hand_offs_told)
            return _hand_off(existing, "would_not_open" if existing else "would_open")
        opening = await self._open(wanted)
        if opening.ticket is None:
            raise _refused("too_many_hand_offs", too_many_hand_offs_told)
        return _hand_off(opening.ticket, "opened" if opening.outcome == "created" else "existing")

    async def _order(self, order_id: str) -> Order:
        """Return the order. Another customer's order and no order are refused in the same words."""
        order = await self._ask(self.store.get_order, order_id, self.who().reach)
        if order is None:
            raise _refused("unknown_order", lambda language: unknown_order_told(order_id, language))
        return order

    def _require_ticket_fits(self, order: Order, category: Category, open_tickets: int) -> None:
        if broken := broken_rule(order, category, self.now().date(), self.rules):
            rules = self.rules
            raise _refused(
                broken.code,
                lambda language: broken_told(broken, order, category, language, rules),
                fitting_told(broken),
            )
        if open_tickets >= MAX_OPEN_TICKETS:
            raise _too_many_tickets(order.id)

    async def _open(self, wanted: Wanted) -> Opening:
        return await self._ask(lambda: self.store.open_ticket(wanted, limit=MAX_OPEN_TICKETS))

    async def _ask(self, question: Callable[[*Ts], T], *args: *Ts) -> T:
        """Ask the store: in a thread where it may have to wait, so that other calls go on meanwhile."""
        return await anyio.to_thread.run_sync(question, *args) if self.store.waits else question(*args)


def _refused(code: str, tell: Callable[[str], tuple[str, str]], instead: str = "") -> Refused:
    """Refuse in every language: the English for the model, the others for the customer.

    instead: what an English customer is told beside what happened.
    """
    english, *others = LANGUAGES
    said = {language: " ".join(tell(language)).strip() for language in others}
    message, next_step = tell(english)
    return Refused(
        code, message, next_step, said=({english: f"{message} {instead}"} if instead else {}) | said
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


def build_server(store: Store | None = None, caller: Caller | None = None, now: Now = utc_now) -> HouseServer:
    """Return the support server: the shop and the caller of the settings, unless others are given.

    Raises: DatabaseUnusable, JournalUnusable, UnknownCustomer, BadAccess: each says what to correct.
    """
    shop = configured_store(now) if store is None else store
    own = caller_from(SETTINGS, shop) if caller is None else caller
    desk = SupportDesk(shop, lambda: caller_now(own), now, LivePolicies(shop), rules_of(shop))
    kept = (
        {} if shop.waits else {KEPT: "Tickets are kept in memory only: they are gone when the server stops."}
    )
    opens = {PREVIEW: True} | kept
    tools = [
        strict_tool(desk.get_order_status, title="Look up an order", annotations=READS),
        strict_tool(desk.list_my_orders, title="List the customer's orders", annotations=READS),
        strict_tool(desk.search_policy, title="Search the shop's policies", annotations=READS),
        strict_tool(desk.create_ticket, title="Open a ticket", annotations=ADDS, meta=opens | ticket_words()),
        strict_tool(
            desk.get_ticket, title="Look up a ticket", annotations=READS, meta=words_for("ticket_state")
        ),
        strict_tool(desk.list_my_tickets, title="List the customer's tickets", annotations=READS),
        strict_tool(
            desk.contact_staff,
            title="Contact the staff",
            annotations=ADDS,
            meta=opens | words_for("contact"),
        ),
    ]
    access = load_access(SETTINGS.access_file, [tool.name for tool in tools])
    recorder = Recorder(trail_of(shop), desk.who, desk.session)
    calls = Lookups(SETTINGS.shopkart_lookups_per_minute)
    server = HouseServer(FACTS, tools, Admission(desk.who, access, calls, UNCOUNTED), recorder)
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
