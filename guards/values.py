"""The values in a text that can be true or false: numbers, amounts, dates, durations, links, addresses.

Knows:    how people and machines write them, by value: 1,499.00 is 1499, 14 September 2026 is 2026-09-14,
          and "тридцать дней" is 30; the words are in calendar.py, spelled.py and units.py.
Does not: know what was observed (guards/output.py) or which of them matter to a shop.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal

from common.text import fold
from guards.calendar import MONTH, MONTH_NAMES
from guards.spelled import SPELLED, SPELLED_NAMES
from guards.units import (
    BEFORE_UNIT,
    BETWEEN,
    CENTS,
    CODES,
    DOLLARS,
    MONEY,
    MONEY_WORDS,
    SIGN,
    SIGNS,
    TIMES,
    TIMES_WORDS,
    TWO_OF,
    UNITS,
)
from guards.words import levelled

Kind = Literal["number", "amount", "date", "duration", "code", "email", "link"]
Reading = Decimal | tuple[int | None, int, int] | tuple[int, int] | str
"""A value as compared: a number, a date (year or None, month, day), a month (year, month), or text."""


@dataclass(frozen=True)
class Value:
    """One value as written, and each way it can be read; one reading that was observed is enough.

    currency: ISO codes the sign may stand for, empty where none is written.
    """

    kind: Kind
    written: str
    readings: tuple[Reading, ...]
    currency: frozenset[str] = frozenset()


_SPELLED = rf"{SPELLED_NAMES}(?=[\s-])"
_NUMBER = r"\d+(?:[.,'\u2019]\d+)*"
_GROUPED = r"\d{1,3}(?: \d{3}){1,8}"
"""1 499: groups of three with a space, as fold() leaves every kind of space."""

_AMOUNT = rf"{_GROUPED}(?:[.,]\d{{1,2}})?(?![\d.,]?\d)|{_NUMBER}"
_MONEY = (
    rf"(?P<before>{SIGN}|\b(?:{'|'.join(CODES)})(?=[\s\d])|(?<!\w)(?:Rs|रु|руб)\.?)"
    rf"\s?(?P<a>{_AMOUNT})"
)
_MONEY_AFTER = (
    rf"(?<![\w.,])(?P<b>{_AMOUNT}|{_SPELLED})\s?(?:(?P<x>{TIMES_WORDS})\s)?"
    rf"(?P<after>(?:{SIGN}|(?:{'|'.join(CODES)})\b)(?!\s?\d)"
    rf"|(?:(?:US|Canadian|Australian)\s)?(?:{MONEY_WORDS})(?!\w)|(?:{CENTS})(?!\w))"
)

_MONTH_THEN = rf"(?:{MONTH_NAMES})(?!\w)"
_ENDS = r"(?=\s{0,3}(?:[.,;:!?؟،।)](?!\w)|$|(?:and|or|y|o|и|или)\b))"
_YEAR = r"(?:19|20)\d\d"
_HOST_END = (
    "com|net|org|io|shop|store|info|biz|app|dev|example|test|eu|uk|de|fr|es|ru|in|xyz|top|site|online"
    "|link|click|ly"
)
_REST_OF_LINK = r"[^\s<>()\[\]\"'*`]"

_PATTERNS: tuple[tuple[str, str], ...] = (
    ("email", r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"),
    (
        "link",
        rf"\b[a-z][a-z0-9+.-]{{1,20}}://{_REST_OF_LINK}+|\bwww\.{_REST_OF_LINK}+"
        rf"|(?<![\w.@-])(?:[a-z0-9-]{{1,63}}\.){{1,4}}(?-i:{_HOST_END})\b(?![.-]\w|@)(?:/{_REST_OF_LINK}*)?",
    ),
    (
        "iso",
        r"(?<!\d)(?P<y>\d{4})(?P<t>[-/.])(?P<m>\d{1,2})(?P=t)(?P<d>\d{1,2})"
        r"(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)",
    ),
    (
        "dmy",
        rf"\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th|\.?[oa]|\s?-?\s?(?:го|е|ое|му|м))?\.?"
        rf"(?:\s(?:of|de|del|من))?[\s-]{{1,3}}(?P<mn>{_MONTH_THEN})\.?"
        rf"(?:,?[\s-](?:de\s|del\s)?(?P<y2>{_YEAR})\b)?",
    ),
    (
        "mdy",
        rf"\b(?P<mn2>{_MONTH_THEN})\.?\s(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?!\w)(?![.,]\d)(?:,?\s(?P<y3>{_YEAR})\b)?",
    ),
    ("my", rf"\b(?P<mn3>{_MONTH_THEN})\.?,?\s(?:de\s)?(?P<y4>{_YEAR})\b"),
    (
        "day",
        r"\b(?:on|by|until|till|before|after|since)\s"
        rf"(?:the\s(?P<d4>\d{{1,2}})(?:st|nd|rd|th){_ENDS}|(?P<p2>\d{{1,2}})/(?P<q2>\d{{1,2}})(?![\d/]))",
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
    ("money", f"{_MONEY}|{_MONEY_AFTER}"),
    (
        "duration",
        rf"(?<![\w.,])(?P<n1>{_NUMBER}|{_SPELLED})"
        rf"(?:\s?{BETWEEN}\s?(?P<n2>{_NUMBER}|{_SPELLED}))?[\s-]?{BEFORE_UNIT}{UNITS}(?!\w)"
        rf"|(?<![\w%])%\s?(?P<n3>{_NUMBER})(?!\d)|(?<!\w)(?P<two>{TWO_OF})(?!\w)",
    ),
    ("apart", r"(?<![\w.,])\d(?:[ ·_-]\d){2,40}(?![\w.,-]?\w)"),
    ("range", r"(?<![\w.,#-])(?P<r1>\d{1,4})\s?[-–]\s?(?P<r2>\d{1,4})(?![\w-])"),
    (
        "code",
        r"(?<![\w#])(?<![A-Za-z0-9][-_])#?(?=[A-Za-z0-9_-]{0,80}\d)[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+(?!\w)"
        r"|(?<![\w#])#?(?=[A-Za-z]{0,80}\d)(?=\d{0,80}[A-Za-z])[A-Za-z0-9]{2,}(?!\w)",
    ),
    ("number", rf"{_GROUPED}[.,]\d{{2}}(?!\d)|{_NUMBER}"),
)


@cache
def _any_value() -> re.Pattern[str]:
    """Return one pattern for all; made at the first use, since making it takes a tenth of a second."""
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS), re.IGNORECASE)


_ORDINAL_OR_COUNT = re.compile(r"\d{1,2}(?:st|nd|rd|th|x)|x\d{1,2}", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<=\d)(?:[*_`~]{2,6}|</?\w{1,10}>)(?=\d)")
"""Marks that a screen draws as nothing, so that 44**71** is read as 4471."""


def values(text: str) -> Iterator[Value]:
    """Yield the values that stand in a text, in order, each once where it stands."""
    folded = levelled(_EMPHASIS.sub("", fold(text.replace("№", "#"))))
    for match in _any_value().finditer(folded):
        yield from _READERS[match.lastgroup or ""](match)


def numbers(written: str) -> tuple[Decimal, ...]:
    """Return each way a written number can be read: 1.499 is one and a half, or a thousand and more."""
    digits = re.sub(r"['\u2019 ]", "", written)
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


def _link(match: re.Match[str]) -> Iterator[Value]:
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", match[0].casefold())
    yield Value("link", match[0], (bare.rstrip(".,;:!?_~/"),))


def _email(match: re.Match[str]) -> Iterator[Value]:
    yield Value("email", match[0], (match[0].casefold(),))


def _iso(match: re.Match[str]) -> Iterator[Value]:
    yield Value("date", match[0], ((int(match["y"]), int(match["m"]), int(match["d"])),))


def _dmy(match: re.Match[str]) -> Iterator[Value]:
    year, month, day = match["y2"], match["mn"], match["d2"]
    yield Value("date", match[0], ((int(year) if year else None, MONTH[month.casefold()], int(day)),))


def _mdy(match: re.Match[str]) -> Iterator[Value]:
    year, month, day = match["y3"], match["mn2"], match["d3"]
    yield Value("date", match[0], ((int(year) if year else None, MONTH[month.casefold()], int(day)),))


def _my(match: re.Match[str]) -> Iterator[Value]:
    yield Value("date", match[0], ((int(match["y4"]), MONTH[match["mn3"].casefold()]),))


def _day_in_english(match: re.Match[str]) -> Iterator[Value]:
    return _day(match) if match["d4"] else _day_and_month(match)


def _day(match: re.Match[str]) -> Iterator[Value]:
    """Read a day without its month."""
    day = next(int(match[name]) for name in ("d4", "d5", "d6", "d7", "d8") if match[name])
    yield Value("date", match[0], tuple((None, month, day) for month in range(1, 13)))


def _day_and_month(match: re.Match[str]) -> Iterator[Value]:
    """Read a day and a month, in either order."""
    first, second = next((match[p], match[q]) for p, q in _SLASHED if match[p])
    if days := _days(int(first), int(second)):
        yield Value("date", match[0], tuple((None, month, day) for month, day in days))


_SLASHED = (("p2", "q2"), ("p3", "q3"), ("p4", "q4"))


def _numeric(match: re.Match[str]) -> Iterator[Value]:
    year = int(match["y5"]) + (2000 if len(match["y5"]) == 2 else 0)
    days = _days(int(match["p"]), int(match["q"]))
    if days and (match["s"] != "-" or year != int(match["y5"]) + 2000):
        yield Value("date", match[0], tuple((year, month, day) for month, day in days))
    else:
        yield Value("code", match[0], (match[0],))


def _days(first: int, second: int) -> list[tuple[int, int]]:
    pairs = sorted({(first, second), (second, first)})
    return [(month, day) for month, day in pairs if 1 <= month <= 12 and 1 <= day <= 31]


def _money(match: re.Match[str]) -> Iterator[Value]:
    written, mark = match["a"] or match["b"], (match["before"] or match["after"]).rstrip(".").casefold()
    readings = _counted(written)
    if match["x"]:
        times = next(by for words, by in TIMES.items() if re.fullmatch(words, match["x"], re.IGNORECASE))
        readings = tuple(reading * times for reading in readings)
    if re.fullmatch(CENTS, mark):
        yield Value("amount", match[0], tuple(reading / 100 for reading in readings))
        return
    word = mark.split()[-1]
    named = next((codes for words, codes in MONEY if re.fullmatch(words, word)), frozenset[str]())
    currency = (
        SIGNS.get(mark) or DOLLARS.get(mark) or named or frozenset({"INR" if mark == "rs" else mark.upper()})
    )
    yield Value("amount", match[0], readings, currency)


def _counted(written: str) -> tuple[Decimal, ...]:
    """Return each reading of a number in digits or in words."""
    spelled = SPELLED.get(written.casefold())
    return (Decimal(spelled),) if spelled else numbers(written)


def currency_codes() -> frozenset[str]:
    """Return the ISO codes that are known as such when they stand alone in a field."""
    return frozenset(CODES)


def _duration(match: re.Match[str]) -> Iterator[Value]:
    if match["two"]:
        yield Value("duration", match[0], (Decimal(2),))
    for written in filter(None, (match["n1"], match["n2"], match["n3"])):
        yield Value("duration", match[0], _counted(written))


def _apart(match: re.Match[str]) -> Iterator[Value]:
    yield Value("number", match[0], (Decimal(re.sub(r"\D", "", match[0])),))


def _range(match: re.Match[str]) -> Iterator[Value]:
    yield Value("number", match["r1"], numbers(match["r1"]))
    yield Value("number", match["r2"], numbers(match["r2"]))


def _code(match: re.Match[str]) -> Iterator[Value]:
    if not _ORDINAL_OR_COUNT.fullmatch(match[0]):
        yield Value("code", match[0], (match[0].removeprefix("#").casefold(),))


def _number(match: re.Match[str]) -> Iterator[Value]:
    readings = numbers(match[0])
    decimals = re.search(r"[.,]\d{2}$", match[0])
    yield Value("amount" if decimals else "number", match[0], readings)


_READERS = {
    "link": _link,
    "email": _email,
    "iso": _iso,
    "dmy": _dmy,
    "mdy": _mdy,
    "my": _my,
    "day": _day_in_english,
    "day_elsewhere": _day,
    "day_and_month": _day_and_month,
    "numeric": _numeric,
    "money": _money,
    "duration": _duration,
    "apart": _apart,
    "range": _range,
    "code": _code,
    "number": _number,
}

_SENTENCE_END = re.compile(r"(?:[.!?؟。！？।…]+[\"'”’)\]*_]*)(?=\s)|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:no|nr|st|mr|mrs|ms|dr|vs|etc|approx|e\.g|i\.e|inc|ltd|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|sra?|núm|ene|abr|ago|dic|гг?|руб|коп|тыс|янв|фев|февр|апр|авг|сент?|окт|нояб?|дек)"
    r"|(?:^|\s)\d{1,2}|\b[A-Z])\.$",
    re.IGNORECASE,
)


def sentences(text: str) -> tuple[list[str], str]:
    """Return the complete sentences and list lines of a text with their white space, and the unfinished rest.

    Joined together they are the text.
    """
    done: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if "\n" not in match[0] and _ABBREVIATION.search(text[max(start, match.end() - 8) : match.end()]):
            continue
        end = match.end()
        while end < len(text) and text[end].isspace():
            end += 1
        if end == len(text) and "\n" not in match[0]:
            break  # more white space, or the rest of this sentence, may follow
        if end > start:
            done.append(text[start:end])
            start = end
    return done, text[start:]
