"""An API's operations, and which of them a sentence asks for: matched by words, so that no model invents one.

Knows:    an OpenAPI description as JSON: paths, names, summaries, parameters, and fields that come back.
Does not: make contracts, or ask a model.   (contract_building.py)
Rule:     the word for the thing itself must be the API's own; a sentence about what it does not have finds
          nothing, however well its other words fit.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from workshop.contract_words import LITTLE, NAMING, Action, Clause, stem

_METHODS: dict[str, Action] = {
    "get": "read", "head": "read", "post": "create", "put": "change", "patch": "change", "delete": "delete",
}  # fmt: skip
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[^\W\d_A-Za-z]+")
_CHANGES = ("update", "set", "change", "edit", "move", "mark")
_NAME, _SUMMARY, _PARAMETER, _FIELD = 3.0, 2.0, 1.0, 0.5
"""What a word counts for by where it stands, in the proportions of contracts' own search."""

_STRONG = _SUMMARY
_NEAR = 0.85
"""How near to the best one another operation is for the choice to be left to the model; 0.85 keeps a list and
a search of the same thing together, and a list and one of it apart (tried on the demo shop)."""
_MOST_CHOICES = 6
_MOST_DEPTH = 8


@dataclass(frozen=True)
class Operation:
    """One operation. name: its id in the description. weights: stem -> what it counts for here."""

    method: str
    path: str
    name: str
    summary: str
    action: Action
    weights: Mapping[str, float] = field(repr=False)

    @property
    def shown(self) -> str:
        """Return it as the importer names it."""
        return f"{self.method} {self.path}"

    @property
    def told(self) -> str:
        """Return it for people and for the model."""
        return f"{self.shown}: {self.summary}"

    @cached_property
    def own_words(self) -> frozenset[str]:
        """Return the words of its name and path."""
        return frozenset(word for word, weight in self.weights.items() if weight >= _NAME)

    @property
    def is_of_one(self) -> bool:
        """Say whether its path ends in one thing's number."""
        return self.path.rstrip("/").endswith("}")


@dataclass(frozen=True)
class Choice:
    """One thing that was asked for, and the operations that it may be: one where that is plain."""

    clause: Clause
    among: tuple[Operation, ...]


@dataclass(frozen=True)
class Match:
    """What was found. missing: why something was not found. unknown: words that the API does not have."""

    choices: tuple[Choice, ...] = ()
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def operations_of(description: Mapping[str, Any]) -> tuple[Operation, ...]:
    """Return every operation of a description, in its order."""
    return tuple(_operations(description))


def _operations(whole: Mapping[str, Any]) -> Iterator[Operation]:
    for path, item in _mapping(whole.get("paths")).items():
        for method, action in _METHODS.items():
            said = _mapping(_mapping(item).get(method))
            if not said:
                continue
            name = str(said.get("operationId") or f"{method} {path}")
            summary = str(said.get("summary") or said.get("description") or name)
            changes = method == "post" and name.casefold().startswith(_CHANGES)
            parameters = [*_list(_mapping(item).get("parameters")), *_list(said.get("parameters"))]
            texts = (
                (_FIELD, _field_names(whole, said.get("responses"))),
                (_PARAMETER, _parameter_words(whole, parameters, said.get("requestBody"))),
                (_SUMMARY, [summary]),
                (_NAME, [name, re.sub(r"\{[^{}]*\}", " ", path)]),
            )
            weights = {word: weight for weight, said_there in texts for word in _stems(said_there)}
            yield Operation(
                method.upper(), path, name, summary.split("\n")[0], "change" if changes else action, weights
            )


def matched(clauses: Sequence[Clause], operations: Sequence[Operation]) -> Match:
    """Return the operations that the clauses ask for, and what they ask for in vain."""
    vocabulary = _Vocabulary(operations)
    choices: list[Choice] = []
    missing: list[str] = []
    unknown: list[str] = []
    for clause in clauses:
        if reason := vocabulary.lacks(clause):
            missing.append(reason)
            continue
        if clause.everything:
            choices += [Choice(clause, (each,)) for each in vocabulary.all_of(clause)]
        elif among := vocabulary.among(clause):
            choices.append(Choice(clause, among))
        else:
            missing.append(vocabulary.no_such_action(clause))
        unknown += vocabulary.unknown(clause)
    if not clauses:
        missing.append("The sentence does not say what the contract is for.")
    return Match(tuple(choices), tuple(missing), tuple(dict.fromkeys(unknown)))


def nearest(
    clauses: Sequence[Clause], operations: Sequence[Operation], most: int = 5
) -> tuple[Operation, ...]:
    """Return the operations whose names have most of the words; without any, those that list something."""
    vocabulary = _Vocabulary(operations)
    words = {word for clause in clauses for word in clause.words}
    named = [each for each in operations if any(each.weights.get(word, 0) >= _STRONG for word in words)]
    scored = [(sum(vocabulary.score(each, clause) for clause in clauses), each) for each in named]
    found = sorted(scored, key=lambda pair: -pair[0])
    lists = [each for each in operations if each.action == "read" and not each.is_of_one]
    return tuple([each for _, each in found] or lists)[:most]


