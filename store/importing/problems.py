"""What is wrong with a file or a row of it, told without what is private in it.

Knows:    how a value may be shown, and which kinds of value never are: addresses, telephone numbers, names.
Does not: judge a value.   (values.py, fields.py)
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from common.text import visible

Private = Literal["an e-mail address", "a telephone number", "an address", "a name"]

_LONGEST = 40
_PHONE = re.compile(r"(?:\+|\b00?\d|\()[\d\s()/.-]{7,}\d|\d[\d()-]*(?:[ ()/-]+[\d()]+){2,}")
_DAY = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b")


class FileRefused(Exception):
    """A file that cannot be read at all; the text says which, why, and what to give instead."""


@dataclass(frozen=True)
class Problem:
    """One value that cannot be taken: where it stands, how it may be shown, and what was expected there.

    place: a line of a table, or a path and a line of JSON. column: "" where the row as a whole is meant.
    """

    file: str
    place: str
    column: str
    value: str
    expected: str

    def __str__(self) -> str:
        column = f", {self.column}" if self.column else ""
        return f"{self.file}, {self.place}{column}: {self.value}; expected {self.expected}."


def shown(value: object, private: Private | None = None) -> str:
    """Return a value as it may be told: as it stands, or only what kind of thing it is."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return "nothing"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if private:
        return _kind(str(value), private)
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    if not isinstance(value, int | Decimal):
        if _is_personal(text):
            return f"a text of {len(text)} characters that looks personal"
        text = f"'{visible(text)}'"
    return text if len(text) <= _LONGEST + 2 else f"{text[:_LONGEST]}… ({len(str(value))} characters)"


def shown_name(name: str) -> str:
    """Return a key, a column or a file's name as it may be told: a file without a header has values there."""
    plain = visible(name)
    return "…" if _is_personal(name) else plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]}…"


def _kind(text: str, private: Private) -> str:
    length = f"of {len(text)} characters"
    if private != "an e-mail address":
        return f"{private} {length}"
    if "@" not in text:
        return f"{private} {length} without @"
    return f"{private} {length} with {text.count('@')} @" + (" and a space" if " " in text.strip() else "")


def _is_personal(text: str) -> bool:
    """Say whether a text looks like an e-mail address or a telephone number, wherever it may stand."""
    digits = sum(unicodedata.category(char) == "Nd" for char in text)
    return "@" in text or (digits >= 7 and not _DAY.search(text) and _PHONE.search(text) is not None)
