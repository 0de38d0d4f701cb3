"""Numbers, amounts, dates and durations as they are written: the patterns, and what each match means.

Knows:    digits and the words beside them, in five languages.
Does not: know number words (in_words.py), contacts (contacts.py) or what a number is called (roles.py).
Expects:  folded and levelled text with number words in digits.   (guards/values.py)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal

from guards.calendar import MONTH, MONTH_NAMES
from guards.units import (
    AGO,
    AHEAD,
    BEFORE_UNIT,
    BETWEEN,
    CENTS,
    CODE,
    DOLLARS,
    MONEY,
    MONEY_WORDS,
    ONE_OF,
    SIGN,
    SIGNS,
    TIMES,
    TIMES_WORDS,
    TWO_OF,
    TWO_OF_WORDS,
    UNIT_WORDS,
    UNITS,
)

Kind = Literal[
    "number", "amount", "date", "time", "duration", "code", "email", "link", "phone", "account", "handle",
    "address", "channel", "day",
]  # fmt: skip
Reading = Decimal | tuple[int | None, int, int] | tuple[int | None, int] | str
"""A value as compared: a number, a date (year or None, month, day), a month (year or None, month), or text."""


@dataclass(frozen=True)
class Value:
    """One value as written, and each way it can be read; one reading that was observed is enough.

    start, end: where it stands in the text as it was read. currency: ISO codes the sign may stand for, empty
    where none is written. unit: what a duration counts. negative: a minus is written. role: what the words
    beside it call it (roles.py); of a duration `ahead`, `ago` or `working`. digits: how many it is written with.
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


_NUMBER = r"\d+(?:[.,'\u2019\u02bc`_]\d+)*"
_GROUPED = r"\d{1,3}(?: \d{3}){1,8}"
"""1 499: groups of three with a space, as fold() leaves every kind of space."""

_AMOUNT = rf"{_GROUPED}(?:[.,]\d{{1,2}})?(?![\d.,]?\d)|{_NUMBER}"
_WORD_MINUS = r"minus|negative|menos|минус|ناقص|سالب|ماينس|माइनस|ऋण"
_MINUS = rf"(?<![\w)\]%.,/-])[-\u2212\u2013](?=[^\s-])|(?<!\w)(?:{_WORD_MINUS})\s"
_TIMES = rf"(?:\s?(?:{TIMES_WORDS})(?!\w))"
_MONEY = (
    rf"(?P<m1>{_MINUS})?(?P<before>{SIGN}|(?<![A-Za-z])(?:{CODE})(?=[\s\d-])|(?<!\w)(?:Rs|रु|руб)\.?)"
    rf"\s?(?P<m2>{_MINUS})?(?P<a>{_AMOUNT})(?P<x1>{_TIMES})?"
)
_MONEY_AFTER = (
    rf"(?P<m3>{_MINUS})?(?<![\w.,])(?P<b>{_AMOUNT})(?P<x2>{_TIMES})?[\s-]?(?:(?:of|de|млн|US|Canadian|Australian)\s)?"
    rf"(?P<after>(?:{SIGN}|(?:{CODE})(?![A-Za-z]))(?!\s?\d)"
    rf"|(?:{MONEY_WORDS})(?!\w)|(?:{CENTS})(?!\w))"
    rf"(?:,?\s(?:and\s|with\s|y\s|con\s|и\s|و\s?|और\s)?(?P<cents>\d{{1,2}})(?:\s(?:{CENTS})(?!\w)|(?=\s?(?:[.,;:!?)।؟،](?!\d)|$))))?"
)

_MONTH_THEN = rf"(?:{MONTH_NAMES})(?!\w)"
_ENDS = r"(?=\s{0,3}(?:[.,;:!?؟،।)](?!\w)|$|(?:and|or|y|o|и|или)\b))"
_YEAR = r"(?:19|20)\d\d"
_ON = (
    r"on|by|until|till|before|after|since|from|to|through|arrives?|arrived|arriving|due|expected|delivered|placed|shipped|dated"
    r"|ended|ends|expires?"
)
_IN_MONTH = (
    r"(?:in|during|since|by|of|early|late|mid|until|till|before|after|en|durante|desde|hasta|в|к|с|до|на|في|خلال|منذ|حتي"
    r"|last|next|this)"
)

