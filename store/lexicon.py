"""What a search needs to know of a language beside its endings: store/lexicon/*.yaml.

Knows:    fillers, which say nothing about what is asked, and what customers say for the policies' own words.
Does not: rank anything.   (store/search.py)
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from store.stemming import plain, root, words_of
from store.words import read_yaml

_FOLDER = Path(__file__).with_name("lexicon")


@dataclass(frozen=True)
class Synonym:
    """A phrase of customers and what it means, both as roots.

    A single word keeps its own meaning beside the other; a longer phrase means what it stands for alone.
    """

    phrase: tuple[str, ...]
    meaning: tuple[str, ...]


@dataclass(frozen=True)
class Lexicon:
    """The fillers of a language, on which a policy's silence is no news, and its synonyms, longest first."""

    language: str
    fillers: frozenset[str]
    synonyms: tuple[Synonym, ...]

    def is_filler(self, word: str) -> bool:
        """Say whether the word counts for nothing."""
        return word in self.fillers or plain(word, self.language) in self.fillers

    def root(self, word: str) -> str:
        """Return what the forms of the word share."""
        return root(word, self.language)

    def roots(self, text: str) -> list[str]:
        """Return the roots of the words that count, in their order."""
        return [self.root(word) for word in words_of(text) if not self.is_filler(word)]

    def phrases_in(self, roots: list[str]) -> list[Synonym]:
        """Return the synonyms whose phrase stands among the roots; where two share a word, the longer one."""
        found: list[Synonym] = []
        for synonym in self.synonyms:
            longer = (one for one in found if len(one.phrase) > len(synonym.phrase))
            if _in_order(synonym.phrase, roots) and not any(
                set(one.phrase) & set(synonym.phrase) for one in longer
            ):
                found.append(synonym)
        return found


def _in_order(phrase: tuple[str, ...], roots: list[str]) -> bool:
    """Say whether the phrase's roots stand among the others in this order, with others between or not."""
    rest = iter(roots)
    return all(root in rest for root in phrase)


@cache
def lexicon(language: str) -> Lexicon:
    """Return the lexicon of a language that the shop speaks."""
    read = read_yaml(_FOLDER / f"{language}.yaml")

    def roots(text: str) -> tuple[str, ...]:
        return tuple(root(word, language) for word in words_of(text))

    synonyms = [
        Synonym(roots(phrase), roots(meaning))
        for meaning, phrases in read["synonyms"].items()
        for phrase in phrases.split(",")
    ]
    synonyms.sort(key=lambda synonym: -len(synonym.phrase))
    fillers = read["fillers"].split()
    return Lexicon(
        language, frozenset(fillers) | {plain(each, language) for each in fillers}, tuple(synonyms)
    )
