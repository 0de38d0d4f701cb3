"""Card numbers and phone numbers among the digits of a text.

Knows:    how both are written, in groups or in one, and which words announce a phone number.
Does not: take a number for a phone number that may be an order's: digits in one piece, without a plus and
          without such a word before them, stay.
Expects:  ASCII digits, spaces and dashes.   (redaction.py)
Source:   ISO/IEC 7812-1 for cards; ITU-T E.164 for lengths of phone numbers; how numbers are grouped at home:
          Google's libphonenumber, examples of every country.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from common.secret import is_card

Span = tuple[int, int]

_RUN = re.compile(r"\d+(?:[ ().\-/]{1,3}\d+)*")
_GROUP = re.compile(r"\d+")
_DATE = re.compile(
    r"(?<!\d)(?:\d{1,2}([./ -])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d([./-])\d{1,2}\2\d{1,2})(?!\d)"
)
_PARCEL = re.compile(r"(?:^|[^A-Za-z])(?!CARD|VISA|AMEX|CC|MC|NO|NR)[A-Z]{1,4}$")
"""Capitals right before the digits, as in JJD00039… and RB123456785."""

_AT_HOME = frozenset(
    {
        (3, 3, 4), (1, 3, 3, 4), (3, 4, 4), (3, 3, 3), (3, 2, 2, 2), (3, 3, 2, 2), (1, 3, 3, 2, 2),
        (2, 3, 2, 2), (2, 3, 4), (2, 5, 4),
    }
)  # fmt: skip
"""Lengths of the groups of a number without a leading zero. Pairs and fours alone could be anything."""

_ANNOUNCED = re.compile(
    r"(?:\b(?:(?:tele|smart)?phone|tel|mobile|cell(?:phone)?|whats ?app|fax|sms|telegram|signal|handy|telefon"
    r"|tel[ée]fono|m[óo]vil|celular|телефон\w*|тел|мобильн\w*)\b|wa\.me/"
    r"|\b(?:call|ring|text|phone|reach|contact|message)(?: (?:me|us|back|him|her|them))*\b"
    r"|\b(?:ll[áa]m\w+|позвон\w*|звон\w*)\b|هاتف\w*|جوال\w*|موبايل\w*|اتصل\w*|واتساب"
    r"|फ़ोन|फोन|मोबाइल|कॉल|व्हाट्सएप|\bmy number\b)"
    r"(?:[\s:=.,()#-]|\b(?:number|no|nr|num|is|are|at|on|to|under|via|by|it|its|me|s"
    r"|es|al|el|n[úu]mero|mi|номер\w*|мой|мне|нам|по|это|на)\b|رقم\w*|هو|على|नंबर|है|पर|मेरा)*\+?\(?$",
    re.IGNORECASE,
)
_FEWEST_DIGITS, _MOST_DIGITS = 6, 19
"""Of a phone number where a word says so; of a card number."""

_WINDOW = 60
"""Characters before a number in which it can be announced."""


@dataclass(frozen=True)
class _Start:
    """What stands before a group of digits, asked once for all the numbers that may begin there."""

    has_plus: bool
    in_bracket: bool
    is_announced: bool
    is_parcel: bool
    is_cut: bool  # the end of a word, a price, or a longer number of another form
    follows_four: bool

    @classmethod
    def of(cls, text: str, start: int) -> "_Start":
        """Look at what stands before a place in a text."""
        before = text[max(0, start - _WINDOW) : start]
        return cls(
            has_plus=re.search(r"(?<![\w)])\+ ?\(?$", before) is not None,
            in_bracket=before.endswith("("),
            is_announced=_ANNOUNCED.search(before) is not None,
            is_parcel=_PARCEL.search(before) is not None,
            is_cut=re.search(r"(?<!wa\.me/)(?:[\w#$€£₹₽]|\d[.,:]|-)$", before) is not None,
            follows_four=re.search(r"\d{4}[ -]$", before) is not None,
        )


@dataclass(frozen=True)
class _Digits:
    """Neighbouring groups of one run. between: what parts them."""

    start: _Start
    groups: tuple[str, ...]
    between: tuple[str, ...]
    goes_on: bool

    @property
    def digits(self) -> str:
        return "".join(self.groups)

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(map(len, self.groups))

    @property
    def written(self) -> str:
        return "".join(map(str.__add__, self.groups, (*self.between, "")))


def cards_in(text: str) -> Iterator[Span]:
    """Yield where card numbers stand, in order."""
    return _numbers_in(text, _is_card)


def phones_in(text: str) -> Iterator[Span]:
    """Yield where phone numbers stand, in order. Part of a card number can look like one: cards first."""
    return _numbers_in(text, _is_phone)


def _numbers_in(text: str, is_one: Callable[[_Digits], bool]) -> Iterator[Span]:
    for run in _RUN.finditer(text):
        places = [(run.start() + at.start(), run.start() + at.end()) for at in _GROUP.finditer(run[0])]
        index = 0
        while index < len(places):
            count = _longest(text, places[index : index + _MOST_DIGITS + 1], is_one)
            if count:
                yield _from(text, places[index][0]), places[index + count - 1][1]
            index += count or 1


def _longest(text: str, places: Sequence[Span], is_one: Callable[[_Digits], bool]) -> int:
    """Return of how many groups the longest number is that begins with the first; 0 where none does."""
    total, sizes = 0, list[int]()
    for start, end in places:
        total += end - start
        sizes.append(total)
    if sizes[-1] < _FEWEST_DIGITS:
        return 0
    begins = _Start.of(text, places[0][0])
    for count in range(min(len(places), _MOST_DIGITS), 0, -1):
        fits = _FEWEST_DIGITS <= sizes[count - 1] <= _MOST_DIGITS
        if fits and is_one(_part(text, places, count, begins)):
            return count
    return 0


def _part(text: str, places: Sequence[Span], count: int, begins: _Start) -> _Digits:
    groups = tuple(text[start:end] for start, end in places[:count])
    between = tuple(text[places[index][1] : places[index + 1][0]] for index in range(count - 1))
    end = places[count - 1][1]
    return _Digits(begins, groups, between, re.match(r"[ -]\d", text[end : end + 2]) is not None)


def _from(text: str, start: int) -> int:
    """Return where the number begins: with its plus and its bracket."""
    opened = re.search(r"\(?(?:\+ ?)?\(?$", text[max(0, start - 4) : start])
    return start - len(opened[0]) if opened else start


def _is_card(part: _Digits) -> bool:
    digits = part.digits
    if len(digits) < 13 or digits[0] not in "234568" or not is_card(digits):
        return False
    if part.start.is_parcel or part.lengths == (3, 7, 7):  # the latter is how Amazon numbers its orders
        return False
    ways = {each.strip() for each in part.between}
    return ways <= {"", "-", "."} and (len(ways) < 2 or set(part.lengths[:-1]) == {4})


def _is_phone(part: _Digits) -> bool:
    number = len(part.digits)
    if part.start.has_plus:
        return 7 <= number <= 15
    if number > 17 or part.start.is_cut or _DATE.search(part.written):
        return False
    return (number <= 15 and part.start.is_announced) or _is_grouped_phone(part)


def _is_grouped_phone(part: _Digits) -> bool:
    """Say whether the digits are grouped as phone numbers are, without a word that says so."""
    digits, lengths = part.digits, part.lengths
    if digits.startswith("0") and lengths[0] == 4 and (part.start.follows_four or part.goes_on):
        return False  # a part of a parcel's number, which is written in fours
    if digits.startswith("00"):
        return len(digits) >= 11 and (len(lengths) > 1 or len(digits) > 12) and digits[2] != "0"
    if len(lengths) < 2:
        return False
    if digits.startswith("0"):
        return 9 <= len(digits) <= 12 and 2 <= lengths[0] <= 6
    if part.start.in_bracket and part.between[0].startswith(")"):
        return 8 <= len(digits) <= 12 and 2 <= lengths[0] <= 3
    if lengths == (3, 4):
        return digits.startswith("555") and part.between == ("-",)
    return lengths in _AT_HOME and set(part.between) <= {" ", "-", ".", ") ", ")", " ("}
