"""The fields of one row or object, read one by one; what does not fit is noted, and reading goes on.

Knows:    how a value becomes text, a number, an amount, a moment or an order number of this shop.
Does not: know any format's names.   (shopify_json.py and its neighbours)
Rule:     a field that does not fit leaves a problem behind and gives something harmless; whoever reads looks
          at the problems in the end, and keeps nothing of a record that has one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from typing import Any, Literal, TypeVar, cast

from common.order_ids import DIGITS, form_that_matches
from common.text import one_line, unsafe_characters
from store.customers import is_guest_id
from store.importing.problems import Private, Problem, shown, shown_name
from store.importing.values import Calendar, DayOrder, TwoMeanings, Unfit, amount_of, day, moment, whole
from store.money import BadAmount

T = TypeVar("T")

LONGEST_NAME = 200
LONGEST_ID = 100
_LONGEST_TEXT = 10_000
"""Characters of a text that are looked at before it is cut to fewer."""

_EMAIL = re.compile(r"[^@\s<>,;]+@[^@\s<>,;]+")
_CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True)
class Options:
    """What the person who imports has said of the files, and what the shop has said of itself.

    currency: of files that name none. completed: what WooCommerce's `completed` stands for.
    """

    pattern: str = DIGITS
    currency: str | None = None
    shop_currency: str = "EUR"
    timezone: tzinfo = UTC
    dates: DayOrder | None = None
    completed: Literal["shipped", "delivered"] = "shipped"


@dataclass
class Reading:
    """What is the same for all of one file: its name, the options, and what was left out on purpose."""

    file: str
    options: Options
    day_order: Callable[[str], DayOrder | None] = lambda _: None
    left_out: Counter[str] = field(default_factory=Counter[str])

    def calendar(self, order: DayOrder | None = None) -> Calendar:
        """Return how this file's dates are meant, day and month in this order if nobody has said another."""
        return Calendar(self.options.timezone, self.options.dates or order)


