"""Who is asking, as decided by whoever started the session.

Knows:    the caller's role and customer, and whose records that opens.
Does not: take either from a call: a model writes the arguments of calls.
"""

from dataclasses import dataclass
from typing import Literal

from serving.settings import ServingSettings


@dataclass(frozen=True)
class Caller:
    """The person that a session serves. A customer of no known id sees nothing."""

    role: Literal["customer", "staff"]
    customer_id: str

    def may_see(self, owner_id: str) -> bool:
        """Say whether a record of this customer may be shown."""
        return self.role == "staff" or (self.customer_id != "" and self.customer_id == owner_id)


def caller_from(settings: ServingSettings) -> Caller:
    """Return the caller that the settings name."""
    return Caller(settings.shopkart_role, settings.shopkart_customer)
