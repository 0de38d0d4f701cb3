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
from functools import cached_property
from itertools import pairwise

from common.secret import is_card

Span = tuple[int, int]

_RUN = re.compile(r"\d+(?:[ ().\-/,;:|·_'*\\]{1,3}\d+)*")
_EVEN = frozenset("/,;:|·_'*\\") | {")("}
"""What parts the groups of a card number when it is always the same, and the groups are a card's."""

_ODD = frozenset(",;:|·_'*\\")
"""What parts the groups of a phone number only behind its plus or a word for it; else it parts a list."""

_GROUP = re.compile(r"\d+")
_DATE = re.compile(
    r"(?<!\d)(?:\d{1,2}([./ -])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d([./-])\d{1,2}\2\d{1,2})(?!\d)"
)
_PARCEL = re.compile(r"(?:^|[^A-Za-z])(?!CARD|VISA|AMEX|CC|MC|NO|NR)[A-Z]{1,4}$")
"""Capitals right before the digits, as in JJD00039… and RB123456785."""

_CARRIER = re.compile(
    r"(?:^|[^A-Za-z])(?:YT|SF|JT|JD|JJD|LP|TBA|GM|CN|CNG|UPS|DPD|ZTO|STO|YD|ORD|SO|PO|INV)$"
)
"""Of those, who numbers its parcels or orders with as many digits as a card has."""

_SCHEME = re.compile(
    r"4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|5\d\d)\d{12}"
)
"""Visa, Mastercard, American Express, Discover."""

_AT_HOME = frozenset(
    {
        (3, 3, 4), (1, 3, 3, 4), (3, 4, 4), (3, 3, 3), (3, 2, 2, 2), (3, 3, 2, 2), (1, 3, 3, 2, 2),
        (2, 3, 2, 2), (2, 3, 4), (2, 5, 4),
    }
)  # fmt: skip
"""Lengths of the groups of a number without a leading zero. Pairs and fours alone could be anything."""

_ANNOUNCED = re.compile(
    r"(?:\b(?:(?:tele|smart)?phone|ph|tel|mobile|mob|cell?(?:phone)?|whats ?app|wh?atsap|wsp|wasap|guasap"
    r"|fax|sms|telegram|signal|handy|telefon|tel[ée]fono|tfno|m[óo]vil|celular|телефон\w*|тел|моб|сот(?=\.)"
    r"|мобильн\w*|(?:ватс|вотс|вац|воц)ап\w*)\b|wa\.me/"
    r"|\b(?:call|ring|text|phone|reach|contact|message)(?: (?:me|us|back|him|her|them))*\b"
    r"|\b(?:ll[áa]m\w+|позвон\w*|звон\w*)\b|هاتف\w*|جوال\w*|موبايل\w*|اتصل\w*|واتس(?:اب)?|تلفون\w*|تليفون\w*"
    r"|फ़ोन|फोन|मोबाइल|कॉल|व्हाट्सऐ?ए?प|\bmy number\b)"
    r"(?:[\s:=.,()#-]|\b(?:number|no|nr|num|is|are|at|on|to|under|via|by|it|its|me|s"
    r"|es|al|el|n[úu]mero|mi|номер\w*|мой|мне|нам|по|это|на)\b|رقم\w*|هو|على|नंबर|है|पर|मेरा)*\+?\(?$",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"(?:\bmi n[úu]mero|\b(?:мой номер)|رقمي|मेर[ाे] नंबर)(?:[\s:=.#-]|\b(?:is|es|это)\b|हो|هو|है)*\(?$",
    re.IGNORECASE,
)
"""Whose number it is, which may be an order's: of a phone it has nine digits at least."""

_PLUS = re.compile(r"\b(?:plus|más|mas|плюс)\s\(?$|(?:زائد|प्लस)\s\(?$", re.IGNORECASE)

_MOST_GROUPS = 8
"""Of a number, unless each digit stands alone."""

_WINDOW = 60
"""Characters before a number in which it can be announced."""


@dataclass(frozen=True)
class _Start:
    """What stands before a group of digits, looked at when it is asked and once for all its numbers."""

    text: str
    start: int
    inside: bool  # of a run of groups: no word and no plus can stand right before it

    @cached_property
    def _before(self) -> str:
        return self.text[max(0, self.start - _WINDOW) : self.start]

    @cached_property
    def has_plus(self) -> bool:
        return not self.inside and re.search(r"(?<![\w)])\+ ?\(?$", self._before[-4:]) is not None

    @cached_property
    def is_called_plus(self) -> bool:
        return not self.inside and _PLUS.search(self._before[-8:]) is not None

    @cached_property
    def in_bracket(self) -> bool:
        return self._before.endswith("(")

    @cached_property
    def is_announced(self) -> bool:
        return not self.inside and _ANNOUNCED.search(self._before) is not None

    @cached_property
    def is_mine(self) -> bool:
        return not self.inside and _MINE.search(self._before) is not None

    @cached_property
    def is_parcel(self) -> bool:
        """Say whether letters stand right before it that are no word."""
        return not self.inside and _PARCEL.search(self._before[-6:]) is not None

    @cached_property
    def is_carrier(self) -> bool:
        return _CARRIER.search(self._before[-6:]) is not None

    @cached_property
    def is_cut(self) -> bool:
        """Say whether it is the end of a word, a price, or a longer number of another form."""
        return re.search(r"(?<!wa\.me/)(?:[\w#$€£₹₽]|\d[.,:]|-)$", self._before[-8:]) is not None

    @cached_property
    def follows_four(self) -> bool:
        return re.search(r"\d{4}[ -]$", self._before[-6:]) is not None


