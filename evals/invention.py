"""Whether a reply to a question that no data answer makes something up.

Knows:    the words that tools returned, and the words of the reply.
Does not: understand either. It is asked only for turns that are marked `absent`.
Rule:     a reply that says that something is not known, not seen or not there invents nothing. Otherwise a
          sentence of it is an invention when it says yes, or when a third or more of its words that carry
          meaning stand in no result. Questions, courtesies and offers state nothing. A denial stands when a
          sentence of the results denies and shares half of its words: "we ship to no other country".
"""

import re
from collections.abc import Iterable

from evals.sayings import UNKNOWN, admits, normal, sentences, words_of
from evals.settings import HERE
from evals.truth import Evidence, leaves_of

_YES = frozenset("yes yeah sure certainly sí si claro да конечно نعم أجل हाँ हां जी".split())
_COURTESY = re.compile(
    r"\b(?:please|thanks?|sorry|welcome|help|assist|contact|let me|feel free|(?:you|i|we) can|if you)\b"
    r"|\b(?:por favor|gracias|ayud|contact|puedes?|si necesita)"
    r"|\b(?:пожалуйста|спасибо|помо[чг]|обрат|если)"
    r"|(?:يرجى|شكرا|مساعد|إذا|تواصل)|(?:कृपया|धन्यवाद|मदद|सहायता|अगर|यदि|संपर्क)",
    re.IGNORECASE,
)
_NO_MEANING = frozenset((HERE / "fillers.txt").read_text(encoding="utf-8").split())
"""Words that a true and a false sentence share, and those that every reply about an order may hold."""
_PREFIX = 5
"""Letters by which two forms count as one word: ship, shipping; lamp, lamps."""
_TOO_MUCH = 1 / 3


def invented(reply: str, seen: Evidence) -> list[str]:
    """Return the sentences that state what no result holds; none when the reply says it does not know."""
    if admits(reply):
        return []
    held = _held(seen)
    return [one for one in sentences(reply) if _states(one) and _unsupported(one, held, seen)]


def _states(sentence: str) -> bool:
    return not sentence.endswith(("?", "؟")) and not _COURTESY.search(normal(sentence))


def _unsupported(sentence: str, held: frozenset[str], seen: Evidence) -> bool:
    spoken = words_of(sentence)
    if spoken and spoken[0] in _YES:
        return True
    said = _meaning(spoken)
    unknown = said - held
    if not said or len(unknown) < len(said) * _TOO_MUCH:
        return False
    return not (UNKNOWN.search(normal(sentence)) and _denied_by(said, seen))


def _denied_by(said: frozenset[str], seen: Evidence) -> bool:
    denials = (one for one in sentences(seen.shown) if UNKNOWN.search(normal(one)))
    return any(len(said & _meaning(words_of(one))) * 2 >= len(said) for one in denials)


def _held(seen: Evidence) -> frozenset[str]:
    """Return the words of the results; a word that a search says is in no policy is not held by it."""
    leaves = [leaf for data in seen.results for leaf in leaves_of(data)]
    silent = _meaning(word for name, value in leaves if name == "unmatched" for word in words_of(str(value)))
    return _meaning(words_of(seen.shown)) - silent


def _meaning(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:_PREFIX] for word in words if word not in _NO_MEANING)
