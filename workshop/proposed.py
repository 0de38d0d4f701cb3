"""The examples of a specification: the person's own first, then those of a model that do not contradict them.

Knows:    how models write an example, and which file one is about.
Does not: judge whether an example is right: a test that counts must fail on an empty program.   (judging.py)
Rule:     an example of a model that is no closed Python call of a function to be written, is about no planned
          file or says otherwise than the person is left out, with a note.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic import ValidationError

from workshop import spec_fields
from workshop.expressions import (
    called_names,
    calls_something,
    closed,
    own_names,
    wanted_names,
    without_module,
)
from workshop.specification import EXAMPLES_MOST, Example
from workshop.stated import stated_examples
from workshop.syntax import parsed


@dataclass(frozen=True)
class Merged:
    """The examples to keep; notes: what was left out and why; problems: what the plan must change."""

    examples: tuple[Example, ...]
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def merged_examples(
    value: Any, planned: Sequence[str], sentence: str, files: Sequence[Mapping[str, Any]]
) -> Merged:
    """Return the stated examples and, after them, those of the model that may stand beside them."""
    modules = [path for path in planned if path.endswith(".py")]
    notes: list[str] = []
    proposed = [made for entry in _entries(value) for made in _proposed(entry, modules, notes)]
    stated = _stated(sentence, modules, proposed, files)
    kept = _beside(stated, proposed, notes)
    missing = _missing(stated, planned, modules)
    return Merged((*stated, *kept)[:EXAMPLES_MOST], tuple(notes), tuple(missing))


def _beside(stated: Sequence[Example], proposed: Sequence[Example], notes: list[str]) -> list[Example]:
    """Return the proposed examples that ask something new; what contradicts an earlier one is noted."""
    asked = {_asked(example): example for example in stated}
    kept: list[Example] = []
    for example in proposed:
        other = asked.setdefault(_asked(example), example)
        if other is example:
            kept.append(example)
        elif _answer(other) != _answer(example):
            notes.append(f"left out, because another example says otherwise: {_shown(example)}")
    return kept


def _missing(stated: Sequence[Example], planned: Sequence[str], modules: Sequence[str]) -> list[str]:
    """Return what the plan lacks for the person's own examples."""
    runs = sorted({example.file for example in stated if not example.call} - set(planned))
    missing = [f"files: the request runs {path!r}, which is not among them; add it" for path in runs]
    if not modules and any(example.call for example in stated):
        missing.append("files: the request calls functions, and no file that ends in .py is planned; add one")
    return missing


def _stated(
    sentence: str, modules: Sequence[str], proposed: Sequence[Example], files: Sequence[Mapping[str, Any]]
) -> tuple[Example, ...]:
    """Return the person's examples, each at the file that its function belongs to."""
    examples = stated_examples(sentence, modules[0] if modules else "main.py")
    if len(modules) < 2:
        return examples
    return tuple(
        example.model_copy(update={"file": _home(example, modules, proposed, files)})
        if example.call
        else example
        for example in examples
    )


def _home(
    example: Example, modules: Sequence[str], proposed: Sequence[Example], files: Sequence[Mapping[str, Any]]
) -> str:
    """Return the file that the called function is to be in.

    It is the one whose description names it; else the one where the model's own examples call it; else the
    one that is called like it; else the first.
    """
    names = wanted_names([example])
    for name in names:
        told = [
            file["path"]
            for file in files
            if name in str(file.get("description") or "").replace("(", " ").split()
        ]
        called = [other.file for other in proposed if name in wanted_names([other])]
        alike = [path for path in modules if path.rsplit("/", 1)[-1] == f"{name}.py"]
        for path in (*told, *called, *alike):
            if path in modules:
                return path
    return modules[0]


def _entries(value: Any) -> list[Any]:
    if isinstance(value, list):
        return cast("list[Any]", value)
    if isinstance(value, dict):
        mapping = cast("dict[str, Any]", value)
        if "call" in spec_fields.renamed(mapping, spec_fields.EXAMPLE):
            return [mapping]
        return [{"call": call, "returns": result} for call, result in mapping.items()]
    return [value] if isinstance(value, str) else []


