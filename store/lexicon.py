"""What a search needs to know of a language beside its endings: store/lexicon/*.yaml.

Knows:    fillers, which say nothing about what is asked; the background of a question, on which the policies'
          silence is no news; what customers say for the policies' own words; numbers, units and how one asks.
Does not: rank anything.   (store/search.py)
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from common.stemming import plain, root, words_of
from store.words import read_yaml

_FOLDER = Path(__file__).with_name("lexicon")


@dataclass(frozen=True)
class Synonym:
    """A phrase of customers and what it means, both as roots.

    A single word keeps its own meaning beside the other; a longer phrase means what it stands for alone.
    named: the policies name what is meant; otherwise it only leads to the passage that comes nearest, as
    a brand does to its kind.
    """

    phrase: tuple[str, ...]
    meaning: tuple[str, ...]
    named: bool = True


@dataclass(frozen=True)
class Asks:
    """How one asks in a language.

    time, amount: what asks for them; answers_time, answers_amount: the words that answer beside numbers.
    joins: what joins two questions, where that is a word of its own.
    opens: what a question begins with; tells: what a reason begins with; places: what stands before a place.
    """

    time: re.Pattern[str]
    amount: re.Pattern[str]
    answers_time: frozenset[str]
    answers_amount: frozenset[str]
    joins: frozenset[str]
    opens: frozenset[str]
    tells: frozenset[str]
    places: frozenset[str]


@dataclass(frozen=True)
class Lexicon:
    """What is known of a language.

    generic: roots that make no topic alone; light: those of them that count little. synonyms: longest first.
    """

    language: str
    fillers: frozenset[str]
    background: frozenset[str]
    generic: frozenset[str]
    light: frozenset[str]
    synonyms: tuple[Synonym, ...]
    numbers: dict[str, float]
    units: dict[str, str]
    asks: Asks

    def is_filler(self, word: str) -> bool:
        """Say whether the word counts for nothing."""
        return word in self.fillers or plain(word, self.language) in self.fillers

    def is_background(self, word: str) -> bool:
        """Say whether a word that no policy has leaves the question the same."""
        return word in self.background or plain(word, self.language) in self.background

    def root(self, word: str) -> str:
        """Return what the forms of the word share."""
        return root(word, self.language)

    def roots(self, text: str) -> list[str]:
        """Return the roots of the words that count, in their order."""
        return [self.root(word) for word in words_of(text) if not self.is_filler(word)]

    def plain_words(self, text: str) -> frozenset[str]:
        """Return every word of a text without what people leave out, fillers too."""
        return frozenset(plain(word, self.language) for word in words_of(text))

    @cached_property
    def _beginning(self) -> dict[str, list[int]]:
        """Return the places of the synonyms by the root that begins their phrase."""
        places: dict[str, list[int]] = {}
        for place, synonym in enumerate(self.synonyms):
            places.setdefault(synonym.phrase[0], []).append(place)
        return places

    def phrases_in(self, roots: list[str]) -> list[Synonym]:
        """Return the synonyms whose phrase stands among the roots; where two share a word, the longer one."""
        found: list[Synonym] = []
        begun = sorted({place for root in roots for place in self._beginning.get(root, ())})
        for synonym in (self.synonyms[place] for place in begun):
            longer = (one for one in found if len(one.phrase) > len(synonym.phrase))
            said = _in_order if synonym.named else _side_by_side
            if said(synonym.phrase, roots) and not any(
                set(one.phrase) & set(synonym.phrase) for one in longer
            ):
                found.append(synonym)
        return found


def _in_order(phrase: tuple[str, ...], roots: list[str]) -> bool:
    """Say whether the phrase's roots stand among the others in this order, with others between or not."""
    rest = iter(roots)
    return all(root in rest for root in phrase)


def _side_by_side(phrase: tuple[str, ...], roots: list[str]) -> bool:
    """Say whether the phrase stands among the roots as it is: the words of a name are not parted."""
    size = len(phrase)
    return any(tuple(roots[at : at + size]) == phrase for at in range(len(roots) - size + 1))


@cache
def lexicon(language: str) -> Lexicon:
    """Return the lexicon of a language that the shop speaks."""
    read = read_yaml(_FOLDER / f"{language}.yaml")

    def synonyms(key: str, *, named: bool) -> list[Synonym]:
        return [
            Synonym(_roots(phrase, language), _roots(meaning, language), named)
            for meaning, phrases in read[key].items()
            for phrase in phrases.split(",")
        ]

    def words(text: str) -> frozenset[str]:
        return frozenset(each for word in text.split() for each in (word, plain(word, language)))

    asks = read["asks"]
    every = [*synonyms("synonyms", named=True), *synonyms("brands", named=False)]
    return Lexicon(
        language,
        words(read["fillers"]),
        words(read["background"]),
        frozenset(_roots(read["generic"] + read["light"], language)),
        frozenset(_roots(read["light"], language)),
        tuple(sorted(every, key=lambda synonym: -len(synonym.phrase))),
        {word: float(number) for number, text in read["numbers"].items() for word in text.split()},
        {word: unit for unit, text in read["units"].items() for word in text.split()},
        Asks(
            _any_of(asks["time"]),
            _any_of(asks["amount"]),
            words(asks["answers_time"]),
            words(asks["answers_amount"]),
            words(asks["joins"]),
            words(asks["opens"]),
            words(asks["tells"]),
            words(asks["places"]),
        ),
    )


def _roots(text: str, language: str) -> tuple[str, ...]:
    return tuple(root(word, language) for word in words_of(text))


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w)(?:{phrase})" for phrase in phrases) or r"(?!)", re.IGNORECASE)
