"""Claims of action in a reply: "I have opened a ticket" needs a call that did it.

Knows:    how an action is claimed in English, and in the simplest form in four more languages.
Does not: judge promises or advice, nor a state that a result reports ("your order was cancelled").
Limit:    a list of phrases. What it misses is bounded by the values that the reply may carry.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from common.text import fold


@dataclass(frozen=True)
class _Action:
    """One kind of action: how it is claimed, the words of a tool that does it, and the states of a record
    under which its passive form is a report and no claim.
    """

    name: str
    done: str
    objects: str
    tools: str
    others: str = ""
    states: frozenset[str] = frozenset()
    bare: str = ""


_ACTIONS = (
    _Action(
        "a ticket was opened",
        r"opened|created|submitted|raised|filed|logged|registered|made|placed|started",
        r"(?:support |return |refund |service |damage |delivery )?(?:ticket|case|claim|complaint|request|report)",
        r"ticket|case|claim|complaint|request|report|issue",
        r"(?:he|hemos|se ha) (?:abierto|creado)[^.]*(?:ticket|incidencia|solicitud)|(?:я|мы) (?:открыл|создал|оформил)\w*"
        r"|(?:لقد|تم) (?:فتح|فتحت|إنشاء)[^.]*تذكرة|टिकट[^.]*(?:खोल|बना) (?:दिया|दी)",
    ),
    _Action(
        "money was refunded",
        r"refunded|reimbursed|issued|processed|initiated|approved|credited|granted|arranged",
        r"(?:full |partial )?(?:refund|reimbursement|credit|money|payment)",
        r"refund|reimburse|pay|credit",
        r"(?:he|hemos|se ha) reembolsado|(?:я|мы) верн(?:ул|ули)\b|تم (?:رد|استرداد)|रिफंड[^.]*(?:कर|दे) (?:दिया|दी)",
        frozenset({"refunded", "partially_refunded", "partially refunded"}),
        "refunded|reimbursed",
    ),
    _Action(
        "an order was cancelled",
        r"cancell?ed|stopped",
        r"(?:order|purchase|shipment|delivery|subscription)",
        r"cancel|stop",
        r"(?:he|hemos|se ha) cancelado|(?:я|мы) отменил\w*|تم إلغاء|रद्द कर (?:दिया|दी)",
        frozenset({"cancelled", "canceled"}),
        "cancell?ed",
    ),
    _Action(
        "a return or replacement was arranged",
        r"arranged|started|initiated|scheduled|sent|shipped|dispatched|replaced|exchanged|approved|accepted|booked",
        r"(?:replacement|exchange|return(?: label)?|new (?:one|item|lamp|unit)|pick-?up|courier)",
        r"return|replace|exchange|ship|send|pickup|schedule",
        states=frozenset({"returned", "replaced", "exchanged"}),
    ),
    _Action(
        "a record was changed",
        r"updated|changed|modified|corrected|edited|upgraded|removed|deleted",
        r"(?:shipping |delivery |billing )?(?:address|order|account|details|profile|payment method|record|preferences)",
        r"update|change|modify|edit|set|correct|remove|delete|upgrade",
    ),
    _Action(
        "somebody was told",
        r"forwarded|escalated|notified|informed|contacted|alerted|emailed|e-mailed|messaged|reported|passed|sent|called",
        r"(?:team|department|colleagues?|specialist|manager|supervisor|warehouse|carrier|courier|seller|staff|you an? e-?mail"
        r"|a confirmation|e-?mail|message)",
        r"forward|escalate|notify|inform|contact|mail|message|send|report|ticket|transfer",
    ),
)

_ADVERBS = r"(?:(?:just|already|now|also|successfully|gone ahead and|hereby)\s+)*"
_FIRST = rf"\b(?:I|we|our team|the team)(?:['’]ve|\s+have|\s+had|['’]d)?\s+{_ADVERBS}"
_PASSIVE = r"(?:has|have)\s+(?:now\s+|already\s+|just\s+)?been|was|were|is\s+now|are\s+now"

_EXEMPT = re.compile(
    r"\b(?:if|once|when|after|until|unless|before|whether|in case|as soon as|would you like|do you want|shall I"
    r"|not|never|cannot|can['’]t|no|without|haven['’]t|hasn['’]t|wasn['’]t|weren['’]t|didn['’]t|unable)\b",
    re.IGNORECASE,
)


def unsupported_claims(text: str, actions: Sequence[str], states: Set[str]) -> list[str]:
    """Return the actions that the text claims and nothing supports, in words.

    actions: names and titles of the calls that changed something, in lower case. states: the one-word
    values of result fields, in lower case; "cancelled" there lets "has been cancelled" stand.
    """
    folded = fold(text)
    return [
        f"the claim that {action.name}"
        for action in _ACTIONS
        if _is_claimed(action, folded, states) and not any(re.search(action.tools, done) for done in actions)
    ]


def _is_claimed(action: _Action, text: str, states: Set[str]) -> bool:
    if action.others and re.search(action.others, text, re.IGNORECASE):
        return True
    if _claims(rf"{_FIRST}(?:{action.done})\b[^.!?;]{{0,60}}?\b(?:{action.objects})s?\b", text):
        return True
    if action.bare and _claims(rf"{_FIRST}(?:{action.bare})\b", text):
        return True
    if action.states & states:
        return False
    return _claims(
        rf"\b(?:{action.objects})s?\b[^.!?;]{{0,40}}?\b(?:{_PASSIVE})\s+{_ADVERBS}(?:{action.done})\b", text
    )


def _claims(pattern: str, text: str) -> bool:
    """Say whether an affirmed, unconditional claim of this form stands in the text."""
    for match in re.finditer(pattern, text, re.IGNORECASE):
        clause = re.split(r"[.!?;\n]", text[: match.start()])[-1] + match[0]
        if not _EXEMPT.search(clause):
            return True
    return False