class Fields:
    """One object of a file, or one row of a table, and where it stands."""

    def __init__(
        self,
        values: Mapping[str, Any],
        reading: Reading,
        problems: list[Problem],
        *,
        path: str = "",
        line: int = 0,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.values = values
        self.reading = reading
        self.problems = problems
        self._path = path
        self._line = line
        self._names = names

    @property
    def _is_row(self) -> bool:
        """Say whether this is a row of a table: what a spreadsheet puts around an id stands nowhere else."""
        return self._names is not None

    def __contains__(self, name: str) -> bool:
        return not _is_empty(self.values.get(name))

    # ------------------------------------------------------------ what is wrong

    def bad(self, name: str, expected: str, *, private: Private | None = None) -> None:
        """Note that a field does not fit."""
        self._note(name, shown(self.values.get(name), private), expected)

    def missing(self, name: str, expected: str) -> None:
        """Note that a field is not there."""
        self._note(name, "nothing", expected)

    def beyond(self, name: str, value: int, expected: str) -> None:
        """Note that what was computed from several fields does not fit."""
        self._note(name, shown(value), expected)

    def _note(self, name: str, value: str, expected: str) -> None:
        column = self._names.get(name, name) if self._names is not None else name
        self.problems.append(Problem(self.reading.file, self._place(), shown_name(column), value, expected))

    def _place(self) -> str:
        line = f"line {self._line}"
        return f"{self._path} ({line})" if self._path else line

    # ------------------------------------------------------------ text

    def text(self, name: str, *, private: Private | None = None, longest: int = LONGEST_NAME) -> str | None:
        """Return a text on one line without invisible characters, cut at a length; None where it is empty."""
        value = self.values.get(name)
        if value is None:
            return None
        written = value if isinstance(value, str) else _number_as_text(value)
        if written is None:
            self.bad(name, "a text", private=private)
            return None
        return one_line(written[:_LONGEST_TEXT])[:longest].strip() or None

    def needed(self, name: str, what: str = "a text") -> str:
        """Return a text that has to be there."""
        found = self.text(name)
        if found is None:
            self.bad(name, what)
        return found or ""

    def code(self, name: str, *, private: Private | None = None, longest: int = LONGEST_ID) -> str | None:
        """Return an identifier or number as it is printed, without what a spreadsheet put around it."""
        found = self.text(name, private=private, longest=LONGEST_NAME)
        if found is None:
            return None
        bare = _without_marks(found) if self._is_row else found
        if len(bare) > longest:
            self.bad(name, f"at most {longest} characters", private=private)
        return bare or None

    def identity(self, name: str) -> str | None:
        """Return an id by which rows are told apart, as it stands: cleaned, two could become one."""
        found, raw = self.code(name), self.values.get(name)
        written = raw.strip() if isinstance(raw, str) else found
        if written and (one_line(written) != written or not found):
            self.bad(name, "an id without invisible characters and runs of spaces")
        elif found and is_guest_id(found):
            self.bad(name, "an id unlike e- and 16 hexadecimal digits, which stands for a guest's address")
        return found

    def needed_identity(self, name: str, what: str) -> str:
        """Return an id that has to be there."""
        if name not in self:
            self.bad(name, what)
        return self.identity(name) or ""

    def codes(self, name: str) -> list[str]:
        """Return the identifiers of a list in a field; none where it is empty."""
        value = self.values.get(name)
        if not isinstance(value, list):
            if not _is_empty(value):
                self.bad(name, "a list")
            return []
        each = {f"{name}[{index}]": item for index, item in enumerate(cast("list[object]", value))}
        listed = Fields(each, self.reading, self.problems, path=self._path, line=self._line)
        return [code for key in each if (code := listed.code(key))]

    def word(self, name: str) -> str:
        """Return a word of a fixed set in lower case, "" where it is empty."""
        return (self.text(name) or "").casefold()

    def email(self, name: str) -> str | None:
        """Return an e-mail address."""
        found, raw = self.code(name, private="an e-mail address", longest=254), self.values.get(name)
        hidden = isinstance(raw, str) and unsafe_characters(raw.strip())
        if (found and not _EMAIL.fullmatch(found)) or hidden:
            self.bad(name, "an e-mail address, or nothing", private="an e-mail address")
            return None
        return found

    def phone(self, name: str) -> str | None:
        """Return a telephone number as it is written."""
        return self.code(name, private="a telephone number")

    def order_number(self, name: str) -> str:
        """Return the number that the shop prints, in the form that ORDER_ID_PATTERN accepts."""
        raw = self.values.get(name)
        printed = self.code(name)
        if printed is None or (isinstance(raw, str) and unsafe_characters(raw.strip())):
            self.bad(name, "an order number, as it is printed on the invoice")
            return ""
        pattern = self.reading.options.pattern
        found = form_that_matches(printed, pattern)
        if found is None:
            proposed = proposed_pattern(printed)
            fitting = f"; one that would fit: ORDER_ID_PATTERN={proposed}" if proposed else ""
            self.bad(name, f"an order number of the shape ORDER_ID_PATTERN={pattern}{fitting}")
        return found or ""

    # ------------------------------------------------------------ numbers and dates

    def currency(self, name: str, default: str | None = None) -> str:
        """Return a currency's three letters; where the file names none, the one that was said for it."""
        found = self.text(name)
        options = self.reading.options
        if found is None:
            return options.currency or default or options.shop_currency
        if not _CURRENCY.fullmatch(found.upper()) or not _is_currency(found.upper()):
            self.bad(name, "a currency of three letters, such as EUR")
            return options.shop_currency
        return found.upper()

    def money(self, name: str, currency: str, *, rounded: bool = False, negative: bool = False) -> int | None:
        """Return an amount in minor units; None where it is empty. negative: whether it may be below 0."""
        value = self.values.get(name)
        if _is_empty(value):
            return None
        amount = self._read(name, lambda: amount_of(value, currency, rounded=rounded))
        if amount is not None and amount < 0 and not negative:
            self.bad(name, "an amount that is not below 0")
            return None
        return amount

    def needed_money(self, name: str, currency: str, *, rounded: bool = False) -> int:
        """Return an amount that has to be there."""
        if name not in self:
            self.bad(name, "an amount such as 49.99")
        return self.money(name, currency, rounded=rounded) or 0

    def whole(self, name: str, default: int | None = None) -> int:
        """Return a number of pieces."""
        value = self.values.get(name)
        if _is_empty(value) and default is not None:
            return default
        return self._read(name, lambda: whole(value)) or 0

    def moment(self, name: str) -> datetime | None:
        """Return a moment in UTC; None where it is empty."""
        return self._dated(name, moment)

    def day(self, name: str) -> date | None:
        """Return a day; None where it is empty."""
        return self._dated(name, day)

    def choice(self, name: str, choices: Mapping[str, T], default: str) -> T:
        """Return what a word stands for; what the default word stands for where it is empty."""
        word = self.word(name) or default
        if word not in choices:
            self.bad(name, f"one of {', '.join(choices)}")
        return choices[word if word in choices else default]

    def _dated(self, name: str, read: Callable[[str, Calendar], T]) -> T | None:
        value = self.values.get(name)
        if _is_empty(value):
            return None
        if not isinstance(value, str):
            self.bad(name, "a date as text, such as 2026-03-22")
            return None
        try:
            return read(value, self.reading.calendar())
        except TwoMeanings:
            order = self.reading.day_order(name)
            return self._read(name, lambda: read(value, self.reading.calendar(order)))
        except Unfit as unfit:
            self.bad(name, str(unfit))
            return None

    def _read(self, name: str, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except (Unfit, BadAmount) as unfit:
            self.bad(name, str(unfit))
            return None

    # ------------------------------------------------------------ parts

    def part(self, name: str) -> "Fields":
        """Return the object in a field; an empty one where there is none."""
        value = self.values.get(name)
        if not _is_empty(value) and not isinstance(value, dict):
            self.bad(name, "an object")
        found = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        return self._inside(name, found)

    def parts(self, name: str) -> "list[Fields]":
        """Return the objects of a list in a field; none where it is empty."""
        return list(self._parts(name))

    def _parts(self, name: str) -> "Iterator[Fields]":
        value = self.values.get(name)
        if _is_empty(value):
            return
        if not isinstance(value, list):
            self.bad(name, "a list")
            return
        for index, each in enumerate(cast("list[object]", value)):
            if isinstance(each, dict):
                yield self._inside(f"{name}[{index}]", cast("dict[str, Any]", each))
            else:
                self._note(f"{name}[{index}]", shown(each), "an object")

    def _inside(self, name: str, found: dict[str, Any]) -> "Fields":
        path = f"{self._path}.{name}" if self._path else name
        return Fields(found, self.reading, self.problems, path=path, line=self._line)


def proposed_pattern(number: str) -> str | None:
    """Return a pattern that a printed number fits, with any digits; None for what looks like no number."""
    if len(number) > 40 or not re.fullmatch(r"[A-Za-z0-9#/_.-]*[0-9][A-Za-z0-9#/_.-]*", number, re.A):
        return None
    return (
        "^"
        + re.sub(r"[0-9]+", lambda run: f"[0-9]{{1,{max(12, len(run[0]))}}}", number.replace(".", r"\."))
        + "$"
    )


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _number_as_text(value: object) -> str | None:
    """Return a number as it would be printed, 1001.0 as 1001; None for what is none."""
    if isinstance(value, Decimal) and value.is_finite() and value.adjusted() < LONGEST_ID:
        return str(int(value)) if value == value.to_integral_value() else str(value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _without_marks(text: str) -> str:
    """Return an identifier without Excel's apostrophe, or the formula that keeps it a text: ="1001"."""
    if formula := re.fullmatch(r'="([^"]*)"', text):
        text = formula[1]
    return text.removeprefix("'").strip()


def _is_currency(code: str) -> bool:
    from babel.numbers import is_currency  # a twentieth of a second, and only an import needs it

    return is_currency(code)
