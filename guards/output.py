"""The output check: no reply carries a value or a claim that nothing observed supports.

Knows:    what was observed in the conversation, and the reply.
Does not: know whether an observed value is the one that was asked for; that is the model's part.
Rule:     every number of three or more digits, amount, date, duration, code, e-mail and link is compared
          by value with what the customer wrote and the tools returned. Sums and differences of observed
          amounts pass. Claimed actions: guards/claims.py.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, cast

from guards.claims import unsupported_claims
from guards.values import Reading, Value, currency_codes, values

MAX_REPLY = 6_000
"""Characters of a reply; a support answer needs a few hundred, and a page of text hides what matters."""

_MAX_AMOUNTS = 60
"""Amounts whose sums are formed, the newest; with more, a sum proves little."""

_MARKUP = re.compile(
    r"</?tool_?(?:call|response)s?\b|</?tools>|</?function\b|<\|im_(?:start|end)\|>|\"(?:arguments|parameters)\"\s*:"
    r"|\btool (?:result|call|response)s?\b"
    r"|\bthe customer\b(?!['’]?s? (?:service|support|care|team|portal|account))"
    r"|\{\s*\{?\s*\"(?:name|action|tool)\"\s*:"
    # The same words between the agent and the model, in the other languages.
    r"|\b(?:resultado|respuesta|llamada) (?:de|a) la herramienta\b|\b[Ee]l cliente\b"
    r"|\b(?:результат|вызов|ответ)\w{0,2} инструмента\b|(?<!номер )\bклиент(?:у|а|ом)?\b"
    r"|(?:نتيجة|استدعاء|رد) الأداة|(?<!رقم )(?<!خدمة )(?<!\w)العميل"
    r"|टूल (?:का |की )?(?:परिणाम|कॉल|प्रतिक्रिया)|ग्राहक (?:को|से|ने) ",
    re.IGNORECASE,
)

_TIED = re.compile(r"[a-z]{4,}[-_]?(\d+)|(\d+)-[a-z]{4,}")
"""A word tied to a number: order-4471 and 4471-related say no more than 4471."""

_NUMBERED = re.compile(r"[a-z]{1,6}-(\d{3,})")
"""A number with its letters: who has seen T-1001 has seen 1001."""

_STATE_KEY = re.compile(r"(?:status|state|payment|outcome)$")
_STATE_FLAG = re.compile(r"(?:is_|was_)?(refunded|cancell?ed|returned|replaced|exchanged)(?:_at|_on)?")
"""Fields whose name is a state: cancelled: true, refunded_at: a date."""

_REPORTED = re.compile(r"\b(?:was|were|has been|have been|is)\s(?:already\s|now\s)?([a-z]{4,})")

_QUOTED = re.compile(r"\"[^\"\n]*\"|«[^«»\n]*»|“[^“”\n]*”")
"""Names and notes of other people, which report nothing."""


@dataclass
class Observed:
    """The values seen in one conversation, and the actions that were carried out."""

    numbers: set[Decimal] = field(default_factory=set[Decimal])
    amounts: dict[Decimal, None] = field(default_factory=dict[Decimal, None])
    dates: set[tuple[int | None, int, int]] = field(default_factory=set[tuple[int | None, int, int]])
    texts: set[str] = field(default_factory=set[str])
    currencies: set[str] = field(default_factory=set[str])
    states: set[str] = field(default_factory=set[str])
    actions: list[str] = field(default_factory=list[str])

    def hear(self, text: str) -> None:
        """Take the values of the customer's message."""
        self._read(text)

    def see(self, data: dict[str, Any], text: str) -> None:
        """Take the values of a tool's result."""
        for key, scalar in _scalars(data, ""):
            if key.endswith("currency") and scalar.upper() in currency_codes():
                self.currencies.add(scalar.upper())
            flag = _STATE_FLAG.fullmatch(key)
            if flag and scalar not in ("false", "None", ""):
                self.states.add(flag[1])
            elif _STATE_KEY.search(key):
                self.states.add(scalar.casefold())
            self._see(scalar)
        self._see(text)
        if not data:  # a server that answers in words alone has no other way to report a state
            self.states.update(_REPORTED.findall(_QUOTED.sub("", text).casefold()))

    def act(self, tool: str, title: str) -> None:
        """Take note that a call which changes something was carried out."""
        self.actions.append(f"{tool} {title}".replace("_", " ").casefold())

    def _see(self, text: str) -> None:
        for value in self._read(text):
            self.currencies |= value.currency

    def _read(self, text: str) -> list[Value]:
        found = list(values(text))
        for value in found:
            for reading in value.readings:
                self._take(reading, is_amount=value.kind == "amount")
        return found

    def _take(self, reading: Reading, *, is_amount: bool) -> None:
        if isinstance(reading, Decimal):
            self.numbers.add(reading)
            if is_amount:
                self.amounts.pop(reading, None)
                self.amounts[reading] = None
        elif isinstance(reading, str):
            self.texts.add(reading)
            if numbered := _NUMBERED.fullmatch(reading):
                self.numbers.add(Decimal(numbered[1]))
        elif len(reading) == 3:
            self.dates.add(reading)
            if reading[0] is not None:
                self.numbers.add(Decimal(reading[0]))


