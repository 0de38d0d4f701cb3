"""What the words of a message show without a model: a courtesy, or a question beyond the facts at hand.

Knows:    word lists of each language (words/), inflected forms by their stem.
Does not: understand a message. Where it errs, the customer reads a plain sentence in place of a shaped one.
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

COURTESIES = ("who", "can_do", "pleasantry", "goodbye", "thanks", "hello")
"""What a message may be besides a request; of several the first is answered."""

LONGEST_COURTESY = 16
"""Words; a longer message is about something."""

_STEMMERS = {"ar": "arabic", "en": "english", "es": "spanish", "hi": "hindi", "ru": "russian"}
_WORD = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f\u064b-\u0652\u0900-\u0903\u093a-\u094f'’][^\W\d_]*)*")
_SENTENCE_END = re.compile(r"(?<=[.!?।؟])\s+")
_FIGURE = re.compile(r"\d+")
_ARABIC_MARKS = re.compile(r"[\u064b-\u0652\u0670\u0640]")
_ARABIC_FORMS = str.maketrans("أإآىة", "ااايه")


@dataclass(frozen=True)
class _Words:
    courtesies: dict[tuple[str, ...], str]
    polite: frozenset[str]
    asks: frozenset[str]
    asks_first: frozenset[str]
    between: str
    known: frozenset[str]
    small: frozenset[str]
    rules: frozenset[str]
    own: frozenset[str]
    rules_phrases: tuple[tuple[str, ...], ...]
    to_the_shop: tuple[tuple[str, ...], ...]


def courtesy(text: str, language: str) -> str | None:
    """Return which of COURTESIES a message is when it is nothing else, or None."""
    said = _said(text)
    if not said or len(said) > LONGEST_COURTESY or re.search(r"\d", fold(text)):
        return None
    lists = _words(language)
    found: set[str] = set()
    index = 0
    while index < len(said):
        length = _longest(said[index:], lists.courtesies)
        if length:
            found.add(lists.courtesies[tuple(said[index : index + length])])
        elif said[index] not in lists.polite:
            return None
        index += max(1, length)
    return next((kind for kind in COURTESIES if kind in found), None)


def beyond(question: str, facts: str, language: str) -> list[str]:
    """Return the words of a question that neither the facts hold nor any question about an order needs.

    Where there is one, the facts may not hold what was asked: no model should answer from them.
    """
    known = _words(language).known | {_stem(word, language) for word in _said(facts)}
    return [word for word in _said(question) if len(word) > 1 and _stem(word, language) not in known]


def questions(text: str, language: str) -> list[str]:
    """Return the parts of a message that ask something, in order."""
    parts = [part.strip() for part in _between(language).split(text)]
    return [part for part in parts if _asks(_said(part), _words(language))]


def _asks(said: list[str], lists: _Words) -> bool:
    if len(said) < 2 or lists.asks & set(said):
        return len(said) > 1
    return next((word for word in said if word not in lists.polite), "") in lists.asks_first


def concerns_shop(text: str, language: str) -> bool:
    """Say whether a message has a word of what shops have rules on, or turns to the shop itself."""
    said, lists = _said(text), _words(language)
    return _of_rules(said, language) or any(_holds(said, phrase) for phrase in lists.to_the_shop)


def asks_of_rules(text: str, language: str) -> bool:
    """Say whether a message asks what shops have rules on, and names nothing there as the customer's own."""
    parts = [_said(part) for part in questions(text, language)]
    return any(_of_rules(said, language) and not _words(language).own & set(said) for said in parts)


def is_question(text: str, language: str) -> bool:
    """Say whether a message asks something, be it in two words and a question mark."""
    return "?" in fold(text) or "؟" in text or bool(questions(text, language))


def _of_rules(said: list[str], language: str) -> bool:
    lists = _words(language)
    return not lists.rules.isdisjoint(_stem(word, language) for word in said) or any(
        _holds(said, phrase) for phrase in lists.rules_phrases
    )


