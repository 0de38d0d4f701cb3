"""Finding the section of a policy that answers a question, and its sentences that do.

Knows:    words: which ones count, which forms are one word, how rare each is, what is one typing error.
Does not: know meanings, beyond its lexicon's synonyms; choose the language.   (store/library.py)
Source:   BM25, Robertson & Zaragoza 2009, eq. 3.15; k1=1.2, b=0.75.
"""

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from store.lexicon import lexicon
from store.model import Policy
from store.policies import Section, sections
from store.stemming import words_of

_K1 = 1.2
_B = 0.75
_HEADING_WEIGHT = 3
"""A word of the heading counts as this many in the text."""
_CLOSE_ENOUGH = 0.5
"""A further passage is shown when it scores at least this part of the best."""

_ADDS = 0.25
"""A second section is told from when what the best lacks scores at least this part of the best there."""

_SAME_POLICY = 1.5
"""What a section of the best one's policy counts for, where both hold what is left of the question."""

_TYPED_WRONG_FROM = 5
"""Letters from which a word with one typing error is taken for the word that it is nearest to."""
_FILLER_TYPED_WRONG_FROM = 6

EXCERPT_CHARS = 300
_EXCERPT_SENTENCES = 3


@dataclass(frozen=True)
class Found:
    """What a search came to.

    passages: best first, at most the number asked for; empty when no word of the question is in a policy.
    excerpts: the places of the best passage's sentences that hold the answer; then the same of the second,
    where that holds a word of the question which the best does not.
    not_mentioned: words of the question that no policy contains, as they were asked, in lower case.
    """

    passages: tuple[Section, ...]
    not_mentioned: tuple[str, ...]
    excerpts: tuple[tuple[int, ...], ...] = ()


class PolicyIndex:
    """The policies' sections in one language, weighed once, to be asked many times."""

    def __init__(self, policies: Iterable[Policy], language: str = "en") -> None:
        self._lexicon = lexicon(language)
        titled = [
            (frozenset(self._lexicon.roots(policy.title)), section)
            for policy in policies
            for section in sections(policy)
        ]
        self._sections = [section for _, section in titled]
        self._weights = self._weighed(titled)
        phrases = {root for synonym in self._lexicon.synonyms for root in synonym.phrase}
        self._known = sorted(phrases | self._weights.keys())

    def search(self, query: str, k: int = 3) -> Found:
        """Return the passages that answer the query best, and the words that no policy has.

        Passages that score the same keep the order of their policy: the first section is the main one.
        """
        wanted, unknown = self._asked(words_of(query))
        scores = self._scored(wanted)
        best = [index for index in scores if scores[index] >= _CLOSE_ENOUGH * max(scores.values())][:k]
        excerpts = [self._excerpt(self._sections[index], wanted) for index in best[:1]]
        left = [root for root in wanted if not best or best[0] not in self._weights[root]]
        for index, score in self._beside(left, best):
            if score >= _ADDS * scores[best[0]]:
                best = list(dict.fromkeys([best[0], index, *best]))[:k]
                excerpts.append(self._excerpt(self._sections[index], left))
        return Found(tuple(self._sections[index] for index in best), unknown, tuple(excerpts))

    def _beside(self, left: list[str], best: list[int]) -> list[tuple[int, float]]:
        """Return the section that holds most of what the best one lacks, if any: of its policy rather."""
        near = {self._sections[index].policy for index in best[:1]}
        weighed = [
            (index, score * (_SAME_POLICY if self._sections[index].policy in near else 1))
            for index, score in self._scored(left).items()
        ]
        return sorted(weighed, key=lambda each: -each[1])[:1]

    def _scored(self, wanted: list[str]) -> dict[int, float]:
        """Return the places of the sections that hold one of the roots, best first, and their scores."""
        scores: defaultdict[int, float] = defaultdict(float)
        for root in wanted:
            for index, weight in self._weights[root].items():
                scores[index] += weight
        return {index: scores[index] for index in sorted(scores, key=lambda index: (-scores[index], index))}

    def _asked(self, words: list[str]) -> tuple[list[str], tuple[str, ...]]:
        """Return the roots that the policies have of these words, and the words that they do not have."""
        roots = {word: self._typed_right(word) for word in words}
        synonyms = self._lexicon.phrases_in([roots[word] for word in words])
        meant = dict.fromkeys(
            root for synonym in synonyms for root in synonym.meaning if root in self._weights
        )
        explained = {root for synonym in synonyms for root in synonym.phrase}
        replaced = {root for synonym in synonyms if len(synonym.phrase) > 1 for root in synonym.phrase}
        unknown: list[str] = []
        for word, root in roots.items():
            if self._lexicon.is_filler(word) or root in replaced:
                continue
            if root in self._weights:
                meant[root] = None
            elif root not in explained and _is_word(word) and not self._is_nearly_filler(word):
                unknown.append(word)
        return list(meant), tuple(unknown)

    def _typed_right(self, word: str) -> str:
        """Return the word's root, or the known one that it is a typing error away from."""
        root = self._lexicon.root(word)
        if len(root) < _TYPED_WRONG_FROM or root in self._known or self._lexicon.is_filler(word):
            return root
        return next((each for each in self._known if one_edit_apart(root, each)), root)

    def _is_nearly_filler(self, word: str) -> bool:
        return any(
            len(each) >= _FILLER_TYPED_WRONG_FROM and one_edit_apart(word, each)
            for each in self._lexicon.fillers
        )

    def _excerpt(self, section: Section, wanted: list[str]) -> tuple[int, ...]:
        """Return the sentence that holds most of what is asked, and those beside it while it stays short."""
        sentences = section.sentences
        held = [len(set(self._lexicon.roots(sentence)) & set(wanted)) for sentence in sentences]
        first = last = held.index(max(held))
        length = len(sentences[first])
        while last - first + 1 < _EXCERPT_SENTENCES:
            after = last + 1 if last + 1 < len(sentences) else None
            before = first - 1 if first else None
            beside = [place for place in (after, before) if place is not None]
            fitting = [place for place in beside if length + 1 + len(sentences[place]) <= EXCERPT_CHARS]
            if not fitting:
                break
            length += 1 + len(sentences[fitting[0]])
            first, last = min(first, fitting[0]), max(last, fitting[0])
        return tuple(range(first, last + 1))

    def _weighed(self, titled: list[tuple[frozenset[str], Section]]) -> dict[str, dict[int, float]]:
        """Return for every word what it adds to the score of each section that has it, by its place."""
        roots = self._lexicon.roots
        counted = [
            Counter(roots(section.heading) * _HEADING_WEIGHT + roots(section.text)) for _, section in titled
        ]
        mean_length = sum(counts.total() for counts in counted) / max(1, len(counted))
        weights: defaultdict[str, dict[int, float]] = defaultdict(dict)
        for index, ((title, _), counts) in enumerate(zip(titled, counted, strict=True)):
            norm = _K1 * (1 - _B + _B * counts.total() / mean_length)
            for word in title | set(counts):
                # A word of the title: the whole policy is about it, and more mentions say nothing more.
                weights[word][index] = (_K1 + 1) * (
                    1 if word in title else counts[word] / (counts[word] + norm)
                )
        return {word: _times_rarity(places, len(counted)) for word, places in weights.items()}


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
    return all(unicodedata.category(char)[0] in "LM" for char in word)


def _times_rarity(places: dict[int, float], total: int) -> dict[int, float]:
    rarity = math.log(1 + (total - len(places) + 0.5) / (len(places) + 0.5))
    return {index: weight * rarity for index, weight in places.items()}
