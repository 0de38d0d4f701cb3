"""A customer's question, read: what it wants, word by word, and what of it only tells how it came about.

Knows:    words, synonyms, typing errors, quantities, and where in a message the question stands.
Does not: know which passage answers.   (store/search.py ranks, store/coverage.py judges)
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from common.stemming import legible, spelled_words, squeezed
from store.lexicon import Lexicon, Synonym
from store.quantities import Amount, Quantity, quantities

_TYPED_WRONG_FROM = 5
"""Letters from which a word with one typing error is taken for the word that it is nearest to."""
_FILLER_TYPED_WRONG_FROM = 6

_LONGEST = 400
"""Characters of a question that are read, twice what the tool takes: one may stand for eighteen."""

_LEAD_IN = 3
"""Words of courtesy that may stand before the one that opens a question."""
_CLAUSE_END = re.compile(r"[.!?\u061f\u0964\n;,:]|\s[-\u2013\u2014/]\s")
_SENTENCE_ENDS = frozenset(".!?\u061f\u0964\n")


Pair = tuple[str, str]
"""Roots that stand side by side in a policy: the credit card, a tracking number."""


@dataclass(frozen=True)
class Concept:
    """A thing that the question is about.

    shown: its words as the customer wrote them. needs: one root of each set in a passage is a mention; empty
    where no policy has it. amount: for a quantity, what it is in every unit. generic: makes no topic alone;
    light: counts little. asked: rather than told before or after the question.
    """

    shown: tuple[str, ...]
    start: int
    end: int
    needs: tuple[frozenset[str], ...] = ()
    amount: frozenset[Amount] = frozenset()
    generic: bool = False
    light: bool = False
    asked: bool = True

    @property
    def silent(self) -> bool:
        """Say whether no policy has a word of it."""
        return not self.needs and not self.amount

    @property
    def roots(self) -> frozenset[str]:
        """Return every root that speaks of it."""
        return frozenset[str]().union(*self.needs)

    def is_in(self, roots: frozenset[str]) -> bool:
        """Say whether a text of these roots mentions it."""
        return bool(self.needs) and not any(need.isdisjoint(roots) for need in self.needs)


@dataclass(frozen=True)
class Question:
    """What is looked for: roots that the policies have, and the concepts behind them, in their order.

    words: how many it has. parts: it may be two questions in one.
    """

    text: str
    wanted: tuple[str, ...]
    concepts: tuple[Concept, ...]
    words: int
    parts: bool = False


@dataclass(frozen=True)
class _Word:
    shown: str
    folded: str
    start: int
    root: str
    asked: bool


class Vocabulary:
    """The words that the policies have, to read questions by."""

    def __init__(
        self, lexicon: Lexicon, roots: Iterable[str], words: Iterable[str], pairs: frozenset[Pair]
    ) -> None:
        self._lexicon = lexicon
        self._pairs = pairs
        self._roots = frozenset(roots)
        phrases = {root for synonym in lexicon.synonyms for root in synonym.phrase}
        self._known = phrases | self._roots
        self._near: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for word in sorted(each for each in {*words, *self._known} if len(each) >= _TYPED_WRONG_FROM):
            self._near[word[:1]][word] = word if word in self._known else lexicon.root(word)
        self._idle = {squeezed(word) for word in lexicon.fillers | lexicon.background}
        self._long_idle: defaultdict[str, list[str]] = defaultdict(list)
        for word in lexicon.fillers | lexicon.background:
            if len(word) >= _FILLER_TYPED_WRONG_FROM:
                self._long_idle[word[:1]].append(word)

    def read(self, query: str) -> Question:
        """Return what a customer asks."""
        text = legible(query)[:_LONGEST]
        words = self._words(text)
        synonyms = self._synonyms([word.root for word in words])
        meant = {
            synonym: tuple(root for root in synonym.meaning if root in self._roots) for synonym in synonyms
        }
        counted = quantities(text, self._lexicon)
        concepts = [*self._explained(words, meant), *self._plain(words, synonyms, counted)]
        wanted = dict.fromkeys(root for roots in meant.values() for root in roots)
        replaced = _of_phrases(synonyms)
        for word in words:
            if (
                word.root in self._roots
                and word.root not in replaced
                and not self._lexicon.is_filler(word.folded)
            ):
                wanted[word.root] = None
        concepts += [
            Concept((text[each.start : each.end],), each.start, each.end, amount=frozenset(each.same()))
            for each in counted
            if any(word.asked for word in words if each.start <= word.start < each.end)
        ]
        concepts.sort(key=lambda concept: concept.start)
        joins = self._lexicon.asks.joins
        parts = not joins or "," in text or any(word.folded in joins for word in words)
        return Question(text, tuple(wanted), tuple(self._joined(concepts, text)), len(words), parts)

    def _joined(self, concepts: Iterable[Concept], text: str) -> list[Concept]:
        """Return the concepts with those made one that stand side by side here and in a policy."""
        joined: list[Concept] = []
        for concept in concepts:
            last = joined[-1] if joined else None
            if last and self._are_one(last, concept, text):
                joined[-1] = Concept(
                    last.shown + concept.shown,
                    last.start,
                    concept.end,
                    last.needs + concept.needs,
                    generic=last.generic and concept.generic,
                    light=last.light and concept.light,
                    asked=last.asked or concept.asked,
                )
            else:
                joined.append(concept)
        return joined

    def _are_one(self, one: Concept, other: Concept, text: str) -> bool:
        return (
            bool(one.needs and other.needs)
            and text[one.end : other.start] in (" ", "-")
            and any((left, right) in self._pairs for left in one.needs[-1] for right in other.needs[0])
        )

    def _synonyms(self, roots: list[str]) -> list[Synonym]:
        """Return the synonyms said, and those said in other words: of "how long" and "send back" too."""
        said = self._lexicon.phrases_in(roots)
        others = [synonym.meaning[0] for synonym in said if len(synonym.meaning) == 1]
        return self._lexicon.phrases_in([*roots, *others]) if others else said

    def _words(self, text: str) -> list[_Word]:
        found = spelled_words(text)
        asked = _asked(text, found, self._lexicon)
        return [
            _Word(match[0], folded, match.start(), self._typed_right(folded), asks)
            for match, asks in zip(found, asked, strict=True)
            for folded in [match[0].casefold()]
        ]

    def _explained(self, words: list[_Word], meant: dict[Synonym, tuple[str, ...]]) -> Iterator[Concept]:
        """Yield what the synonyms stand for."""
        for synonym, roots in meant.items():
            said = _words_of(synonym, words)
            if not said:
                continue
            own = frozenset(
                word.root for word in said if len(synonym.phrase) == 1 and word.root in self._roots
            )
            telling = [
                word for word in said if not (synonym.named and self._lexicon.is_filler(word.folded))
            ] or said
            yield Concept(
                tuple(word.shown for word in telling),
                said[0].start,
                said[-1].start + len(said[-1].shown),
                (own.union(roots),) if synonym.named and (own or roots) else (),
                generic=self._lexicon.generic.issuperset(synonym.phrase),
                light=self._lexicon.light.issuperset(synonym.phrase),
                asked=any(word.asked for word in said),
            )

    def _plain(
        self, words: list[_Word], synonyms: list[Synonym], counted: tuple[Quantity, ...]
    ) -> Iterator[Concept]:
        """Yield what stands for itself; a word that no policy has only where it is part of the question."""
        explained = {root for synonym in synonyms for root in synonym.phrase}
        for word in words:
            if word.root in explained or self._counts_for_nothing(word.folded):
                continue
            if any(each.start <= word.start < each.end for each in counted):
                continue
            end = word.start + len(word.shown)
            if word.root in self._roots and not word.folded.isdigit():
                yield Concept(
                    (word.shown,),
                    word.start,
                    end,
                    (frozenset((word.root,)),),
                    generic=word.root in self._lexicon.generic,
                    light=word.root in self._lexicon.light,
                    asked=word.asked,
                )
            elif word.asked and _is_word(word.folded) and not self._is_idle(word.folded):
                yield Concept((word.shown,), word.start, end)

    def _typed_right(self, word: str) -> str:
        """Return the word's root, or the known one that it is a typing error away from."""
        root = self._lexicon.root(word)
        if len(word) < _TYPED_WRONG_FROM or root in self._known or self._counts_for_nothing(word):
            return root
        near = self._near[word[:1]]
        return next(
            (near[known] for known in near if _typed_for(word, known) or _typed_for(root, known)), root
        )

    def _counts_for_nothing(self, word: str) -> bool:
        return self._lexicon.is_filler(word) or self._lexicon.is_background(word)

    def _is_idle(self, word: str) -> bool:
        """Say whether a word is a filler or background, typed right or nearly so."""
        return (
            self._counts_for_nothing(word)
            or squeezed(word) in self._idle
            or any(one_edit_apart(word, each) for each in self._long_idle[word[:1]])
        )


