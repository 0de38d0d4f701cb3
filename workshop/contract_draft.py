"""A task's files as values, between the importer's draft and what a person reviews.

Knows:    the fields of task.yaml and functions.yaml that are worded here, and the sentences made of fields.
Does not: ask a model (contract_wording.py), or check anything.   (contract_trying.py)
Rule:     what a function does, sends and returns is the importer's; only words are changed here, and a value
          that the sentence itself names is set.
"""

import copy
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml as _untyped

from workshop.contract_words import stem

_yaml = cast(Any, _untyped)

HEAD = "# A draft, made by the workshop. Review every line of it before it is pinned.\n"
TASK, FUNCTIONS = "task.yaml", "functions.yaml"
_MOST_SHOWN = 16
_MOST_SUMMARY = 200
"""Characters, as contracts have it."""
_PERSONAL = frozenset("email mobile phone address birthday gender first_name last_name".split())
"""Names of fields that tell who somebody is or how to reach them."""


@dataclass(frozen=True)
class Words:
    """The words of one function. shows: fields that a person is told, as `price.amount`."""

    summary: str
    when: str
    shows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wording:
    """The words of a task. functions: by their names in the task."""

    title: str
    summary: str
    functions: Mapping[str, Words]


@dataclass(frozen=True)
class Fixed:
    """A value that the sentence names, which is always sent. argument: whose place it takes."""

    function: str
    argument: str
    value: str


@dataclass(frozen=True)
class Draft:
    """One task. task, functions: as the files hold them."""

    task: dict[str, Any]
    functions: tuple[dict[str, Any], ...]

    @property
    def name(self) -> str:
        """Return the task's name."""
        return str(self.task["name"])

    @property
    def full_names(self) -> tuple[str, ...]:
        """Return the functions' names as everybody else knows them."""
        return tuple(f"{self.name}_{each['name']}" for each in self.functions)


def read_draft(folder: Path) -> Draft:
    """Return the draft that the importer wrote."""
    task, functions = (
        _yaml.safe_load((folder / name).read_text(encoding="utf-8")) for name in (TASK, FUNCTIONS)
    )
    return Draft(task, tuple(functions["functions"]))


def written(draft: Draft) -> dict[str, str]:
    """Return the files, path -> content."""
    return {TASK: _text(draft.task), FUNCTIONS: _text({"functions": list(draft.functions)})}


def put(draft: Draft, folder: Path) -> None:
    """Write the files into a folder that is there."""
    for path, content in written(draft).items():
        (folder / path).write_text(content, encoding="utf-8")


def renamed(draft: Draft) -> Draft:
    """Return the draft with names that do not say the task's again, as `customers_list_customers` would."""
    whole = {*draft.name.split("_"), *(stem(word) for word in draft.name.split("_"))}
    names: dict[str, str] = {}
    for each in draft.functions:
        words = str(each["name"]).split("_")
        short = "_".join(word for word in words if word not in whole and stem(word) not in whole)
        is_free = bool(short) and short[0].isalpha() and short not in names.values()
        names[str(each["name"])] = short if is_free else str(each["name"])
    functions = [
        {
            **each,
            "name": names[str(each["name"])],
            "when_not": _when_not(each, draft.name, names),
        }
        for each in draft.functions
    ]
    return Draft(draft.task, tuple(functions))


def _when_not(function: Mapping[str, Any], task: str, names: Mapping[str, str]) -> str:
    """Return the hint with the new names; where it names nothing else, it is made of what the API says."""
    hint = str(function["when_not"])
    if not hint.startswith("To "):
        return f"It is about something else than this: {function['summary']}"
    return re.sub(
        rf"\b{re.escape(task)}_([a-z0-9_]+)\b", lambda found: f"{task}_{names.get(found[1], found[1])}", hint
    )


def own_wording(draft: Draft) -> Wording:
    """Return the words that the draft has from the API's description."""
    functions = {
        str(each["name"]): Words(
            each["summary"], f"The user asks for this: {each['summary']}", tuple(open_fields(each)[:2])
        )
        for each in draft.functions
    }
    return Wording(draft.task["title"], draft.task["summary"], functions)


def replaced(wording: Wording, own: Wording, refused: Collection[int | None]) -> Wording:
    """Return the words, and own ones for the functions at the refused places; None stands for the task's."""
    names = list(wording.functions)
    functions = {name: (own if at in refused else wording).functions[name] for at, name in enumerate(names)}
    task = own if None in refused else wording
    return Wording(task.title, task.summary, functions)


def worded(draft: Draft, wording: Wording) -> Draft:
    """Return the draft with these words, and with sentences made of the fields that are to be told."""
    task = {**draft.task, "title": wording.title, "summary": wording.summary}
    functions: list[dict[str, Any]] = []
    for each in draft.functions:
        said = wording.functions[str(each["name"])]
        changed: dict[str, Any] = {**copy.deepcopy(each), "summary": said.summary, "when": said.when}
        if told := _told(changed, said.shows):
            changed["response"]["told"] = told
        functions.append(changed)
    return Draft(task, tuple(functions))


