"""The records of a JSON text, one after the other, without holding the text or all of them.

Knows:    JSON, JSON lines, and the keys under which exports keep their records.
Does not: know what a record means.   (guess.py and the formats)
Numbers:  with a point they become Decimal, never float; NaN and Infinity become Decimals that fit nowhere.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, TextIO, cast

from store.importing.problems import FileRefused, shown_name

_SINGLE = frozenset("order customer product draft_order fulfillment refund transaction user checkout".split())
_SECTIONS = frozenset(f"{name}s" for name in _SINGLE) | _SINGLE | {"create", "update", "delete"}
_OF_A_RECORD = frozenset("id order_id order_number number user_id product_id name email".split())
"""A key of these stands in a record, and never beside the sections of a file."""

_CHUNK = 1 << 18
_SMALL = 1 << 20
LARGEST = 1 << 24
"""Characters of one record: 16 million, of which an order of a shop has a few thousand."""


@dataclass(frozen=True)
class Value:
    """A value of the file. section: the key it stands under; raw: its text; twice: a key it has twice."""

    section: str
    path: str
    line: int
    data: Any
    raw: str
    twice: str | None


class _Longer(Exception):
    """A value goes on beyond what may be read of it at once."""


class JsonStream:
    """One JSON text, read from a file."""

    def __init__(self, handle: TextIO, file: str) -> None:
        self._handle = handle
        self._file = file
        self._text = ""
        self._at = 0
        self._ended = False
        self._line_of = (0, 1)  # a position in the text, and its line
        self._raw = ""
        self._twice: str | None = None
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_float=_decimal,
            parse_int=_integer,
            parse_constant=Decimal,
            strict=False,
        )

    def values(self) -> Iterator[Value]:
        """Yield the records.  Raises: FileRefused where the text is no JSON, with line and column."""
        while char := self._peek():
            if char == "[":
                yield from self._elements("", "")
            elif char == "{":
                yield from self._object_or_sections()
            else:
                yield self._value("", "")

    # ------------------------------------------------------------ structure

    def _object_or_sections(self) -> Iterator[Value]:
        try:
            value = self._value("", "", small=True)
        except _Longer:  # no record is that long: it holds sections
            value = None
        if value is not None:
            if not _has_sections(cast("dict[str, Any]", value.data)):
                yield value
                return
            self._at -= len(value.raw)
        yield from self._sections()

    def _sections(self) -> Iterator[Value]:
        for key in self._keys():
            char = self._peek()
            if key not in _SECTIONS or char not in "[{":
                self._decode()
            elif char == "[":
                yield from self._elements(key, key)
            elif key in _SINGLE:
                yield self._value(key, key)
            else:
                for name in self._keys():
                    yield self._value(key, f"{key}.{shown_name(name)}")

    def _elements(self, section: str, path: str) -> Iterator[Value]:
        self._at += 1
        index = 0
        if self._peek() == "]":
            self._at += 1
            return
        while True:
            yield self._value(section, f"{path}[{index}]")
            index += 1
            if self._next(",]", "a comma or the end of the list") == "]":
                return

    def _keys(self) -> Iterator[str]:
        """Yield the keys of the object that begins here; who gets one reads its value before the next."""
        self._at += 1
        if self._peek() == "}":
            self._at += 1
            return
        while True:
            if self._peek() != '"':
                raise self._broken("a key in double quotes")
            key = str(self._decode())
            self._next(":", "a colon")
            if not self._peek():
                raise self._broken("a value")
            yield key
            if self._next(",}", "a comma or the end of the object") == "}":
                return

    # ------------------------------------------------------------ values

    def _value(self, section: str, path: str, *, small: bool = False) -> Value:
        if not self._peek():
            raise self._broken("a value")
        line = self._line(self._at)
        self._twice = None
        data = self._decode(small=small)
        return Value(section, path, line, data, self._raw, self._twice)

    def _decode(self, *, small: bool = False) -> Any:
        while True:
            try:
                data, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._more(small=small):
                    continue
                raise self._broken(error.msg[0].lower() + error.msg[1:], error.pos) from None
            except RecursionError:
                raise self._broken("values that are not nested that deeply") from None
            # A number at the end of what was read may go on.
            if end == len(self._text) and self._more(small=small):
                continue
            self._raw = self._text[self._at : end]
            self._at = end
            return data

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs) and self._twice is None:
            self._twice = first_twice(key for key, _ in pairs)
        return found

    # ------------------------------------------------------------ text

    def _more(self, *, small: bool = False) -> bool:
        """Read on; False at the end of the file. small: whether a long value is to be read in another way."""
        if self._ended:
            return False
        waiting = len(self._text) - self._at
        if small and waiting > _SMALL:
            raise _Longer
        if waiting > LARGEST:
            raise self._broken(f"a record of at most {LARGEST} characters")
        # As much again as is waiting: a long value is not tried too often.
        chunk = self._handle.read(max(_CHUNK, waiting))
        if not chunk:
            self._ended = True
            return True
        self._line_of = (0, self._line(self._at))
        self._text = self._text[self._at :] + chunk
        self._at = 0
        return True

    def _peek(self) -> str:
        """Return the next character that is no space, "" at the end."""
        while True:
            while self._at < len(self._text):
                char = self._text[self._at]
                if char not in " \t\r\n":
                    return char
                self._at += 1
            if not self._more():
                return ""

    def _next(self, wanted: str, what: str) -> str:
        char = self._peek()
        if not char or char not in wanted:
            raise self._broken(what)
        self._at += 1
        return char

    def _line(self, at: int) -> int:
        counted, line = self._line_of
        if at < counted:
            return line - self._text.count("\n", at, counted)
        line += self._text.count("\n", counted, at)
        self._line_of = (at, line)
        return line

    def _broken(self, expected: str, at: int | None = None) -> FileRefused:
        position = self._at if at is None else at
        column = position - self._text.rfind("\n", 0, position)
        place = f"line {self._line(position)}, column {column}"
        end = " (the file ends there)" if position >= len(self._text.rstrip()) else ""
        return FileRefused(
            f"{self._file} is no valid JSON: {place}{end}: expected {expected}. "
            "Export it again, or mend that place."
        )


def first_twice(keys: Iterable[str]) -> str | None:
    """Return the first key that comes a second time, in one pass: a hostile object has very many."""
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            return key
        seen.add(key)
    return None


def _has_sections(found: dict[str, Any]) -> bool:
    return not _OF_A_RECORD & found.keys() and any(
        isinstance(value, dict | list) for key, value in found.items() if key in _SECTIONS
    )


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent that no Decimal holds
        return Decimal("NaN")


def _integer(text: str) -> int | Decimal:
    # Python refuses to make an int of very many digits; as a Decimal they fit nowhere either, and say so.
    return int(text) if len(text) < 40 else _decimal(text)
