"""Finding the section of a policy that answers a question, its sentences that do, and whether it does.

Knows:    which words of a question weigh how much, and which sentences hold them.
Does not: read a question (store/question.py), judge an answer (store/coverage.py), choose the language
          (store/library.py).
Source:   BM25, Robertson & Zaragoza 2009, eq. 3.15; k1=1.2, b=0.75.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from common.stemming import words_of
from store.coverage import Coverage, Held, Judge, held
from store.lexicon import lexicon
from store.model import Policy
from store.policies import Section, sections
from store.question import Vocabulary

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

EXCERPT_CHARS = 300
_EXCERPT_SENTENCES = 3


@dataclass(frozen=True)
class Found:
    """What a search came to.

    passages: best first, at most the number asked for; empty when the policies say nothing on the topic.
    excerpts: the places of the best passage's sentences that hold the answer; then the same of the second,
    where that holds a word of the question which the best does not.
    untranslated: the policies are not there in the question's language, and no other answers it.
    coverage: whether the passages told answer the question, and which of its words nothing mentions.
    """

    passages: tuple[Section, ...]
    coverage: Coverage
    excerpts: tuple[tuple[int, ...], ...] = ()
    untranslated: bool = False

    @property
    def stated(self) -> bool:
        """Say whether the policies answer."""
        return self.coverage.status == "stated"

    @property
    def unmatched(self) -> tuple[str, ...]:
        """Return the words of the question that no policy has, as they were asked."""
        return self.coverage.unmatched


class PolicyIndex:
    """The policies' sections in one language, weighed once, to be asked many times."""

    def __init__(self, policies: Iterable[Policy], language: str = "en") -> None:
        passages = [section for policy in policies for section in sections(policy)]
        self._lexicon = lexicon(language)
        self._held = [held(section, self._lexicon) for section in passages]
        self._weights, self._rarity = self._weighed()
        self._silence = _rarity(0, len(self._held))
        texts = (text for section in passages for text in (section.heading, section.text))
        spelled = {word for text in texts for word in words_of(text) if not self._lexicon.is_filler(word)}
        rooted = [
            self._lexicon.roots(text)
            for section in passages
            for text in (section.heading, *section.sentences)
        ]
        self._vocabulary = Vocabulary(self._lexicon, self._weights, spelled, _pairs(rooted))
        self._judge = Judge(self._lexicon, self._held, lambda root: self._rarity.get(root, self._silence))

    def search(self, query: str, k: int = 3) -> Found:
        """Return the passages that answer the query best, and whether they do.

        Passages that score the same keep the order of their policy: the first section is the main one.
        """
        question = self._vocabulary.read(query)
        scores = self._scored(question.wanted)
        best = [index for index in scores if scores[index] >= _CLOSE_ENOUGH * max(scores.values())][:k]
        told = {index: self._excerpt(self._held[index], question.wanted) for index in best[:1]}
        left = [root for root in question.wanted if not best or best[0] not in self._weights[root]]
        for index, score in self._beside(left, best):
            if score >= _ADDS * scores[best[0]] and self._is_beside(best[0], index, left):
                best = list(dict.fromkeys([best[0], index, *best]))[:k]
                told[index] = self._excerpt(self._held[index], left)
        coverage = self._judge.cover(question, [self._held[index] for index in told])
        if not coverage.near:
            return Found((), coverage)
        return Found(tuple(self._held[index].section for index in best), coverage, tuple(told.values()))

    def ranked(self, query: str) -> list[tuple[Section, float]]:
        """Return every section that holds a word of the query with its score, best first."""
        scores = self._scored(self._vocabulary.read(query).wanted)
        return [(self._held[index].section, score) for index, score in scores.items()]

    def _beside(self, left: Sequence[str], best: Sequence[int]) -> list[tuple[int, float]]:
        """Return the section that holds most of what the best one lacks, if any: of its policy rather."""
        near = {self._held[index].section.policy for index in best[:1]}
        weighed = [
            (index, score * (_SAME_POLICY if self._held[index].section.policy in near else 1))
            for index, score in self._scored(left).items()
        ]
        return sorted(weighed, key=lambda each: -each[1])[:1]

    def _is_beside(self, best: int, other: int, left: Sequence[str]) -> bool:
        """Say whether another section is about what is left of the question, or of the same policy."""
        one, beside = self._held[best], self._held[other]
        return one.section.policy == beside.section.policy or not beside.heading.isdisjoint(left)

    def _scored(self, wanted: Sequence[str]) -> dict[int, float]:
        """Return the places of the sections that hold one of the roots, best first, and their scores."""
        scores: defaultdict[int, float] = defaultdict(float)
        for root in wanted:
            for index, weight in self._weights[root].items():
                scores[index] += weight
        return {index: scores[index] for index in sorted(scores, key=lambda index: (-scores[index], index))}

    def _excerpt(self, passage: Held, wanted: Sequence[str]) -> tuple[int, ...]:
        """Return the sentence that holds most of what is asked, and those beside it while it stays short."""
        sentences = passage.section.sentences
        asked = frozenset(wanted)
        counts = [len(sentence & asked) for sentence in passage.sentences]
        first = last = counts.index(max(counts))
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

    def _weighed(self) -> tuple[dict[str, dict[int, float]], dict[str, float]]:
        """Return what every word adds to the score of each section that has it, and how rare each word is."""
        roots = self._lexicon.roots
        counted = [
            Counter(roots(each.section.heading) * _HEADING_WEIGHT + roots(each.section.text))
            for each in self._held
        ]
        mean_length = sum(counts.total() for counts in counted) / max(1, len(counted))
        weights: defaultdict[str, dict[int, float]] = defaultdict(dict)
        for index, (each, counts) in enumerate(zip(self._held, counted, strict=True)):
            above = frozenset(roots(" ".join((each.section.title, *each.section.above))))
            norm = _K1 * (1 - _B + _B * counts.total() / mean_length)
            for word in above | set(counts):
                # A word of the title: the whole policy is about it, and more mentions say nothing more.
                weights[word][index] = (_K1 + 1) * (
                    1 if word in above else counts[word] / (counts[word] + norm)
                )
        rarity = {word: _rarity(len(places), len(counted)) for word, places in weights.items()}
        weighed = {
            word: {index: weight * rarity[word] for index, weight in places.items()}
            for word, places in weights.items()
        }
        return weighed, rarity


def _rarity(holding: int, total: int) -> float:
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _pairs(texts: Iterable[Sequence[str]]) -> frozenset[tuple[str, str]]:
    """Return the roots that stand side by side, the first seldom without the second: a credit card."""
    alone: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for roots in texts:
        alone.update(roots)
        pairs.update(pairwise(roots))
    return frozenset(pair for pair, times in pairs.items() if times * 2 >= alone[pair[0]])
