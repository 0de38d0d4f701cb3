"""Words of several languages, made fit for one pattern: spellings levelled, long lists matched quickly.

Knows:    which letters and marks are written one way or another in Arabic, Hindi and Russian.
Does not: know what a word means.   (guards/calendar.py, spelled.py, units.py, claim_forms.py)
"""

import re
from collections.abc import Iterable
from typing import Any

_ONE_FOR_ANOTHER = str.maketrans(
    {
        **dict.fromkeys("أإآٱ", "ا"),
        "ى": "ي",
        "ة": "ه",
        "ё": "е",
        "Ё": "Е",
        "ँ": "ं",
        "٫": ".",  # the decimal mark that goes with Arabic digits
        "٬": ",",
        "٪": "%",
    }
)
_LEFT_OUT = re.compile(r"[\u064b-\u0655\u0670\u0640\u093c]")
"""Arabic vowel signs and the stretching line; the dot of Devanagari letters."""

_LETTER = r"[\u0400-\u04ff\u0621-\u064a\u0904-\u0963]"
_BESIDE_DIGIT = re.compile(rf"(?<={_LETTER})(?=\d)|(?<=\d)(?={_LETTER})")
"""Arabic joins its prepositions to a number, and hurried writers join a unit to it."""


def levelled(text: str) -> str:
    """Return a folded text with each word in the one spelling that our tables use; ASCII stays as it is."""
    if text.isascii():
        return text
    level = _LEFT_OUT.sub("", text.translate(_ONE_FOR_ANOTHER))
    return _BESIDE_DIGIT.sub(" ", re.sub(r"(?<=\d)،(?=\d)", ",", level))


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, the longest first, that looks at each letter once."""
    root: dict[str, Any] = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return _pattern(root)


def _pattern(node: dict[str, Any]) -> str:
    ends = "" in node
    branches = [re.escape(char) + _pattern(below) for char, below in sorted(node.items()) if char]
    if not branches:
        return ""
    return (
        branches[0] if len(branches) == 1 and not ends else f"(?:{'|'.join(branches)}){'?' if ends else ''}"
    )
