"""Whom the session serves, as a resource: a screen tells it to the person who sits there.

Knows:    the caller, and whether the shop is the demo.
Does not: tell a name or an e-mail address.
"""

from collections.abc import Callable

from mcp.server import MCPServer

from serving import Caller
from store import Store

SESSION_URI = "shop://session"


def add_session(server: MCPServer, store: Store, who: Callable[[], Caller]) -> None:
    """Add the resource that says whom the session serves."""

    def session() -> str:
        caller = who()
        served = {
            "staff": "staff, who see every order",
            "guest": "nobody signed in: only the shop's rules can be asked about",
            "customer": f"signed in as customer {caller.customer_id}",
        }[caller.role]
        return f"demo shop, {served}" if store.is_demo else served

    server.resource(
        SESSION_URI,
        name="session",
        title="Whom this session serves",
        description="One line on who is signed in, for the person at the screen.",
        mime_type="text/plain",
    )(session)