@dataclass(frozen=True)
class _Digits:
    """Neighbouring groups of one run. between: what parts them."""

    start: _Start
    groups: tuple[str, ...]
    between: tuple[str, ...]
    goes_on: bool

    @cached_property
    def digits(self) -> str:
        return "".join(self.groups)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        return tuple(map(len, self.groups))

    @property
    def written(self) -> str:
        return "".join(map(str.__add__, self.groups, (*self.between, "")))


def cards_in(text: str) -> Iterator[Span]:
    """Yield where card numbers stand, in order."""
    return _numbers_in(text, 13, 19, _is_card)


def phones_in(text: str) -> Iterator[Span]:
    """Yield where phone numbers stand, in order. Part of a card number can look like one: cards first."""
    return _numbers_in(text, 6, 17, _is_phone)


def _numbers_in(text: str, fewest: int, most: int, is_one: Callable[[_Digits], bool]) -> Iterator[Span]:
    """Yield where numbers of so many digits stand that are one; of several from one place the longest."""
    for run in _RUN.finditer(text):
        places = [(run.start() + at.start(), run.start() + at.end()) for at in _GROUP.finditer(run[0])]
        index = 0
        while index < len(places):
            start = _Start(text, places[index][0], index > 0)
            count = next(
                (
                    count
                    for count in _counts(places[index : index + most], fewest, most)
                    if is_one(_part(start, places[index : index + count]))
                ),
                0,
            )
            if count:
                yield _with_signs(text, places[index][0], places[index + count - 1][1])
            index += count or 1


def _counts(places: Sequence[Span], fewest: int, most: int) -> list[int]:
    """Return of how many groups a number of that many digits can be, the most first."""
    total, counts = 0, list[int]()
    for count, (start, end) in enumerate(places, 1):
        total += end - start
        if total > most:
            break
        if total >= fewest and (count <= _MOST_GROUPS or total == count):
            counts.append(count)
    return counts[::-1]


def _part(start: _Start, places: Sequence[Span]) -> _Digits:
    text = start.text
    groups = tuple(text[first:last] for first, last in places)
    between = tuple(text[one[1] : other[0]] for one, other in pairwise(places))
    end = places[-1][1]
    return _Digits(start, groups, between, re.match(r"[ -]\d", text[end : end + 2]) is not None)


def _with_signs(text: str, start: int, end: int) -> Span:
    """Return where the number stands: with its plus and its brackets."""
    opened = re.search(r"\(?(?:\+ ?)?\(?$", text[max(0, start - 4) : start])
    start -= len(opened[0]) if opened else 0
    is_open = text.count("(", start, end) > text.count(")", start, end)
    return start, end + (is_open and text.startswith(")", end))


def _is_card(part: _Digits) -> bool:
    digits = part.digits
    if digits[0] not in "234568" or not _is_parted_as_card(part) or not is_card(digits):
        return False
    if part.start.is_parcel:
        return not part.start.is_carrier and _SCHEME.fullmatch(digits) is not None
    return part.lengths != (3, 7, 7)  # which is how Amazon numbers its orders


def _is_parted_as_card(part: _Digits) -> bool:
    ways = {each.strip() for each in part.between}
    if ways <= {"", "-", "."}:
        return len(ways) < 2 or set(part.lengths[:-1]) == {4}
    # Signs that part a list of order numbers too: only as a card has its groups, and known by its scheme.
    is_even = (
        len(set(part.between)) == 1
        and ways <= _EVEN
        and (ways.isdisjoint(",;:") or ways == set(part.between))
    )
    return (
        is_even and part.lengths in ((4, 4, 4, 4), (4, 6, 5)) and _SCHEME.fullmatch(part.digits) is not None
    )


def _is_phone(part: _Digits) -> bool:
    number = len(part.digits)
    is_odd = any(not _ODD.isdisjoint(each) for each in part.between)
    if part.start.has_plus:
        return 7 <= number <= 15 and not any("," in each for each in part.between)
    if part.start.is_cut:
        return False
    if is_odd and not (part.start.is_announced or part.digits[0] == "0"):
        return False
    if part.start.is_called_plus and part.lengths[0] <= 3 and 9 <= number <= 15:
        return True
    is_told = number <= 15 and (part.start.is_announced or (number >= 9 and part.start.is_mine))
    return (is_told or _is_grouped_phone(part)) and not _DATE.search(part.written)


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
        singly = len(lengths) == len(digits)
        return 9 <= len(digits) <= 12 and (2 <= lengths[0] <= 6 or (singly and not part.start.inside))
    if part.start.in_bracket and part.between[0].startswith(")"):
        return 8 <= len(digits) <= 12 and 2 <= lengths[0] <= 3
    if lengths == (3, 4):
        return digits.startswith("555") and part.between == ("-",)
    return lengths in _AT_HOME and set(part.between) <= {" ", "-", ".", ") ", ")", " ("}
