"""The name under which a conversation's ticket without an order is kept.

Knows:    whose conversation it is, and what the client calls it.
Does not: keep either: a client may call a conversation by an e-mail address.
"""

import json
from hashlib import sha256

from serving import Caller

_KEPT = 32
"""Hexadecimal digits: 128 bits, so that no two names meet."""


def name_of_hand_off(caller: Caller, conversation: str) -> str:
    """Return a name that no other person's conversation has, whatever its client calls it."""
    # As JSON: put together with a mark between, "C-1" and "x:y" would be "C-1:x" and "y".
    parts = json.dumps([caller.role, caller.customer_id, conversation])
    return sha256(parts.encode()).hexdigest()[:_KEPT]