class _Vocabulary:
    """All words of an API, and how rare each is."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations
        self.strongest: dict[str, float] = {}
        self.holders: dict[str, int] = {}
        for operation in operations:
            for word, weight in operation.weights.items():
                self.strongest[word] = max(weight, self.strongest.get(word, 0.0))
                self.holders[word] = self.holders.get(word, 0) + 1

    def lacks(self, clause: Clause) -> str:
        """Return what of the clause's thing or verb the API does not have; empty where it has both."""
        if clause.verb and self.strongest.get(stem(clause.verb), 0) < _STRONG:
            return f"The API has nothing for {clause.verb!r}."
        if not clause.head:
            return "The sentence does not say what the contract is about."
        strange = [clause.raw[word] for word in clause.words if not word.isascii()]
        if strange:  # word order tells nothing of the thing itself there, so every word has to be known
            return f"The API has nothing about {strange[0]!r}."
        known = self.strongest.get(clause.about, 0.0)
        strong = any(self.strongest.get(word, 0) >= _NAME for word in clause.words if word not in NAMING)
        if not known or not strong:
            return f"The API has nothing about {clause.head!r}."
        return ""

    def unknown(self, clause: Clause) -> list[str]:
        """Return the words that the clause has beyond the API's."""
        return [
            clause.raw[word]
            for word in clause.words
            if word not in self.strongest and word not in NAMING | LITTLE and not word.isdigit()
        ]

    def score(self, operation: Operation, clause: Clause) -> float:
        """Return how well an operation fits; what its name says beyond the sentence counts against it."""
        words = set(clause.words)
        found = sum(
            operation.weights.get(word, 0) * self._rarity(word) for word in words if word not in LITTLE
        )
        if found <= 0:
            return 0.0
        beyond = len(operation.own_words - words - NAMING - LITTLE)
        found -= 1.5 * beyond
        if clause.plural is not None and operation.action == "read":
            found += 1.5 if clause.plural is not operation.is_of_one else -1.5
        asked = clause.asked or ("list" if clause.plural else "")
        found += operation.weights.get(asked, 0) / 2
        return max(found, 0.01)

    def among(self, clause: Clause) -> tuple[Operation, ...]:
        """Return the operations that a clause may mean, best first."""
        action = clause.action or "read"
        fit = [each for each in self._about(clause) if each.action == action]
        scored = sorted(((self.score(each, clause), each) for each in fit), key=lambda pair: -pair[0])
        if not scored:
            return ()
        least = scored[0][0] * _NEAR
        return tuple(each for value, each in scored if value >= least)[:_MOST_CHOICES]

    def all_of(self, clause: Clause) -> tuple[Operation, ...]:
        """Return every operation on the thing itself: at its path, or at one of it."""
        best = max(self._about(clause), key=lambda each: self.score(each, clause))
        place = re.sub(r"/\{[^{}]*\}$", "", best.path.rstrip("/"))
        return tuple(
            each for each in self.operations if re.sub(r"/\{[^{}]*\}$", "", each.path.rstrip("/")) == place
        )

    def no_such_action(self, clause: Clause) -> str:
        """Say that the thing is there, and what is to be done with it is not."""
        words = {
            "read": "it is read",
            "create": "one is made",
            "change": "it is changed",
            "delete": "it is deleted",
        }
        return f"The API has {clause.head!r}, and nothing by which {words[clause.action or 'read']}."

    def _about(self, clause: Clause) -> list[Operation]:
        """Return the operations that have the word for the thing itself, where it is strongest."""
        head = clause.about
        if self.strongest.get(head, 0) >= _STRONG:
            return [each for each in self.operations if each.weights.get(head, 0) >= _STRONG]
        return [
            each
            for each in self.operations
            if head in each.weights and any(word in each.own_words for word in clause.words)
        ]

    def _rarity(self, word: str) -> float:
        return math.log(1 + len(self.operations) / (1 + self.holders.get(word, 0)))


def _stems(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for part in _PARTS.findall(text):
            yield stem(part)


# ---------------------------------------------------------------- words of a description


def _parameter_words(whole: Mapping[str, Any], parameters: Sequence[Any], body: Any) -> list[str]:
    found: list[str] = []
    for each in parameters:
        said = _followed(whole, each)
        if said.get("in") == "header":
            continue
        found += [str(said.get("name", "")), str(said.get("description", ""))]
        found += [str(value) for value in _list(_mapping(said.get("schema")).get("enum"))]
    return [*found, *_field_names(whole, body, values=True)]


def _field_names(whole: Mapping[str, Any], node: Any, *, values: bool = False, depth: int = 0) -> list[str]:
    """Return the names of the properties below a node, references followed."""
    if depth > 2 * _MOST_DEPTH:
        return []
    if isinstance(node, list):
        return [
            name
            for each in cast(list[Any], node)
            for name in _field_names(whole, each, values=values, depth=depth + 1)
        ]
    said = _followed(whole, node)
    names = [str(name) for name in _mapping(said.get("properties"))]
    names += [str(value) for value in _list(said.get("enum")) if values]
    for key, inner in said.items():
        if key == "properties":
            inner = list(_mapping(inner).values())
        elif key == "default" and "properties" not in said:  # the answer to what failed
            continue
        if isinstance(inner, dict | list) and key not in ("enum", "required", "example", "examples"):
            names += _field_names(whole, inner, values=values, depth=depth + 1)
    return names


def _followed(whole: Mapping[str, Any], node: Any) -> Mapping[str, Any]:
    said = _mapping(node)
    for _ in range(_MOST_DEPTH):
        target = said.get("$ref")
        if not isinstance(target, str) or not target.startswith("#/"):
            return said
        found: Any = whole
        for part in target[2:].split("/"):
            found = _mapping(found).get(part.replace("~1", "/").replace("~0", "~"))
        said = _mapping(found)
    return said


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []
