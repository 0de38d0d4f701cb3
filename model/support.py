"""Whether facts hold what was asked, and whether an answer says no more than they do.

Knows:    words: the facts', the question's, and those that any question about an order needs.
Does not: understand either. Where it errs, the server's own sentences are told in place of a model's.
"""

import re

from common.text import fold
from model.lexicon import lexicon, words_of

_SENTENCE_END = re.compile(r"(?<=[.!?।؟])\s+")
_FIGURE = re.compile(r"\d+")


def beyond(question: str, facts: str, language: str) -> list[str]:
    """Return the words of a question that neither the facts hold nor any question about an order needs.

    Where there is one, the facts may not hold what was asked: no model should answer from them.
    """
    lists = lexicon(language)
    known = lists.stems["known"] | lists.stems_of(facts)
    return [word for word in words_of(question) if len(word) > 1 and lists.stem(word) not in known]


def supported(sentence: str, sources: str, question: str, language: str) -> bool:
    """Say whether one sentence of the sources, with the question's words, holds all words of this sentence.

    Only the small words between them are free. Figures have to stand in the source itself.
    """
    lists = lexicon(language)
    said = lists.stems_of(sentence) - lists.stems["small"] - lists.stems_of(question)
    figures = _figures(sentence) - _figures(question)
    return any(
        said <= lists.stems_of(source) and figures <= _figures(source) for source in sentences(sources)
    )


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; "e.g. 3" parts in two, which here does no harm."""
    return [part for part in _SENTENCE_END.split(text) if part.strip()] or [text]


def _figures(text: str) -> set[str]:
    return set(_FIGURE.findall(fold(text)))
