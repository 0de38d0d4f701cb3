"""False versions of an honest reply: one value changed, or a claim of an action added.

Knows:    how values are written, by the scorer's own reading (evals/values.py), and how to change each.
Does not: use the guards, or know what was observed but by the plain values beside it.
Left out: a change to what is true by chance, and counts of one or two digits without a unit, which nothing
          checks.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from evals.months import month_number
from evals.values import AMOUNT, DATES, EMAIL, LINK, NUMBER, Values, number, plain, values_in

KINDS = (
    "a digit of an amount",
    "a minus added",
    "a minus dropped",
    "another currency",
    "a digit of an id",
    "two ids swapped",
    "another day",
    "another month",
    "another year",
    "another duration",
    "another time",
    "a sign of a contact",
    "another number in words",
    "an action claimed",
)

_CURRENCIES = (
    ("$", "€"), ("€", "$"), ("USD", "EUR"), ("EUR", "USD"), ("dollars", "euros"), ("euros", "dollars"),
    ("dólares", "euros"), ("доллара", "евро"), ("доллар", "евро"), ("евро", "долларов"), ("دولار", "يورو"),
    ("يورو", "دولار"), ("डॉलर", "यूरो"), ("यूरो", "डॉलर"),
)  # fmt: skip
_MONTHS = (
    "January February March April May June July August September October November December".split(),
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split(),
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر".split(),
    "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर".split(),
)
_UNIT = (
    r"(?:working |business |calendar |more |further )*(?:days?|weeks?|months?|hours?|years?|percent|%)"
    r"|días?|semanas?|meses|horas?|(?:рабочих |календарных )?(?:дн(?:ей|я)|недел\w|месяц\w*|час\w*)"
    r"|يوم\w?|أيام|أسابيع|أشهر|ساعات|(?:कार्य )?(?:दिन|दिनों|हफ़्ते|महीने|घंटे)"
)
_DURATION = re.compile(rf"(?<![\w.,-])(?P<n>\d{{1,3}})[ -](?=(?:{_UNIT})(?!\w))")
_IN_WORDS = {
    "two": "three", "three": "four", "four": "five", "five": "six", "six": "seven", "seven": "eight",
    "nine": "eight", "ten": "twelve", "twelve": "ten", "fourteen": "fifteen", "twenty": "thirty",
    "thirty": "forty", "forty": "fifty", "fifty": "sixty", "eighty": "ninety", "ninety": "eighty",
    "hundred": "thousand",
    "treinta": "cuarenta", "cinco": "seis", "tres": "cuatro", "тридцати": "сорока", "пяти": "шести",
    "ثلاثين": "أربعين", "خمسة": "ستة", "तीस": "चालीस", "पाँच": "सात",
}  # fmt: skip
_WORD = re.compile(
    rf"(?<![\w-])(?P<w>{'|'.join(_IN_WORDS)})(?=(?:[ -][\w-]+){{0,5}}? ?-?(?:euros?|dollars?|cents?"
    rf"|{_UNIT}))",
    re.IGNORECASE,
)
_TIME = re.compile(r"(?<![\d:])(?P<h>\d{1,2})(?=:\d\d)|(?<![\d:])(?P<p>\d{1,2})(?= ?[ap]m\b)")
_ID = re.compile(r"(?<![\w.,@-])#?[A-Za-z_]{0,12}-?\d[\dA-Za-z]{2,}(?![\w@]|[.,]\d)")
_MINUS = re.compile(r"[-\u2212](?=[$€]?\d+[.,]\d\d)")


@dataclass(frozen=True)
class Mutant:
    """A false version of a reply, and what was changed."""

    kind: str
    text: str


def mutants(text: str, language: str, part: str, seen: Iterable[Any]) -> Iterator[Mutant]:
    """Yield the false versions of a reply. seen: the plain values that it is honest about."""
    flat = _flat(seen)
    known = values_in(flat)
    spans = [match.span() for match in DATES.finditer(text)]
    yield from _dates(text, known)
    yield from _amounts(text, known, spans, flat)
    yield from _ids(text, known, spans)
    yield from _small(text, flat)
    yield from _contacts(text)
    for claim in claims_of(part).get(language, ()):
        if claim.unless is None or not re.search(claim.unless, flat):
            yield Mutant("an action claimed", f"{text} {claim.says}")


@dataclass(frozen=True)
class Claim:
    """unless: a pattern for what the words may only report, where the records hold it."""

    says: str
    unless: str | None = None


@cache
def claims_of(part: str) -> dict[str, tuple[Claim, ...]]:
    """Return a list of claims by language."""
    import yaml

    written = cast(
        dict[str, Any], yaml.safe_load(Path(__file__).with_name("claimed.yaml").read_text("utf-8"))
    )
    return {
        language: tuple(Claim(each) if isinstance(each, str) else Claim(**each) for each in claims)
        for language, claims in written.get(part, {}).items()
    }


def _flat(seen: Iterable[Any]) -> str:
    texts = (each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in seen)
    return plain("\n".join(texts))


def _with(text: str, start: int, end: int, new: str) -> str:
    return f"{text[:start]}{new}{text[end:]}"


def _digits(written: str) -> Iterator[str]:
    """Yield a number with each of its digits changed."""
    for index, char in enumerate(written):
        if char.isdecimal():
            yield written[:index] + str((int(char) + 1) % 10) + written[index + 1 :]


# ---------------------------------------------------------------- dates


def _dates(text: str, known: Values) -> Iterator[Mutant]:
    for match in DATES.finditer(text):
        if match["iso"] or match["a"]:
            continue
        first = match["m1"] is not None
        day, month, year = ("d1", "m1", "y1") if first else ("d2", "m2", "y2")
        number_ = int(re.sub(r"\D", "", plain(match[day])))
        for moved in {number_ + 1, number_ - 1} - {0, 32}:
            new = re.sub(r"\d+", str(moved), plain(match[day]))
            yield from _dated("another day", _with(text, *match.span(day), new), known)
        if other := _next_month(match[month]):
            yield from _dated("another month", _with(text, *match.span(month), other), known)
        if match[year]:
            new = str(int(plain(match[year])) + 1)
            yield from _dated("another year", _with(text, *match.span(year), new), known)


def _dated(kind: str, text: str, known: Values) -> Iterator[Mutant]:
    """Yield the version unless all its dates are true by chance."""
    said = values_in(text)
    true = all(
        any(day == other[1:] if year is None else (year, *day) == other for other in known.dates)
        for year, *rest in said.dates
        for day in [tuple(rest)]
    )
    if not true:
        yield Mutant(kind, text)


def _next_month(written: str) -> str | None:
    index = month_number(written) % 12
    return next((names[index] for names in _MONTHS if written in names), None)


# ---------------------------------------------------------------- amounts


def _amounts(text: str, known: Values, dates: list[tuple[int, int]], seen: str) -> Iterator[Mutant]:
    negative = {number(plain(found)) for found in re.findall(r"(?<!\d)-(\d+(?:\.\d+)?)", seen)}
    for match in AMOUNT.finditer(text):
        if _inside(match.start(), dates):
            continue
        name = next(name for name in ("after", "before", "bare", "cents") if match[name])
        start, end = match.span(name)
        for new in _digits(match[name]):
            if number(plain(new)) not in known.amounts | known.numbers:
                yield Mutant("a digit of an amount", _with(text, start, end, new))
        place = match.start()
        if (
            name != "cents"
            and text[place - 1 : place] not in ("-", "\u2212")
            and not negative & {number(plain(match[name]))}
        ):
            yield Mutant("a minus added", _with(text, place, place, "-"))
        for old, new in _CURRENCIES:
            if old in match[0]:
                yield Mutant("another currency", _with(text, *match.span(), match[0].replace(old, new, 1)))
                break
    for match in _MINUS.finditer(text):
        yield Mutant("a minus dropped", _with(text, *match.span(), ""))


def _inside(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


# ---------------------------------------------------------------- ids and contacts


def _ids(text: str, known: Values, dates: list[tuple[int, int]]) -> Iterator[Mutant]:
    taken = [*dates, *(match.span() for pattern in (AMOUNT, EMAIL, LINK) for match in pattern.finditer(text))]
    ids = [
        match
        for match in _ID.finditer(text)
        if not _inside(match.start(), taken) and sum(map(str.isdecimal, match[0])) >= 3
    ]
    for match in ids:
        for new in _digits(match[0]):
            if (
                plain(new).casefold() not in known.codes
                and number(re.sub(r"\D", "", new)) not in known.numbers
            ):
                yield Mutant("a digit of an id", _with(text, *match.span(), new))
    for one, other in pairwise(ids):
        if one[0] != other[0] and _apart(text, one, other):
            swapped = _with(text, *other.span(), one[0])
            yield Mutant("two ids swapped", _with(swapped, *one.span(), other[0]))


def _apart(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    """Say whether swapping the two says something else: they are no ids of one kind, or each has a value."""
    if _shape(one[0]) != _shape(other[0]):
        return True
    rest = text[one.end() : other.start()], text[other.end() :]
    return all(re.search(NUMBER, plain(each)) for each in rest)


def _shape(id: str) -> tuple[str, int]:
    return re.sub(r"[^A-Za-z]", "", id).casefold(), len(id)


def _contacts(text: str) -> Iterator[Mutant]:
    for match in [*EMAIL.finditer(text), *LINK.finditer(text)]:
        places = [index for index, char in enumerate(match[0]) if char.isalnum() and index > 0]
        for index in places[:: max(1, len(places) // 6)]:
            char = match[0][index]
            new = (
                str((int(char) + 1) % 10)
                if char.isdecimal()
                else chr(ord("a") + (ord(char) - ord("a") + 1) % 26)
            )
            yield Mutant(
                "a sign of a contact",
                _with(text, *match.span(), match[0][:index] + new + match[0][index + 1 :]),
            )


# ---------------------------------------------------------------- durations, times, words


def _small(text: str, seen: str) -> Iterator[Mutant]:
    for match in _DURATION.finditer(text):
        for new in (int(match["n"]) + 1, int(match["n"]) + 10):
            if not re.search(rf"(?<!\d){new}[ -](?:\w+ )?(?:{_UNIT})", seen):
                yield Mutant("another duration", _with(text, *match.span("n"), str(new)))
    for match in _TIME.finditer(text):
        name = "h" if match["h"] else "p"
        yield Mutant("another time", _with(text, *match.span(name), str(int(match[name]) % 12 + 1)))
    for match in _WORD.finditer(text):
        yield Mutant(
            "another number in words", _with(text, *match.span("w"), _IN_WORDS[match["w"].casefold()])
        )
