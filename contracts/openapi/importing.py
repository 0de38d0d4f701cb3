"""A whole description as task folders, and the report of what became of each operation.

Knows:    tasks and their files as YAML.
Does not: write to disk.   (contracts/commands/import_.py)
Rule:     every operation is imported or refused with a reason. The same description makes the same bytes.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, cast

import yaml as _untyped

from common.text import visible
from contracts.openapi.arguments import Refused
from contracts.openapi.described import (
    MOST_OPERATIONS,
    BadDescription,
    Description,
    Operation,
    items,
    mapping,
    read_description,
)
from contracts.openapi.drafting import Drafted, drafted
from contracts.openapi.naming import MOST_TASK, names_of, task_of
from contracts.openapi.siblings import told_apart
from contracts.openapi.signing_in import signing_in
from contracts.openapi.words import cut, free, line, sentence, snake
from contracts.problems import BadContracts
from contracts.reading import read_task

_yaml = cast(Any, _untyped)

_HEAD = "# A draft, made from an API's description. Review every line of it before it is pinned.\n"
_MOST_FUNCTIONS = 150
_MOST_PART = MOST_TASK + 4
_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_MOST_BYTES = 350_000
"""Of one task's functions; both are below what a task may hold (contract.py, yaml_text.py)."""
_MOST_WRITTEN = 100_000_000
"""Bytes of all drafts: a description that refers to the same large schemas everywhere is written out."""


@dataclass(frozen=True)
class Refusal:
    """An operation that was not imported, and why."""

    operation: str
    reason: str

    def __str__(self) -> str:
        return f"{self.operation}: {self.reason}."


@dataclass(frozen=True)
class Note:
    """What was left out of an operation, or of the whole where operation is empty."""

    operation: str
    text: str

    def __str__(self) -> str:
        return f"{self.operation}: {self.text}" if self.operation else self.text


@dataclass(frozen=True)
class Imported:
    """The drafts.

    tasks: name -> path -> bytes. functions: operation -> full name. auth: as upstreams.yaml says it.
    """

    tasks: Mapping[str, Mapping[str, bytes]]
    functions: Mapping[str, str]
    refused: tuple[Refusal, ...]
    notes: tuple[Note, ...]
    auth: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def total(self) -> int:
        """Return the number of operations that were described."""
        return len(self.functions) + len(self.refused)


def import_openapi(
    text: bytes, *, name: str | None = None, upstream: str, only: Sequence[str] = ()
) -> Imported:
    """Return drafts of task folders.

    name: of one task for everything; None makes one a tag, or one a first part of the paths. upstream: the
    row of the deployment's table that the drafts name. only: the operations that are meant, as `GET /orders`;
    empty means all.  Raises: BadDescription.
    """
    description = read_description(text)
    operations = list(description.operations())
    if len(operations) > MOST_OPERATIONS:
        raise BadDescription(
            f"It has {len(operations)} operations, and {MOST_OPERATIONS} are read. Split it."
        )
    operations = _meant(operations, only) if only else operations
    signs_in, auth, remarks = signing_in(description)
    grouped: dict[str, list[Operation]] = defaultdict(list)
    if name is not None:
        _require_name("a task", name, MOST_TASK)
    _require_name("an upstream", upstream, 60)
    for operation in operations:
        grouped[name or task_of(operation)].append(operation)
    whole = _Whole(description, upstream, signs_in, frozenset(grouped))
    for task, members in sorted(grouped.items()):
        whole.add(task, members)
    remarks += [f"{line(stray, 200)}." for stray in description.strays()]
    if mapping(description.said.get("webhooks")):
        remarks.append("Webhooks are not imported.")
    notes = (*(Note("", remark) for remark in remarks), *whole.notes)
    return Imported(whole.tasks, whole.functions, tuple(whole.refused), notes, auth)


def _meant(operations: Sequence[Operation], only: Sequence[str]) -> list[Operation]:
    """Return the operations that are named, in the order of the description.  Raises: BadDescription."""
    known = {f"{each.method.upper()} {_told(each.path)}": each for each in operations}
    wanted = {
        " ".join([word.upper(), *rest]) for word, *rest in (each.split() for each in only if each.split())
    }
    if unknown := sorted(wanted - known.keys()):
        near = get_close_matches(unknown[0], known, n=5) or list(known)[:10]
        raise BadDescription(
            f"It has no operation {visible(unknown[0])[:200]}. Did you mean: {'; '.join(near)}? "
            "Write the method and the path as the description has them."
        )
    return [operation for shown, operation in known.items() if shown in wanted]


def _require_name(of: str, name: str, most: int) -> None:
    if len(name) > most or not _NAME.fullmatch(name):
        raise BadDescription(
            f"{visible(name)[:60]} is no name of {of}. "
            f"Write at most {most} small letters, digits and single _, a letter first."
        )


