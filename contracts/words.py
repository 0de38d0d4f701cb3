"""Words as a search over contracts compares them: names cut into their words, each by what its forms share.

Knows:    camel and snake case, the scripts, which words say nothing about what is looked for.
Does not: know endings (common/stemming.py), or weigh (search.py).
"""

import re
import unicodedata
from functools import lru_cache

from common.stemming import plain, root, words_of

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+")

_SILENT = frozenset(
    "a an the of to or and is are was be been by for with in on at it its this that these those which who "
    "what how when where do does did can could will would i me my we our you your he she they their them as "
    "if from so not no any some than then there here has have had one each all please "
    "el la los las un una de del y o en que es con por para se su al como lo mi "  # Spanish
    "و في من على الى إلى عن أن ان التي الذي هل ما هي هو هذا هذه مع او أو كل لا "
    "и в на не что как по из за для это с к у о от "  # noqa: RUF001  Russian
    "है हैं का की के में से को और यह वह पर कौन क्या".split()
)
"""Words that stand in texts about anything. In a few tasks they could be rare, and would count for much."""

_ARABIC_PLURAL = ("\u0627\u062a", "\u064a\u0647", "\u0647")
"""The endings -at, -iyya and -a, made plain: they stand after two letters too, as in fi'a, fi'at."""

_SHORT = "+"
"""Marks what is left of a short Arabic word, so that it does not meet a whole word that is spelled so."""


def terms_of(text: str) -> list[str]:
    """Return what the words of a text are found by, in their order; a word can be found by two."""
    spaced = _CAMEL.sub(" ", text)
    return [term for word in words_of(spaced) for term in _terms(word)]


def plain_words(text: str) -> list[str]:
    """Return the words of a text whole, without what people leave out in writing them."""
    return [plain(_unaccented(word), _language_of(word)) for word in words_of(text)]


@lru_cache(maxsize=20_000)
def _terms(word: str) -> tuple[str, ...]:
    if word in _SILENT:
        return ()
    language = _language_of(word)
    if language == "en":
        word = _unaccented(word)
        if word.endswith(("us", "is")):  # status is no plural
            return (word,)
    found = root(word, language)
    short = _short(found) if language == "ar" else None
    return (found, short) if short else (found,)


def _language_of(word: str) -> str:
    """Return the language by the script: what is written in Latin letters is taken for English."""
    first = word[0]
    if first < "\u0370":
        return "en"
    if "\u0400" <= first <= "\u04ff":
        return "ru"
    if "\u0600" <= first <= "\u06ff":
        return "ar"
    return "hi" if "\u0900" <= first <= "\u097f" else ""


def _unaccented(word: str) -> str:
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFD", word)
    return "".join(char for char in apart if not unicodedata.combining(char))


def _short(found: str) -> str | None:
    for ending in _ARABIC_PLURAL:
        if found.endswith(ending) and len(found) - len(ending) == 2:
            return found.removesuffix(ending) + _SHORT
    return None
