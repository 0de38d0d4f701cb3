"""A conversation as JSON text, and back: `loaded(saved(talk)) == talk`.

Knows:    every field of a conversation, and what a history must be to be one that a model accepts.
Does not: read or write a file.   (terminal/files.py)
Note:     the evidence is saved too: whoever loads a text vouches for the ids in it.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, TypeAdapter, ValidationError

from agent.conversation import Conversation
from guards.evidence import Evidence, Named, Origin
from guards.output import Observed
from guards.records import Records

FORM = "shopkart/chat/2"

_EARLIER = re.compile(r"shopkart/chat/\d{1,3}")


class BadSave(Exception):
    """A text that is no saved conversation; it says what is wrong and where."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Function(_Part):
    name: str
    arguments: str


class _Call(_Part):
    id: str
    type: Literal["function"]
    function: _Function


class _FromCustomer(_Part):
    role: Literal["user"]
    content: str


class _FromAssistant(_Part):
    role: Literal["assistant"]
    content: str
    tool_calls: list[_Call] | None = None


class _FromTool(_Part):
    role: Literal["tool"]
    tool_call_id: str
    name: str
    content: str


_Message = Annotated[_FromCustomer | _FromAssistant | _FromTool, Discriminator("role")]


class _Origin(_Part):
    by: Literal["customer", "staff", "result"]
    turn: int
    server: str
    tool: str
    path: str


class _Named(_Part):
    value: str | int
    origin: _Origin


class _Evidence(_Part):
    typed: dict[str, _Origin]
    seen: dict[str, dict[str, _Named]]
    turn: int
    server: str


_Number = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?(E[+-]?[0-9]+)?$", max_length=400)]


class _Records(_Part):
    kept: dict[str, list[str]]
    direct: dict[str, list[str]]
    inside: dict[str, list[str]]
    apart: list[str]


class _Observed(_Part):
    numbers: list[_Number]
    amounts: list[_Number]
    figures: list[_Number]
    durations: list[str]
    dates: list[tuple[int | None, int, int]]
    texts: list[str]
    ids: dict[str, list[str]]
    contacts: list[str]
    currencies: list[str]
    currency: str
    states: list[str]
    actions: list[str]
    quotes: list[str]
    records: _Records


class _Saved(_Part):
    form: Literal["shopkart/chat/2"] = Field(alias="schema")
    language: str
    messages: list[_Message]
    evidence: _Evidence
    observed: _Observed


_FORM = TypeAdapter(_Saved)


def saved(talk: Conversation) -> str:
    """Return the conversation as JSON text of many lines; half a surrogate pair becomes a question mark."""
    data = {
        "schema": FORM,
        "language": talk.language,
        "messages": talk.messages,
        "evidence": asdict(talk.evidence),
        "observed": _seen(talk.observed),
    }
    text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    return text.encode("utf-8", "replace").decode("utf-8")


def loaded(text: str) -> Conversation:
    """Return the conversation of a saved text.

    Raises: BadSave.
    """
    try:
        data = json.loads(text)
        if problem := _of_another_form(data):
            raise BadSave(problem)
        form = _FORM.validate_json(text)  # JSON mode: its strictness takes a list for a tuple
    except json.JSONDecodeError as error:
        raise BadSave(f"It is no JSON at line {error.lineno}, column {error.colno}: {error.msg}.") from None
    except ValidationError as error:
        raise BadSave(_told(error)) from None
    except (RecursionError, ValueError):  # ValueError: a number of more digits than Python reads
        raise BadSave("It is nested too deeply or holds a number that is too long.") from None
    if problem := _broken_pair(form.messages):
        raise BadSave(problem)
    return Conversation(
        messages=data["messages"],
        evidence=_evidence(form.evidence),
        observed=_observed(form.observed),
        language=form.language,
    )


def _evidence(form: _Evidence) -> Evidence:
    return Evidence(
        typed={piece: Origin(**origin.model_dump()) for piece, origin in form.typed.items()},
        seen={
            kind: {key: _named(named) for key, named in known.items()} for kind, known in form.seen.items()
        },
        turn=form.turn,
        server=form.server,
    )


def _named(form: _Named) -> Named:
    return Named(form.value, Origin(**form.origin.model_dump()))


def _sorted(kept: dict[str, set[str]]) -> dict[str, list[str]]:
    return {name: sorted(values) for name, values in kept.items()}


def _as_sets(kept: dict[str, list[str]]) -> dict[str, set[str]]:
    return {name: set(values) for name, values in kept.items()}


def _seen(seen: Observed) -> dict[str, Any]:
    return {
        "numbers": sorted(map(str, seen.numbers)),
        "amounts": list(map(str, seen.amounts)),
        "figures": sorted(map(str, seen.figures)),
        "durations": sorted(seen.durations),
        "dates": sorted(seen.dates, key=str),
        "texts": sorted(seen.texts),
        "ids": _sorted(seen.ids),
        "contacts": sorted(seen.contacts),
        "currencies": sorted(seen.currencies),
        "currency": seen.currency,
        "states": sorted(seen.states),
        "actions": seen.actions,
        "quotes": list(seen.quotes),
        "records": {
            "kept": _sorted(seen.records.kept),
            "direct": _sorted(seen.records.direct),
            "inside": _sorted(seen.records.inside),
            "apart": sorted(seen.records.apart),
        },
    }


def _observed(form: _Observed) -> Observed:
    return Observed(
        numbers=set(map(Decimal, form.numbers)),
        amounts=dict.fromkeys(map(Decimal, form.amounts)),
        figures=set(map(Decimal, form.figures)),
        durations=set(form.durations),
        dates=set(form.dates),
        texts=set(form.texts),
        ids=_as_sets(form.ids),
        contacts=set(form.contacts),
        currencies=set(form.currencies),
        currency=form.currency,
        states=set(form.states),
        actions=list(form.actions),
        quotes=dict.fromkeys(form.quotes),
        records=Records(
            _as_sets(form.records.kept),
            _as_sets(form.records.direct),
            _as_sets(form.records.inside),
            set(form.records.apart),
        ),
    )


def _told(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    first = problems[0]
    more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"It is no saved chat at {_place(first['loc']) or 'its top'}: {first['msg']}{more}."


def _of_another_form(data: Any) -> str | None:
    form = data.get("schema") if isinstance(data, dict) else None  # type: ignore[reportUnknownMemberType]
    if form == FORM or not isinstance(form, str) or not _EARLIER.fullmatch(form):
        return None
    return (
        f"It was saved as {form} by another version of this program, which does not say where each number in "
        f"it came from as {FORM} does. Start a new chat."
    )


def _place(loc: Iterable[str | int]) -> str:
    """Return where, as in `messages[3].role`."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc]
    return "".join(parts).lstrip(".")


def _broken_pair(messages: list[Any]) -> str | None:
    """Return what is wrong with the calls and their results: every call has exactly one, right after it."""
    open_calls: list[str] = []
    for index, message in enumerate(messages):
        if isinstance(message, _FromTool):
            if message.tool_call_id not in open_calls:
                return f"messages[{index}] is the result of a call that was not made."
            open_calls.remove(message.tool_call_id)
        elif open_calls:
            return f"messages[{index}] comes before the result of the call {open_calls[0]!r}."
        elif isinstance(message, _FromAssistant):
            open_calls = [call.id for call in message.tool_calls or ()]
    return f"The call {open_calls[0]!r} at the end has no result." if open_calls else None
