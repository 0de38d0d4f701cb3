"""The settings that every MCP server of the house reads, once, at start.

Knows:    whom a session serves, what each role may use and how often.
Does not: read them again, or take any of them from a call.
"""

import sys
from typing import Annotated, Literal

from pydantic import Field

from common.order_ids import OrderIdSettings
from common.settings import BadSettings, Settings, check, load


class ServingSettings(Settings):
    """Who is served, and what they may use."""

    shopkart_role: Literal["customer", "staff", "guest"] = "customer"
    shopkart_customer: str = ""
    shopkart_lookups_per_minute: Annotated[int, Field(ge=0, le=100_000)] = 120
    access_file: str = "access.yaml"
    return_days: Annotated[int, Field(ge=0, le=3650)] | None = None
    cancel_until_shipped: bool | None = None


def load_or_exit() -> ServingSettings:
    """Return the settings, or end the process with 2 and a text on stderr that says what is wrong.

    The shape of an order number, which the tools read themselves, is checked with them.
    """
    try:
        check(ServingSettings, OrderIdSettings)
        return load(ServingSettings)
    except BadSettings as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None
