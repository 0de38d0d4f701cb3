"""Forms of an id: which one an argument's schema accepts, and what two spellings are compared by.

Knows:    schemas, and how people and models write one id in several ways.
Does not: know who named it.   (guards/evidence.py)
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

from jsonschema.exceptions import SchemaError

from common.approval import canonical
from common.id_pattern import prefix_of
from common.order_ids import form_that_fits, key_of
from common.schema import Schema, branches
from guards.call import validator
from guards.kinds import Kind, noun
from guards.mentions import is_plain

_MAX_ID = 100
"""Characters of one id."""


def key(value: Any) -> str:
    """Return what ids are compared by."""
    return key_of(str(value))


def written(value: object) -> str:
    """Return an id as text; what is too long for one, or is no text and no whole number, is none."""
    if isinstance(value, bool):
        return ""
    if isinstance(value, int) and abs(value) < 10**_MAX_ID:
        return str(value)
    return value if isinstance(value, str) and len(value) <= _MAX_ID else ""


def typed_form(piece: str, kind: Kind, schema: Schema, rules: str) -> Any:
    """Return the id of this kind that a typed piece is, else None."""
    called, _, bare = piece.rpartition(" ")
    if not called:
        return fitting(piece, rules) if is_plain(piece) or '"pattern"' in rules else None
    wanted = noun(kind)
    if not wanted.startswith(called):
        return fitting(bare, rules) if wanted == noun("id") else None
    forms = (fitting(prefix + bare, rules) for prefix in ("", *prefixes(schema)))
    return next((form for form in forms if form is not None), None)


def prefixes(schema: Schema) -> list[str]:
    """Return what every id begins with, where the schema's pattern says it: a number lacks only that."""
    patterns = (branch.get("pattern") for branch in branches(schema))
    return [prefix for pattern in patterns if isinstance(pattern, str) and (prefix := prefix_of(pattern))]


@lru_cache(maxsize=8_192, typed=True)
def fitting(named: str | int, rules: str) -> Any:
    """Return the form of an id that the argument's schema accepts, else None.

    An ordinary word is no id, unless the schema's own pattern says so. An unreadable schema accepts none.
    """
    try:
        accepts = cast(Callable[[object], bool], validator(rules).is_valid)
    except SchemaError:
        return None
    text = str(named)
    if '"pattern"' not in rules and not any(char.isdigit() for char in text):
        return None
    if isinstance(named, int) and accepts(named):
        return named
    form = form_that_fits(text, accepts)
    if form is not None:
        return form
    number = key(text)
    return int(number) if re.fullmatch(r"0|[1-9][0-9]{0,17}", number) and accepts(int(number)) else None


def value_rules(schema: Schema) -> str:
    """Return, as JSON text, the rules that a single value of an id argument must meet."""
    rules = {key: value for key, value in schema.items() if key not in ("title", "description", "default")}
    if not any("type" in branch for branch in branches(rules)):
        rules["type"] = ["string", "integer"]
    return canonical(rules)