def unverified(text: str, observed: Observed, tool_names: Iterable[str] = ()) -> list[str]:
    """Return what stands in a piece of a reply and nothing supports, as written, each once."""
    found = [value.written for value in values(text) if not _is_observed(value, observed)]
    found += unsupported_claims(text, observed.actions, observed.states)
    if _MARKUP.search(text) or any("_" in name and name in text for name in tool_names):
        found.append("text that is not meant for the customer")
    return list(dict.fromkeys(found))


def _is_observed(value: Value, observed: Observed) -> bool:
    if value.kind == "date":
        return any(
            _dated(reading, observed.dates) for reading in value.readings if isinstance(reading, tuple)
        )
    if value.kind in ("email", "link"):
        return any(reading in observed.texts for reading in value.readings)
    digits = sum(char.isdigit() for char in value.written)
    if value.kind == "code":
        return digits < 3 or any(_named(str(reading), observed) for reading in value.readings)
    if value.kind == "number" and digits < 3:
        return True
    if value.kind == "amount":
        return _is_amount(value, observed)
    if any(reading in observed.numbers for reading in value.readings):
        return True
    return value.kind == "duration" and bool(set(value.readings) & _days_between(observed.dates))


def _days_between(dates: set[tuple[int | None, int, int]]) -> set[Decimal]:
    """Return the days from each observed date to each other: "30 days" is true of a return date."""
    days = [day for day in map(_calendar_day, dates) if day is not None]
    return {Decimal(abs((one - other).days)) for one in days for other in days} - {Decimal(0)}


def _calendar_day(written: tuple[int | None, int, int]) -> date | None:
    year, month, day = written
    try:
        return date(year, month, day) if year else None
    except ValueError:  # 31 February was written by somebody, and is no day
        return None


def _is_amount(value: Value, observed: Observed) -> bool:
    if value.currency and observed.currencies and not value.currency & observed.currencies:
        return False
    readings = {reading for reading in value.readings if isinstance(reading, Decimal)}
    return bool(readings & observed.numbers) or bool(readings & _derived(observed.amounts))


def _derived(amounts: dict[Decimal, None]) -> set[Decimal]:
    newest = list(amounts)[-_MAX_AMOUNTS:]
    derived = {sum(newest, Decimal(0))}
    for index, one in enumerate(newest):
        for other in newest[index:]:
            derived.add(one + other)
            derived.add(abs(one - other))
    return derived - {Decimal(0)}


def _dated(
    reading: tuple[int | None, int, int] | tuple[int, int], dates: set[tuple[int | None, int, int]]
) -> bool:
    if len(reading) == 2:
        return any(date[:2] == reading for date in dates)
    if reading[0] is None:
        return any(date[1:] == reading[1:] for date in dates)
    return reading in dates


def _named(code: str, observed: Observed) -> bool:
    tied = _TIED.fullmatch(code)
    return code in observed.texts or bool(tied and Decimal(tied[1] or tied[2]) in observed.numbers)


_MAX_DEPTH = 64
_MAX_DIGITS = 100


def _scalars(value: Any, key: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield (field, value as text) of a result, less what lies too deep and numbers too long to be one."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        for name, item in cast(dict[str, Any], value).items():
            yield from _scalars(item, name, depth + 1)
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _scalars(item, key, depth + 1)
    elif isinstance(value, bool):
        yield key.casefold(), "true" if value else "false"
    elif isinstance(value, str | float) or (isinstance(value, int) and abs(value) < 10**_MAX_DIGITS):
        yield key.casefold(), str(value)
