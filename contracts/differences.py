"""What changed between two sets of tasks, in the words that a reviewer needs, the weightiest first.

Knows:    which change of a contract gives more than before: reach, effect, data, or less asking.
Does not: read files, or judge whether a change is right.
Rule:     nothing is left out: what is not told by a rule of its own is told as changed, with its field.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, cast

from contracts.contract import Function
from contracts.shapes import Shape
from contracts.task import Offered, Task


class Weight(IntEnum):
    """How much a reviewer must look at it. GRANTS: it may do, reach or show more than before."""

    GRANTS = 0
    CHANGES = 1
    TEXT = 2


@dataclass(frozen=True, order=True)
class Difference:
    """One change. where: the task, or the function by its full name."""

    weight: Weight
    where: str
    said: str

    def __str__(self) -> str:
        mark = {Weight.GRANTS: "!", Weight.CHANGES: "~", Weight.TEXT: " "}[self.weight]
        return f"{mark} {self.where}: {self.said}"


_ORDER = {"read": 0, "write": 1, "destructive": 2}


def differences(old: Mapping[str, Task], new: Mapping[str, Task]) -> list[Difference]:
    """Return every difference, by weight and name; empty where the files are the same in all that counts."""
    found: list[Difference] = []
    for name in sorted({*old, *new}):
        before, after = old.get(name), new.get(name)
        if before is None and after is not None:
            found.append(Difference(Weight.GRANTS, name, "a new task"))
            found += [_added(each) for each in after.functions]
        elif before is not None and after is None:
            found.append(Difference(Weight.CHANGES, name, "the task is gone"))
        elif before is not None and after is not None and before.digest != after.digest:
            found += _task(before, after)
    return sorted(found)


def _added(offered: Offered) -> Difference:
    contract = offered.contract
    scopes = ", ".join(contract.scopes) or "no scope"
    sends = f"{contract.method} {contract.path} at {offered.upstream}"
    said = f"a new function: {contract.effect}, {sends}, with {scopes}"
    return Difference(Weight.GRANTS, offered.name, said)


def _task(before: Task, after: Task) -> Iterator[Difference]:
    olds, news = ({each.contract.name: each for each in task.functions} for task in (before, after))
    for name in sorted({*olds, *news}):
        old, new = olds.get(name), news.get(name)
        if old is None and new is not None:
            yield _added(new)
        elif new is None and old is not None:
            yield Difference(Weight.CHANGES, old.name, "the function is gone")
        elif old is not None and new is not None and old.generation != new.generation:
            yield from _function(old, new)
    yield from _head(before, after)
    yield from _pages(before, after)


def _head(before: Task, after: Task) -> Iterator[Difference]:
    for name in ("title", "summary", "owner"):
        if getattr(before.file, name) != getattr(after.file, name):
            yield Difference(Weight.TEXT, after.name, f"{name} is written anew")


def _pages(before: Task, after: Task) -> Iterator[Difference]:
    for path in sorted({*before.files, *after.files}):
        if path in ("task.yaml", "functions.yaml") or before.files.get(path) == after.files.get(path):
            continue
        how = "is new" if path not in before.files else "is gone" if path not in after.files else "is changed"
        weight = Weight.TEXT if path == "README.md" else Weight.CHANGES
        yield Difference(weight, after.name, f"{path} {how}")


# ---------------------------------------------------------------- one function


def _function(old: Offered, new: Offered) -> Iterator[Difference]:
    def told(weight: Weight, said: str) -> Difference:
        return Difference(weight, new.name, said)

    if old.upstream != new.upstream:
        yield told(Weight.GRANTS, f"the upstream is {new.upstream}, and was {old.upstream}: another host")
    before, after = old.contract, new.contract
    for weight, said in (*_reach(before, after), *_arguments(before, after), *_result(before, after)):
        yield told(weight, said)
    for weight, said in _rest(before, after):
        yield told(weight, said)


Found = Iterator[tuple[Weight, str]]


def _reach(old: Function, new: Function) -> Found:
    """Yield what it may do now, and at whom it is asked."""
    if old.effect != new.effect:
        less = _ORDER[new.effect] < _ORDER[old.effect]
        note = ", so that people are asked less" if less else ""
        yield Weight.GRANTS, f"the effect is {new.effect}, and was {old.effect}{note}"
    if more := sorted(set(new.scopes) - set(old.scopes)):
        yield Weight.GRANTS, f"it asks for the new scopes {', '.join(more)}"
    if less_scopes := sorted(set(old.scopes) - set(new.scopes)):
        yield Weight.CHANGES, f"it asks no more for {', '.join(less_scopes)}"
    if (old.method, old.path) != (new.method, new.path):
        yield Weight.GRANTS, f"it sends {new.method} {new.path}, and sent {old.method} {old.path}"
    if old.request != new.request:
        yield Weight.GRANTS, "what it sends is mapped anew (request)"
    if old.approval != new.approval:
        yield (
            Weight.GRANTS,
            f"people are asked {_quoted(new.approval)}, and were asked {_quoted(old.approval)}",
        )
    if old.idempotency != new.idempotency:
        yield Weight.CHANGES, "the key that keeps it from being done twice is another, or gone"
    yield from _asked_for(old, new)


def _asked_for(old: Function, new: Function) -> Found:
    """Yield which words count now as a person's asking for it; without any, it need not be asked for."""
    before, after = (
        {(lang, word) for lang in said for word in said[lang]} for said in (old.asked_for, new.asked_for)
    )
    if before and not after:
        yield Weight.GRANTS, "it need not be asked for in words any more"
    elif more := sorted(after - before):
        shown = ", ".join(f"{word} ({language})" for language, word in more)
        yield Weight.GRANTS if before else Weight.CHANGES, f"it counts as asked for by the new words {shown}"
    if after and (less := sorted(before - after)):
        shown = ", ".join(f"{word} ({language})" for language, word in less)
        yield Weight.CHANGES, f"it counts no more as asked for by {shown}"


