"""The checkable values in a text: dates, amounts, numbers of three digits or more, codes, e-mails, links.

Knows:    how people write values in the five languages, and which writings mean the same.
Does not: know where a value came from.   (truth.py)
Why here: the guard has its own reading; a second one, written without it, can find what the first overlooks.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from evals.months import END, MONTH, START, month_number

DAY = r"[0-3]?[0-9](?:st|nd|rd|th|º|-го)?"
YEAR = r"(?:19|20)[0-9]{2}"
OF = r"(?:of|del?|من)"
DATES = re.compile(
    rf"\b(?P<iso>{YEAR}-[01][0-9]-[0-3][0-9])(?![0-9])"
    rf"|\b(?P<d1>{DAY})\.?(?:\s+{OF})?\s+(?P<m1>{MONTH})(?:[,،]?(?:\s+{OF})?\s+(?P<y1>{YEAR})\b)?"
    rf"|{START}(?P<m2>{MONTH})\s+(?P<d2>{DAY})\b(?:[,،]?\s+(?P<y2>{YEAR})\b)?"
    rf"|\b(?P<a>[0-3]?[0-9])(?P<sep>[./-])(?P<b>[0-3]?[0-9])(?P=sep)(?P<y3>{YEAR})\b",
    re.IGNORECASE,
)
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
LINK = re.compile(r"(?:\b[a-z][a-z0-9+.-]*://|\bwww\.)[^\s<>()\[\]\"']+", re.IGNORECASE)
NUMBER = (
    r"(?:[0-9]{1,3}(?:[.,'’ \u00a0\u202f][0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}|[0-9]+)"
    r"(?:[.,][0-9]{1,2})?(?![0-9])"
)
"""The second form is how India groups: 1,49,900."""
MONEY = (
    rf"(?:(?:us)?[$€£¥₹₽]|{START}(?:usd|eur|gbp|inr|rub|dollars?|euros?|pounds?|rupees?|rs\.?|dólar(?:es)?"
    r"|доллар\w*|евро|рубл\w*|руб\.?|دولار\w*|يورو|روبل|روبية|डॉलर|यूरो|रुपय[ेा]|रुपए|रुपये|रू)"
    rf"{END})"
)
AMOUNT = re.compile(
    rf"{MONEY}\s?(?P<after>{NUMBER})|(?<![\w.,])(?P<before>{NUMBER})\s?{MONEY}"
    rf"|(?<![\w.,])(?P<cents>[0-9]+)\s+(?:cents?|céntimos|centavos|цент\w*|копе\w*|سنت|सेंट){END}"
    rf"|(?<![\w.,])(?P<bare>[0-9]+[.,][0-9]{{2}})(?![\w]|[.,][0-9])",
    re.IGNORECASE,
)
CODE = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=(?:[\w-]*[0-9]){3})[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?![\w-])")
PLAIN = re.compile(rf"(?<![0-9]){NUMBER}")


_ARABIC_SEPARATORS = str.maketrans("٫٬", ".,")


@dataclass
class Values:
    """What a text holds, each in the one form that compares by value.

    dates: (year or None, month, day); a date written 04/12/2026 may be two and stands in `either` as written.
    """

    dates: set[tuple[int | None, int, int]] = field(default_factory=set[tuple[int | None, int, int]])
    either: list[tuple[str, set[tuple[int | None, int, int]]]] = field(
        default_factory=list[tuple[str, set[tuple[int | None, int, int]]]]
    )
    amounts: set[Decimal] = field(default_factory=set[Decimal])
    numbers: set[Decimal] = field(default_factory=set[Decimal])
    codes: set[str] = field(default_factory=set[str])
    emails: set[str] = field(default_factory=set[str])
    links: set[str] = field(default_factory=set[str])


def plain(text: str) -> str:
    """Return the text with every digit as 0-9, separators as . and , and compatibility forms folded."""
    folded = unicodedata.normalize("NFKC", text).translate(_ARABIC_SEPARATORS)
    return "".join(str(unicodedata.digit(char)) if char.isdigit() else char for char in folded)


def values_in(text: str) -> Values:
    """Return the checkable values of a text; what is read as one kind is not read again as another."""
    found = Values()
    rest = plain(text)
    rest = LINK.sub(lambda m: _keep(found.links, m[0].rstrip(".,;:!?").casefold()), rest)
    rest = EMAIL.sub(lambda m: _keep(found.emails, m[0].casefold()), rest)
    rest = DATES.sub(lambda m: _date(found, m), rest)
    rest = AMOUNT.sub(lambda m: _amount(found, m), rest)
    rest = CODE.sub(lambda m: _keep(found.codes, m[0].casefold()), rest)
    for match in PLAIN.finditer(rest):
        if sum(char.isdigit() for char in match[0]) >= 3:
            found.numbers.add(number(match[0]))
    return found


def number(written: str) -> Decimal:
    """Return the value of a number with or without separators: 1,499.00 and 1.499,00 and 1499 are one."""
    compact = re.sub(r"['’\s]", "", written)
    cents = re.search(r"[.,]([0-9]{1,2})$", compact)
    whole = compact[: cents.start()] if cents else compact
    return Decimal(re.sub(r"[.,]", "", whole) + (f".{cents[1]}" if cents else "")).normalize()


def _keep(kept: set[str], value: str) -> str:
    kept.add(value)
    return " "


def _amount(found: Values, match: re.Match[str]) -> str:
    if match["cents"]:
        found.amounts.add((Decimal(match["cents"]) / 100).normalize())
        return match[0]  # 3999 cents: the number was said too
    found.amounts.add(number(match["after"] or match["before"] or match["bare"]))
    return " "


def _date(found: Values, match: re.Match[str]) -> str:
    if match["iso"]:
        days = _days(*map(int, match["iso"].split("-")))
    elif match["a"]:
        first, second, year = int(match["a"]), int(match["b"]), int(match["y3"])
        days = _days(year, second, first) | _days(year, first, second)
    else:
        year, day = match["y1"] or match["y2"], match["d1"] or match["d2"]
        month = month_number(match["m1"] or match["m2"])
        days = _days(int(year) if year else None, month, int(re.sub(r"[^0-9]", "", day)))
    if len(days) == 1:
        found.dates |= days
    else:
        found.either.append((match[0], days))  # none at all for 31 November, which nothing can support
    return " "


def _days(year: int | None, month: int, day: int) -> set[tuple[int | None, int, int]]:
    try:
        date(year or 2000, month, day)
    except ValueError:
        return set()
    return {(year, month, day)}