_Made = tuple[str, Drafted]
"""An operation as the report calls it, and its draft."""


@dataclass
class _Whole:
    description: Description
    upstream: str
    signs_in: frozenset[str]
    names: frozenset[str]
    tasks: dict[str, dict[str, bytes]] = field(default_factory=dict[str, dict[str, bytes]])
    functions: dict[str, str] = field(default_factory=dict[str, str])
    refused: list[Refusal] = field(default_factory=list[Refusal])
    notes: list[Note] = field(default_factory=list[Note])
    left: int = _MOST_WRITTEN
    _taken: set[str] = field(default_factory=set[str])

    def add(self, task: str, members: list[Operation]) -> None:
        """Draft the operations of one task; a task of too many is parted."""
        names = names_of(task, members)
        part, room = task, _MOST_BYTES
        made: list[_Made] = []
        for operation in members:
            shown = f"{operation.method.upper()} {_told(operation.path)}"
            own = names[operation.path, operation.method]
            try:
                draft = drafted(self.description, operation, (task, own), self.signs_in)
            except Refused as reason:
                self.refused.append(Refusal(shown, str(reason).rstrip(".")))
                continue
            size = _size(draft.said)
            if size > min(_MOST_BYTES, self.left):
                self.refused.append(
                    Refusal(shown, "its draft is larger than what one import may still write")
                )
                continue
            self.left -= size
            if made and (room < size or len(made) >= _MOST_FUNCTIONS):
                self._write(part, made)
                part = free(task, self.names | self.tasks.keys(), _MOST_PART)
                room, made = _MOST_BYTES, []
            room -= size
            made.append((shown, draft))
            self._name(part, draft.said)
        if made:
            self._write(part, made)

    def _name(self, task: str, said: dict[str, Any]) -> None:
        """Keep a function's full name, numbered where another task's and function's names join to it."""
        full = free(f"{task}_{said['name']}", self._taken)
        said["name"] = full.removeprefix(f"{task}_")
        self._taken.add(full)

    def _write(self, task: str, made: list[_Made]) -> None:
        """Keep a task's files; an operation whose draft does not load is refused."""
        if self._problem(task, made):
            alone = [(each, self._problem(task, [each])) for each in made]
            self.refused += [Refusal(shown, f"its draft {why}") for (shown, _), why in alone if why]
            made = [each for each, why in alone if not why]
        if not made:
            return
        self.tasks[task] = self._files(task, made)
        for shown, draft in made:
            self.functions[shown] = f"{task}_{draft.said['name']}"
            self.notes += [Note(shown, text) for text in draft.notes]

    def _problem(self, task: str, made: list[_Made]) -> str:
        """Return the first thing that keeps drafts from being loaded; empty where nothing does."""
        try:
            read_task(task, self._files(task, made))
        except BadContracts as error:
            # What is wrong with the text comes first: it may be the cause of what is wrong with a field.
            cause = min(error.problems, key=lambda problem: bool(problem.field))
            where = f"{cause.field.partition('.')[2]}: " if cause.field else ""
            return f"does not load: {where}{cause.rule.rstrip('.')}"
        return ""

    def _files(self, task: str, made: list[_Made]) -> dict[str, bytes]:
        functions = told_apart(task, [draft.said for _, draft in made])
        info = mapping(self.description.said.get("info"))
        of = line(info.get("title"), 60) or "an API"
        title = task.replace("_", " ").capitalize()
        head = {
            "name": task,
            "title": title if len(title) > 1 else f"Task {title}",
            "summary": sentence(line(self._tag(task), 180) or f"{title} of {of}"),
            "upstream": self.upstream,
        }
        return {"task.yaml": _written(head), "functions.yaml": _written({"functions": functions})}

    def _tag(self, task: str) -> str:
        for tag in items(self.description.said.get("tags")):
            if snake(str(mapping(tag).get("name", ""))) == task:
                return str(mapping(tag).get("description") or "")
        return ""


def _written(value: Any) -> bytes:
    return (
        _HEAD + _yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    ).encode()


def _size(said: dict[str, Any]) -> int:
    """Return about how many bytes a function takes in its file; JSON of the same indents is no shorter."""
    return len(json.dumps(said, indent=2, ensure_ascii=False).encode())


def _told(path: str) -> str:
    shown = visible(path)
    return cut(shown, 300, path) if len(shown) > 300 else shown


class _Dumper(getattr(_yaml, "CSafeDumper", _yaml.SafeDumper)):  # type: ignore[misc]
    """YAML without aliases, each text that could be read as something else in quotes."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything out."""
        return True
