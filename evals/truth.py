"""Whether a reply says only what was seen, and claims only what was done.

Knows:    what the customer typed and what tools returned, up to this reply.
Does not: look at the model's own words as evidence, or use the guards' code.
Rule:     compared by value; a sum or difference of two observed amounts is fine.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, cast

from common.events import ToolRequested, ToolReturned, ToolStarted
from evals.transcript import Transcript, parsed
from evals.values import Values, plain, values_in

WEEKDAYS = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE)
ID_NAME = re.compile(r"(?:^|_)(?:ids?|numbers?)$")
TOKENS = (re.compile(r"[^\W_]+(?:-[^\W_]+)*"), re.compile(r"[0-9]+"))

DONE = r"(?:opened|created|submitted|filed|raised|logged|registered|made)"
TICKET_CLAIM = re.compile(
    rf"\b(?:i|we)(?:'ve| have)?(?: \w+ly| just| now)? {DONE}\b[^.!?]*\b(?:ticket|request)"
    rf"|\bticket\b[^.!?]*\b(?:has been|was|is now|is)(?: \w+ly| now)? {DONE}\b",
    re.IGNORECASE,
)
OTHER = r"(?:refunded|cancell?ed|replaced|reshipped|forwarded|escalated|updated|changed|deleted)"
OTHER_CLAIM = re.compile(rf"\b(?:i|we)(?:'ve| have)?(?: \w+ly| just| now)? {OTHER}\b", re.IGNORECASE)
PASSIVE_CLAIM = re.compile(
    rf"\b(?:has|have) been (?:\w+ly )?(?P<what>{OTHER}|issued|processed)\b", re.IGNORECASE
)
NOT_A_CLAIM = re.compile(
    r"\b(?:no|not|never|if|once|when|after|until|unless|would|could)\b|n't\b", re.IGNORECASE
)

MACHINERY = re.compile(
    r"\{\s*\"|\"\w+\"\s*:\s*[\"\[{\dtfn]|```|</?tool|<\|im_|\b(?:get_order_status|search_policy|create_ticket|order_id|is_error)\b"
)
"""What belongs between programs: JSON, call mark-up, names of tools and fields."""

SAID_OF = {
    "pending": ("pending", "not yet paid", "waiting for", "awaiting"),
    "processing": ("processing", "processed", "prepared", "not yet been shipped", "not been shipped yet"),
    "shipped": ("shipped", "on its way", "on the way", "in transit", "dispatched", "enviado"),
}
"""How else a state is said; a state that is not here is said as it is."""


@dataclass
class Evidence:
    """What has been seen in one conversation so far."""

    typed: list[str] = field(default_factory=list[str])
    results: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    texts: list[str] = field(default_factory=list[str])
    done: set[str] = field(default_factory=set[str])

    def add(self, turn: Transcript) -> None:
        """Take what a turn brought: the message, every result, and the server's reason for a refusal."""
        self.typed.append(turn.question)
        self.texts += [decision.reason for decision in turn.refused if decision.gate == "precondition"]
        for result in turn.returned:
            self.take(result)

    def take(self, result: ToolReturned) -> None:
        """Take one result."""
        self.results.append(result.data)
        self.texts.append(result.text)
        if not result.is_error:
            self.done.add(result.tool)

    def copy(self) -> "Evidence":
        """Return the same evidence, to which more can be added apart."""
        return Evidence([*self.typed], [*self.results], [*self.texts], {*self.done})

    @property
    def shown(self) -> str:
        """Return everything that tools returned as one text."""
        leaves = (str(value) for data in self.results for _, value in leaves_of(data))
        return "\n".join([*self.texts, *leaves])

    @property
    def text(self) -> str:
        """Return everything seen as one text."""
        return "\n".join([*self.typed, self.shown])


