"""JSON as models write it: objects found in any text, with small slips put right and each told.

Knows:    fences and prose around it, comments, single quotes, trailing and missing commas, Python's names for
          constants, raw line ends in texts, a lost closing bracket.
Does not: make anything up: a text that ends inside a value is `cut`, and nothing is put in its place.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_READ = 200_000
_STARTS = 200
"""Places where an object is tried to begin: a text with more braces is no specification."""
_DEEPEST = 30
_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*)+", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_WORD = re.compile(r"[^\W\d]\w*")
_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}
_QUOTES = {'"': '"', "'": "'", "“": "”", "«": "»"}


@dataclass(frozen=True)
class Loose:
    """An object that was found. slips: what was put right; cut: where the text ends too early, or ""."""

    value: dict[str, Any]
    slips: tuple[str, ...] = ()
    cut: str = ""


class _CutOff(Exception):
    """The text ends inside a value."""


class _NoJson(Exception):
    """This is something else than JSON."""


def objects_in(text: str) -> Iterator[Loose]:
    """Yield the outermost objects of the text, in its order."""
    text = text[:_READ]
    place = tried = 0
    while (start := text.find("{", place)) >= 0 and tried < _STARTS:
        tried += 1
        if (strict := _strict(text, start)) is not None:
            value, place = strict
            yield Loose(value)
            continue
        reader = _Reader(text, start)
        try:
            value = reader.value(0)
        except _CutOff:
            yield Loose(reader.outermost, tuple(reader.slips), reader.where())
            place = start + 1
        except _NoJson:
            place = start + 1
        else:
            yield Loose(value, tuple(reader.slips))
            place = reader.place


def _strict(text: str, start: int) -> tuple[dict[str, Any], int] | None:
    try:
        return json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None


@dataclass
class _Reader:
    """Reads one value from a place on."""

    text: str
    place: int
    slips: list[str] = field(default_factory=list[str])
    outermost: dict[str, Any] = field(default_factory=dict[str, Any])
    keys: list[str] = field(default_factory=list[str])

    def where(self) -> str:
        """Return where in the object the reader is."""
        if self.keys:
            return "inside " + " > ".join(repr(key) for key in self.keys)
        return f"after {list(self.outermost)[-1]!r}" if self.outermost else "at its beginning"

    def value(self, depth: int) -> Any:
        self._skip()
        char = self._peek()
        if depth > _DEEPEST:
            raise _NoJson
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._array(depth)
        if char in _QUOTES:
            return self._string()
        return self._plain()

    def _object(self, depth: int) -> dict[str, Any]:
        self.place += 1
        found: dict[str, Any] = {}
        if depth == 0:
            self.outermost = found
        while not self._closes("}", bool(found)):
            key = self._key()
            self.keys.append(key)
            self._skip()
            if self._peek() != ":":
                raise _NoJson
            self.place += 1
            found[key] = self.value(depth + 1)
            self.keys.pop()
            self._comma("}")
        return found

    def _array(self, depth: int) -> list[Any]:
        self.place += 1
        found: list[Any] = []
        while not self._closes("]", bool(found)):
            start = self.place
            value = self.value(depth + 1)
            self._skip(required=False)
            if isinstance(value, str) and self.text[self.place : self.place + 1] == ":":
                self.place = start
                self._slip("a closing bracket was missing")
                return found
            found.append(value)
            self._comma("]")
        return found

    def _closes(self, bracket: str, begun: bool) -> bool:
        """Tell whether the list or object ends here; at the end of the text a complete one may."""
        self._skip(required=False)
        if self.place >= len(self.text):
            if not begun or self.text[: self.place].rstrip().endswith((",", ":")):
                raise _CutOff
            self._slip("a closing bracket was missing")
            return True
        if self.text[self.place] == bracket:
            self.place += 1
            return True
        if self.text[self.place] in "]}":
            if not begun:
                raise _NoJson
            self._slip("a closing bracket was missing")
            return True
        if self.text.startswith("```", self.place):
            self._slip("a closing bracket was missing")
            return True
        return False

    def _comma(self, bracket: str) -> None:
        self._skip(required=False)
        if self.place >= len(self.text) or self.text[self.place] in "]}`":
            return
        if self.text[self.place] in ",;":
            self.place += 1
            self._skip(required=False)
            if self.text[self.place : self.place + 1] == bracket:
                self._slip("a comma stood before a closing bracket")
        elif self.text[self.place] in "\"'{[" or self._peek().isalpha():
            self._slip("a comma was missing")
        else:
            raise _NoJson

    def _key(self) -> str:
        self._skip()
        if self._peek() in _QUOTES:
            return self._string()
        word = _WORD.match(self.text, self.place)
        if not word:
            raise _NoJson
        self.place = word.end()
        self._slip("a field's name had no quotes")
        return word.group()

    def _string(self) -> str:
        opening = self._peek()
        closing = _QUOTES[opening]
        if opening != '"':
            self._slip('texts stood in other quotes than "')
        self.place += 1
        parts: list[str] = []
        while True:
            char = self._peek()
            self.place += 1
            if char == closing and self._ends_here(closing):
                return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            parts.append(self._escaped() if char == "\\" else char)

    def _ends_here(self, closing: str) -> bool:
        """Tell whether a quote ends the text: an apostrophe within a word does not."""
        return closing != "'" or not self.text[self.place : self.place + 1].isalnum()

    def _escaped(self) -> str:
        char = self._peek()
        self.place += 1
        if char != "u":
            return _ESCAPES.get(char, char)
        digits = self.text[self.place : self.place + 4]
        if not re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            return "u"
        self.place += 4
        return chr(int(digits, 16))

    def _plain(self) -> Any:
        if number := _NUMBER.match(self.text, self.place):
            self.place = number.end()
            written = number.group()
            return int(written) if written.lstrip("+-").isdigit() and len(written) < 50 else float(written)
        word = _WORD.match(self.text, self.place)
        if word and word.group().casefold() in _CONSTANTS:
            if word.end() >= len(self.text):
                raise _CutOff
            self.place = word.end()
            return _CONSTANTS[word.group().casefold()]
        if word and word.end() >= len(self.text):
            raise _CutOff
        raise _NoJson

    def _skip(self, *, required: bool = True) -> None:
        if blank := _BLANK.match(self.text, self.place):
            if blank.group().strip():
                self._slip("there were comments")
            self.place = blank.end()
        if required and self.place >= len(self.text):
            raise _CutOff

    def _peek(self) -> str:
        if self.place >= len(self.text):
            raise _CutOff
        return self.text[self.place]

    def _slip(self, what: str) -> None:
        if what not in self.slips:
            self.slips.append(what)
