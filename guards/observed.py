"""What was seen in one conversation, by kind: an order's number is no amount, and a gift note no evidence.

Knows:    who said a value (the customer, the shop, a whole field of a result, its prose, anybody) and what
          each may support.
Does not: judge a reply.   (guards/output.py)
Rule:     | said by                          | contacts | amounts, dates, durations, ids | numbers, codes |
          | customer, shop, a whole field    | yes      | yes                            | yes            |
          | prose that nothing marks         | no       | yes                            | yes            |
          | others: gift notes, names        | no       | no                             | yes            |
          What a call itself brought is no evidence when its result repeats it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Literal

from common.schema import Schema
from guards.days import weekdays_between
from guards.elsewhere import named_channels
from guards.fields import COUNT, Field, as_json, fields_of, ids_of, speaks
from guards.reading import Reading, Value, currency_codes
from guards.records import Owners, Records
from guards.roles import ANY, MONEY, VOUCHER
from guards.values import Read, read

Source = Literal["customer", "shop", "whole", "prose", "others"]

CONTACTS = frozenset({"link", "email", "phone", "account", "handle", "address"})

_MAX_RESULT = 30_000
"""Characters of one result that are read; the model is shown no more than two thirds of them."""

_MAX_QUOTES = 500
_MAX_QUOTE = 2_000
"""Texts of others that are kept to be quoted, the newest, and their characters."""

NUMBERED = re.compile(r"[a-z]{1,6}-(\d{3,})")
"""A number with its letters: who has seen T-1001 has seen 1001."""

MEASURED = re.compile(r"(\d{2,})[a-z]{1,4}")
"""500ml and 500 ml are one."""

_STATE_KEY = re.compile(r"(?:status|state|payment|outcome)$")
_STATE_FLAG = re.compile(r"(?:is_|was_)?(refunded|cancell?ed|returned|replaced|exchanged)(?:_at|_on)?")
"""Fields whose name is a state: cancelled: true, refunded_at: a date."""

_REPORTED = re.compile(r"\b(?:was|were|has been|have been|is)\s(?:already\s|now\s)?([a-z]{4,})")

QUOTED = re.compile(r"\"[^\"\n]*\"|«[^«»\n]*»|“[^“”\n]*”")
"""Names and notes of other people, which report nothing."""


@dataclass
class Observed:
    """The values seen in one conversation, and the actions that were carried out.

    numbers: said by anybody, of no kind. figures: whole fields of a result whose name tells no kind: they may
    be of any. durations: as "30 day". texts: codes, times, days and channels. ids: by role (roles.py).
    contacts: by way, as "link:example.com". currency: the shop's own, where results name none.
    quotes: texts of others, which may be quoted as such.
    """

    numbers: set[Decimal] = field(default_factory=set[Decimal])
    amounts: dict[Decimal, None] = field(default_factory=dict[Decimal, None])
    figures: set[Decimal] = field(default_factory=set[Decimal])
    durations: set[str] = field(default_factory=set[str])
    dates: set[tuple[int | None, int, int]] = field(default_factory=set[tuple[int | None, int, int]])
    texts: set[str] = field(default_factory=set[str])
    ids: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    contacts: set[str] = field(default_factory=set[str])
    currencies: set[str] = field(default_factory=set[str])
    currency: str = ""
    states: set[str] = field(default_factory=set[str])
    actions: list[str] = field(default_factory=list[str])
    quotes: dict[str, None] = field(default_factory=dict[str, None])
    records: Records = field(default_factory=Records)

    def hear(self, text: str) -> None:
        """Take the values of the customer's message."""
        self._read(text, "customer")

    def tell(self, text: str, currency: str = "") -> None:
        """Take the values of what the shop says of itself. currency: that of its prices."""
        self.currency = currency or self.currency
        self._read(text, "shop")

    def see(
        self,
        data: Mapping[str, Any],
        text: str,
        schema: Schema | None = None,
        *,
        said: str = "",
        echoes: Sequence[str] = (),
        spoken: bool = False,
    ) -> None:
        """Take the values of a tool's result.

        schema: of the structured result, with its marks. said: the text in another language. echoes: what the
        call itself brought and nobody had said (output.py). spoken: the text is a sentence of the shop's own
        server.
        """
        marked = speaks(schema)
        nested = as_json(text)
        from_text = nested is not None and not data
        parts = list(_bounded(fields_of({"result": nested} if from_text else data, schema or {})))
        for part in parts:
            self._see_field(part, _without(part.text, echoes), marked=marked)
        roots = dict.fromkeys(part.owners[0] for part in parts if part.owners)
        own = ids_of(data)
        owners = (own,) if own else tuple(roots) if len(roots) < 2 else None
        for told in dict.fromkeys([text if nested is None else "", said]):
            self._see_text(_without(_shortened(told), echoes), owners, spoken=spoken or marked)
        if nested is None and not data:  # who answers in words alone has no other way to report a state
            self.states.update(_REPORTED.findall(QUOTED.sub("", text).casefold()))

    def act(self, tool: str, title: str) -> None:
        """Take note that a call which changes something was carried out."""
        self.actions.append(f"{tool} {title}".replace("_", " ").casefold())

    # ------------------------------------------------------------ parts of a result

    def _see_field(self, part: Field, text: str, *, marked: bool) -> None:
        name = part.name.casefold()
        if name.endswith("currency") and text.upper() in currency_codes():
            self.currencies.add(text.upper())
        flag = _STATE_FLAG.fullmatch(name)
        if flag and text not in ("false", "None", ""):
            self.states.add(flag[1])
        elif _STATE_KEY.search(name):
            self.states.add(text.casefold())
        if part.voice == "asked":
            return
        seen = read(text)
        source: Source = "others"
        if part.voice == "shop":
            source = "shop"
        elif not part.is_others:
            source = "whole" if _is_whole(seen) else "others" if marked else "prose"
        if source == "whole" and len(seen.values) == 1:
            self._take_whole(seen.values[0], part)
        else:
            self._take_all(seen, source, part.owners)
        if source == "others":
            self._keep_quote(seen)
        else:
            self.texts |= named_channels(seen.text)

    def _see_text(self, text: str, owners: Owners | None, *, spoken: bool) -> None:
        """Take a text of a result. owners: the record that it speaks of; None for several."""
        source: Source = "shop" if spoken else "prose"
        for quoted in QUOTED.findall(text):
            seen = read(quoted[1:-1])
            self._take_all(seen, "prose" if source == "prose" and _is_whole(seen) else "others", ())
            self._keep_quote(seen)
        seen = read(QUOTED.sub('" "', text))
        self._take_all(seen, source, owners)
        self.texts |= named_channels(seen.text)

    def _read(self, text: str, source: Source) -> None:
        seen = read(text)
        self._take_all(seen, source, ())
        if source == "shop":
            self.texts |= named_channels(seen.text)

    def _keep_quote(self, seen: Read) -> None:
        if seen.values:
            kept = quotable(seen.text)
            self.quotes.pop(kept, None)
            self.quotes[kept] = None
        for old in list(self.quotes)[:-_MAX_QUOTES]:
            del self.quotes[old]

    # ------------------------------------------------------------ values

    def _take_all(self, seen: Read, source: Source, owners: Owners | None) -> None:
        for value in seen.values:
            self._take(value, source)
            if source in ("prose", "shop", "whole"):
                self.currencies |= value.currency
        if source != "others":
            self.texts |= weekdays_between(seen.text, list(seen.values))
            self.records.take(seen, owners)

    def _take_whole(self, value: Value, part: Field) -> None:
        """Take the one value that a field of a result is, as its name says what it is."""
        role = part.role
        self.currencies |= value.currency
        # Money that is a round number in the data is an amount all the same, and its record's own.
        is_money = role == MONEY and value.kind == "number"
        self.records.take(Read("", (replace(value, kind="amount") if is_money else value,)), part.owners)
        decimals = [_signed(reading, value) for reading in value.readings if isinstance(reading, Decimal)]
        if value.kind in ("number", "amount") and decimals:
            self._take_figure(value, decimals, role, part.unit)
        else:
            self._take(value, "whole", role="" if role in (COUNT, MONEY) else role)

    def _take_figure(self, value: Value, decimals: list[Decimal], role: str, unit: str) -> None:
        self.numbers.update(map(abs, decimals))
        if role == COUNT:
            return
        if role == MONEY or value.currency or (value.kind == "amount" and not role):
            self._take_amounts(decimals)
        elif role:
            self._take_id(role, _digits(value))
        elif unit:
            self.durations.update(f"{abs(number)} {unit}" for number in decimals)
        else:
            self.figures.update(decimals)
            self._take_id(ANY, _digits(value))

    def _take(self, value: Value, source: Source, role: str = "") -> None:
        if value.kind in CONTACTS:
            if source in ("customer", "shop", "whole"):
                self.contacts.update(f"{value.kind}:{reading}" for reading in value.readings)
            return
        if value.kind in ("number", "code"):
            self._take_number(value, source, role or value.role)
            return
        if source == "others":
            self.numbers.update(reading for reading in value.readings if isinstance(reading, Decimal))
        elif value.kind == "amount":
            self._take_amounts([_signed(reading, value) for reading in _decimals(value.readings)])
        elif value.kind == "duration":
            self.durations.update(f"{reading} {value.unit}" for reading in value.readings)
        elif value.kind == "date":
            self._take_dates(value.readings)
        elif value.kind != "channel" or source != "customer":
            self.texts.update(str(reading) for reading in value.readings)

    def _take_number(self, value: Value, source: Source, role: str) -> None:
        for reading in value.readings:
            if isinstance(reading, Decimal):
                self.numbers.add(reading)
            elif isinstance(reading, str):
                self.texts.add(reading)
                for form in (NUMBERED, MEASURED):
                    if numbered := form.fullmatch(reading):
                        self.numbers.add(Decimal(numbered[1]))
        if source != "others" and (role or source in ("customer", "whole") or value.kind == "code"):
            for written in filter(lambda each: not MEASURED.fullmatch(each), as_ids(value)):
                self._take_id(role if role != MONEY else ANY, written)

    def _take_id(self, role: str, written: str) -> None:
        kept = self.ids.setdefault(role if role and role != VOUCHER else ANY, set())
        kept.add(written)
        if numbered := NUMBERED.fullmatch(written):
            kept.add(numbered[1])

    def _take_amounts(self, amounts: Iterable[Decimal]) -> None:
        for amount in amounts:
            self.numbers.add(abs(amount))
            self.amounts.pop(amount, None)
            self.amounts[amount] = None

    def _take_dates(self, readings: tuple[Reading, ...]) -> None:
        for reading in readings:
            if isinstance(reading, tuple) and len(reading) == 3:
                self.dates.add(reading)
            if isinstance(reading, tuple) and reading[0] is not None:
                self.numbers.add(Decimal(reading[0]))
            if isinstance(reading, tuple) and len(reading) == 2:
                self.texts.add(f"month:{reading[0] or ''}-{reading[1]}")


