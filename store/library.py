"""The policies in every language, asked in any of them.

Knows:    which language a question is in, and which section is which other's translation.
Does not: rank sections (store/search.py), or put an answer into words (store/wording.py).
"""

from collections.abc import Iterable
from functools import lru_cache

from common.language import LANGUAGES, language_of
from store.model import Policy
from store.policies import Section, sections
from store.search import Found, PolicyIndex

__all__ = ["Found", "Library", "library_of"]


class Library:
    """An index for each language that the policies are there in."""

    def __init__(self, policies: Iterable[Policy]) -> None:
        shelf = tuple(policies)
        self._shelf = {
            language: [policy for policy in shelf if policy.language == language]
            for language in LANGUAGES
            if any(policy.language == language for policy in shelf)
        }
        self._indexes: dict[str, PolicyIndex] = {}
        self._sections = {
            (section.policy, section.place, section.language): section
            for policy in shelf
            for section in sections(policy)
        }

    def search(self, query: str) -> Found:
        """Return what the policies in the question's language say.

        Where they say nothing, a language that knows more of its words answers: a single word may be of any.
        """
        asked_in = language_of(query, LANGUAGES[0])
        order = sorted(self._shelf, key=lambda language: language != asked_in)  # English is the next
        if not order:
            return Found((), ())
        own = self._index(order[0]).search(query)
        if own.passages:
            return own
        others = (self._index(language).search(query) for language in order[1:])
        return min(
            (
                found
                for found in others
                if found.passages and len(found.not_mentioned) < len(own.not_mentioned)
            ),
            key=lambda found: len(found.not_mentioned),
            default=own,
        )

    def _index(self, language: str) -> PolicyIndex:
        """Return the index of a language, made when it is first asked: a start need not wait for all five."""
        if language not in self._indexes:
            self._indexes[language] = PolicyIndex(self._shelf[language], language)
        return self._indexes[language]

    def translated(self, section: Section, language: str) -> Section:
        """Return the section in another language; in English, or as it is, where there is no translation."""
        for each in (language, LANGUAGES[0]):
            if found := self._sections.get((section.policy, section.place, each)):
                return found
        return section


@lru_cache(maxsize=8)
def library_of(policies: tuple[Policy, ...]) -> Library:
    """Return the library of these policies; the indexes of the same ones are made once."""
    return Library(policies)
