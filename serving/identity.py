"""Who is asking, as decided by whoever started the session.

Knows:    the caller's role and customer, and whose records that opens.
Does not: take either from a call: a model writes the arguments of calls.
"""

from dataclasses import dataclass
from typing import Literal

from mcp.server.auth.middleware.auth_context import get_access_token

from serving.settings import ServingSettings
from store import DEMO_CUSTOMER, Reach, Store

Role = Literal["customer", "staff", "guest"]


@dataclass(frozen=True)
class Caller:
    """The person that a session serves. A guest, and a customer of no known id, sees nobody's records."""

    role: Role
    customer_id: str = ""

    @property
    def reach(self) -> Reach:
        """Return whose records may be read for this caller."""
        if self.role == "staff":
            return Reach(everybody=True)
        return Reach(self.customer_id) if self.role == "customer" else Reach()


GUEST = Caller("guest")

STAFF_SCOPE = "staff"
"""The scope of a token by which the shop's own people are told from its customers."""


class UnknownCustomer(Exception):
    """SHOPKART_CUSTOMER names nobody; the text does not repeat an e-mail address."""

    def __init__(self, who: str) -> None:
        named = "an e-mail address" if "@" in who else repr(who)
        super().__init__(
            f"SHOPKART_CUSTOMER is {named}, and no customer of this store has that id or e-mail address. "
            "Correct it, leave it empty, or set SHOPKART_ROLE=guest."
        )


def caller_from(settings: ServingSettings, store: Store) -> Caller:
    """Return the caller that the settings name; a guest where they name none and the shop is no demo.

    Raises: UnknownCustomer when the customer they name is not in the store.
    """
    if settings.shopkart_role != "customer":
        return Caller(settings.shopkart_role)
    who = settings.shopkart_customer.strip() or (DEMO_CUSTOMER if store.is_demo else "")
    if not who:
        return GUEST
    known = store.customer_id(who)
    if known is None:
        raise UnknownCustomer(who)
    return Caller("customer", known)


def caller_now(own: Caller) -> Caller:
    """Return whom the call that is being answered is for: its bearer token's, or the session's own caller.

    A token has been checked by then. (serving/tokens.py)
    """
    token = get_access_token()
    if token is None:
        return own
    if STAFF_SCOPE in token.scopes:
        return Caller("staff")
    return Caller("customer", token.subject) if token.subject else GUEST
