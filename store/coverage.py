"""Whether passages answer a question, word by word: what of it they hold, and what no policy mentions.

Knows:    how much of a question must be held, where, and that a question for a time or an amount wants one.
Does not: find passages.   (store/search.py)
Why so:   docs/decisions/016-when-a-policy-answers.md; measured by `python -m evals.abstention`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from store.lexicon import Lexicon
from store.policies import Section
from store.quantities import MONEY, TIMES, Amount, named
from store.question import Concept, Question

AnswerStatus = Literal["stated", "not_stated"]

ENOUGH = 0.7
"""The share of what is asked, by rarity, that the passages must hold."""
_LIGHT = 0.1
"""What a light word counts for: one that asks for a time, or stands for whatever was ordered."""
_BARE = 3
"""Words of a message that is no sentence: a key word alone is asked for wherever it stands."""


@dataclass(frozen=True)
class Coverage:
    """matched, unmatched: words as they were asked, that the passages hold and that no policy mentions.

    share: how much of what is asked the passages hold, from 0 to 1, a rare word counting for more; one
    passage alone, unless the question may be two.
    on_topic: the passages are about it, rather than mention a word of it in passing.
    """

    status: AnswerStatus
    matched: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()
    share: float = 0.0
    on_topic: bool = False

    @property
    def near(self) -> bool:
        """Say whether the passages are worth reading for this question."""
        return self.on_topic or (not self.unmatched and self.share >= ENOUGH)


@dataclass(frozen=True)
class Held:
    """A passage as it is compared. heading: the roots of its heading, of those above and of the title."""

    section: Section
    heading: frozenset[str]
    sentences: tuple[frozenset[str], ...]
    words: frozenset[str]
    amounts: frozenset[Amount]

    @cached_property
    def roots(self) -> frozenset[str]:
        """Return every root."""
        return self.heading.union(*self.sentences)


def held(section: Section, lexicon: Lexicon) -> Held:
    """Return a section as it is compared."""
    about = (section.title, *section.above, section.heading)
    return Held(
        section,
        frozenset(root for text in about for root in lexicon.roots(text)),
        tuple(frozenset(lexicon.roots(sentence)) for sentence in section.sentences),
        lexicon.plain_words(section.text),
        named(section.text, lexicon),
    )


class Judge:
    """The policies in one language as far as judging an answer needs them.

    rarity: what a root counts for; silent: the same of a word that no policy has.
    """

    def __init__(self, lexicon: Lexicon, sections: Sequence[Held], rarity: Callable[[str], float]) -> None:
        self._lexicon = lexicon
        self._amounts = frozenset(amount for each in sections for amount in each.amounts)
        self._rarity = rarity

    def cover(self, question: Question, told: Sequence[Held]) -> Coverage:
        """Return what the told passages hold of the question, and whether that answers it."""
        kept = [concept for concept in question.concepts if self._is_held(concept, told)]
        silent = [concept for concept in question.concepts if self._is_silent(concept)]
        alone = [told] if question.parts else [[each] for each in told]
        share = max((self._share(question, each) for each in alone), default=0.0)
        topical = _on_topic(question, kept, told)
        missed_amount = any(concept.amount and concept not in kept for concept in question.concepts)
        stated = (
            topical
            and not silent
            and not missed_amount
            and share >= ENOUGH
            and self._is_of_kind(question, told)
        )
        return Coverage(
            "stated" if stated else "not_stated",
            _shown(kept),
            _shown(silent),
            share,
            topical,
        )

    def _share(self, question: Question, told: Sequence[Held]) -> float:
        """Return the part of the weight that is held; what is told beside the question need not be."""
        kept = missed = 0.0
        for concept in question.concepts:
            if self._is_held(concept, told):
                kept += self._weight(concept)
            elif concept.asked:
                missed += self._weight(concept)
        return kept / (kept + missed) if kept else 0.0

    def _is_held(self, concept: Concept, told: Sequence[Held]) -> bool:
        if concept.amount:
            return any(concept.amount & each.amounts for each in told)
        return any(concept.is_in(each.roots) for each in told)

    def _is_silent(self, concept: Concept) -> bool:
        return concept.silent or bool(concept.amount and not concept.amount & self._amounts)

    def _weight(self, concept: Concept) -> float:
        if not concept.needs:
            return self._rarity("")
        weight = sum(max(map(self._rarity, need)) for need in concept.needs)
        return weight * _LIGHT if concept.light else weight

    def _is_of_kind(self, question: Question, told: Sequence[Held]) -> bool:
        """Say whether a question for a time or an amount meets one."""
        asks = self._lexicon.asks
        units = frozenset(unit for each in told for _, unit in each.amounts)
        words = frozenset[str]().union(*(each.words for each in told))
        if asks.time.search(question.text) and not (units & TIMES or words & asks.answers_time):
            return False
        return not asks.amount.search(question.text) or bool(units & MONEY or words & asks.answers_amount)


def _on_topic(question: Question, kept: Sequence[Concept], told: Sequence[Held]) -> bool:
    """Say whether a heading names what is asked or a sentence holds two things of it: not one in passing."""
    if question.words <= _BARE and kept:
        return True
    for each in told:
        headed = [concept for concept in kept if concept.roots & each.heading]
        if len(headed) > 1 or not all(concept.generic for concept in headed):
            return True
        if any(sum(_mentions(concept, sentence) for concept in kept) > 1 for sentence in each.sentences):
            return True
    return False


def _mentions(concept: Concept, sentence: frozenset[str]) -> int:
    """Return how many things a sentence holds of a concept: of a synonym for two words, two."""
    if not concept.is_in(sentence):
        return 0
    return len(concept.needs[0] & sentence) if len(concept.needs) == 1 and not concept.generic else 1


def _shown(concepts: Sequence[Concept]) -> tuple[str, ...]:
    """Return the words; those of a concept that nothing mentions are told as one, "Apple Pay"."""
    return tuple(
        dict.fromkeys(
            word
            for concept in concepts
            for word in (concept.shown if concept.needs else (" ".join(concept.shown),))
        )
    )
