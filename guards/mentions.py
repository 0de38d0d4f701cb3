"""The ids that a customer's message may hold, as written, and the ways one id is written.

Knows:    how people write order numbers, and what else looks like one: prices, dates, counts, addresses.
Does not: know any argument, or what a tool returned.   (guards/grounding.py)
Limit:    a bare number could be an id, so it is taken as one; the customer did write it.
"""

import re
from collections.abc import Iterator

from common.text import fold
from guards.calendar import MONTH_NAMES

_MONTH = rf"(?:{MONTH_NAMES})(?!\w)\.?"
_SIGN = r"[$€£¥₹₽]"
_CURRENCY = r"USD|EUR|GBP|INR|JPY|CNY|CAD|AUD|CHF|RUB|AED|SAR|BRL"

_NOT_AN_ID = re.compile(
    rf"""
      \b[a-z][a-z0-9+.-]{{1,20}}://\S+ | \bwww\.\S+                           # links
    | (?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}})+              # mail addresses
    | (?<![\w+])\+\d[\d\ ()./-]{{5,20}}\d\b                                  # telephone numbers
    | (?<![\w-])(?:\d{{4}}[\ -]){{3}}\d{{1,7}}\b                               # card numbers
    | \b\d{{4}}([-/.])\d{{1,2}}\1\d{{1,2}}\b | \b\d{{1,2}}([-/.])\d{{1,2}}\2\d{{2,4}}\b    # dates
    | \b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s(?:19|20)\d\d\b)? | \b{_MONTH},?\s(?:19|20)\d\d\b
    | \b\d{{1,2}}:\d{{2}}\b | \b\d{{1,2}}\s?[ap]\.?m\b                        # times
    | (?:{_SIGN}|\b(?:{_CURRENCY}|Rs\.?))\s?\d[\d.,]{{0,30}}                  # prices
    | (?<![\w.,#])\d[\d.,]{{0,30}}\s?
      (?:(?:{_SIGN}|(?:{_CURRENCY})\b)(?!\s?\d)|%|(?:dollars?|euros?|pounds?|rupees?|percent)\b)
    | (?<![\w.,#])\d{{1,3}}(?:,\d{{3}}){{1,8}}\.\d+\b | (?<![\w.,#])\d{{1,15}}\.\d{{1,2}}\b(?!\.\d)
    | (?P<perhaps>
          (?<![\w.,#])\d{{1,3}}(?:,\d{{3}}){{1,8}}\b(?![.,]\d)                # a number as money is written
        | (?<![#\w])\d{{1,2}}(?:st|nd|rd|th)?\.?\s(?:of\s)?{_MONTH}(?:,?\s(?:19|20)\d\d\b)?
        | (?<![#\w])\d{{1,12}}\s{{0,3}}(?:x|×|pcs|pieces?|items?|units?|(?:business|working)\sdays?|days?
          |weeks?|months?|years?|hours?|minutes?|times)\b
        | \b(?:in|since|until|year)\s(?:19|20)\d\d\b
      )
    """,
    re.VERBOSE | re.IGNORECASE,
)

_CALLED_ID = re.compile(r"(?:orders?|numbers?|nos?|nrs?|ids?|#)[\s.:#]{0,5}$", re.IGNORECASE)
"""Words before a number that make it an id whatever follows."""

_TOKEN = re.compile(r"#?[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*", re.ASCII)

_GLUED = re.compile(
    r"#?(?:orders?|no|nr|num|number|id|ids|pedido|orden|bestellung|auftrag|commande|ordine|zakaz)[-_]?#?(\d+)",
    re.IGNORECASE | re.ASCII,
)
"""`order4471`, `order-4471`: the word and the number with no space between."""

_SPACED = re.compile(r"(?<![\w#.,-])\d{1,3}(?: \d{1,3}){1,8}(?![\w.,-]{0,40}\d)", re.ASCII)
"""`44 71`: one number in groups, as people read it aloud."""


def mentions(text: str) -> list[str]:
    """Return the pieces of a message that may be ids, each once: words, less prices, dates and counts."""
    return list(dict.fromkeys(_mentions(fold(text))))


def _mentions(text: str) -> Iterator[str]:
    text = _NOT_AN_ID.sub(lambda match: match[0] if _is_called_id(match) else " ; ", text)
    for match in _SPACED.finditer(text):
        yield match[0].replace(" ", "")
    for match in _TOKEN.finditer(text):
        if _could_be_id(match[0]):
            yield match[0]
        glued = _GLUED.fullmatch(match[0])
        if glued:
            yield glued[1]


def _is_called_id(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 16) : match.start()]
    return match["perhaps"] is not None and _CALLED_ID.search(before) is not None


def _could_be_id(token: str) -> bool:
    """Say whether a word may be an id at all; an ordinary word is none, and a chat is full of them."""
    return any(char.isdigit() for char in token) or "_" in token or (len(token) > 3 and token.isupper())


def forms(token: str) -> Iterator[str]:
    """Yield the ways an id may have been written, as it stands first."""
    bare = token.strip()
    plain = bare.removeprefix("#").strip()
    for form in (bare, plain, "#" + plain):
        yield form
        if form.upper() != form and any(char.isdigit() for char in form):
            yield form.upper()
    if " " in plain:
        yield re.sub(r"\s+", "", plain)