def _asked(text: str, words: list[re.Match[str]], lexicon: Lexicon) -> list[bool]:
    """Say of each word whether it is part of the question, rather than of what is told before or after it.

    A name or a place counts wherever it stands: "I live in Nepal, do you ship there?"
    """
    asks = lexicon.asks
    opening, telling, new_sentence = False, False, True
    found: list[bool] = []
    starts: list[tuple[bool, bool]] = []
    for place, match in enumerate(words):
        between = text[words[place - 1].end() : match.start()] if place else "\n"
        new_sentence = bool(_SENTENCE_ENDS & set(between))
        new_clause = bool(_CLAUSE_END.search(between))
        if new_clause:
            telling = False
            begins = _opens(words, place, lexicon)
            opening = begins or (opening and not new_sentence)
        telling = telling or match[0].casefold() in asks.tells
        found.append(opening and not telling)
        starts.append((new_clause, new_sentence))
    if not any(found):
        return [True] * len(words)
    return [asked or _is_named(words, place, lexicon, starts[place][1]) for place, asked in enumerate(found)]


def _opens(words: list[re.Match[str]], place: int, lexicon: Lexicon) -> bool:
    for match in words[place : place + _LEAD_IN + 1]:
        word = match[0].casefold()
        if word in lexicon.asks.opens:
            return True
        if not lexicon.is_filler(word):
            return False
    return False


