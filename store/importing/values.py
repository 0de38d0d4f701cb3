"""Reading a cell: amounts, whole numbers, days and moments, as people and programs write them.

Knows:    the forms that have one meaning; a form that has two is refused, and says what would settle it.
Does not: know which cell it is, or show its value.   (fields.py, problems.py)
Units:    amounts in minor units; moments in UTC. A day without a time is noon UTC: the same day everywhere.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal, InvalidOperation
from typing import Literal

from common.text import fold
from store.money import decimals, minor

DayOrder = Literal["dmy", "mdy"]

MOST_PIECES = 1_000_000
_YEARS = range(1990, 2101)

_PLAIN = re.compile(r"[+-]?\d{1,30}(?:\.\d{1,30})?", re.A)
_ONE_SEPARATOR = re.compile(r"(\d+)(?:([.,])(\d+))?", re.A)
# Digits in groups: 1,234,567.89 and India's 12,34,567.89; 1.234.567,89; 1 234 567,89; 1'234'567.89.
_GROUPED = tuple(
    re.compile(rf"({groups})(?:[{point}](\d+))?", re.A)
    for groups, point in (
        (r"\d{1,3}(?:,\d{3})+", "."),
        (r"\d{1,2}(?:,\d{2})+,\d{3}", "."),
        (r"\d{1,3}(?:\.\d{3})+", ","),
        (r"\d{1,3}(?: \d{3})+", ".,"),
        (r"\d{1,3}(?:'\d{3})+", ".,"),
    )
)
_SIGNS = {"€": "EUR", "₹": "INR", "₽": "RUB", "₩": "KRW", "₪": "ILS", "₺": "TRY", "₫": "VND", "₴": "UAH"}
"""Signs of one currency; $, £ and ¥ are those of several."""

_MOMENT = re.compile(
    r"(?:(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
    r"|(?P<first>\d{1,2})(?P<between>[-/.])(?P<second>\d{1,2})(?P=between)(?P<last>\d{4}))"
    r"(?:[T ,]\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<seconds>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<half>[AP]M)?\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?",
    re.A | re.I,
)
_A_DAY = "a date such as 2026-03-22"
_A_MOMENT = "a date, with or without a time, such as 2026-03-22 or 2026-03-22T16:28:02+01:00"


class Unfit(ValueError):
    """A value that does not fit; the text says what was expected, and never holds the value."""


class TwoMeanings(Unfit):
    """A date whose day and month could be either way round."""


@dataclass(frozen=True)
class Calendar:
    """How dates of a file are meant where they do not say themselves.

    zone: of a time without one. order: of day and month; None where only the column can tell.
    """

    zone: tzinfo = UTC
    order: DayOrder | None = None


def whole(value: object) -> int:
    """Return a number of pieces, at least 0.  Raises: Unfit."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}(?:\.0+)?", text := fold(value).strip(), re.A):
        value = int(text.partition(".")[0])
    if isinstance(value, Decimal) and value.is_finite() and value.adjusted() < 9 and value == int(value):
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_PIECES:
        return value
    raise Unfit(f"a whole number, at most {MOST_PIECES}")


# ---------------------------------------------------------------- amounts


def amount_of(value: object, currency: str, *, rounded: bool = False) -> int:
    """Return an amount in minor units; a number is taken as it stands, a text as `49.99` or as written.

    Raises: Unfit, BadAmount.
    """
    if isinstance(value, str):
        text = value.strip()
        if _PLAIN.fullmatch(text):
            return minor(Decimal(text), currency, rounded=rounded)
        return written_amount(text, currency)
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return minor(Decimal(value), currency, rounded=rounded)
    raise Unfit("an amount such as 49.99")


def written_amount(text: str, currency: str) -> int:
    """Return an amount as people write it, in minor units: 1.234,56 · 1,234.56 · € 49.99 · 1'234.50.

    Raises: Unfit, where the sign is another currency's or the text could mean two amounts; BadAmount.
    """
    bare = _without_currency(fold(text).translate({0x66B: ".", 0x66C: ",", 0x2019: "'", 0xA0: " "}), currency)
    negative, bare = bare.startswith("-"), bare.removeprefix("-").strip()
    value = _number(bare, currency)
    return minor(-value if negative else value, currency)


