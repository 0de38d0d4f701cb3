"""A reply that repeats what the model was told is no reply to a customer.

Knows:    runs of words, folded.
Does not: keep a secret: the instructions hold none, and a paraphrase or a translation passes.
Rule:     seven words in a row that stand so in the instructions, across line breaks and punctuation.
"""

import re
from functools import lru_cache

from common.text import fold

RUN = 7
"""Words; two strangers seldom share so many, and every rule has more."""

_WORD = re.compile(r"[^\W_]+(?:['’_][^\W_]+)*")


def disclosed(text: str, instructions: str) -> list[str]:
    """Return what is wrong with a piece of a reply, in words; empty where it repeats nothing."""
    known = _runs(instructions)
    words = _words(text)
    runs = (" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1))
    return ["the assistant's own instructions"] if any(run in known for run in runs) else []


@lru_cache(maxsize=8)
def _runs(text: str) -> frozenset[str]:
    words = _words(text)
    return frozenset(" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1))


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text).casefold().replace("’", "'"))
