"""Words as a search compares them: which forms of a word are one, in each language.

Knows:    endings, and the letters and marks that people write or leave out.
Does not: know meanings, or which words count.   (store/lexicon.py; contracts/words.py)
Source:   Snowball for Spanish, Russian and Hindi. Arabic: light10 of Larkey, Ballesteros and Connell 2007,
          since Snowball's cuts into the words. English: our own few endings, so that delivery is of deliver.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

_ARABIC_MARKS = re.compile("[\u064b-\u0652\u0670\u0640]")
"""Vowel signs and the stretching line."""

# Devanagari's vowel signs are no letters to `re`, and a word would end at each.
WORD = r"(?:[^\W_]|[\u0900-\u0963\u0971-\u097f])+(?:'[^\W_]+)?"
_WORD = re.compile(WORD)


def legible(text: str) -> str:
    """Return the text as it is read word by word: compatible forms made one, no Arabic vowel signs."""
    return _ARABIC_MARKS.sub("", unicodedata.normalize("NFKC", text)).replace("\u2019", "'")


def words_of(text: str) -> list[str]:
    """Return the words of a text in their order, in lower case and without Arabic vowel signs."""
    return _WORD.findall(legible(text).casefold())


def spelled_words(text: str) -> list[re.Match[str]]:
    """Return the words of a legible text as they are written and where they stand."""
    return list(_WORD.finditer(text))


def plain(word: str, language: str) -> str:
    """Return the word without what people leave out: accents, hamza, the dot below."""
    return _PLAIN.get(language, str)(word)


@lru_cache(maxsize=8192)
def root(word: str, language: str) -> str:
    """Return what the forms of a word share; the word itself for a language of which nothing is known."""
    return _ROOTS.get(language, str)(plain(word, language))


_ENDINGS = ("ations", "ation", "ments", "ment", "able", "ions", "ion", "ings", "ing", "ed", "es", "s")


_IRREGULAR = {
    form: word
    for word, forms in {
        "break": "broke broken",
        "choose": "chose chosen",
        "keep": "kept",
        "lose": "lost",
        "sell": "sold",
        "send": "sent",
        "take": "took taken",
    }.items()
    for form in forms.split()
}


def stem(word: str) -> str:
    """Return what the forms of an English word share: returns, returned, returning -> return."""
    word = _IRREGULAR.get(word, word)
    if word.endswith(("ies", "ied")) and len(word) > 4:
        word = word[:-3] + "y"
    for ending in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeious":
        word = word[:-1]  # shipp -> ship
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word


def _snowball(algorithm: str) -> Callable[[str], str]:
    def stemmed(word: str) -> str:
        import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]  # here: a start need not wait for it

        # A stemmer keeps its word in itself, so each call makes its own: searches may run in threads.
        return cast(Any, snowballstemmer).stemmer(algorithm).stemWord(word)

    return stemmed


_ARABIC_LETTERS = str.maketrans(
    {
        "\u0622": "\u0627",
        "\u0623": "\u0627",
        "\u0625": "\u0627",
        "\u0671": "\u0627",
    }  # alef with anything on it
    | {
        "\u0649": "\u064a",
        "\u0626": "\u064a",
        "\u0624": "\u0648",
        "\u0629": "\u0647",
    }  # alef maksura, hamza, ta marbuta
)
_ARABIC_PREFIXES = tuple("وبال وكال وفال ولل وال فال بال كال لل ال".split())
_ARABIC_SUFFIXES = tuple("ها ات ون ين ان يه كم هم نا ه ي".split())  # noqa: RUF001


def _arabic(word: str) -> str:
    prefix = next(
        (each for each in _ARABIC_PREFIXES if word.startswith(each) and len(word) - len(each) > 2), ""
    )
    word = word.removeprefix(prefix)
    if not prefix and ((word[0] == "و" and len(word) > 4) or (word[0] == "ل" and len(word) > 5)):
        word = word[1:]
    for ending in _ARABIC_SUFFIXES:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word.removesuffix(ending)
    return word


_NASALS = re.compile("[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])|\u0901")
"""A nasal written as half a letter, or with the moon above: both are also written as a dot above."""


def _hindi(word: str) -> str:
    return _NASALS.sub("\u0902", word.replace("\u093c", "").replace("\u200d", "").replace("\u200c", ""))


_snowball_spanish = _snowball("spanish")


def _spanish(word: str) -> str:
    # Without its accent, as many write it, the stemmer does not know the ending of "enviáis".
    return _snowball_spanish(re.sub(r"(?<=\w{3})(?:ais|eis)$", "an", word))


def _unaccented(word: str) -> str:
    apart = unicodedata.normalize("NFD", word)
    return "".join(char for char in apart if unicodedata.category(char) != "Mn")


_PLAIN: dict[str, Callable[[str], str]] = {
    "en": lambda word: word.removesuffix("'s"),
    "es": _unaccented,
    "ru": lambda word: word.replace("\u0451", "\u0435"),
    "ar": lambda word: word.translate(_ARABIC_LETTERS),
    "hi": _hindi,
}
_ROOTS: dict[str, Callable[[str], str]] = {
    "en": stem,
    "es": _spanish,
    "ru": _snowball("russian"),
    "ar": _arabic,
    "hi": _snowball("hindi"),
}


_TWICE = re.compile(r"(.)\1+")


def squeezed(word: str) -> str:
    """Return the word with every doubled letter once, as it is often typed."""
    return _TWICE.sub(r"\1", word)
