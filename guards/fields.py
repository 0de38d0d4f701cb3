"""The parts of a structured result: what each field holds, whose words it is, and which record it belongs to.

Knows:    the mark `x-voice`, the names of fields under which servers keep ids, money, counts and free text.
Does not: read a value (guards/values.py), or keep one (guards/observed.py).
Rule:     `x-voice` says whose words a text field holds: "shop" are the shop's own, "others" anybody's, and
          "asked" what the call itself brought. Where a server marks none, the name of the field decides.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, cast

from common.schema import VOICE, Schema, branches, field_schema, item_schema, mark_of
from guards.kinds import kind_by_name
from guards.records import Owners
from guards.roles import ANY, ITEM, MONEY, ORDER, OTHER, TICKET, TRACKING, VOUCHER

Voice = Literal["shop", "others", "asked", ""]

COUNT = "count"
"""The role of a field that holds how many: no amount and no id."""

_MAX_DEPTH = 64
_MAX_DIGITS = 100
_MAX_NESTED = 100_000
"""Characters of a text that is itself JSON and read as such."""

_OTHERS = re.compile(
    r"(?:.+_)?(?:notes?|comments?|remarks?|reviews?|feedback|memo|greeting|gift_(?:message|note|text)|instructions?"
    r"|customer_message|names?|titles?|subject|summary|description|body|caption|nickname|bio)"
)
"""Names of fields that anybody may fill in, where a server does not say."""

_ROLES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), role)
    for pattern, role in (
        (r"(?:.+_)?track(?:ing)?(?:_.+)?|waybill|awb|consignment", TRACKING),
        (
            r"(?:.+_)?(?:quantity|qty|count|pieces|units|stock|year|size|version|rating|rank|page|position|age)",
            COUNT,
        ),
        (
            r"(?:.+_)?(?:zip|zipcode|zip_code|postcode|postal_code|post_code|phone|mobile|fax|last_four|last4)",
            OTHER,
        ),
        (r"(?:.+_)?(?:sku|barcode|ean|upc|isbn|asin|serial|imei)", ITEM),
        (r"(?:.+_)?(?:reference|ref|code|hash|token|iban|key|nonce)", VOUCHER),
        (
            r"(?:.+_)?(?:prices?|total|totals|subtotal|amounts?|costs?|fees?|tax|taxes|discounts?|balance|refunds?|paid|due"
            r"|deposit|charges?|surcharge|shipping|difference|value|money|payment|credit|debit)(?:_(?:price|total|amount|cost"
            r"|fee|tax|discount|difference|paid|due|refunded|value|set|eur|usd|gbp))?",
            MONEY,
        ),
    )
)
_UNIT = re.compile(r"(?:^|_)(minute|hour|day|week|month|year)s?(?:_|$)")
_PERCENT = re.compile(r"(?:^|_)(?:percent|percentage|pct|rate)(?:_|$)")
_ID_ROLES = (
    (ORDER, r"order|purchase"),
    (TICKET, r"ticket|case"),
    (ITEM, r"item|product|variant|line|sku"),
)


@dataclass(frozen=True)
class Field:
    """One scalar of a result.

    owners: the records that it stands in, the outermost first (records.py). kind: of id, by a mark.
    """

    name: str
    text: str
    voice: Voice = ""
    owners: Owners = ()
    kind: str = ""

    @property
    def role(self) -> str:
        """What its mark, or its name, says that a number in it is; "" where nothing."""
        return role_of_field(self.kind) or role_of_field(self.name)

    @property
    def unit(self) -> str:
        """What its name says that a number in it counts."""
        return unit_of_field(self.name)

    @property
    def is_others(self) -> bool:
        """Say whether anybody may have filled it in."""
        return self.voice == "others" or (not self.voice and bool(_OTHERS.fullmatch(snake(self.name))))


def snake(name: str) -> str:
    """Return a field's name in small letters with underscores."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").replace(" ", "_").lower()


