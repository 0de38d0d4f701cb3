"""The settings that every MCP server of the house reads, once, at start.

Knows:    SHOPKART_ROLE, SHOPKART_CUSTOMER, ORDER_ID_PATTERN.
Does not: read them again, or take any of them from a call.
"""

import re
import sys
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, TypeAdapter
from pydantic_core import SchemaError
from pydantic_settings import SettingsConfigDict

from common.settings import BadSettings, Settings, load
from store.demo import DEMO_CUSTOMER


def _whole_match(pattern: str) -> str:
    """Return the pattern in a form that can only match a whole id.

    Raises: ValueError when it cannot be made so, or when it matches digits that look alike in other scripts.
    """
    if not (pattern.startswith("^") and pattern.endswith("$")):
        raise ValueError("must begin with ^ and end with $, as in ^[0-9]{1,12}$")
    if re.search(r"\\[dwsDWS]", pattern):
        raise ValueError(r"must not use \d, \w or \s, which match other scripts too; write [0-9] or [A-Z]")
    grouped = f"^(?:{pattern[1:-1]})$"
    try:
        for form in (pattern, grouped):  # alone too: ^a)|(b$ closes a group that is not its own
            # Two engines read it: pydantic's here, Python's in clients that check the schema.
            re.compile(form)
            TypeAdapter(Annotated[str, Field(pattern=form)])
    except (re.error, SchemaError):
        raise ValueError("must be a regular expression without look-around or back-references") from None
    return grouped if "|" in pattern else pattern


class ServingSettings(Settings):
    """Who is served, and what an order id looks like."""

    # An empty customer is nobody, and must not turn into the demo customer.
    model_config = SettingsConfigDict(env_ignore_empty=False)

    shopkart_role: Literal["customer", "staff"] = "customer"
    shopkart_customer: str = DEMO_CUSTOMER
    order_id_pattern: Annotated[str, AfterValidator(_whole_match)] = "^[0-9]{1,12}$"


def load_or_exit() -> ServingSettings:
    """Return the settings, or end the process with 2 and a text on stderr that says what is wrong."""
    try:
        return load(ServingSettings)
    except BadSettings as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None