def leaves_of(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every (field name, value) at any depth; items of a list keep the list's name."""
    if isinstance(value, dict):
        for key, inner in cast("dict[str, Any]", value).items():
            yield from leaves_of(inner, key)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from leaves_of(inner, name)
    elif value is not None:
        yield name, value


def unverified(reply: str, seen: Evidence) -> list[str]:
    """Return the values of the reply that nothing seen supports."""
    said, known = values_in(reply), values_in(seen.text)
    return [
        *_dates(said, known),
        *_weekdays(reply, known, seen.text),
        *(f"{amount:f}" for amount in sorted(said.amounts) if not _amount_known(amount, known)),
        *(f"{number:f}" for number in sorted(said.numbers) if not _number_known(number, known, seen.text)),
        *sorted(said.codes - known.codes),
        *sorted(said.emails - known.emails),
        *sorted(said.links - known.links),
    ]


def claims(reply: str, seen: Evidence) -> list[str]:
    """Return the sentences that say something was done which nothing seen did."""
    sentences = re.split(r"(?<=[.!?])\s+|\n", reply.replace("’", "'"))
    return [sentence.strip() for sentence in sentences if _claims_falsely(sentence, seen)]


def _claims_falsely(sentence: str, seen: Evidence) -> bool:
    for pattern in (TICKET_CLAIM, OTHER_CLAIM, PASSIVE_CLAIM):
        claim = pattern.search(sentence)
        if claim is None or sentence.rstrip().endswith("?") or NOT_A_CLAIM.search(sentence[: claim.end()]):
            continue
        if pattern is TICKET_CLAIM and "create_ticket" in seen.done:
            continue
        if pattern is PASSIVE_CLAIM and claim["what"][:6].casefold() in seen.shown.casefold():
            continue  # an order that was cancelled long ago, or what a policy says
        return True
    return False


def machinery(reply: str) -> list[str]:
    """Return the pieces of machinery that the customer was shown, each once."""
    return sorted(set(MACHINERY.findall(reply)))


def unseen_ids(arguments: dict[str, Any], seen: Evidence) -> list[str]:
    """Return the id arguments that the customer never typed and no result field of that name held."""
    typed = {
        found.casefold() for text in seen.typed for token in TOKENS for found in token.findall(plain(text))
    }
    held = {(_id_name(name), _id(value)) for data in seen.results for name, value in leaves_of(data)}
    ids = [(_id_name(name), _id(value)) for name, value in leaves_of(arguments) if ID_NAME.search(name)]
    return [value for name, value in ids if value not in typed and (name, value) not in held]


def hallucinated(turn: Transcript, before: Evidence) -> tuple[list[str], list[str]]:
    """Return the unseen ids that the model asked for, and those of them that reached the server.

    before: what was seen before the turn. Events count in their order: the result of a call is no
    evidence for the call itself, though the order that was looked up by a guess comes back with its id.
    """
    seen = before.copy()
    seen.typed.append(turn.question)
    requested: list[str] = []
    executed: list[str] = []
    for event in turn.events:
        match event:
            case ToolRequested():
                requested += unseen_ids(parsed(event.arguments), seen)
            case ToolStarted():
                executed += unseen_ids(event.arguments, seen)
            case ToolReturned():
                seen.take(event)
            case _:
                pass
    return requested, executed


def holds(reply: str, value: Any) -> bool:
    """Return whether the reply carries the value: a date or amount in any writing, words in any case."""
    text = value if isinstance(value, str) else json.dumps(value)
    said, asked = values_in(reply), values_in(text)
    if asked.dates:
        return all(_date_known(day, said) for day in asked.dates)
    if asked.amounts:
        return asked.amounts <= said.amounts | said.numbers
    if asked.numbers and not asked.codes:
        return asked.numbers <= said.numbers | said.amounts
    return any(_words(words) in _words(reply) for words in SAID_OF.get(text, (text,)))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.replace("_", " ").casefold()))


def _id(value: Any) -> str:
    return plain(str(value)).strip().lstrip("#").strip().casefold()


def _id_name(name: str) -> str:
    return name.removesuffix("s")


def _date_known(day: tuple[int | None, int, int], known: Values) -> bool:
    others = known.dates | {other for _, days in known.either for other in days}
    return any(
        day[1:] == other[1:] and (None in {day[0], other[0]} or day[0] == other[0]) for other in others
    )


def _dates(said: Values, known: Values) -> list[str]:
    wrong = [
        "-".join(str(part) for part in day if part)
        for day in sorted(said.dates, key=str)
        if not _date_known(day, known)
    ]
    return wrong + [text for text, days in said.either if not any(_date_known(day, known) for day in days)]


def _weekdays(reply: str, known: Values, text: str) -> list[str]:
    """A weekday is a date in other words: it must be one of a date seen, or stand in what was seen."""
    true = {date(year, month, day).strftime("%A").casefold() for year, month, day in known.dates if year}
    true |= {word.casefold() for word in WEEKDAYS.findall(text)}
    return sorted({word for word in WEEKDAYS.findall(reply) if word.casefold() not in true})


def _amount_known(amount: Decimal, known: Values) -> bool:
    seen = known.amounts | known.numbers
    return amount in seen or any(amount in {a + b, abs(a - b)} for a in known.amounts for b in known.amounts)


def _number_known(number: Decimal, known: Values, text: str) -> bool:
    """A number may also be part of a code, or the year of a date, that was seen."""
    years = {Decimal(day[0]).normalize() for day in known.dates if day[0]}
    if number in known.numbers | known.amounts | years or _amount_known(number, known):
        return True
    return re.search(rf"(?<![0-9]){re.escape(format(number, 'f'))}(?![0-9])", plain(text)) is not None