@lru_cache(maxsize=512)
def role_of_field(name: str) -> str:
    """Return what a field of this name holds where it holds a number."""
    plain = snake(name)
    role = next((role for pattern, role in _ROLES if pattern.fullmatch(plain)), "")
    if role:
        return role
    if plain in ("id", "number", "no", "nr"):
        return ANY
    if kind_by_name(plain):
        return next((role for role, words in _ID_ROLES if re.search(rf"(?:^|_)(?:{words})", plain)), OTHER)
    return ""


@lru_cache(maxsize=512)
def unit_of_field(name: str) -> str:
    """Return the unit in a field's name, as in `return_days`; "" where there is none."""
    plain = snake(name)
    found = _UNIT.search(plain)
    return found[1] if found else "percent" if _PERCENT.search(plain) else ""


def speaks(schema: object, depth: int = 0) -> bool:
    """Say whether a schema says of any field whose words it holds."""
    if depth > _MAX_DEPTH:
        return False
    if isinstance(schema, dict):
        here = cast(Schema, schema)
        return isinstance(here.get(VOICE), str) or any(speaks(part, depth + 1) for part in here.values())
    return isinstance(schema, list) and any(speaks(part, depth + 1) for part in cast(list[Any], schema))


def fields_of(data: Mapping[str, Any], schema: Schema) -> Iterator[Field]:
    """Yield the scalars of a result, less what lies too deep and numbers too long to be one."""
    yield from _fields(data, schema, Field("", ""), 0)


def _fields(value: Any, schema: Schema, at: Field, depth: int, *, listed: bool = False) -> Iterator[Field]:
    if depth > _MAX_DEPTH:
        return
    if schema:
        at = replace(at, voice=_voice(schema) or at.voice, kind=mark_of(schema) or at.kind)
    if isinstance(value, dict):
        pairs = cast(dict[str, Any], value)
        ids = ids_of(_by_mark(pairs, schema) if schema else pairs, listed=depth == 0 or listed)
        inside = replace(at, owners=(*at.owners, ids)) if ids else at
        for name, item in pairs.items():
            below = field_schema(schema, name) if schema else {}
            yield from _fields(item, below, replace(inside, name=_named(name, at.name), kind=""), depth + 1)
    elif isinstance(value, list):
        below = item_schema(schema) if schema else {}
        for item in cast(list[Any], value):
            yield from _fields(item, below, at, depth + 1, listed=True)
    elif isinstance(value, str) and (nested := as_json(value)) is not None:
        yield from _fields(nested, {}, at, depth + 1)
    elif (text := _text(value)) is not None:
        yield replace(at, text=text)


_STATE = re.compile(r"(?:status|state)$", re.IGNORECASE)
_WORDS_OF_IT = frozenset({"code", "key", "label", "name", "slug", "title", "value"})


def _named(name: str, around: str) -> str:
    """Return the name of a field; the word in an object that is a state names that state."""
    return f"{name}_{around}" if name in _WORDS_OF_IT and _STATE.search(around) else name


def _by_mark(pairs: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """Return an object with each id under the kind that a mark says: a reference_id may be an order's."""
    return {mark_of(field_schema(schema, name)) or name: item for name, item in pairs.items()} | pairs


def as_json(text: str) -> Any:
    """Return what a text holds that is itself a JSON object or list, else None."""
    if len(text) > _MAX_NESTED or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast(Any, value) if isinstance(value, dict | list) else None


def _text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | float) or (isinstance(value, int) and abs(value) < 10**_MAX_DIGITS):
        return str(value)
    return None


def _voice(schema: Schema) -> Voice:
    for branch in branches(schema):
        voice = branch.get(VOICE)
        if voice in ("shop", "others", "asked"):
            return voice
    return ""


def ids_of(pairs: Mapping[str, Any], *, listed: bool = True) -> tuple[str, ...]:
    """Return the ids of the record that an object is.

    listed: it is one of a list, or the result itself; what an `id` in any other part identifies is no record.
    """
    return tuple(
        f"{value}".removeprefix("#").casefold()
        for name, value in pairs.items()
        if (role_of_field(name) in (ORDER, TICKET, ITEM) or (listed and snake(name) in ("id", "number")))
        and snake(name).endswith(("id", "number"))
        and isinstance(value, str | int)
        and not isinstance(value, bool)
        and (isinstance(value, str) or abs(value) < 10**_MAX_DIGITS)
    )