def _without_currency(text: str, currency: str) -> str:
    for sign, of in _SIGNS.items():
        if sign in text and of != currency:
            raise Unfit(f"an amount in {currency}, the currency of this order")
    bare = re.sub(rf"{re.escape(currency)}|[A-Z]{{0,3}}[$£¥{''.join(_SIGNS)}]", "", text, flags=re.I).strip()
    return re.sub(r"^-\s*", "-", bare)


def _number(bare: str, currency: str) -> Decimal:
    if single := _ONE_SEPARATOR.fullmatch(bare):
        before, point, after = single.groups()
        if not point:
            return _decimal(before)
        if not (len(after) == 3 and len(before) <= 3 and before != "0"):
            return _decimal(f"{before}.{after}")
        # 1,234 and 1.234: a thousand and more, or one and a bit?
        if decimals(currency) == 0 and point == ",":
            return _decimal(before + after)
        if decimals(currency) == 3 and point == ".":
            return _decimal(f"{before}.{after}")
        raise Unfit(f"an amount with one meaning: write {before}{after}.00 or {before}.{after[:2]}")
    for form in _GROUPED:
        if grouped := form.fullmatch(bare):
            digits = re.sub(r"\D", "", grouped[1])
            return _decimal(f"{digits}.{grouped[2] or 0}")
    raise Unfit("an amount such as 49.99")


def _decimal(text: str) -> Decimal:
    if len(text) > 60:
        raise Unfit("an amount that a shop could charge")
    try:
        return Decimal(text)
    except InvalidOperation:
        raise Unfit("an amount such as 49.99") from None


# ---------------------------------------------------------------- days and moments


def moment(text: str, calendar: Calendar) -> datetime:
    """Return a moment in UTC.  Raises: Unfit, and TwoMeanings where day and month could be swapped."""
    found = _MOMENT.fullmatch(fold(text).strip())
    if not found:
        raise Unfit(_A_MOMENT)
    on = _day(found, calendar, _A_MOMENT)
    if found["hour"] is None:
        return datetime(on.year, on.month, on.day, 12, tzinfo=UTC)
    try:
        local = datetime(on.year, on.month, on.day, *_time(found), tzinfo=_zone(found["zone"], calendar))
        return local.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unfit(_A_MOMENT) from None


def day(text: str, calendar: Calendar) -> date:
    """Return the day that is written; a time after it is left aside.  Raises: Unfit, TwoMeanings."""
    found = _MOMENT.fullmatch(fold(text).strip())
    if not found:
        raise Unfit(_A_DAY)
    return _day(found, calendar, _A_DAY)


def order_shown(text: str) -> DayOrder | None:
    """Return the order of day and month that a date proves, None where it could be both, or is none."""
    found = _MOMENT.fullmatch(fold(text).strip())
    if not found or not found["first"]:
        return None
    if int(found["first"]) > 12:
        return "dmy"
    return "mdy" if int(found["second"]) > 12 else None


def _day(found: re.Match[str], calendar: Calendar, expected: str) -> date:
    year, month, number = _parts(found, calendar)
    try:
        on = date(year, month, number)
    except ValueError:
        raise Unfit(expected) from None
    if on.year not in _YEARS:
        raise Unfit(f"a date of the years {_YEARS[0]} to {_YEARS[-1]}")
    return on


def _parts(found: re.Match[str], calendar: Calendar) -> tuple[int, int, int]:
    if found["year"]:
        return int(found["year"]), int(found["month"]), int(found["day"])
    first, second, year = int(found["first"]), int(found["second"]), int(found["last"])
    if found["between"] == ".":  # with dots the day comes first wherever dots are written
        return year, second, first
    order = calendar.order
    if order is None:
        if first == second:
            return year, first, second
        if first <= 12 and second <= 12:
            raise TwoMeanings(
                "a date with one meaning, such as 2026-03-22: say --dates dmy or --dates mdy, "
                "since no date of the column shows which of the two it has"
            )
        order = "dmy" if first > 12 else "mdy"
    return (year, second, first) if order == "dmy" else (year, first, second)


def _time(found: re.Match[str]) -> tuple[int, int, int]:
    hour, half = int(found["hour"]), (found["half"] or "").upper()
    if half:
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + (12 if half == "PM" else 0)
    return hour, int(found["minute"]), int(found["seconds"] or 0)


def _zone(written: str | None, calendar: Calendar) -> tzinfo:
    if not written:
        return calendar.zone
    if written.upper() in ("Z", "UTC", "GMT"):
        return UTC
    digits = written[1:].replace(":", "").ljust(4, "0")
    away = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-away if written[0] == "-" else away)
