"""Numbers in words, rewritten in digits: "one hundred and forty-nine euros" is read as "149 euros".

Knows:    how the words of guards/spelled.py make a number, digit by digit too, and where each stood.
Does not: know what a number counts.   (guards/values.py)
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache

from guards.calendar import MONTH, ORDINAL_NAMES, ORDINALS
from guards.spelled import WORDS, WORDS_PATTERN, Word
from guards.units import BEFORE_UNIT, CODE, MONEY_WORDS, UNITS

_MOST_WORDS = 24
"""Of one number; a longer run is several."""

_FEWEST_DIGITS = 3
"""Spelled out one by one, from which they are one number: "two three days" are two of them."""

# Vowel signs of Devanagari are no \w, and a word must end where its letters do.
_LETTER = r"[\w\u0900-\u0963\u064b-\u0655]"
_MARK_OF_NAMES = r"[@/_]|\.\w"
"""What makes a word part of a link, an address or a name."""


@cache
def _any_word() -> re.Pattern[str]:
    return re.compile(
        rf"(?<!{_LETTER})(?<![@/_.])(?<!por )(?<!في )(?:{WORDS_PATTERN})(?!{_LETTER})(?!{_MARK_OF_NAMES})",
        re.IGNORECASE,
    )


@cache
def _ordinal() -> re.Pattern[str]:
    return re.compile(rf"(?<!{_LETTER})(?:{ORDINAL_NAMES})(?!{_LETTER})", re.IGNORECASE)


_OF = re.compile(r"\s(?:(?:of|day\sof|de|من)\s)?")
_THE = re.compile(r"\s(?:the\s)?$", re.IGNORECASE)


def _is_day(plain: str, found: re.Match[str]) -> bool:
    """Say whether an ordinal stands beside a month: "the third of December", "December the third"."""
    before = _THE.sub("", plain[max(0, found.start() - 48) : found.start()]).casefold().split()
    of = _OF.match(plain, found.end())
    after = plain[of.end() : of.end() + 48].casefold().split() if of else []
    beside = [before[-1:], before[-2:], after[:1], after[:2]]
    return any(" ".join(words).strip(".,;:!?") in MONTH for words in beside)


_HALF_A = re.compile(
    r"\bhalf\s(?:an?\s)?(?P<of>dozen|hour|year)\b|\bhalf-(?P<too>hour|dozen)\b", re.IGNORECASE
)
_HALVES = {"dozen": "6", "hour": "30 minutes", "year": "6 months"}


_ROMAN = re.compile(
    r"(?<![\w.,-])(?=[MDCLXVI]{2})M{0,4}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
    rf"(?=[\s-](?i:{UNITS}|{MONEY_WORDS}|{CODE})(?!\w)(?!\s?\d))"
)
"""A Roman numeral that counts something: IX days."""

_ROMAN_SIGNS = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}


def _roman(written: str) -> int:
    signs = [_ROMAN_SIGNS[sign] for sign in written]
    return sum(-one if one < other else one for one, other in zip(signs, [*signs[1:], 0], strict=True))


@dataclass
class Told:
    """A text with its number words in digits. plain: as it was, for saying what stood there."""

    plain: str
    text: str
    _starts: list[int] = field(default_factory=list[int])
    _moves: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])

    def written(self, start: int, end: int) -> str:
        """Return what stood in the plain text where this part of the told text stands."""
        return self.plain[self._place(start, begins=True) : self._place(end, begins=False)]

    def _place(self, at: int, *, begins: bool) -> int:
        index = bisect_right(self._starts, at if begins else at - 1) - 1
        if index < 0:
            return at
        length, plain_start, plain_end = self._moves[index]
        inside = at - self._starts[index]
        if inside < length or (not begins and inside == length):
            return plain_start if begins else plain_end
        return plain_end + inside - length


def told(plain: str) -> Told:
    """Return the text with every number that is written in words as digits."""
    parts, starts, moves = list[str](), list[int](), list[tuple[int, int, int]]()
    reached = length = 0
    for start, end, digits in sorted(_changes(plain), key=lambda each: (each[0], -each[1])):
        if start < reached:
            continue
        parts += [plain[reached:start], digits]
        length += start - reached
        starts.append(length)
        moves.append((len(digits), start, end))
        length += len(digits)
        reached = end
    if not starts:
        return Told(plain, plain)
    parts.append(plain[reached:])
    return Told(plain, "".join(parts), starts, moves)


def _changes(plain: str) -> Iterator[tuple[int, int, str]]:
    for found in _HALF_A.finditer(plain):
        yield found.start(), found.end(), _HALVES[(found["of"] or found["too"]).lower()]
    for found in _ROMAN.finditer(plain):
        yield found.start(), found.end(), str(_roman(found[0]))
    for found in _ordinal().finditer(plain):
        if _is_day(plain, found):
            yield *found.span(), f"{ORDINALS[found[0].casefold()]}th"
    for run in _runs(plain):
        yield from _numbers_of(plain, run)


@dataclass(frozen=True)
class _At:
    word: Word
    start: int
    end: int


def _runs(plain: str) -> Iterator[list[_At]]:
    """Yield the words that may be one number: of one language, with nothing but a space or "and" between."""
    run: list[_At] = []
    for found in _any_word().finditer(plain):
        at = _At(WORDS[found[0].casefold()], found.start(), found.end())
        if run and not (
            at.word.language == run[-1].word.language
            and plain[run[-1].end : at.start].casefold() in _BETWEEN
            and len(run) < _MOST_WORDS
        ):
            yield run
            run = []
        run.append(at)
    if run:
        yield run


_BETWEEN = {" ", "-", " and ", " y ", " e ", ", ", "  "}


def _numbers_of(plain: str, run: list[_At]) -> Iterator[tuple[int, int, str]]:
    """Yield each number of a run: where it stands and its digits."""
    first = 0
    while first < len(run):
        last = first + _digits_from(plain, run[first:])
        if last - first >= _FEWEST_DIGITS:
            digits = "".join(str(at.word.value) for at in run[first:last])
            yield run[first].start, run[last - 1].end, digits
            first = last
            continue
        last = next((at for at in range(first + 1, len(run)) if _begins_digits(plain, run[at:])), len(run))
        yield from _numbers_between(plain, run[first:last])
        first = last


def _begins_digits(plain: str, run: list[_At]) -> bool:
    return _digits_from(plain, run) >= _FEWEST_DIGITS


def _digits_from(plain: str, run: list[_At]) -> int:
    """Return how many digits a run begins with that are spelled out one by one."""
    count = 0
    for at in run:
        spaced = not count or plain[run[count - 1].end : at.start] in (" ", "-", ", ")
        if at.word.part not in ("one", "begins") or at.word.joined or not spaced:
            break
        count += 1
    multiplied = count < len(run) and run[count].word.part in _MULTIPLIES
    return count - 1 if multiplied else count


def _numbers_between(plain: str, run: list[_At]) -> Iterator[tuple[int, int, str]]:
    numbers = list(_parsed(plain, run))
    while numbers:
        one = numbers.pop(0)
        if numbers and _is_pair(plain, one, numbers[0]):
            other = numbers.pop(0)
            yield one.start, other.end, _paired(one.value, other.value)
        elif one.counts and not (one.multiplies and _AFTER_DIGIT.search(plain[: one.start][-2:])):
            yield one.start, one.end, _shown(one.value)


_AFTER_DIGIT = re.compile(r"\d\s?$")
"""What stands before "thousand" in "5 thousand", which guards/values.py reads."""


@dataclass(frozen=True)
class _Number:
    """A number in a text. counts: it is one by itself. multiplies: it begins with hundred or thousand."""

    start: int
    end: int
    value: Decimal
    counts: bool
    multiplies: bool


def _parsed(plain: str, run: list[_At]) -> Iterator[_Number]:
    """Yield the numbers in a run."""
    number, start, end, first = _Sum(), -1, -1, run[0].word
    for index, at in enumerate(run):
        between = plain[run[index - 1].end : at.start].casefold() if index else ""
        if start >= 0 and not number.takes(at.word, between):
            yield _Number(start, end, number.value, number.counts, first.part in _MULTIPLIES)
            number, start = _Sum(), -1
        if start < 0:
            start, first = at.start, at.word
        number.add(at.word)
        end = at.end
    yield _Number(start, end, number.value, number.counts, first.part in _MULTIPLIES)


_MULTIPLIES = ("hundred", "times")


class _Sum:
    """A number as its words come in."""

    def __init__(self) -> None:
        self._total = Decimal(0)
        self._now: Decimal | None = None
        self._times = Decimal(10) ** 12
        self._decimals: str | None = None
        self._last: Word | None = None
        self._counts = False

    @property
    def counts(self) -> bool:
        """Say whether any word so far is more than the beginning of one."""
        return self._counts

    @property
    def value(self) -> Decimal:
        """The number so far."""
        whole = self._total + (self._now or Decimal(0))
        return Decimal(f"{whole}.{self._decimals}") if self._decimals else whole

    def takes(self, word: Word, between: str) -> bool:
        """Say whether this word can go on the number."""
        if between == ", ":
            return False
        if self._decimals is not None:
            return word.part in ("one", "begins") and between == " "
        if between == " and " and not (self._last and self._last.part in ("hundred", "times")):
            return False
        if between == " y " and not (
            self._last and self._last.part == "ten" and word.part in ("one", "begins")
        ):
            return False
        return self._fits(word)

    def _fits(self, word: Word) -> bool:
        now = self._now
        if word.part == "point":
            return self._last is not None and self._last.part != "begins"
        if word.part == "times":
            return word.value < self._times and bool(now)
        if word.part == "hundred":
            return now is not None and 0 < now < 100
        if word.part == "mixed":
            return False
        if not now:
            return True
        if word.language == "ar" and 0 < now % 100 < 10 and word.part in ("teen", "ten"):
            return word.joined if word.part == "ten" else word.value == 10 and not word.joined
        if word.part == "hundreds":
            return now >= 1000 and word.value < 1000
        if word.part in ("teen", "ten"):
            return now % 100 == 0
        return now % 10 == 0 and now % 100 != 10 and word.value > 0

    def add(self, word: Word) -> None:
        """Take the word."""
        now = self._now
        self._counts = self._counts or word.part not in ("begins", "point")
        if word.part == "point":
            self._decimals = self._decimals or ""
        elif self._decimals is not None:
            self._decimals += str(word.value)
        elif word.part == "times":
            self._total += (now if now else Decimal(1)) * word.value
            self._now, self._times = None, word.value
        elif word.part == "hundred":
            self._now = (now if now else Decimal(1)) * 100
        else:
            self._now = (now or Decimal(0)) + word.value
        self._last = word


def _is_pair(plain: str, one: _Number, other: _Number) -> bool:
    """Say whether these are one, as "twenty twenty-six" and "fourteen ninety-nine" in English."""
    return (
        10 <= one.value < 1000
        and 10 <= other.value < 100
        and plain[one.end : other.start] == " "
        and plain[one.start : other.end].isascii()
        and _UNIT.match(plain, other.end) is None
    )


_UNIT = re.compile(rf"[\s-]{{0,2}}{BEFORE_UNIT}{UNITS}(?!\w)", re.IGNORECASE)


def _paired(one: Decimal, other: Decimal) -> str:
    year = one * 100 + other
    return str(year) if 1900 <= year < 2100 else f"{one}.{int(other):02d}"


def _shown(value: Decimal) -> str:
    return str(value.quantize(Decimal(1)) if value == value.to_integral_value() else value)