def _quoted(said: Any) -> str:
    return "nothing" if said is None else f'"{said if isinstance(said, str) else said["en"]}"'


def _arguments(old: Function, new: Function) -> Found:
    before, after = old.arguments, new.arguments
    for name in sorted(set(after) - set(before)):
        yield Weight.GRANTS, f"it takes the new argument {name}"
    for name in sorted(set(before) - set(after)):
        yield Weight.CHANGES, f"it takes {name} no more"
    for name in sorted(set(before) & set(after)):
        if before[name].grounding != after[name].grounding:
            mark = after[name].grounding or "nothing"
            yield (
                Weight.GRANTS,
                f"the argument {name} must be grounded as {mark}, and was as {before[name].grounding}",
            )
        elif _bare(before[name]) != _bare(after[name]):
            yield (
                Weight.GRANTS,
                f"the argument {name} takes other values ({_changed(before[name], after[name])})",
            )
        elif before[name] != after[name]:
            yield Weight.TEXT, f"the argument {name} is described anew"
    if dropped := sorted(set(old.required) - set(new.required)):
        yield Weight.GRANTS, f"{', '.join(dropped)} may be left out now"
    if needed := sorted(set(new.required) - set(old.required)):
        yield Weight.CHANGES, f"{', '.join(needed)} is needed now"
    if old.resolve != new.resolve:
        yield Weight.CHANGES, "words become ids in another way (resolve)"


_WORDS = {"title", "description", "examples"}


def _bare(shape: Shape) -> dict[str, Any]:
    """Return a schema without the texts in it."""

    def without(node: Any, *, names: bool = False) -> Any:
        if isinstance(node, dict):
            return {
                key: without(value, names=key == "properties" and not names)
                for key, value in cast(dict[str, Any], node).items()
                if names or key not in _WORDS
            }
        if isinstance(node, list):
            return [without(item) for item in cast(list[Any], node)]
        return node

    return without(shape.schema_dict())


