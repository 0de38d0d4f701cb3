"""The word lists of each language, and the words of a text as the lists have them.

Knows:    words/<language>.yaml; inflected forms by their stem.
Does not: know what a list is for.   (wording.py, support.py)
Source:   Snowball stemmers, snowballstem.org.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]
import yaml

from common.text import fold

_FOLDER = Path(__file__).with_name("words")
_STEMMERS = {"ar": "arabic", "en": "english", "es": "spanish", "hi": "hindi", "ru": "russian"}
_WORD = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f\u064b-\u0652\u0900-\u0903\u093a-\u094f'’][^\W\d_]*)*")
_CODE = re.compile(r"(?<!\w)[^\W\d_]{1,3}[-_/]?(?=\d)[^\W_]+(?:[-_/][^\W_]*\d[^\W_]*)*(?!\w)")
"""W2611340, AB-1234-123; not 5kg, and not order4471, whose word is a word."""

_ARABIC_MARKS = re.compile(r"[\u064b-\u0652\u0670\u0640]")
_ARABIC_FORMS = str.maketrans("أإآىة", "ااايه")

Phrase = tuple[str, ...]
"""The words of a phrase, in order."""


@dataclass(frozen=True)
class Lexicon:
    """One language. Lists of single words hold words as written, or their stems where the name says so."""

    language: str
    phrases: dict[str, tuple[Phrase, ...]]
    words: dict[str, frozenset[str]]
    stems: dict[str, frozenset[str]]
    between: re.Pattern[str]

    def stem(self, word: str) -> str:
        """Return what the forms of a word share."""
        return _stem(word, self.language)

    def stems_of(self, text: str) -> set[str]:
        """Return the stems of all words of a text."""
        return {self.stem(word) for word in words_of(text)}

    def has(self, kind: str, said: list[str]) -> bool:
        """Say whether one of the phrases of this kind stands in the words."""
        return any(holds(said, phrase) for phrase in self.phrases[kind])


@cache
def lexicon(language: str) -> Lexicon:
    """Return the lists of a language; English for one that has none."""
    name = language if language in _STEMMERS else "en"
    lists: dict[str, Any] = yaml.safe_load((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    words = {kind: frozenset(words_of(" ".join(lists["words"][kind]))) for kind in lists["words"]}
    return Lexicon(
        name,
        {kind: tuple(tuple(words_of(phrase)) for phrase in said) for kind, said in lists["phrases"].items()},
        words,
        {
            kind: frozenset(_stem(word, name) for word in words_of(said))
            for kind, said in lists["stems"].items()
        },
        _between(lists["between"], words["asks"] | words["asks_first"]),
    )


def words_of(text: str) -> list[str]:
    """Return the words of a text, in order, as they are compared; the letters of an id are none."""
    plain = _ARABIC_MARKS.sub("", fold(text).casefold()).translate(_ARABIC_FORMS)
    plain = _CODE.sub(" ", plain)
    return [word.replace("’", "'") for word in _WORD.findall(plain)]


def holds(said: list[str], phrase: Phrase) -> bool:
    """Say whether the words of a phrase stand next to each other."""
    return any(tuple(said[at : at + len(phrase)]) == phrase for at in range(len(said)))


def _between(pattern: str, asks: frozenset[str]) -> re.Pattern[str]:
    """Return what stands between the parts of a message, a comma before a question too."""
    either = "|".join(re.escape(word) for word in sorted(asks))
    return re.compile(rf"{pattern}|[,،]\s+(?=(?:{either})(?!\w))", re.IGNORECASE)


@lru_cache(maxsize=8192)
def _stem(word: str, language: str) -> str:
    if language == "ar":
        word = re.sub(r"^[وفبل]?(?:ال)?(?=\w{3})", "", word)
    return _stemmer(language).stemWord(word.removesuffix("'s").replace("'", ""))


@cache
def _stemmer(language: str) -> Any:
    stemmers: Any = snowballstemmer
    return stemmers.stemmer(_STEMMERS[language])