def _holds(said: list[str], phrase: tuple[str, ...]) -> bool:
    return any(tuple(said[at : at + len(phrase)]) == phrase for at in range(len(said)))


def supported(sentence: str, sources: str, question: str, language: str) -> bool:
    """Say whether one sentence of the sources, with the question's words, holds all words of this sentence.

    Only the small words between them are free. Figures have to stand in the source itself.
    """
    said = stems(sentence, language) - _words(language).small - stems(question, language)
    figures = set(_FIGURE.findall(fold(sentence))) - set(_FIGURE.findall(fold(question)))
    return any(
        said <= stems(source, language) and figures <= set(_FIGURE.findall(fold(source)))
        for source in sentences(sources)
    )


def asks_for_one_fact(text: str, language: str) -> bool:
    """Say whether a message is one question, and one that yes or no does not answer."""
    parts = questions(text, language)
    return len(parts) == 1 and not _words(language).asks.isdisjoint(_said(parts[0]))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; "e.g. 3" parts in two, which here does no harm."""
    return [part for part in _SENTENCE_END.split(text) if part.strip()] or [text]


def content(text: str, language: str) -> set[str]:
    """Return the stems of a text's words that say something of their own."""
    known = _words(language).known
    return {stem for word in _said(text) if (stem := _stem(word, language)) not in known}


def stems(text: str, language: str) -> set[str]:
    """Return the stems of all words of a text."""
    return {_stem(word, language) for word in _said(text)}


def _longest(said: list[str], phrases: dict[tuple[str, ...], str]) -> int:
    lengths = range(min(8, len(said)), 0, -1)
    return next((length for length in lengths if tuple(said[:length]) in phrases), 0)


def _said(text: str) -> list[str]:
    plain = _ARABIC_MARKS.sub("", fold(text).casefold()).translate(_ARABIC_FORMS)
    return [word.replace("’", "'") for word in _WORD.findall(plain)]


@cache
def _between(language: str) -> re.Pattern[str]:
    """Return what stands between the parts of a message, a comma before a question too."""
    lists = _words(language)
    asks = "|".join(re.escape(word) for word in lists.asks | lists.asks_first)
    return re.compile(rf"{lists.between}|[,،]\s+(?=(?:{asks})(?!\w))", re.IGNORECASE)


@cache
def _words(language: str) -> _Words:
    name = language if language in _STEMMERS else "en"
    lists: dict[str, Any] = yaml.safe_load(
        Path(__file__).with_name("words").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    )
    courtesies = {tuple(_said(phrase)): kind for kind in COURTESIES for phrase in lists[kind]}
    known = frozenset(_stem(word, name) for word in _said(lists["known"]))
    single = {
        kind: frozenset(word for text in lists[kind] for word in _said(text))
        for kind in ("polite", "asks", "asks_first")
    }
    rules = frozenset(_stem(word, name) for word in _said(lists["rules"]))
    return _Words(
        courtesies,
        single["polite"],
        single["asks"],
        single["asks_first"],
        lists["between"],
        known,
        frozenset(_stem(word, name) for word in _said(lists["small"])),
        rules,
        frozenset(_said(lists["own"])),
        tuple(tuple(_said(phrase)) for phrase in lists["rules_phrases"]),
        tuple(tuple(_said(phrase)) for phrase in lists["to_the_shop"]),
    )


@lru_cache(maxsize=8192)
def _stem(word: str, language: str) -> str:
    name = language if language in _STEMMERS else "en"
    if name == "ar":
        word = re.sub(r"^[وفبل]?(?:ال)?(?=\w{3})", "", word)
    return _stemmer(name).stemWord(word.removesuffix("'s").replace("'", ""))


@cache
def _stemmer(language: str) -> Any:
    stemmer: Any = snowballstemmer
    return stemmer.stemmer(_STEMMERS[language])
