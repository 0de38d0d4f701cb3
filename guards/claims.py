"""Claims of action in a reply: "I have opened a ticket" needs a call that did it.

Knows:    how an action is claimed in English; claim_forms/ knows four more languages.
Does not: judge promises or advice, nor a state that a result reports ("your order was cancelled").
Limit:    a list of phrases. What it misses is bounded by the values that the reply may carry.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from operator import attrgetter

from common.text import fold
from guards.any_deed import ENGLISH as ANY_DEED
from guards.any_deed import ENGLISH_REPORTS
from guards.claim_shape import Forms
from guards.words import levelled

_IRREGULAR = {"make": "made", "send": "sent", "cancel": "cancell?ed"}
_DOUBLED = {"log", "ship", "stop", "submit", "transfer"}


def _past(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("y"):
        return verb[:-1] + "ied"
    return _stem(verb) + "ed"


def _doing(verb: str) -> str:
    return "cancell?ing" if verb == "cancel" else _stem(verb) + "ing"


def _stem(verb: str) -> str:
    """Return the verb as it stands before -ed and -ing."""
    return verb + verb[-1] if verb in _DOUBLED else verb.removesuffix("e")


@dataclass(frozen=True)
class _Action:
    """One kind of action.

    kind: its key in claim_forms/. verbs: what is done. objects: what it is done to, a pattern. tools: the
    words of a tool that does it. people: verbs that take the customer or the order itself as their object.
    deeds, reports: the whole patterns, where they are not made of these. states: those of a record under
    which the passive form is a report and no claim.
    """

    kind: str
    name: str
    verbs: str
    objects: str
    tools: str
    people: str = ""
    states: frozenset[str] = frozenset()
    short: str = ""
    deeds: str = ""
    reports: str = ""

    @cached_property
    def active(self) -> re.Pattern[str]:
        """Somebody of the shop did it, or is doing it."""
        if self.deeds:
            return re.compile(self.deeds, re.IGNORECASE)
        verbs = self.verbs.split()
        done, does = "|".join(map(_past, verbs)), "|".join(verbs)
        doing = "|".join(map(_doing, verbs))
        forms = [rf"{_FIRST}(?:{done})\b{_NEAR}\b(?:{self.objects})s?\b"]
        forms += [rf"{_ABLE}(?:{does})\b{_NEAR}\b(?:{self.objects})s?\b"]
        forms += [rf"{_BUSY}(?:{doing})\b{_NEAR}\b(?:{self.objects})s?\b"]
        if self.people:
            people = self.people.split()
            forms += [rf"{_FIRST}(?:{'|'.join(map(_past, people))})\b(?!\s(?:by|to|orders|items))"]
            forms += [rf"{_ABLE}(?:{'|'.join(people)})\s(?:you|it|this|that|your)\b"]
        return re.compile("|".join(forms), re.IGNORECASE)

    @cached_property
    def passive(self) -> re.Pattern[str]:
        """It was done, by nobody in particular."""
        if self.deeds:
            return re.compile(self.reports, re.IGNORECASE)
        done = "|".join(map(_past, self.verbs.split()))
        forms = [
            rf"\b(?:{self.objects})s?\b[^.!?;,]{{0,40}}?(?:\b|(?=['’])){_WAS}\s{_ADVERBS}(?:{done})\b{_NO_RULE}"
        ]
        forms += [rf"\byour (?:{self.objects})\s(?:is|are)\s{_ADVERBS}(?:{done})\b{_NO_RULE}"]
        forms += [rf"{_START}(?:your |the |a )?(?:{self.objects})\s(?:successfully )?(?:{done})\b{_NO_RULE}"]
        if self.people:
            people = "|".join(map(_past, self.people.split()))
            forms += [rf"\b(?:you|it|this|that)(?:['’]ve)?\s{_WAS}\s{_ADVERBS}(?:{people})\b"]
            forms += [rf"\byou['’]ve been {_ADVERBS}(?:{people})\b"]
            forms += [rf"\bconsider (?:it|this|that|(?:your|the) order) (?:{people})\b"]
        return re.compile("|".join(forms + ([self.short] if self.short else [])), re.IGNORECASE)


_ADVERBS = r"(?:(?:just|already|now|also|successfully|hereby|not only|gone ahead and|went ahead and)\s){0,3}"
_WE = r"\b(?:I|we|our team|the team|our staff|a colleague|support)"
_FIRST = rf"{_WE}(?:['’]ve|\shave|\shas|\shad|['’]d)?\s{_ADVERBS}"
_ABLE = rf"{_WE}(?:['’]ve|\shave)?\s(?:(?:was|were|been)\sable\sto|managed\sto|did)\s"
_BUSY = r"\b(?:I['’]m|I\sam|we['’]re|we\sare)\s(?:now\s|already\s|currently\s)?"
_WAS = (
    r"(?:(?:(?:has|have|had)\s|(?<=\w)['’](?:s|ve)\s)(?:now\s|already\s|just\s|successfully\s)?been|was|were"
    r"|is\snow|are\snow|got|gets)"
)
_NEAR = r"[^.!?;]{0,60}?"
_START = r"(?:^|[.!:\n✓✔✅*-])\s?"
_NO_RULE = r"(?!\s(?:within|in|after|by|when|once|if|only|as soon|automatically|to the (?:original|same)))"
"""What follows in a rule, as in "refunds are processed within 5 days"."""

_ACTIONS = (
    _Action(
        "ticket",
        "a ticket was opened",
        "open create submit raise file log register make place start",
        r"(?:support |return |refund |service |damage |delivery )?"
        r"(?:ticket|case|claim|complaint|request|report)",
        r"ticket|case|claim|complaint|request|report|issue",
        states=frozenset({"open"}),
        short=r"\b(?:a|your|the|new|support)\s(?:\w{1,12}\s)?ticket(?:\s\S{1,20})?\sis\s(?:now\s)?"
        r"(?:open|active|in place|registered|on file)\b"
        r"|\bticket\s#?[A-Z]{0,3}-?\d{1,12}\sis\s(?:now\s)?open\b",
    ),
    _Action(
        "refund",
        "money was refunded",
        "refund reimburse issue process initiate approve credit grant arrange send transfer",
        r"(?:full |partial )?(?:refund|reimbursement|credit)",
        r"refund|reimburse|pay|credit",
        people="refund reimburse",
        states=frozenset({"refunded", "partially_refunded", "partially refunded"}),
        short=rf"\b(?:order|purchase|item|payment|money)s?\b[^.!?;,]{{0,40}}?(?:\b|(?=['’])){_WAS}\s{_ADVERBS}"
        rf"(?:refunded|reimbursed|returned to you|sent back|transferred)\b{_NO_RULE}"
        r"|\b(?:refund|money|payment|credit|EUR|USD|GBP|euros?|dollars?|pounds?)\s(?:is|are)\s"
        r"(?:now\s|already\s)?"
        r"(?:on (?:its|the|their) way|being processed|complete|coming)\b",
    ),
    _Action(
        "cancel",
        "an order was cancelled",
        "cancel stop",
        r"(?:order|purchase|shipment|delivery|subscription)",
        r"cancel|stop",
        people="cancel",
        states=frozenset({"cancelled", "canceled"}),
    ),
    _Action(
        "replace",
        "a return or replacement was arranged",
        "arrange start initiate schedule send ship dispatch replace exchange approve accept book",
        r"(?:replacement|exchange|return(?: label)?|new (?:one|item|lamp|unit)|pick-?up|courier)",
        r"return|replace|exchange|ship|send|pickup|schedule",
        people="replace",
        states=frozenset({"returned", "replaced", "exchanged"}),
        short=r"\b(?:your|a)\s(?:replacement|new \w{2,20})\sis\s(?:now\s|already\s)?on (?:its|the) way\b",
    ),
    _Action(
        "record",
        "a record was changed",
        "update change modify correct edit upgrade remove delete",
        r"(?:shipping |delivery |billing )?"
        r"(?:address|order|account|details|profile|payment method|record|preferences)",
        r"update|change|modify|edit|set|correct|remove|delete|upgrade",
    ),
    _Action(
        "told",
        "somebody was told",
        "forward escalate notify inform contact alert message report",
        r"(?:team|department|colleagues?|specialist|manager|supervisor|warehouse|carrier|courier|seller"
        r"|staff)",
        r"forward|escalate|notify|inform|contact|mail|message|send|report|ticket|transfer",
        people="escalate forward",
    ),
    _Action(
        "message",
        "a message was sent",
        "send email e-mail forward",
        r"(?:you an? (?:e-?mail|message|confirmation)|a confirmation|an? e-?mail)",
        r"mail|message|send|notify|confirm",
    ),
    _Action(
        "request",
        "the request was carried out",
        "complete",
        r"(?:your request)",
        r"\w",
        short=rf"{_START}(?:all )?done(?=\s?[!.—–-])|\bconsider it done\b|\ball taken care of\b"
        r"|\b(?:it|this|that|everything)(?:['’]s| is| has been) (?:now |all )?"
        r"(?:done|taken care of|sorted|handled)\b(?!\sby\b)",
    ),
    _Action("other", "something was done", "", "", r"\w", deeds=ANY_DEED, reports=ENGLISH_REPORTS),
)

_NEGATED = re.compile(
    r"\b(?:not(?!\sonly)|never|cannot|can['’]t|no|without|(?:have|has|was|were|did|could|is|are)n['’]t"
    r"|unable|neither|nor)\b",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(
    r"\b(?:if|once|when|after|until|unless|before|whether|in case|as soon as|would you like|do you want"
    r"|shall I|you (?:said|say|mentioned|wrote|told|reported))\b",
    re.IGNORECASE,
)


def unsupported_claims(text: str, actions: Sequence[str], states: Set[str]) -> list[str]:
    """Return the actions that the text claims and nothing supports, in words.

    actions: names and titles of the calls that changed something, in lower case. states: the one-word
    values of result fields, in lower case; "cancelled" there lets "has been cancelled" stand.
    """
    plain = re.sub(r"[ \t]+", " ", fold(text))
    versions = list(dict.fromkeys((plain, re.sub(r" +", " ", _ASIDE.sub("", plain)))))
    return [
        f"the claim that {action.name}"
        for action in _ACTIONS
        if not any(re.search(action.tools, done) for done in actions)
        and any(
            _is_claimed(action, version, states) or _is_claimed_abroad(action, levelled(version), states)
            for version in versions
        )
    ]


_ASIDE = re.compile(r"\([^()]{1,200}\)|«[^«»]{1,100}»|\"[^\"\n]{1,100}\"|“[^“”]{1,100}”")
"""What may stand between a thing and what was done to it: ticket T-1 ("damaged") was opened."""


def _is_claimed(action: _Action, text: str, states: Set[str]) -> bool:
    if any(_is_affirmed(match) for match in action.active.finditer(text)):
        return True
    if action.states & states:
        return False
    reported = (match for match in action.passive.finditer(text) if not _is_state(match, states))
    return any(_is_affirmed(match) for match in reported)


def _is_state(match: re.Match[str], states: Set[str]) -> bool:
    """Say whether a result has a state of the name of what was done: a gift-wrapped order was wrapped."""
    done = match.groupdict().get("done")
    return bool(done) and any(done.casefold() in state for state in states)


def _is_claimed_abroad(action: _Action, text: str, states: Set[str]) -> bool:
    sides = [_DEEDS] if action.states & states else [_DEEDS, _REPORTS]
    return any(
        _is_affirmed(match, forms)
        for forms in _abroad()
        if forms.sign.search(text)
        for side in sides
        if (pattern := side(forms).get(action.kind))
        for match in pattern.finditer(text)
    )


@cache
def _abroad() -> tuple[Forms, ...]:
    from guards.claim_forms import ABROAD  # here: its patterns take a twentieth of a second to make

    return ABROAD


_DEEDS = attrgetter("deeds")
_REPORTS = attrgetter("reports")

_ENGLISH = Forms(re.compile(""), {}, {}, _NEGATED, _CONDITIONAL, re.compile(r"\b(?:but|and|so)\b"))


def _is_affirmed(match: re.Match[str], forms: Forms = _ENGLISH) -> bool:
    """Say whether a claim stands by itself: not denied, not a condition, not asked."""
    clause = "".join(_clause(match))
    if forms.conditional.search(clause) or forms.negated.search(forms.joints.split(clause)[-1]):
        return False
    after = re.search(r"[.!?;,\n؟،؛।]", match.string[match.end() : match.end() + 200])
    return after is None or after[0] not in "?؟"


def _clause(match: re.Match[str]) -> Iterator[str]:
    before = match.string[max(0, match.start() - 200) : match.start()]
    yield re.split(r"[.!?;:,\n؟،؛।¿¡]", before)[-1]
    yield match[0]