def quotable(text: str) -> str:
    """Return a text of others in the form in which quotations of it are found."""
    return " ".join(text[:_MAX_QUOTE].casefold().split())


def _decimals(readings: Iterable[Reading]) -> list[Decimal]:
    return [reading for reading in readings if isinstance(reading, Decimal)]


def _signed(number: Decimal, value: Value) -> Decimal:
    return -number if value.negative else number


def _digits(value: Value) -> str:
    return re.sub(r"\D", "", value.written) or str(value.readings[0])


def as_ids(value: Value) -> list[str]:
    """Return the forms of a number or code as an id."""
    return [
        str(reading) if isinstance(reading, Decimal) else reading.removeprefix("#").casefold()
        for reading in value.readings
        if isinstance(reading, str | Decimal)
    ]


def _is_whole(seen: Read) -> bool:
    """Say whether a text is values and nothing else."""
    rest = seen.text
    for value in seen.values:
        rest = rest[: value.start] + " " * (value.end - value.start) + rest[value.end :]
    return bool(seen.values) and re.search(r"\w", rest) is None


def _bounded(parts: Iterable[Field]) -> Iterator[Field]:
    """Yield the parts of a result up to so many characters; what does not fit any more is not observed."""
    left = _MAX_RESULT
    for part in parts:
        if len(part.text) < left:
            left -= len(part.text) + 1
            yield part


def _shortened(text: str) -> str:
    """Return the text up to so many characters, without the word in which it was cut."""
    return text if len(text) <= _MAX_RESULT else text[:_MAX_RESULT].rsplit(maxsplit=1)[0]


def _without(text: str, echoes: Sequence[str]) -> str:
    for echo in echoes:
        text = text.replace(echo, " ")
    return text
