"""What the support tools take: each type once, which makes the check and the schema.

Knows:    the shapes of ids, summaries and questions.
Does not: know whether what they name is there.   (server.py)
"""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from common.id_pattern import MAX_LENGTH
from common.order_ids import OrderIdSettings
from common.schema import MARK
from common.settings import load
from common.text import unsafe_characters
from serving import load_or_exit
from store import Category

SETTINGS = load_or_exit()


def _seen(text: str) -> str:
    if unsafe := unsafe_characters(text):
        raise ValueError(f"must not contain control or invisible characters ({', '.join(unsafe[:5])})")
    return text


_PATTERN = load(OrderIdSettings).order_id_pattern


def is_order_id(text: str) -> bool:
    """Say whether a text has the form of an order number."""
    return re.fullmatch(_PATTERN, text) is not None


OrderId = Annotated[
    str,
    Field(
        pattern=_PATTERN,
        max_length=MAX_LENGTH,
        description="The order number, exactly as the customer wrote it or an earlier result gave it",
        json_schema_extra={MARK: "order_id"},
    ),
]
TicketId = Annotated[
    str,
    Field(
        pattern="^T-[0-9]{1,15}$",
        description="The ticket's number, such as T-1001",
        json_schema_extra={MARK: "ticket_id"},
    ),
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