def _is_named(words: list[re.Match[str]], place: int, lexicon: Lexicon, first: bool) -> bool:
    word = words[place][0]
    capital = word[0].isupper() and not first and not word.isupper()
    before = words[place - 1][0].casefold() if place else ""
    return capital or before in lexicon.asks.places


def _words_of(synonym: Synonym, words: list[_Word]) -> list[_Word]:
    """Return the words that say a synonym; those of a name stand side by side."""
    size = len(synonym.phrase)
    for at in range(0 if synonym.named else len(words) - size + 1):
        if tuple(word.root for word in words[at : at + size]) == synonym.phrase:
            return words[at : at + size]
    return [word for word in words if word.root in synonym.phrase]


def _of_phrases(synonyms: list[Synonym]) -> set[str]:
    return {root for synonym in synonyms if len(synonym.phrase) > 1 for root in synonym.phrase}


def _typed_for(word: str, known: str) -> bool:
    """Say whether a word is one typing error away from a known one; in a short word no letter is another."""
    if min(len(word), len(known)) < _TYPED_WRONG_FROM or not one_edit_apart(word, known):
        return False
    return len(word) != len(known) or len(word) > _TYPED_WRONG_FROM or sorted(word) == sorted(known)


def one_edit_apart(one: str, other: str) -> bool:
    """Say whether one letter added, left out, replaced or swapped with the next makes one word the other.

    The first letter is seldom typed wrong, and must be the same.
    """
    if one == other or abs(len(one) - len(other)) > 1 or one[:1] != other[:1]:
        return False
    start = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    rest, others = one[start:], other[start:]
    if len(rest) != len(others):
        return rest[1:] == others or rest == others[1:]
    return rest[1:] == others[1:] or (rest[:2] == others[1::-1] and rest[2:] == others[2:])


def _is_word(word: str) -> bool:
    return all(unicodedata.category(char)[0] in "LM" or char == "'" for char in word)
