"""A reply that repeats what the model was told is no reply to a customer.

Knows:    runs of words, folded, and runs of letters whatever stands between them, from either end.
Does not: keep a secret: the instructions hold none, and a paraphrase or a translation passes.
Rule:     seven words, or forty letters, in a row that stand so in the instructions, across line breaks and
          punctuation; letters without their marks, and those of other scripts that look alike as one.
"""

import re
import unicodedata
from functools import lru_cache

from common.text import fold

RUN = 7
"""Words; two strangers seldom share so many, and every rule has more."""

RUN_LETTERS = 40
"""Letters; as many as seven words have, and some more, since words are not told apart."""

_BETWEEN = re.compile(r"<[^<>]{1,20}>|(?<!\w)\d+(?!\w)")
"""Tags, and numbers that stand by themselves."""

_ALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0475"
    "\u0501\u04bb\u03bf\u03b1\u03b5\u03c1\u03c5\u03c7\u03b9\u03ba0134@",
    "aeopcyxijsvdhoaepuxikoieaa",
)
"""Letters of Cyrillic and Greek, and figures, that pass for Latin letters."""

_WORD = re.compile(r"[^\W_]+(?:['’_][^\W_]+)*")


def disclosed(text: str, instructions: str) -> list[str]:
    """Return what is wrong with a piece of a reply, in words; empty where it repeats nothing."""
    known = _runs(instructions)
    words = _words(text)
    runs = (" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1))
    if any(run in known for run in runs) or _spells(text, instructions):
        return ["the assistant's own instructions"]
    return []


def _spells(text: str, instructions: str) -> bool:
    letters, known = _letters(text), _runs_of_letters(instructions)
    return any(
        letters[start : start + RUN_LETTERS] in known for start in range(len(letters) - RUN_LETTERS + 1)
    )


@lru_cache(maxsize=8)
def _runs_of_letters(text: str) -> frozenset[str]:
    letters = _letters(text)
    return frozenset(
        one[start : start + RUN_LETTERS]
        for one in (letters, letters[::-1])
        for start in range(len(letters) - RUN_LETTERS + 1)
    )


def _letters(text: str) -> str:
    apart = unicodedata.normalize("NFKD", fold(_BETWEEN.sub("", text)).casefold()).translate(_ALIKE)
    return "".join(filter(str.isalpha, apart))


@lru_cache(maxsize=8)
def _runs(text: str) -> frozenset[str]:
    words = _words(text)
    return frozenset(" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1))


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text).casefold().replace("’", "'"))
