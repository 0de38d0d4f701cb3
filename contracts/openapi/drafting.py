"""One operation as a function of a contract, or the reason why it is none.

Knows:    every part that the other modules make, and the rules that a function must meet.
Does not: name tasks or write files.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from contracts.contract import Function
from contracts.openapi.answers import Answers, resource_of
from contracts.openapi.arguments import Arguments, Refused
from contracts.openapi.described import Description, Operation, mapping
from contracts.openapi.effects import effect_of, scopes_of
from contracts.openapi.keywords import NotSayable
from contracts.openapi.naming import static_parts
from contracts.openapi.schemas import Converter
from contracts.openapi.signing_in import host_of, scopes_in
from contracts.openapi.words import line, sentence, snake
from contracts.rules_effect import broken_effect
from contracts.rules_request import broken_request
from contracts.rules_result import broken_result

_MOST_QUESTION = 380
"""Characters; a contract's sentence may have 400."""


@dataclass(frozen=True)
class Drafted:
    """A function as functions.yaml holds it, and what was left out of it."""

    said: dict[str, Any]
    notes: tuple[str, ...]


def drafted(
    description: Description, operation: Operation, names: tuple[str, str], signs_in: frozenset[str]
) -> Drafted:
    """Return the function. names: of the task and of the function. signs_in: names of headers and parameters.

    Raises: Refused, with the reason.
    """
    task, name = names
    if operation.method in ("options", "trace"):
        raise Refused(f"{operation.method.upper()} does nothing for a shop")
    words = [snake(part) for part in static_parts(operation.path)]
    effect = effect_of(operation.method, name, words, snake(_summary(operation, name)))
    if effect is None:
        raise Refused(f"it is a {operation.method.upper()} whose name says that it changes something")
    try:
        arguments = Arguments(description, operation, signs_in, Converter(description, "request")).read()
        answers = Answers(description, operation, Converter(description, "response"), resource_of(operation))
        response = answers.response(arguments.request.get("query", {}))
        failures = answers.failures()
    except NotSayable as error:
        raise Refused(str(error)) from None
    security = operation.said.get("security", description.said.get("security"))
    declared = scopes_in(description, security)
    said: dict[str, Any] = {
        "name": name,
        "summary": _summary(operation, name),
        **_hints(operation, task, name),
        "effect": effect,
        "scopes": scopes_of(task, effect, declared),
        "method": operation.method.upper(),
        "path": arguments.path,
        "params": _params(arguments),
    }
    if arguments.request:
        said["request"] = arguments.request
    if response:
        said["response"] = response
    if failures:
        said["failures"] = failures
    if effect != "read":
        said["approval"] = _approval(name, resource_of(operation), arguments)
        if arguments.idempotency:
            said["idempotency"] = {"header": arguments.idempotency}
    _require_rules(said)
    notes = [*arguments.converter.notes, *answers.converter.notes]
    notes += _beside(operation)
    if declared:
        notes.append(f"Its scopes {line(', '.join(declared), 150)} are {', '.join(said['scopes'])} here.")
    return Drafted(said, tuple(dict.fromkeys(notes)))


def _beside(operation: Operation) -> Iterator[str]:
    if operation.said.get("callbacks"):
        yield "Its callbacks are not imported."
    for server in operation.servers:
        if host := host_of(mapping(server).get("url")):
            yield f"It names a server of its own, {host}; the draft goes to the upstream like all others."


def _params(arguments: Arguments) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": arguments.properties}
    return made | ({"required": arguments.required} if arguments.required else {})


def _summary(operation: Operation, name: str) -> str:
    said = line(operation.said.get("summary"), 190) or line(operation.said.get("description"), 190)
    bare = name.replace("_", " ")
    return sentence(said if len(said) >= 3 else bare.capitalize() if len(bare) >= 3 else f"Function {bare}")


def _hints(operation: Operation, task: str, name: str) -> dict[str, str]:
    said = line(operation.said.get("description"), 300) or _summary(operation, name)
    return {
        "when": sentence(said if len(said) >= 3 else f"It is about {task}"),
        "when_not": f"It is about something else than {name.replace('_', ' ')} of {task.replace('_', ' ')}.",
    }


def _approval(name: str, of: str, arguments: Arguments) -> str:
    """Return the question of a change: from names of ours and every argument that it needs.

    The description's own words stay out: whoever wrote them would speak to the person who is asked.
    """
    words = name.replace("_", " ")
    about = "" if of in name else f" ({of.replace('_', ' ')})"
    needed = dict.fromkeys(arguments.required)
    parts = ", ".join(f"{each.replace('_', ' ')} {{{each}}}" for each in needed)
    question = f"{words.capitalize()}{about}: {parts}." if parts else f"{words.capitalize()}{about}."
    return (
        question
        if len(question) <= _MOST_QUESTION
        else f"{question[: _MOST_QUESTION - 1].rpartition(',')[0]}."
    )


def _require_rules(said: Mapping[str, Any]) -> None:
    """Refuse what the rules on contracts refuse: a draft that cannot be loaded helps nobody."""
    try:
        function = Function.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        raise Refused(f"a contract cannot say it: {where}: {first['msg']}") from None
    at = ("functions", 0)
    for broken in (
        *broken_effect(at, function),
        *broken_request(at, function),
        *broken_result(at, function, {}),
    ):
        where = ".".join(str(part) for part in broken.loc[2:])[:80]
        raise Refused(f"a contract may not say it: {where}: {broken.rule}")