_PATTERNS: tuple[tuple[str, str], ...] = (
    (
        "iso",
        r"(?<!\d)(?P<y>\d{4})(?P<t>[-/.])(?P<m>\d{1,2})(?P=t)(?P<d>\d{1,2})"
        r"(?:T(?P<hour>\d\d):(?P<minute>\d\d)[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)",
    ),
    (
        "dmy",
        rf"\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th|\.?[oa]|\s?-?\s?(?:го|е|ое|му|м))?\.?"
        rf"(?:\s(?:day\sof|of|de|del|من))?[\s/-]{{1,3}}(?P<mn>{_MONTH_THEN})\.?"
        rf"(?:,?[\s/-](?:de\s|del\s|of\s)?(?P<y2>{_YEAR})\b)?",
    ),
    (
        "mdy",
        rf"\b(?P<mn2>{_MONTH_THEN})\.?[\s/-](?:the\s)?(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?!\w)(?![.,]\d)"
        rf"(?:,?[\s/-](?P<y3>{_YEAR})\b)?",
    ),
    ("my", rf"\b(?P<mn3>{_MONTH_THEN})\.?,?\s(?:de\s|of\s)?(?P<y4>{_YEAR})\b"),
    (
        "month",
        rf"(?<!\w){_IN_MONTH}[\s-](?:the\s)?(?:month\sof\s)?(?P<mn4>{_MONTH_THEN})(?!\s?\d)"
        rf"|(?<!\w)(?P<mn5>{_MONTH_THEN})\sमें(?!\w)",
    ),
    (
        "day",
        rf"\b(?:{_ON})\s"
        rf"(?:the\s(?P<d4>\d{{1,2}})(?:st|nd|rd|th){_ENDS}|(?:the\s)?(?P<p2>\d{{1,2}})/(?P<q2>\d{{1,2}})(?![\d/]))",
    ),
    (
        "day_elsewhere",
        rf"\b(?:el|al|del)\s(?:día\s)?(?P<d5>\d{{1,2}}){_ENDS}|(?<!\w)(?:يوم|بتاريخ)\s(?P<d6>\d{{1,2}}){_ENDS}"
        rf"|(?<!\d)(?P<d7>\d{{1,2}})(?:\s?-?\s?го)?\s(?:числа|तारीख)"
        rf"|\b(?:до|с|к|после)\s(?P<d8>\d{{1,2}})\s?-?\s?(?:го|му){_ENDS}",
    ),
    (
        "day_and_month",
        r"(?<!\w)(?:el|al|del|hasta|до|к|с|на|после|в|في|قبل|حتي|بعد|يوم|بتاريخ|بحلول)\s"
        r"(?P<p3>\d{1,2})/(?P<q3>\d{1,2})(?![\d/])"
        r"|(?<![\d/])(?P<p4>\d{1,2})/(?P<q4>\d{1,2})\s(?:को|तक|से)",
    ),
    ("numeric", r"(?<![\d./-])(?P<p>\d{1,2})(?P<s>[/.-])(?P<q>\d{1,2})(?P=s)(?P<y5>\d{4}|\d{2})(?![\d/-])"),
    (
        "time",
        r"(?<![\d:.,/])(?P<h1>\d{1,2}):(?P<i1>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<n1>[ap])\.?\s?m\b\.?)?(?![\d:])"
        r"|(?<![\d:.,/-])(?P<h2>1[0-2]|0?[1-9])(?:\.(?P<i2>[0-5]\d))?\s?(?P<n2>[ap])\.?m\b",
    ),
    ("money", f"{_MONEY}|{_MONEY_AFTER}"),
    (
        "duration",
        rf"(?<![\w.,])(?P<n3>{_NUMBER})(?:\s?{BETWEEN}\s?(?P<n4>{_NUMBER}))?[\s-]?(?P<sort>{BEFORE_UNIT})(?P<unit>{UNITS})(?!\w)(?P<ago>{AGO})?"
        rf"|(?<![\w%])(?P<mark>%)\s?(?P<n5>{_NUMBER})(?!\d)|(?<!\w)(?P<one>{ONE_OF}\s(?:الي|او)\s)?(?P<two>{TWO_OF_WORDS})(?!\w)"
        r"|(?<!\w)(?P<half>half|(?:la\s)?mitad|половин\w|نصف|आधा|आधी|आधे)(?!\w)",
    ),
    (
        "apart",
        r"(?<![\w.,])\d(?:(?:\s{1,3}|\s?[·_.|/:\u2013-]\s?|,)\d){2,40}(?![\w]|[.,-]\w)",
    ),
    ("groups", r"(?<![\w.,#-])#?\d{1,3}(?: \d{1,3}){1,8}(?![\w.,-]{0,40}\d)(?![\w-])"),
    ("range", r"(?<![\w.,#-])(?P<r1>\d{1,4})\s?[-\u2013]\s?(?P<r2>\d{1,4})(?![\w-])"),
    (
        "code",
        r"(?<![\w#])(?<![A-Za-z0-9][-_])#?(?=[A-Za-z0-9_-]{0,80}\d)(?![\d_]+\b)[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+(?!\w)"
        r"|(?<![\w#])#?(?=[A-Za-z|]{0,80}\d)(?=\d{0,80}[A-Za-z|])[A-Za-z0-9|]{2,}(?!\w)",
    ),
    ("number", rf"(?P<m4>{_MINUS})?(?P<n>{_GROUPED}[.,]\d{{2}}(?!\d)|{_NUMBER})(?P<x3>\s(?:{TIMES_WORDS})(?!\w)|k(?!\w))?"),
)


@cache
def any_value() -> re.Pattern[str]:
    """Return one pattern for all; made at the first use, since making it takes a tenth of a second."""
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS), re.IGNORECASE)


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
    elif len(set(marks)) == 2:
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
        kind, written, readings, *match.span(), digits=sum(map(str.isdigit, written)), **more  # type: ignore[reportArgumentType]
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
    return SIGNS.get(mark) or DOLLARS.get(mark) or named or frozenset({"INR" if mark == "rs" else mark.upper()})


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
    elif match["half"]:
        yield _value(match, "duration", (Decimal(50),), unit="percent")
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
    elif len(code) > 2 and _LOOKALIKE.fullmatch(match[0]):
        readings.append(Decimal(match[0].translate(_DIGITS)))
    yield Value("code", match[0], tuple(readings), *match.span(), digits=max(digits, 3 * (len(readings) > 1)))


_ORDINAL_OR_COUNT = re.compile(r"\d{1,2}(?:st|nd|rd|th|x)|x\d{1,2}")
_THOUSANDS = re.compile(r"(\d{1,6})k")
_LOOKALIKE = re.compile(r"[\dOoIl|]+")
_DIGITS = str.maketrans("OoIl|", "00111")


def _number(match: re.Match[str]) -> Iterator[Value]:
    readings = _times(numbers(match["n"]), match["x3"])
    decimals = re.search(r"[.,]\d{2}$", match["n"])
    yield _value(match, "amount" if decimals else "number", readings, negative=bool(match["m4"]))


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
    "number": _number,
}
