"""What a number, an amount, a date or a duration means as it is written.

Knows:    each match of patterns.py, by value.
Does not: know number words (in_words.py), contacts (contacts.py) or what a number is called (roles.py).
Expects:  folded and levelled text with number words in digits.   (guards/values.py)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from guards.calendar import MONTH
from guards.units import (
    AHEAD,
    CENTS,
    DOLLARS,
    MONEY,
    ONE_UNIT,
    PARTS,
    SIGNS,
    TIMES,
    TWO_OF,
    UNIT_WORDS,
)

Kind = Literal[
    "number", "amount", "date", "time", "duration", "code", "email", "link", "phone", "account", "handle",
    "address", "channel", "day",
]  # fmt: skip
Reading = Decimal | tuple[int | None, int, int] | tuple[int | None, int] | str
"""A value as compared: a number, a date (year or None, month, day), a month (year or None, month), a text."""


@dataclass(frozen=True)
class Value:
    """One value as written, and each way it can be read; one reading that was observed is enough.

    start, end: where it stands in the text as it was read. currency: ISO codes the sign may stand for, empty
    where none is written. unit: what a duration counts. negative: a minus is written. role: what the words
    beside it call it (roles.py); of a duration `ahead`, `ago` or `working`. digits: how many
    it is written with.
    """

    kind: Kind
    written: str
    readings: tuple[Reading, ...]
    start: int = 0
    end: int = 0
    currency: frozenset[str] = frozenset()
    unit: str = ""
    negative: bool = False
    role: str = ""
    digits: int = 0


def values_of(match: re.Match[str]) -> Iterator[Value]:
    """Yield what one match of `any_value` means."""
    return _READERS[match.lastgroup or ""](match)


def numbers(written: str) -> tuple[Decimal, ...]:
    """Return each way a written number can be read: 1.499 is one and a half, or a thousand and more."""
    digits = re.sub(r"['\u2019\u02bc`_ ]", "", written)
    readings: list[str] = []
    marks = re.findall(r"[.,]", digits)
    if not marks:
        readings = [digits]
    elif len(set(marks)) == 2 and marks.count(marks[-1]) == 1:
        last = marks[-1]
        readings = [digits.replace("," if last == "." else ".", "").replace(last, ".")]
    else:
        parts = re.split(r"[.,]", digits)
        if (all(len(part) == 3 for part in parts[1:]) and len(parts[0]) <= 3) or re.fullmatch(
            r"\d{1,3}(,\d{2})+,\d{3}", digits
        ):
            readings.append("".join(parts))
        if len(parts) == 2:
            readings.append(".".join(parts))
    return tuple(Decimal(reading) for reading in readings or [re.sub(r"[.,]", "", digits)])


def currency_codes() -> frozenset[str]:
    """Return the ISO codes that are known as such when they stand alone in a field."""
    return _CODES


_CODES = frozenset(code for codes in (*SIGNS.values(), *(codes for _, codes in MONEY)) for code in codes) | {
    "SEK", "NOK", "DKK", "CZK", "EGP", "BRL", "ZAR", "HUF", "RON", "BGN", "IDR", "MYR", "TWD", "PEN", "KES",
    "PKR", "BDT", "LKR", "NPR", "ETH", "USDT", "CAD", "AUD", "NZD", "SGD", "HKD",
}  # fmt: skip


def _value(match: re.Match[str], kind: Kind, readings: tuple[Reading, ...], **more: object) -> Value:
    written = match[0]
    return Value(
        kind,
        written,
        readings,
        *match.span(),
        digits=sum(map(str.isdigit, written)),
        **more,  # type: ignore[reportArgumentType]
    )


# ---------------------------------------------------------------- dates and times


def _iso(match: re.Match[str]) -> Iterator[Value]:
    yield _value(match, "date", ((int(match["y"]), int(match["m"]), int(match["d"])),))
    if match["hour"]:
        yield _value(match, "time", (f"{match['hour']}:{match['minute']}",))


def _dmy(match: re.Match[str]) -> Iterator[Value]:
    yield _value(match, "date", (_date(match["y2"], match["mn"], match["d2"]),))


def _mdy(match: re.Match[str]) -> Iterator[Value]:
    yield _value(match, "date", (_date(match["y3"], match["mn2"], match["d3"]),))


def _date(year: str | None, month: str, day: str) -> tuple[int | None, int, int]:
    return int(year) if year else None, MONTH[month.casefold()], int(day)


def _my(match: re.Match[str]) -> Iterator[Value]:
    yield _value(match, "date", ((int(match["y4"]), MONTH[match["mn3"].casefold()]),))


def _month(match: re.Match[str]) -> Iterator[Value]:
    yield _value(match, "date", ((None, MONTH[(match["mn4"] or match["mn5"]).casefold()]),))


def _day_in_english(match: re.Match[str]) -> Iterator[Value]:
    return _day(match) if match["d4"] else _day_and_month(match)


def _day(match: re.Match[str]) -> Iterator[Value]:
    """Read a day without its month."""
    day = next(int(match[name]) for name in ("d4", "d5", "d6", "d7", "d8") if match[name])
    yield _value(match, "date", tuple((None, month, day) for month in range(1, 13)))


def _day_and_month(match: re.Match[str]) -> Iterator[Value]:
    """Read a day and a month, in either order."""
    first, second = next((match[p], match[q]) for p, q in _SLASHED if match[p])
    if days := _days(int(first), int(second)):
        yield _value(match, "date", tuple((None, month, day) for month, day in days))


_SLASHED = (("p2", "q2"), ("p3", "q3"), ("p4", "q4"))


def _numeric(match: re.Match[str]) -> Iterator[Value]:
    year = int(match["y5"]) + (2000 if len(match["y5"]) == 2 else 0)
    days = _days(int(match["p"]), int(match["q"]))
    if days and (match["s"] != "-" or year != int(match["y5"]) + 2000):
        yield _value(match, "date", tuple((year, month, day) for month, day in days))
    else:
        yield _value(match, "code", (match[0],))


def _days(first: int, second: int) -> list[tuple[int, int]]:
    pairs = sorted({(first, second), (second, first)})
    return [(month, day) for month, day in pairs if 1 <= month <= 12 and 1 <= day <= 31]


def _time(match: re.Match[str]) -> Iterator[Value]:
    hour, minute = int(match["h1"] or match["h2"]), match["i1"] or match["i2"] or "00"
    if half := (match["n1"] or match["n2"] or "").casefold():
        hour = hour % 12 + (12 if half == "p" else 0)
    yield _value(match, "time", (f"{hour:02d}:{minute}",))


# ---------------------------------------------------------------- money


def _money(match: re.Match[str]) -> Iterator[Value]:
    mark = (match["before"] or match["after"]).rstrip(".").casefold()
    readings = _times(numbers(match["a"] or match["b"]), match["x1"] or match["x2"])
    negative = bool(match["m1"] or match["m2"] or match["m3"])
    if re.fullmatch(CENTS, mark, re.IGNORECASE):
        yield _value(match, "amount", tuple(reading / 100 for reading in readings), negative=negative)
        return
    if match["cents"]:
        readings = tuple(reading + Decimal(match["cents"]) / 100 for reading in readings)
    yield _value(match, "amount", readings, negative=negative, currency=_currency(mark))


def _currency(mark: str) -> frozenset[str]:
    named = next((codes for words, codes in MONEY if re.fullmatch(words, mark)), frozenset[str]())
    return (
        SIGNS.get(mark) or DOLLARS.get(mark) or named or frozenset({"INR" if mark == "rs" else mark.upper()})
    )


def _times(readings: tuple[Decimal, ...], word: str | None) -> tuple[Decimal, ...]:
    if not word:
        return readings
    by = next(by for words, by in TIMES.items() if re.fullmatch(words, word.strip(), re.IGNORECASE))
    return tuple(reading * by for reading in readings)


# ---------------------------------------------------------------- numbers


def _duration(match: re.Match[str]) -> Iterator[Value]:
    if match["two"]:
        unit = next(unit for unit, words in TWO_OF.items() if re.search(rf"(?:{words})$", match["two"]))
        for many in (1, 2) if match["one"] else (2,):
            yield _value(match, "duration", (Decimal(many),), unit=unit)
    elif share := next((share for share in PARTS if match[f"part{share}"]), 0):
        yield _value(match, "duration", (Decimal(share),), unit="percent")
    elif match["single"]:
        unit = next(
            unit for unit, words in ONE_UNIT.items() if re.fullmatch(words, match["single"], re.IGNORECASE)
        )
        yield _value(match, "duration", (Decimal(1),), unit=unit)
    elif match["mark"]:
        yield _value(match, "duration", numbers(match["n5"]), unit="percent")
    else:
        unit = next(unit for unit, words in _UNITS if re.fullmatch(words, match["unit"], re.IGNORECASE))
        role = WORKING if match["sort"] else "ago" if match["ago"] else _ahead(match)
        for written in filter(None, (match["n3"], match["n4"])):
            yield _value(match, "duration", numbers(written), unit=unit, role=role)


WORKING = "working"
"""What a duration is called whose days are not those of the calendar."""

_AHEAD = re.compile(rf"(?<!\w)(?:{AHEAD})\s$", re.IGNORECASE)


def _ahead(match: re.Match[str]) -> str:
    return "ahead" if _AHEAD.search(match.string[max(0, match.start() - 12) : match.start()]) else ""


_UNITS = tuple((unit, f"(?:{words})") for unit, words in UNIT_WORDS.items())


def _apart(match: re.Match[str]) -> Iterator[Value]:
    digits = re.sub(r"\D", "", match[0])
    if digits not in "0123456789":  # 1, 2, 3 counts
        yield _value(match, "number", (Decimal(digits),))


def _groups(match: re.Match[str]) -> Iterator[Value]:
    """Read 44 71 as 4471; where that is nothing, each group has to be something."""
    parts = match[0].removeprefix("#").split(" ")
    yield _value(match, "number", (Decimal("".join(parts)), " ".join(parts)))


def _range(match: re.Match[str]) -> Iterator[Value]:
    for name in ("r1", "r2"):
        start, end = match.span(name)
        yield Value("number", match[name], numbers(match[name]), start, end, digits=end - start)


def _code(match: re.Match[str]) -> Iterator[Value]:
    code = match[0].removeprefix("#").casefold()
    if _ORDINAL_OR_COUNT.fullmatch(code):
        return
    readings: list[Reading] = [code]
    digits = sum(map(str.isdigit, code))
    if thousands := _THOUSANDS.fullmatch(code):
        readings.append(Decimal(thousands[1]) * 1000)
    elif _POWER.fullmatch(code):
        readings.append(Decimal(code))
    elif len(code) > 2 and _LOOKALIKE.fullmatch(match[0]):
        readings.append(Decimal(match[0].translate(_DIGITS)))
    yield Value("code", match[0], tuple(readings), *match.span(), digits=max(digits, 3 * (len(readings) > 1)))


def _foreign(match: re.Match[str]) -> Iterator[Value]:
    """Read words in a writing of none of the five languages: they stand as somebody wrote them, or not."""
    yield Value("code", match[0], (match[0].casefold(),), *match.span(), digits=_FEWEST)


_FEWEST = 3
"""Digits of a code from which it must have been observed."""

_ORDINAL_OR_COUNT = re.compile(r"\d{1,2}(?:st|nd|rd|th|x)|x\d{1,2}")
_THOUSANDS = re.compile(r"(\d{1,6})k")
_POWER = re.compile(r"\d{1,6}e\d{1,3}")
_LOOKALIKE = re.compile(r"[\dOoIl|]+")
_DIGITS = str.maketrans("OoIl|", "00111")


def _number(match: re.Match[str]) -> Iterator[Value]:
    readings = _times(numbers(match["n"]), match["x3"])
    decimals = re.search(r"[.,]\d{2}$", match["n"])
    value = _value(match, "amount" if decimals else "number", readings, negative=bool(match["m4"]))
    yield replace(value, digits=max(1, readings[0].adjusted() + 1)) if match["x3"] else value


_READERS = {
    "iso": _iso,
    "dmy": _dmy,
    "mdy": _mdy,
    "my": _my,
    "month": _month,
    "day": _day_in_english,
    "day_elsewhere": _day,
    "day_and_month": _day_and_month,
    "numeric": _numeric,
    "time": _time,
    "money": _money,
    "duration": _duration,
    "apart": _apart,
    "groups": _groups,
    "range": _range,
    "code": _code,
    "foreign": _foreign,
    "number": _number,
}
