"""The policies in every language, asked in any of them.

Knows:    which language a question is in, and which section is which other's translation.
Does not: rank sections (store/search.py), or put an answer into words (store/wording.py).
"""

from collections.abc import Iterable
from functools import lru_cache

from common.language import LANGUAGES, language_of
from store.coverage import Coverage
from store.model import Policy
from store.policies import Section, sections
from store.search import Found, PolicyIndex

__all__ = ["Found", "Library", "library_of"]

_ALIKE = frozenset(("en", "es"))
"""Languages of one script: a few words may be of either."""


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
        self._by_name = {(policy.name, policy.language): policy for policy in shelf}

    def search(self, query: str) -> Found:
        """Return what the policies in the question's language say.

        Where they do not answer, a language that knows more of its words does: a single word may be of any.
        """
        asked_in = language_of(query, LANGUAGES[0])
        order = sorted(self._shelf, key=lambda language: language != asked_in)  # English is the next
        if not order:
            return Found((), Coverage("not_stated"))
        own = self._index(order[0]).search(query)
        if asked_in not in self._shelf and not own.stated:
            return Found((), Coverage("not_stated"), untranslated=True)
        if own.stated or (own.passages and order[0] not in _ALIKE):
            return own
        tried = [each for each in order[1:] if not own.passages or each in _ALIKE]
        others = (self._index(language).search(query) for language in tried)
        return min(
            (found for found in others if found.passages and len(found.unmatched) < len(own.unmatched)),
            key=lambda found: (not found.stated, len(found.unmatched)),
            default=own,
        )

    def _index(self, language: str) -> PolicyIndex:
        """Return the index of a language, made when it is first asked: a start need not wait for all five."""
        if language not in self._indexes:
            self._indexes[language] = PolicyIndex(self._shelf[language], language)
        return self._indexes[language]

    def translated(self, section: Section, language: str) -> Section:
        """Return the section in another language; in English, or as it is, where there is no translation.

        Only a policy with as many sections in both languages is a translation: sections pair by their place.
        """
        own = sections(self._by_name[section.policy, section.language])
        for each in (language, LANGUAGES[0]):
            policy = self._by_name.get((section.policy, each))
            if policy and len(other := sections(policy)) == len(own):
                return other[section.place]
        return section


@lru_cache(maxsize=8)
def library_of(policies: tuple[Policy, ...]) -> Library:
    """Return the library of these policies; the indexes of the same ones are made once."""
    return Library(policies)
