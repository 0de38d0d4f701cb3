"""A pattern for ids: read, refused where it means too much, and shown by an example.

Knows:    the part of regular expressions that Python, Rust (pydantic) and JSON Schema read alike.
Does not: match anything, or know what the id is of.   (order_ids.py)
Why so:   docs/decisions/021-order-numbers-as-shops-print-them.md
"""

import unicodedata
from dataclasses import dataclass
from functools import cache

from common.pattern_cost import is_costly
from common.text import fold

MAX_LENGTH = 64
"""Characters of one id; a UUID has 36."""

SIGNS = "#-_/.:"
"""What may stand in an id beside letters and digits: what can be found again in a customer's sentence."""

_MAX_DEPTH = 8
_DIGITS = frozenset("0123456789")
_CLASSES = {"d": "0-9", "w": "A-Za-z0-9_"}
_SHOWN = 4
"""Characters that an example has where a pattern leaves their number open."""


@dataclass(frozen=True)
class IdPattern:
    """A pattern over the whole of an id.

    text: anchored on both sides. example: an id that it matches. prefix: what every such id begins with.
    """

    text: str
    example: str
    prefix: str


@dataclass(frozen=True)
class _Part:
    """A piece of a pattern. samples: the characters that may stand here; "" for what is longer than one."""

    text: str
    shortest: int
    example: str
    digit: bool = False
    samples: str = ""

    @property
    def is_fixed(self) -> bool:
        return len(self.samples) == 1


_NOTHING = _Part("", 0, "")


@cache
def read_pattern(pattern: str) -> IdPattern:
    """Return the pattern as every engine reads it; one without ^ and $ gets them.

    Raises: ValueError, saying what cannot stay and what to write instead.
    """
    body = pattern.removeprefix("^")
    if body.endswith("$") and (len(body) - len(body[:-1].rstrip("\\"))) % 2:
        body = body[:-1]
    reader = _Reader(body)
    whole, prefix = reader.read()
    if whole.shortest == 0:
        raise ValueError("must not match an empty number; ask for one character at least, as in [0-9]+")
    if whole.shortest > MAX_LENGTH:
        raise ValueError(f"must match numbers of at most {MAX_LENGTH} characters")
    if not whole.digit:
        raise ValueError("must ask for a digit somewhere, or ordinary words would be order numbers")
    text = f"(?:{whole.text})" if reader.has_alternatives else whole.text
    if is_costly(f"^{text}$", MAX_LENGTH):
        raise ValueError(
            "may take too long to try: repeat no group that itself varies, as in ([0-9]+-)+, use * and + "
            "three times at most, and fewer of ? | {n,m}"
        )
    return IdPattern(f"^{text}$", whole.example, prefix)


def example_of(pattern: str) -> str | None:
    """Return an id that the pattern matches; None for a pattern of another server that is not read here."""
    try:
        return read_pattern(pattern).example
    except ValueError:
        return None


def as_in(pattern: object) -> str:
    """Return what a sentence that names the pattern ends with, "" where no example is known."""
    example = example_of(pattern) if isinstance(pattern, str) else None
    return f", as in {example}" if example else ""


def prefix_of(pattern: str) -> str:
    """Return what every id of the pattern begins with, "" where that is nothing or not known."""
    try:
        return read_pattern(pattern).prefix
    except ValueError:
        return ""


