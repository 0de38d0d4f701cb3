"""What the words of a message show without a model: a courtesy, a question, and what it is about.

Knows:    the word lists (lexicon.py).
Does not: understand a message, or decide what follows.   (deciding.py, answering.py)
"""

import re

from common.text import fold
from model.lexicon import Lexicon, lexicon, words_of
from model.support import beyond

COURTESIES = ("who", "can_do", "pleasantry", "goodbye", "thanks", "hello")
"""What a message may be besides a request; of several the first is answered."""

OF_PEOPLE = ("hours", "phone", "hand_off")
"""What may be asked about the staff: when, and where, they can be reached, or that one of them helps."""

ALL_OF = ("order", "ticket")
"""What a customer may ask to see all of, in the words that begin its number's name."""

LONGEST = 16
"""Words of a courtesy; a longer message is about something."""


def courtesy(text: str, language: str) -> str | None:
    """Return which of COURTESIES a message is when it is nothing else, or None.

    Who one is talking to may be asked in any words around it.
    """
    said, lists = _short(text), lexicon(language)
    if lists.has("who", said):
        return "who"
    phrases = {phrase: kind for kind in COURTESIES for phrase in lists.phrases[kind]}
    found: set[str] = set()
    index = 0
    while index < len(said):
        length = _longest(said[index:], phrases)
        if length:
            found.add(phrases[tuple(said[index : index + length])])
        elif said[index] not in lists.words["polite"]:
            return None
        index += max(1, length)
    return next((kind for kind in COURTESIES if kind in found), None)


def asks_for_people(text: str, language: str) -> str | None:
    """Return which of OF_PEOPLE a short message asks for, or None."""
    said = _short(text)
    return next((kind for kind in OF_PEOPLE if lexicon(language).has(kind, said)), None)


def asks_for_all(text: str, language: str) -> str | None:
    """Return which of ALL_OF a message asks to see all of, or None."""
    said = words_of(text)
    return next((kind for kind in ALL_OF if lexicon(language).has(f"all_{kind}s", said)), None)


def questions(text: str, language: str) -> list[str]:
    """Return the parts of a message that ask something, in order."""
    return [part for part in _parts(text, language) if _asks(words_of(part), lexicon(language))]


def is_question(text: str, language: str) -> bool:
    """Say whether a message asks something, be it in two words and a question mark."""
    return "?" in fold(text) or "؟" in text or bool(questions(text, language))


def says_something(text: str, language: str) -> bool:
    """Say whether a text has a word that not any message about an order may have."""
    lists = lexicon(language)
    return bool(lists.stems_of(text) - lists.stems["known"])


def concerns_shop(text: str, language: str) -> bool:
    """Say whether a message has a word of what shops have rules on, or turns to the shop itself."""
    said = words_of(text)
    return _of_rules(said, language) or lexicon(language).has("to_the_shop", said)


def concerns_shop_or_own(text: str, language: str) -> bool:
    """Say whether a message is about what a shop does, or about something of the customer's."""
    own = _own(words_of(text), language) or not says_something(text, language)
    return own or concerns_shop(text, language)


def asks_of_rules(text: str, language: str) -> bool:
    """Say whether a message asks what shops have rules on, and names nothing there as the customer's own."""
    parts = [words_of(part) for part in questions(text, language)]
    return any(_of_rules(said, language) and _asks_generally(said, language) for said in parts)


def asks_in_general(text: str, language: str) -> bool:
    """Say whether a message asks about more than where an order is, and names nothing there as its own."""
    parts = questions(text, language)
    if any(beyond(part, "", language) and _asks_generally(words_of(part), language) for part in parts):
        return True
    return bool(parts) and supposes(text, language) and not _own(words_of(text), language)


def asks_of_own(text: str, language: str) -> bool:
    """Say whether a message is about a thing of the customer's own, and about where it is alone."""
    more = beyond(text, "", language) or rules_beyond(text, "", language)
    return _own(words_of(text), language) and not more


def supposes(text: str, language: str) -> bool:
    """Say whether a part of a message sets a case."""
    lists = lexicon(language)
    return any(_first(words_of(part), lists) in lists.words["supposes"] for part in _parts(text, language))


def rules_beyond(part: str, facts: str, language: str) -> bool:
    """Say whether a part of a message asks about rules that facts about an order do not hold."""
    lists = lexicon(language)
    asked = lists.stems_of(part) & lists.stems["rules"] - lists.stems["of_orders_too"]
    return bool(asked - lists.stems_of(facts)) or lists.has("rules", words_of(part))


def _short(text: str) -> list[str]:
    """Return the words of a short message without a number; none of any other."""
    said = words_of(text)
    return [] if len(said) > LONGEST or re.search(r"\d", fold(text)) else said


def _parts(text: str, language: str) -> list[str]:
    return [part.strip() for part in lexicon(language).between.split(text) if part]


def _asks(said: list[str], lists: Lexicon) -> bool:
    if len(said) < 2:
        return False
    return bool(lists.words["asks"] & set(said)) or _first(said, lists) in lists.words["asks_first"]


def _first(said: list[str], lists: Lexicon) -> str:
    return next((word for word in said if word not in lists.words["polite"]), "")


def _asks_generally(said: list[str], language: str) -> bool:
    """Say whether a question names nothing as one's own, and does not ask somebody to do something."""
    lists = lexicon(language)
    requests = lists.has("requests", said) and lists.words["asks"].isdisjoint(said)
    return not requests and not _own(said, language)


def _own(said: list[str], language: str) -> bool:
    words = lexicon(language).words
    pairs = zip(said, [*said[1:], ""], strict=False)
    return any(word in words["own"] and then not in words["own_but"] for word, then in pairs)


def _of_rules(said: list[str], language: str) -> bool:
    lists = lexicon(language)
    return lists.has("rules", said) or any(lists.stem(word) in lists.stems["rules"] for word in said)


def _longest(said: list[str], phrases: dict[tuple[str, ...], str]) -> int:
    return next((n for n in range(min(8, len(said)), 0, -1) if tuple(said[:n]) in phrases), 0)
