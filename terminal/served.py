"""For whom a chat is held, as far as this end knows.

Knows:    what the command line says, and the sentence in which a server of the house says whom it serves.
Does not: believe another server for the trail, or that its staff are ours.   (journal/served.py)
"""

import re

from common.approval import canonical
from common.target import HouseServer
from journal.served import STAFF, Served
from mcp_tools import Bridge, Target

_CUSTOMER = re.compile(r"\A(?:demo shop, )?signed in as customer (\S+)\Z")
_STAFF = re.compile(r"\A(?:demo shop, )?staff, who see every order\Z")
"""As support/session.py says it."""


def served_by(target: Target, serve: str | None, bridge: Bridge, says: str) -> Served:
    """Return whom a chat serves.

    target: the server of the command line; None is our own. serve: --as. says: the server's sentence.
    Whose id an e-mail address is, or who is served without --as, only the server knows.
    """
    who = serve or ""
    customer = _CUSTOMER.search(says)
    role = who if who in (STAFF, "guest") else ""
    if target is None and not who and _STAFF.search(says):
        role = STAFF  # as SHOPKART_ROLE has it
    is_customer = bool(who) and not role and "@" not in who
    return Served(
        bridge.conversation,
        "customer" if is_customer else role,
        who if is_customer else "",
        server=canonical(_written(target)),
        signed_in=customer[1] if customer else "",
    )


def _written(target: Target) -> str | list[str] | None:
    if isinstance(target, HouseServer):
        return target.word
    return target if isinstance(target, str | list) else None