class _Reader:
    """One pass over one pattern, from left to right."""

    def __init__(self, body: str) -> None:
        self._left = body
        self._depth = 0
        self.has_alternatives = False

    def read(self) -> tuple[_Part, str]:
        """Return the whole pattern, and what all its ids begin with."""
        parts = self._sequence()
        prefix = ""
        for part in parts:
            if not part.is_fixed:
                break
            prefix += part.samples
        whole = _joined(parts)
        if self._left.startswith("|"):
            self.has_alternatives, prefix = True, ""
            whole = self._alternatives(whole)
        if self._left:
            raise ValueError("has a ) without its (")
        return whole, prefix

    def _alternatives(self, first: _Part) -> _Part:
        """Read what follows the first of several alternatives."""
        parts = [first]
        while self._take("|"):
            parts.append(_joined(self._sequence()))
        return _Part(
            "|".join(part.text for part in parts),
            min(part.shortest for part in parts),
            first.example,
            any(part.digit for part in parts),
        )

    def _sequence(self) -> list[_Part]:
        parts: list[_Part] = []
        while self._left and self._left[0] not in "|)":
            parts.append(self._repeated(self._atom()))
        return parts

    def _take(self, wanted: str) -> bool:
        found = self._left.startswith(wanted)
        if found:
            self._left = self._left[len(wanted) :]
        return found

    def _next(self) -> str:
        if not self._left:
            raise ValueError("ends in the middle of a group, a class or an escape")
        char, self._left = self._left[0], self._left[1:]
        return char

    def _atom(self) -> _Part:
        if self._take("("):
            return self._group()
        if self._take("["):
            return self._class()
        char = self._next()
        if char == "\\":
            char = self._next()
            if char in _CLASSES:
                return _chars(f"[{_CLASSES[char]}]", _expanded(_CLASSES[char]))
            _require_plain(char)
        elif char in "^$*+?{}]":
            raise ValueError(f"has a {char} where nothing can be meant by it; write \\{char} or leave it out")
        elif char == ".":
            raise ValueError(
                "must not use . for any character; write which, as in [0-9A-Z], or \\. for a dot"
            )
        return _chars(_escaped(_allowed(char)), char)

    def _group(self) -> _Part:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ValueError(f"has more than {_MAX_DEPTH} groups in each other")
        opening = "(?:" if self._take("?:") else "("
        if self._left.startswith("?"):
            raise ValueError("must not look around, name a group or set a flag; leave the (?...) out")
        inner = self._alternatives(_joined(self._sequence()))
        if not self._take(")"):
            raise ValueError("has a ( without its )")
        self._depth -= 1
        return _Part(f"{opening}{inner.text})", inner.shortest, inner.example, inner.digit)

    def _class(self) -> _Part:
        if self._left.startswith("^"):
            raise ValueError("must not use [^...]; write the characters that may stand there")
        text, samples = "", ""
        while not self._take("]"):
            first, short = self._member()
            if not short and self._left.startswith("-") and not self._left.startswith("-]"):
                self._take("-")
                last, is_class = self._member()
                if is_class or ord(last) < ord(first) or ord(last) - ord(first) > 256:
                    raise ValueError("has a range from one character to another that is none, or too wide")
                samples += _expanded(f"{first}-{last}")
                text += f"{first}-{last}"
            else:
                samples += _expanded(first) if short else _allowed(first)
                text += first if short else "\\-" if first == "-" else first
        if not samples:
            raise ValueError("has an empty class []")
        return _chars(f"[{text}]", samples)

    def _member(self) -> tuple[str, bool]:
        """Return one member of a class, and whether it stands for several characters."""
        char = self._next()
        if char == "\\":
            char = self._next()
            if char in _CLASSES:
                return _CLASSES[char], True
            _require_plain(char)
        elif char == "[":
            raise ValueError("must not have a [ in a class")
        return char, False

    def _repeated(self, part: _Part) -> _Part:
        sign, least, most = self._repeat()
        if not sign:
            return part
        if self._left[:1] in ("?", "+", "*", "{"):
            raise ValueError("repeats a repeat; write one of * + ? {n,m} after each part")
        shown = max(least, min(most, _SHOWN)) if most > 1 and least else least
        example = _cycled(part.samples, shown) if part.samples else part.example * shown
        return _Part(part.text + sign, part.shortest * least, example, part.digit)

    def _repeat(self) -> tuple[str, int, int]:
        """Return a repeat as written, and the least and the most times it allows."""
        for sign, least, most in (("*", 0, MAX_LENGTH), ("+", 1, MAX_LENGTH), ("?", 0, 1)):
            if self._take(sign):
                return sign, least, most
        if not self._take("{"):
            return "", 1, 1
        inside, closed, self._left = self._left.partition("}")
        low, comma, high = inside.partition(",")
        numbers = [low, *filter(None, [high])]
        if not closed or not all(n.isascii() and n.isdigit() and len(n) <= 3 for n in numbers):
            raise ValueError("has a { that begins no repeat; write {4} or {4,8}")
        least = int(low)
        most = int(high) if high else MAX_LENGTH if comma else least
        if least > MAX_LENGTH or (high and most < least) or most == 0:
            raise ValueError(f"has a repeat {{{inside}}} that no number of {MAX_LENGTH} characters fits")
        return f"{{{inside}}}", least, most


def _joined(parts: list[_Part]) -> _Part:
    if not parts:
        return _NOTHING
    return _Part(
        "".join(part.text for part in parts),
        sum(part.shortest for part in parts),
        "".join(part.example for part in parts),
        any(part.digit for part in parts),
    )


def _chars(text: str, samples: str) -> _Part:
    shown = _cycled(samples, 1)
    return _Part(text, 1, shown, not _DIGITS.isdisjoint(samples), samples)


def _cycled(samples: str, length: int) -> str:
    """Return a piece of an example: digits from 1 on, letters from A on, where both may stand in turns."""
    letters = [char for char in samples if char.isalpha()]
    digits = [char for char in "1234567890" if char in samples]
    turns = [kind for kind in (letters, digits) if kind] or [list(samples)]
    return "".join(
        kind[index // len(turns) % len(kind)]
        for index in range(length)
        for kind in [turns[index % len(turns)]]
    )


def _expanded(ranges: str) -> str:
    """Return the characters of "A-Za-z0-9_", each of which an id may hold."""
    found, left = "", ranges
    while left:
        if left[1:2] == "-" and len(left) > 2:
            found += "".join(_allowed(chr(code)) for code in range(ord(left[0]), ord(left[2]) + 1))
            left = left[3:]
        else:
            found, left = found + _allowed(left[0]), left[1:]
    return found


def _allowed(char: str) -> str:
    """Return the character.  Raises: ValueError where an id may not hold it."""
    if char.isspace() or not char.isprintable():
        raise ValueError("must not match white space or control characters")
    category = unicodedata.category(char)
    letter = category in ("Lu", "Ll", "Lo") and fold(char) == char
    if char in SIGNS or char in _DIGITS or letter:
        return char
    raise ValueError(
        f"must not match {char!r}; an order number holds letters, digits 0-9 and {' '.join(SIGNS)}"
    )


def _require_plain(char: str) -> None:
    if char in "sS":
        raise ValueError("must not match white space or control characters; leave the \\s out")
    if char.isalnum():
        raise ValueError(
            f"must not use \\{char}; write the characters that may stand there, as in [0-9] or [A-Z]"
        )


def _escaped(char: str) -> str:
    return "\\." if char == "." else char