def _changed(before: Shape, after: Shape) -> str:
    old, new = _bare(before), _bare(after)
    keys = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
    return ", ".join(keys)


def _result(old: Function, new: Function) -> Found:
    before, after = dict(paths_of(old.response.fields)), dict(paths_of(new.response.fields))
    if exposed := sorted(set(after) - set(before)):
        yield Weight.GRANTS, f"models see the new fields {', '.join(exposed)}"
    if hidden := sorted(set(before) - set(after)):
        yield Weight.CHANGES, f"models see no more {', '.join(hidden)}"
    for path in sorted(set(before) & set(after)):
        if before[path] != after[path]:
            yield Weight.GRANTS, f"the field {path} is declared as {after[path]}, and was as {before[path]}"
    if old.response.data != new.response.data:
        yield Weight.GRANTS, f"the data are taken from {new.response.data or 'the whole answer'}"
    if old.cache != new.cache:
        long = new.cache is not None and (old.cache is None or new.cache.ttl_s > old.cache.ttl_s)
        told = f"kept for {new.cache.ttl_s} s" if new.cache else "not kept"
        yield Weight.GRANTS if long else Weight.CHANGES, f"results are {told}"


def paths_of(shape: Shape, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every declared field with its type and mark; a list's items under `[]`."""
    for name, inner in (shape.properties or {}).items():
        here = f"{path}.{name}".lstrip(".")
        yield here, _declared(inner)
        yield from paths_of(inner, here)
    if shape.items is not None:
        yield f"{path}[]", _declared(shape.items)
        yield from paths_of(shape.items, f"{path}[]")
    if isinstance(shape.additional_properties, Shape):
        yield f"{path}.*", _declared(shape.additional_properties)
        yield from paths_of(shape.additional_properties, f"{path}.*")
    for branch in (*(shape.any_of or ()), *(shape.one_of or ())):
        yield from paths_of(branch, path)


def _declared(shape: Shape) -> str:
    """Return the types of a field, which id it is, and whose words it holds: what guards go by."""
    words = f"words of: {shape.voice}" if shape.voice else ""
    marks = ", ".join(filter(None, [shape.grounding, words]))
    return (" or ".join(shape.types) or "anything") + (f" ({marks})" if marks else "")


_TEXTS = ("summary", "when", "when_not", "failures")
_TOLD_APART = frozenset(
    {
        "effect",
        "scopes",
        "method",
        "path",
        "request",
        "approval",
        "asked_for",
        "idempotency",
        "params",
        "resolve",
        "cache",
        "upstream",
        "response",
        "name",
    }
)


def _rest(old: Function, new: Function) -> Found:
    """Yield every other field that is not the same."""
    for name in Function.model_fields:
        if name in _TOLD_APART or getattr(old, name) == getattr(new, name):
            continue
        yield Weight.TEXT if name in _TEXTS else Weight.CHANGES, f"{name} is written anew"
    if old.params.model_copy(update={"properties": None, "required": None}) != new.params.model_copy(
        update={"properties": None, "required": None}
    ):
        yield Weight.CHANGES, "params is written anew"
    for name in ("success", "pagination", "told"):
        if getattr(old.response, name) != getattr(new.response, name):
            weight = Weight.TEXT if name == "told" else Weight.CHANGES
            yield weight, f"response.{name} is written anew"
    yield from _fields(old.response.fields, new.response.fields)


def _fields(old: Shape, new: Shape) -> Found:
    """Yield that the declared fields differ in what `paths_of` does not tell."""
    if old == new or dict(paths_of(old)) != dict(paths_of(new)):
        return
    if _bare(old) != _bare(new):
        yield Weight.CHANGES, f"response.fields is written anew ({_changed(old, new)})"
    else:
        yield Weight.TEXT, "response.fields is described anew"
