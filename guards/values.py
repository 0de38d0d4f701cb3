"""The values in a text that can be true or false: numbers, amounts, dates, durations, links, addresses.

Knows:    how people and machines write them, by value: 1,499.00 is 1499, 14 September 2026 is 2026-09-14.
Does not: know what was observed (guards/output.py) or which of them matter to a shop.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from common.text import fold

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


_MONTHS = ("january february march april may june july august september october november december").split()
_MONTH = {name[:length]: index for index, name in enumerate(_MONTHS, 1) for length in (3, len(name))} | {
    "sept": 9
}
_MONTH_NAMES = "|".join(sorted(_MONTH, key=len, reverse=True))

SIGNS = {
    "$": frozenset({"USD", "CAD", "AUD", "NZD", "SGD", "MXN", "HKD"}),
    "€": frozenset({"EUR"}),
    "£": frozenset({"GBP"}),
    "₹": frozenset({"INR"}),
    "¥": frozenset({"JPY", "CNY"}),
    "₽": frozenset({"RUB"}),
}
_WORDS = {
    "dollar": SIGNS["$"],
    "euro": SIGNS["€"],
    "pound": SIGNS["£"],
    "rupee": SIGNS["₹"],
    "yen": SIGNS["¥"],
}
_CODES = "USD EUR GBP INR JPY CNY CAD AUD NZD SGD MXN HKD CHF SEK NOK DKK PLN CZK RUB AED SAR BRL ZAR TRY KRW".split()

_UNITS = r"(?:days?|weeks?|months?|years?|hours?|minutes?|percent|%)"
_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SPELLED = {word: index for index, word in enumerate(_ONES, 1)} | {
    word: (index + 2) * 10 for index, word in enumerate(_TENS)
}
_SPELLED |= {f"{ten}-{one}": _SPELLED[ten] + _SPELLED[one] for ten in _TENS for one in _ONES[:9]}
_SPELLED_NAMES = "|".join(sorted(_SPELLED, key=len, reverse=True))

_NUMBER = r"\d+(?:[.,'\u2019\u00a0\u202f]\d+)*"
_MONEY = rf"(?P<before>[{''.join(SIGNS)}]|\b(?:{'|'.join(_CODES)})\b|\bRs\.?)\s?(?P<a>{_NUMBER})"
_MONEY_AFTER = (
    rf"(?P<b>{_NUMBER})\s?(?P<after>[{''.join(SIGNS)}]|(?:{'|'.join(_CODES)})\b|(?:{'|'.join(_WORDS)})s?\b)"
)

_PATTERNS: tuple[tuple[str, str], ...] = (
    ("link", r"(?:https?://|www\.)[^\s<>()\[\]\"']+"),
    ("email", r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"),
    ("iso", r"(?<!\d)(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)"),
    (
        "dmy",
        rf"\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?[\s-]+(?P<mn>{_MONTH_NAMES})\b\.?(?:,?[\s-]+(?P<y2>\d{{4}})\b)?",
    ),
    (
        "mdy",
        rf"\b(?P<mn2>{_MONTH_NAMES})\b\.?\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,?\s+(?P<y3>\d{{4}})\b)?",
    ),
    ("my", rf"\b(?P<mn3>{_MONTH_NAMES})\b\.?,?\s+(?P<y4>\d{{4}})\b"),
    ("numeric", r"(?<![\d./])(?P<p>\d{1,2})(?P<s>[/.])(?P<q>\d{1,2})(?P=s)(?P<y5>\d{4}|\d{2})(?![\d/])"),
    ("money", f"{_MONEY}|{_MONEY_AFTER}"),
    (
        "duration",
        rf"(?<![\w.,])(?P<n1>{_NUMBER}|{_SPELLED_NAMES})(?:\s?(?:-|–|to|or)\s?(?P<n2>{_NUMBER}|{_SPELLED_NAMES}))?[\s-]?(?:(?:business|working|calendar|full|more)\s)?{_UNITS}(?!\w)",
    ),
    (
        "code",
        r"(?<![\w#])#?(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+(?!\w)|(?<![\w#])#?(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{2,}(?!\w)",
    ),
    ("number", _NUMBER),
)
_ANY = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS), re.IGNORECASE)

_ORDINAL_OR_COUNT = re.compile(r"\d{1,2}(?:st|nd|rd|th|x)|x\d{1,2}", re.IGNORECASE)


def values(text: str) -> Iterator[Value]:
    """Yield the values that stand in a text, in order, each once where it stands."""
    folded = fold(text)
    for match in _ANY.finditer(folded):
        name = next(name for name, _ in _PATTERNS if match[name] is not None)
        yield from _READERS[name](match)


def numbers(written: str) -> tuple[Decimal, ...]:
    """Return each way a written number can be read: 1.499 is one and a half, or a thousand and more."""
    digits = re.sub(r"['\u2019\u00a0\u202f]", "", written)
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
    found: list[Decimal] = []
    for reading in readings or [re.sub(r"[.,]", "", digits)]:
        try:
            found.append(Decimal(reading).normalize())
        except InvalidOperation:  # more digits than a number of the real world has
            continue
    return tuple(found)


def _link(match: re.Match[str]) -> Iterator[Value]:
    yield Value("link", match[0], (match[0].rstrip(".,;:!?").casefold(),))


def _email(match: re.Match[str]) -> Iterator[Value]:
    yield Value("email", match[0], (match[0].casefold(),))


def _iso(match: re.Match[str]) -> Iterator[Value]:
    yield Value("date", match[0], ((int(match["y"]), int(match["m"]), int(match["d"])),))


def _dmy(match: re.Match[str]) -> Iterator[Value]:
    year, month, day = match["y2"], match["mn"], match["d2"]
    yield Value("date", match[0], ((int(year) if year else None, _MONTH[month.casefold()], int(day)),))


def _mdy(match: re.Match[str]) -> Iterator[Value]:
    year, month, day = match["y3"], match["mn2"], match["d3"]
    yield Value("date", match[0], ((int(year) if year else None, _MONTH[month.casefold()], int(day)),))


def _my(match: re.Match[str]) -> Iterator[Value]:
    yield Value("date", match[0], ((int(match["y4"]), _MONTH[match["mn3"].casefold()]),))


def _numeric(match: re.Match[str]) -> Iterator[Value]:
    first, second, year = int(match["p"]), int(match["q"]), int(match["y5"])
    year += 2000 if year < 100 else 0
    pairs = {(first, second), (second, first)}
    readings = tuple(
        (year, month, day) for month, day in sorted(pairs) if 1 <= month <= 12 and 1 <= day <= 31
    )
    yield Value("date", match[0], readings)


def _money(match: re.Match[str]) -> Iterator[Value]:
    written = match["a"] or match["b"]
    mark = (match["before"] or match["after"]).rstrip(".")
    currency = SIGNS.get(mark) or _WORDS.get(mark.casefold().rstrip("s"))
    if currency is None:
        currency = frozenset({"INR"}) if mark.casefold() == "rs" else frozenset({mark.upper()})
    yield Value("amount", match[0], numbers(written), currency)


def currency_codes() -> frozenset[str]:
    """Return the ISO codes that are known as such when they stand alone in a field."""
    return frozenset(_CODES)


def _duration(match: re.Match[str]) -> Iterator[Value]:
    for written in filter(None, (match["n1"], match["n2"])):
        spelled = _SPELLED.get(written.casefold())
        yield Value("duration", match[0], (Decimal(spelled),) if spelled else numbers(written))


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
    "numeric": _numeric,
    "money": _money,
    "duration": _duration,
    "code": _code,
    "number": _number,
}

_SENTENCE_END = re.compile(r"(?:[.!?؟。！？।…]+[\"'”’)\]*_]*)(?=\s)|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:no|nr|st|mr|mrs|ms|dr|vs|etc|approx|e\.g|i\.e|inc|ltd|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
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
        if "\n" not in match[0] and _ABBREVIATION.search(text[start : match.end()]):
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
