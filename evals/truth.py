"""Whether a reply says only what was seen, and which ids were seen before they were used.

Knows:    what the customer typed and what tools returned, up to this reply.
Does not: look at the model's own words as evidence, or use the guards' code; read claims.   (claims.py)
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
from common.shop import load_shop
from evals.months import weekdays_in
from evals.sayings import STATES, says_state, words_of
from evals.transcript import Transcript, parsed
from evals.values import Values, plain, values_in

ID_NAME = re.compile(r"(?:^|_)(?:ids?|numbers?)$")
TOKENS = (re.compile(r"[^\W_]+(?:-[^\W_]+)*"), re.compile(r"[0-9]+"))

MACHINERY = re.compile(
    r"\{\s*\"|\"\w+\"\s*:\s*[\"\[{\dtfn]|```|</?tool|<\|im_|\b(?:get_order_status|list_my_orders|search_policy|create_ticket|get_ticket|list_my_tickets|contact_staff|order_id|is_error)\b"
)
"""What belongs between programs: JSON, call mark-up, names of tools and fields."""


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

    def holds(self, name: str, value: Any) -> bool:
        """Return whether a result had this value in a field of this name."""
        return any((name, value) == leaf for data in self.results for leaf in leaves_of(data))

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


def at_start() -> Evidence:
    """Return what counts as seen before the first message: what the shop says of itself may be told."""
    return Evidence(texts=[load_shop().facts()])


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


def machinery(reply: str) -> list[str]:
    """Return the pieces of machinery that the customer was shown, each once."""
    return sorted(set(MACHINERY.findall(reply)))


def unseen_ids(arguments: dict[str, Any], seen: Evidence) -> list[str]:
    """Return the id arguments that the customer never typed and no result held in a field of that name.

    A thing's own id may stand under the bare name.
    """
    typed = {
        found.casefold() for text in seen.typed for token in TOKENS for found in token.findall(plain(text))
    }
    held = {(_id_name(name), _id(value)) for data in seen.results for name, value in leaves_of(data)}
    ids = [(_id_name(name), _id(value)) for name, value in leaves_of(arguments) if ID_NAME.search(name)]
    return [
        value
        for name, value in ids
        if value not in typed and held.isdisjoint({(name, value), (_id_name("id"), value)})
    ]


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
    if text in STATES:
        return says_state(reply, text)
    return " ".join(words_of(text)) in " ".join(words_of(reply))


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
    true = {date(year, month, day).weekday() for year, month, day in known.dates if year}
    true |= {number for number, _ in weekdays_in(text)}
    return sorted({word for number, word in weekdays_in(reply) if number not in true})


def _amount_known(amount: Decimal, known: Values) -> bool:
    seen = known.amounts | known.numbers
    return amount in seen or any(amount in {a + b, abs(a - b)} for a in known.amounts for b in known.amounts)


def _number_known(number: Decimal, known: Values, text: str) -> bool:
    """A number may also be part of a code, or the year of a date, that was seen."""
    years = {Decimal(day[0]).normalize() for day in known.dates if day[0]}
    if number in known.numbers | known.amounts | years or _amount_known(number, known):
        return True
    return re.search(rf"(?<![0-9]){re.escape(format(number, 'f'))}(?![0-9])", plain(text)) is not None
