"""In which language the customer wrote, and whether the reply is in it.

Knows:    the scripts of three languages; common/language.py tells Spanish from English.
Does not: judge how well a language is spoken.
Rule:     names, carriers and codes that tools returned belong to no language and are left out.
"""

import re
import unicodedata

from common.language import LANGUAGES, language_of
from evals.messages import Dialogue
from evals.sayings import words_of
from evals.truth import Evidence, leaves_of

SCRIPTS = {"ar": "ARABIC", "hi": "DEVANAGARI", "ru": "CYRILLIC"}


def languages(dialogue: Dialogue) -> list[str]:
    """Return the language of each message: the one written in the file, else the words', else the last."""
    found: list[str] = []
    for turn in dialogue.turns:
        before = found[-1] if found else "en"
        found.append(dialogue.language or language_of(turn.text, before))
    return found


def in_language(reply: str, language: str, seen: Evidence) -> bool | None:
    """Return whether the reply is in the language; None of a language that the shop does not speak.

    In Arabic, Hindi and Russian half of the words or more must be of the script; an English or a Spanish
    reply must be Latin by the same measure, and its words not decide for another language.
    """
    if language not in LANGUAGES:
        return None
    words = [word for word in words_of(reply) if word not in _names(seen) and not re.search(r"\d", word)]
    own = [word for word in words if unicodedata.name(word[0], "").startswith(SCRIPTS.get(language, "LATIN"))]
    if len(own) * 2 < len(words) or not reply.strip():
        return False
    return language in SCRIPTS or language_of(" ".join(own), language) == language


def _names(seen: Evidence) -> frozenset[str]:
    """Return the words of what the data call things: items, carriers, currencies, codes."""
    held = {"name", "carrier", "currency", "tracking_number", "ticket_id", "order_id"}
    return frozenset(
        word
        for data in seen.results
        for name, value in leaves_of(data)
        if name in held
        for word in words_of(str(value))
    )