def fixed(draft: Draft, words: Sequence[str]) -> tuple[Draft, tuple[Fixed, ...]]:
    """Return the draft with every choice that the sentence makes: of `hidden categories`, the hidden ones.

    words: stems of the sentence. Only a read's filter is set, and only where one of its values is named.
    """
    found: list[Fixed] = []
    functions: list[dict[str, Any]] = []
    for each in draft.functions:
        changed = copy.deepcopy(each)
        query: dict[str, Any] = (
            changed.get("request", {}).get("query", {}) if each["effect"] == "read" else {}
        )
        for wire, argument in list(query.items()):
            values = _mapping(each["params"]["properties"].get(str(argument))).get("enum", ())
            named = [value for value in values if isinstance(value, str) and stem(value) in words]
            if len(named) == 1 and argument not in each["params"].get("required", ()):
                query[wire] = {"value": named[0]}
                del changed["params"]["properties"][argument]
                found.append(Fixed(str(each["name"]), str(argument), named[0]))
                only = f" (only those whose {argument} is {named[0]})."
                changed["summary"] = f"{changed['summary'].rstrip('.')[: _MOST_SUMMARY - len(only)]}{only}"
        functions.append(changed)
    return Draft(draft.task, tuple(functions)), tuple(found)


def open_fields(function: Mapping[str, Any]) -> list[str]:
    """Return the fields that can be chosen from: not what names a thing, nor what is the same for all."""
    query = _mapping(_mapping(function.get("request")).get("query"))
    same = {str(wire) for wire, sent in query.items() if "value" in _mapping(sent)}
    return [name for name in shown_fields(function) if name not in _NAMING and name not in same]


def shown_fields(function: Mapping[str, Any]) -> list[str]:
    """Return the fields of one item that a sentence can hold, as `price.amount`, what names it first."""
    fields = _mapping(_mapping(function.get("response")).get("fields"))
    one = _mapping(fields.get("items")) if fields.get("type") == "array" else fields
    return sorted(_plain_fields(one), key=_place)[:_MOST_SHOWN]


_UNHEARD = re.compile(r"(?:url|link|href|timezone|email|mobile|phone|address)", re.IGNORECASE)
"""Beginnings of names of fields that nobody wants read aloud, or that are not for everybody's ears."""

_NAMING = ("name", "title", "first_name", "last_name", "message", "reference_id", "id")
"""The fields by which people know a thing, the better first."""
_BARE = _NAMING[:5]
"""Those that need no word in front."""


def _place(name: str) -> tuple[int, int]:
    return (name.count("."), _NAMING.index(name) if name in _NAMING else len(_NAMING))


def personal_fields(draft: Draft) -> list[str]:
    """Return the fields that are about persons, each once, as they are returned."""
    found = [
        name for each in draft.functions for name in _every_name(_mapping(each.get("response")).get("fields"))
    ]
    return list(dict.fromkeys(name for name in found if name in _PERSONAL))


def _every_name(shape: Any) -> Iterator[str]:
    said = _mapping(shape)
    for name, inner in _mapping(said.get("properties")).items():
        yield str(name)
        yield from _every_name(inner)
    if "items" in said:
        yield from _every_name(said["items"])


def _plain_fields(shape: Mapping[str, Any], before: str = "", depth: int = 0) -> Iterator[str]:
    for name, inner in _mapping(shape.get("properties")).items():
        said = _mapping(inner)
        if _UNHEARD.match(str(name)):
            continue
        kinds = said.get("type")
        kinds = [kinds] if isinstance(kinds, str) else kinds or []
        if "object" in kinds and depth < 2:
            yield from _plain_fields(said, f"{before}{name}.", depth + 1)
        elif kinds and not {"array", "object"} & set(kinds) and not (depth and "null" in kinds):
            yield f"{before}{name}"


def _told(function: Mapping[str, Any], shows: Sequence[str]) -> dict[str, str]:
    """Return the sentences about a result: of a list, each item; of one thing, itself."""
    known = shown_fields(function)
    if not known:
        return {}
    # What it is comes first and which one it is last, whatever is told of it: a small model forgets both.
    names = [name for name in known if name in _NAMING]
    chosen = [name for name in shows if name in known]
    said_of_it = list(dict.fromkeys([*names[:1], *chosen, *names[-1:]])) or known[:2]
    said = ", ".join(f"{_label(name)} {{{name}}}".strip() for name in said_of_it)
    if _mapping(_mapping(function.get("response")).get("fields")).get("type") == "array":
        return {"some": "Found {count}: {items}.", "each": said, "none": "There is nothing of this kind."}
    return {"one": f"{said[:380]}."}


def _label(name: str) -> str:
    if name in _BARE:
        return ""
    *parents, last = name.split(".")
    if last == "id":
        return f"{parents[-1]} number".replace("_", " ") if parents else "number"
    plain = parents[-1] if parents and last in ("name", "amount", "date") else last
    return plain.replace("_", " ")


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return HEAD + _yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)


class _Dumper(_yaml.SafeDumper):  # type: ignore[misc]
    """YAML without aliases, which contracts may not have."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything out."""
        return True
