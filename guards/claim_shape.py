"""What a language's claims consist of.

Knows:    the parts, and what stands between them.
Does not: know a word of any language, or what was carried out.   (guards/claims.py)
Form:     patterns over levelled text (guards/words.py); the keys are the kinds of action of claims.py.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

NEAR = r"[^.!?;؟।]{0,60}?"
START = r"(?:^|[.!:\n✓✔✅*।-])\s?"


@dataclass(frozen=True)
class Forms:
    """The claims of one language.

    sign: what every claim of the language holds; a text without it is not looked at further.
    deeds: somebody of the shop did it. reports: it was done, by nobody in particular, which a state of a
    result may excuse. negated, conditional: what makes a clause no claim. joints: words that begin a new
    thought inside a clause.
    """

    sign: re.Pattern[str]
    deeds: Mapping[str, re.Pattern[str]]
    reports: Mapping[str, re.Pattern[str]]
    negated: re.Pattern[str]
    conditional: re.Pattern[str]
    joints: re.Pattern[str]


def any_form(*patterns: str) -> re.Pattern[str]:
    """Return one pattern for all, in any case."""
    return re.compile("|".join(patterns), re.IGNORECASE)


def gathered(claims: Mapping[str, tuple[str, str]], side: int, **further: str) -> dict[str, re.Pattern[str]]:
    """Return one pattern a kind. claims: (deeds, reports) by "kind" or "kind: which"; side: 0 or 1 of it."""
    patterns = [(name.partition(":")[0], pair[side]) for name, pair in claims.items()] + [*further.items()]
    kinds = dict.fromkeys(kind for kind, _ in patterns)
    return {kind: any_form(*(pattern for each, pattern in patterns if each == kind)) for kind in kinds}
