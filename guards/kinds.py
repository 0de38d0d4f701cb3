"""Kinds of id: which argument or field holds one, and what a customer calls it.

Knows:    the mark `x-grounding`, and the names under which an unmarked server keeps its ids.
Does not: know any value.   (guards/evidence.py)
"""

import re

from common.schema import Schema, item_schema, mark_of
from common.text import fold

Kind = str
"""The mark, or "name:FIELD" for an id known only by its argument's name."""

_ID_NAME = re.compile(r"(?i:ids?|.+[_-](?:ids?|numbers?))$|.*[a-z](?:Ids?|IDs?|Numbers?)$")
"""Argument names that hold an id where a server marks nothing; camel case too."""


def kind_of(name: str, schema: Schema) -> Kind | None:
    """Return the kind of id that an argument holds, or None when it holds no id."""
    return mark_of(schema) or mark_of(item_schema(schema)) or kind_by_name(name)


def kind_by_name(name: str) -> Kind | None:
    """Return the kind that a name alone tells of: `order_id` and `orderIds` are one."""
    return f"name:{_singular(name)}" if _ID_NAME.match(fold(name)) else None


def noun(kind: Kind) -> str:
    """Return a kind of id in a customer's words: "order_id" is an order number."""
    bare = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.removeprefix("name:")).lower()
    words = re.sub(r"[_-]?(ids?|numbers?)$", "", bare).replace("_", " ").replace("-", " ").strip()
    return f"{words} number".strip()


def _singular(name: str) -> str:
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", fold(name)).replace("-", "_").lower()
    return re.sub(r"(id|number)s$", r"\1", snake)
