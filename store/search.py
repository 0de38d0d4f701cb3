"""Finding the section of a policy that answers a question.

Knows:    words: which ones count, which forms are one word, how rare each is.
Does not: know meanings; "parcel" finds "parcels" and not "package" unless a policy says both.
Source:   BM25, Robertson & Zaragoza 2009, eq. 3.15; k1=1.2, b=0.75.
"""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from store.model import Policy
from store.policies import Section, sections

_K1 = 1.2
_B = 0.75
_HEADING_WEIGHT = 3
"""A word of the heading counts as this many in the text."""
_CLOSE_ENOUGH = 0.5
"""A further passage is shown when it scores at least this part of the best."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")

_FILLERS = frozenset(Path(__file__).with_name("fillers.txt").read_text(encoding="utf-8").split())
"""Words that say nothing about what is asked. A policy's silence on them is no news."""


@dataclass(frozen=True)
class Found:
    """What a search came to.

    passages: best first, at most the number asked for; empty when no word of the question is in a policy.
    not_mentioned: words of the question that no policy contains, as they were asked, in lower case.
    """

    passages: tuple[Section, ...]
    not_mentioned: tuple[str, ...]


_ENDINGS = ("ations", "ation", "ments", "ment", "able", "ions", "ion", "ings", "ing", "ed", "es", "s")


def stem(word: str) -> str:
    """Return what the forms of an English word share: returns, returned, returning -> return."""
    if word.endswith(("ies", "ied")) and len(word) > 4:
        word = word[:-3] + "y"
    for ending in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeious":
        word = word[:-1]  # shipp -> ship
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return [word for word in _WORD.findall(folded) if word not in _FILLERS]


def _stems(text: str) -> list[str]:
    return [stem(word.removesuffix("'s")) for word in _words(text)]


class PolicyIndex:
    """The policies' sections, weighed once, to be asked many times."""

    def __init__(self, policies: Iterable[Policy]) -> None:
        titled = [
            (frozenset(_stems(policy.title)), section) for policy in policies for section in sections(policy)
        ]
        self._sections = [section for _, section in titled]
        self._weights = _weights(titled)

    def search(self, query: str, k: int = 3) -> Found:
        """Return the passages that answer the query best, and the words that no policy has.

        Passages that score the same keep the order of their policy: the first section is the main one.
        """
        wanted = {word: stem(word.removesuffix("'s")) for word in _words(query)}
        scores: defaultdict[int, float] = defaultdict(float)
        for root in dict.fromkeys(wanted.values()):
            for index, weight in self._weights.get(root, {}).items():
                scores[index] += weight
        best = sorted(scores, key=lambda index: (-scores[index], index))[:k]
        return Found(
            tuple(
                self._sections[index] for index in best if scores[index] >= scores[best[0]] * _CLOSE_ENOUGH
            ),
            tuple(word for word, root in wanted.items() if root not in self._weights and word.isalpha()),
        )


def _weights(titled: list[tuple[frozenset[str], Section]]) -> dict[str, dict[int, float]]:
    """Return for every word what it adds to the score of each section that has it, by the section's place."""
    counted = [
        Counter(_stems(section.heading) * _HEADING_WEIGHT + _stems(section.text)) for _, section in titled
    ]
    mean_length = sum(counts.total() for counts in counted) / max(1, len(counted))
    weights: defaultdict[str, dict[int, float]] = defaultdict(dict)
    for index, ((title, _), counts) in enumerate(zip(titled, counted, strict=True)):
        norm = _K1 * (1 - _B + _B * counts.total() / mean_length)
        for word in title | set(counts):
            # A word of the title: the whole policy is about it, and more mentions say nothing more.
            weights[word][index] = (_K1 + 1) * (1 if word in title else counts[word] / (counts[word] + norm))
    return {word: _times_rarity(places, len(counted)) for word, places in weights.items()}


def _times_rarity(places: dict[int, float], total: int) -> dict[int, float]:
    rarity = math.log(1 + (total - len(places) + 0.5) / (len(places) + 0.5))
    return {index: weight * rarity for index, weight in places.items()}