def _proposed(entry: Any, modules: Sequence[str], notes: list[str]) -> list[Example]:
    """Return the examples that an entry is: an object, or a sentence such as "f(1) returns 2"."""
    if isinstance(entry, str):
        told = stated_examples(entry, modules[0] if modules else "main.py")
        if not told:
            notes.append(f"left out, because it is no example: {entry[:80]!r}")
        return [example.model_copy(update={"stated": False}) for example in told]
    if not isinstance(entry, dict):
        notes.append(f"left out, because it is no example: {str(entry)[:80]!r}")
        return []
    fields = _tidied(spec_fields.renamed(cast("dict[str, Any]", entry), spec_fields.EXAMPLE))
    fields["file"] = _planned(fields.get("file"), modules)
    if fields["file"] and "call" in fields:
        fields["call"] = without_module(fields["call"], fields["file"])
    reason = _why_not(fields)
    if not reason:
        try:
            return [Example.model_validate(fields)]
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
    notes.append(f"left out, because {reason}: {str(cast('dict[str, Any]', entry))[:80]}")
    return []


def _tidied(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with values as Python writes them, and one outcome: models fill in every field."""
    if isinstance(call := fields.get("call"), str) and call.strip():
        fields = {name: fields[name] for name in ("file", "call", "returns", "raises") if name in fields}
        fields["call"] = call.strip().removeprefix("assert ").strip()
        if "returns" in fields and not isinstance(fields["returns"], str):
            fields["returns"] = repr(fields["returns"])
        if fields.get("raises"):
            fields.pop("returns", None)
        else:
            fields.pop("raises", None)
        return _split_comparison(fields)
    fields.pop("call", None)
    fields.pop("raises", None)
    result = fields.pop("returns", None)
    fields["prints"] = str(fields.get("prints", "" if result is None else result))
    arguments: Any = fields.get("arguments") or []
    given = arguments.split() if isinstance(arguments, str) else arguments
    fields["arguments"] = (
        [str(word) for word in cast("list[Any]", given)] if isinstance(given, list) else given
    )
    fields["input"] = fields.get("input") or ""
    return fields


def _split_comparison(fields: dict[str, Any]) -> dict[str, Any]:
    """Take "f(1) == 2" without a result, or with True for one, for what it says."""
    if fields.get("returns") in (None, "True"):
        told = stated_examples(f"assert {fields['call']}", str(fields.get("file") or "main.py"))
        if len(told) == 1 and told[0].returns != "True":
            return {**fields, "call": told[0].call, "returns": told[0].returns}
    return fields


def _planned(path: Any, modules: Sequence[str]) -> str | None:
    """Return the planned file that is meant: by its path, its name, its module's name, or as the only one."""
    if isinstance(path, str) and path.strip():
        meant = path.strip().removeprefix("./")
        for module in modules:
            name = module.rsplit("/", 1)[-1]
            if meant in (module, name, module.removesuffix(".py"), name.removesuffix(".py")):
                return module
    return modules[0] if len(modules) == 1 else None


def _why_not(fields: Mapping[str, Any]) -> str:
    if fields["file"] is None:
        return "it is about no planned file"
    call, returns = fields.get("call"), fields.get("returns")
    if not call:
        return "" if fields.get("prints") else "it has no call, and says nothing that is printed"
    tree = parsed(str(call))
    if tree is None or not closed(tree) or not calls_something(tree):
        return "its call is no closed Python call of a function"
    if not own_names(tree):
        return f"it calls nothing but what Python has ({', '.join(called_names(tree))})"
    result = parsed(str(returns)) if returns is not None else None
    if returns is not None and (result is None or not closed(result)):
        return "what it returns is no closed Python expression"
    return ""


def _asked(example: Example) -> tuple[object, ...]:
    """Return what an example asks for, however it is spaced."""
    return (example.file if not example.call else "", _even(example.call), example.arguments, example.input)


def _answer(example: Example) -> tuple[object, ...]:
    return (_even(example.returns), example.raises, (example.prints or "").strip())


def _even(source: str | None) -> str:
    tree = parsed(source) if source else None
    return ast.unparse(tree) if tree else source or ""


def _shown(example: Example) -> str:
    return example.call or " ".join((example.file, *example.arguments))
