"""The number of a ticket in a sentence: "ticket 1001", "номер тикета 1001", "تذكرة رقم 1001".

Knows:    the words for a ticket in the five languages, and what may stand between them and a number.
Does not: know what a ticket's number looks like; its schema does.   (guards/grounding.py)
"""

import re
from collections.abc import Iterator

TICKET = "ticket"
"""What a number is called that stands after one of the words, as in guards.kinds.noun("ticket_id")."""

_WORDS = r"tickets?|tiques?|incidencias?|тикет\w{0,3}|заявк\w{0,2}|обращени\w{0,2}|\w{0,3}تذكر\w{0,3}|टिकट"
_WORD = re.compile(rf"(?<!\w)(?:{_WORDS})(?!\w)", re.IGNORECASE)
_BETWEEN = r"numbers?|no|nr|num|id|is|número|numero|es|номер\w{0,2}|رقم\w{0,2}|नंबर|नम्बर|संख्या"
_CALLED = re.compile(
    rf"(?<!\w)(?:{_WORDS})(?:[\s.:]{{1,3}}(?:{_BETWEEN})(?!\w)){{0,2}}[\s.:#]{{0,4}}(\d{{1,15}})(?![-/.,]?\w)",
    re.IGNORECASE,
)

_OPEN_BEFORE = re.compile(
    r"(?<!\w)(?:open|create|file|raise|submit|new|abr[aei]\w?|cre[ae]\w?|открой(?:те)?|открыть|создай(?:те)?"
    r"|создать|افتح\w{0,2}|أنشئ\w{0,2}|فتح)(?!\w)[^.!?\n]{0,40}$"
    r"|(?<!\w)(?:a|another|una?|otr[oa]|एक)\s$",
    re.IGNORECASE,
)
_OPEN_AFTER = re.compile(r"[^.!?।\n]{0,20}(?:खोल|बना)")
"""Who asks to open a ticket and then gives a number names the order that it is for."""

_NEAR = 60
"""Characters before the word in which that is looked for."""


def asks_about_ticket(text: str) -> bool:
    """Say whether the text speaks of a ticket, and not of opening one."""
    word = _WORD.search(text)
    return word is not None and not _opens(text, word)


def ticket_numbers(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield each number that is called a ticket, as group 1, and whether it is nothing else.

    text: as common.order_ids.plain leaves it.
    """
    for match in _CALLED.finditer(text):
        yield match, not _opens(text, match)


def _opens(text: str, word: re.Match[str]) -> bool:
    before = text[max(0, word.start() - _NEAR) : word.start()]
    return bool(_OPEN_BEFORE.search(before) or _OPEN_AFTER.match(text, word.end()))
