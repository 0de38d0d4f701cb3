"""Dates and amounts as they are written in each language.

Knows:    what Unicode's CLDR knows, through Babel, and which form the shop's words ask for.
Does not: know what is dated or paid.
Digits:   0-9 in every language, so that a number reads as it stands on the parcel and in the bank.
"""

import re
import unicodedata
from datetime import date
from decimal import Decimal
from functools import lru_cache

from store.money import amount, decimals
from store.words import words


@lru_cache(maxsize=2048)
def spoken_date(day: date, language: str = "en") -> str:
    """Return a date as in "4 December 2026", whatever the machine's locale."""
    from babel.dates import format_date  # here, and below: a start need not wait for it

    return _plain(format_date(day, words(language).date, locale=language))


@lru_cache(maxsize=2048)
def spoken_amount(minor: int, currency: str, language: str = "en") -> str:
    """Return an amount as in "49.99 EUR", "49,99 €" or "49.99 يورو", in the decimals of its currency."""
    from babel import Locale
    from babel.numbers import format_currency, format_decimal, get_currency_name

    form = words(language).money
    if form == "code":
        return f"{amount(minor, currency)} {currency}"
    value = Decimal(amount(minor, currency))
    places = f"0.{'0' * decimals(currency)}".removesuffix(".")
    if form == "name":
        number = format_decimal(value, f"#,##{places}", locale=language, numbering_system="latn")
        return _plain(f"{number} {get_currency_name(currency, value, locale=language)}")
    # CLDR's own decimals are those of daily use, not those the shop was paid in: it has none for IQD.
    pattern = Locale.parse(language).currency_formats["standard"].pattern.replace("0.00", places)
    told = format_currency(
        value, currency, pattern, locale=language, currency_digits=False, numbering_system="latn"
    )
    return re.sub(r"(?<=[A-Z])(?=\d)", " ", _plain(told))  # a code in a sign's place: XAF1.00


def _plain(text: str) -> str:
    """Return the text without the invisible marks and special spaces that CLDR puts into its forms."""
    spaced = ("" if unicodedata.category(char) == "Cf" else char for char in text)
    return "".join(" " if char.isspace() else char for char in spaced)
