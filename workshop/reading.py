"""A specification out of what a model wrote: found, its fields named as ours, its types really checked.

Knows:    how models wrap, name and misspell a specification, and what may be put right without guessing.
Does not: ask again (specifying.py); the person's own examples come from stated.py, the model's from
          proposed.py.
Rule:     every problem is told at once, as a reason that a model can act on in its one retry. What is dropped
          without a reason is dropped whole: an example that is no example, and a file that would take part in
          the tests' run, as long as others remain.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from workshop import spec_fields
from workshop.errors import BadSpecification, PathRefused
from workshop.loose_json import Loose, objects_in
from workshop.paths import checked, checked_together, steers_tests
from workshop.proposed import merged_examples
from workshop.specification import Specification

_ASKED = "Answer with one JSON object: title, description, requirements, modules, tech_stack, files, examples"
_WITHOUT_EXTENSION = frozenset("makefile dockerfile license readme procfile justfile".split())
_BULLET = re.compile(r"^[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+", re.MULTILINE)
_KINDS = {
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
}
_MISSING, _EMPTY = "is missing", "must not be empty"
_LISTS = ("requirements", "modules", "tech_stack")


@dataclass(frozen=True)
class Reading:
    """A specification, and what was put right or left out on the way."""

    spec: Specification
    notes: tuple[str, ...]


def read_specification(text: str, *, sentence: str = "") -> Specification:
    """Return the specification in the text, with the examples that the person's sentence states.

    Raises: BadSpecification, with every reason.
    """
    return read(text, sentence=sentence).spec


def read(text: str, *, sentence: str = "") -> Reading:
    """Return the specification and the notes on how it was read.

    Raises: BadSpecification, with every reason.
    """
    loose, fields = _best(text)
    notes = list(loose.slips)
    problems: list[str] = []
    if loose.cut:
        problems.append(f"the text breaks off {loose.cut}: write it shorter, and to its last bracket")
    for name in _LISTS:
        if name in fields:
            fields[name] = _lines(fields[name], name)
    fields["files"] = _files(fields, problems, notes)
    planned = [cast("dict[str, Any]", file)["path"] for file in fields["files"] if isinstance(file, dict)]
    examples = merged_examples(fields.pop("examples", None), planned, sentence, fields["files"])
    notes += examples.notes
    problems += examples.problems
    spec = _made({**fields, "examples": examples.examples}, problems)
    if loose.cut:  # what is missing behind the cut would only distract from it
        problems = [each for each in problems if not each.endswith((_MISSING, _EMPTY))]
    if problems or spec is None:
        raise BadSpecification(tuple(dict.fromkeys(problems)))
    return Reading(spec, tuple(notes))


def _best(text: str) -> tuple[Loose, dict[str, Any]]:
    """Return the object that is most like a specification; of equals, a whole one, then the last.

    Raises: BadSpecification when none is.
    """
    ranked: list[tuple[int, bool, int, Loose, dict[str, Any]]] = []
    for number, loose in enumerate(objects_in(text)):
        for inner in _with_inner(loose.value):
            fields = spec_fields.renamed(inner, spec_fields.SPECIFICATION)
            ranked.append((_likeness(fields), not loose.cut, number, loose, fields))
    ranked = [each for each in ranked if each[0] >= 2 or (each[0] and not each[1])]
    if not ranked:
        raise BadSpecification([_why_none(text)])
    *_, loose, fields = max(ranked, key=lambda each: each[:3])
    return loose, fields


def _with_inner(value: Mapping[str, Any], depth: int = 0) -> list[Mapping[str, Any]]:
    """Return the object and those in it, for a specification that was wrapped in another: {"spec": {…}}."""
    inner = [cast("dict[str, Any]", item) for item in value.values() if isinstance(item, dict)]
    return [value, *(each for item in inner for each in _with_inner(item, depth + 1) if depth < 3)]


def _likeness(fields: Mapping[str, Any]) -> int:
    """Return how many fields have a value of a kind that makes sense; a schema's have none."""
    texts = sum(isinstance(fields.get(name), str) for name in ("title", "description"))
    lists = sum(isinstance(fields.get(name), list | str) for name in (*_LISTS, "examples"))
    files = isinstance(fields.get("files"), list) or (
        isinstance(fields.get("files"), dict) and all("." in key for key in fields["files"])
    )
    return texts + lists + files


def _why_none(text: str) -> str:
    if not text.strip():
        return f"the answer is empty. {_ASKED}"
    if "{" not in text:
        return f"there is no JSON object in the answer, which begins {text.strip()[:60]!r}. {_ASKED}"
    return f"no JSON object in the answer has a specification's fields. {_ASKED}"


def _lines(value: Any, name: str) -> Any:
    """Return a list of texts where that is clear: lines, bullets, objects with one text; else the value."""
    if value is None:
        return []
    if isinstance(value, str):
        parts = _BULLET.sub("", value).splitlines()
        if len(parts) == 1 and name != "requirements":
            parts = re.split(r"\s*[,;]\s*", value)
        return [part.strip() for part in parts if part.strip()]
    if isinstance(value, list):
        return [_line(item) for item in cast("list[Any]", value) if item != ""]
    return value


def _line(item: Any) -> Any:
    """Return an entry as one text: of {"name": "Parser", "description": "reads"} "Parser: reads"."""
    if isinstance(item, str):
        return _BULLET.sub("", item).strip()
    if isinstance(item, dict):
        values = cast("dict[str, Any]", item).values()
        texts = [text.strip() for text in values if isinstance(text, str) and text.strip()]
        if texts and len(texts) <= 3:
            return ": ".join(texts)
    return cast("Any", item)


def _files(fields: Mapping[str, Any], problems: list[str], notes: list[str]) -> list[Any]:
    """Return the planned files, each path checked. What is no file at all is left for the types' check."""
    found: list[dict[str, Any]] = []
    steering: list[str] = []
    for number, entry in enumerate(_file_entries(fields.get("files")), 1):
        file = _file(entry)
        if not isinstance(file.get("path"), str) or not file["path"].strip():
            problems.append(
                f"files: number {number} has no path; write {{'path': 'main.py', 'description': '…'}}"
            )
            continue
        try:
            path = checked(_with_extension(file["path"].strip()))
        except PathRefused as error:
            if steers_tests(file["path"].strip()):
                steering.append(file["path"])
            else:
                problems.append(f"files: {error}")
            continue
        _add_file(found, path, file.get("description"))
    if steering and (found or problems):
        notes.append(f"left out, because the tests are the workshop's own: {', '.join(steering)}")
    elif steering:
        problems.append(
            f"files: {steering[0]!r} belongs to the tests, which are not yours to plan; name the program"
        )
    elif not found and not problems:
        problems.append("files: there are none; name each file to write, with its path and description")
    problems += _clashes(found)
    return found


def _file_entries(value: Any) -> list[Any]:
    """Return the entries of a list, of a mapping from path to description, or of a text with a line each."""
    if isinstance(value, dict):
        mapping = cast("dict[str, Any]", value)
        if "path" in spec_fields.renamed(mapping, spec_fields.FILE):
            return [mapping]
        return [{"path": key, "description": item} for key, item in mapping.items()]
    if isinstance(value, str):
        return _lines(value, "files")
    return cast("list[Any]", value) if isinstance(value, list) else []


def _file(entry: Any) -> dict[str, Any]:
    """Return path and description of an entry: an object, a path, or "main.py: what it does"."""
    if isinstance(entry, str):
        path, _, description = re.sub(r"\s+[-–—]\s+", ": ", _BULLET.sub("", entry), count=1).partition(": ")
        return {"path": path.strip("` "), "description": description.strip()}
    if not isinstance(entry, dict):
        return {}
    file = spec_fields.renamed(cast("dict[str, Any]", entry), spec_fields.FILE)
    if "path" not in file and len(cast("dict[str, Any]", entry)) == 1:
        ((path, description),) = cast("dict[str, Any]", entry).items()
        return {"path": path, "description": description} if "." in path else {}
    return file


def _with_extension(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    bare = "." not in name and name.isidentifier() and name.casefold() not in _WITHOUT_EXTENSION
    return f"{path}.py" if bare else path


def _add_file(found: list[dict[str, Any]], path: str, description: Any) -> None:
    """Add the file, or its description to the same file's that is there already without one."""
    said = "" if description is None else description
    for other in found:
        if other["path"] == path:
            other["description"] = other["description"] or said
            return
    found.append({"path": path, "description": said})


def _clashes(found: list[dict[str, Any]]) -> list[str]:
    try:
        checked_together(file["path"] for file in found)
    except PathRefused as error:
        return [f"files: {error}"]
    return []


def _made(fields: Mapping[str, Any], problems: list[str]) -> Specification | None:
    """Return the specification, or None with every wrong field among the problems."""
    try:
        return Specification.model_validate(fields)
    except ValidationError as error:
        files_told = any(problem.startswith("files:") for problem in problems)
        wrong = [each for each in error.errors() if not (files_told and each["loc"] == ("files",))]
        # A list of which no entry is right counts as empty too: only its entries are told.
        inner = {each["loc"][:-1] for each in wrong}
        problems += [_reason(each) for each in wrong if each["loc"] not in inner]
        return None


def _reason(error: ErrorDetails) -> str:
    """Return what is wrong with a field in words that its writer can act on."""
    name = ".".join(str(part + 1) if isinstance(part, int) else part for part in error["loc"])
    value: Any = error.get("input")
    context = error.get("ctx", {})
    kind = error["type"]
    if kind == "missing":
        return f"{name}: {_MISSING}"
    if kind in ("string_type", "tuple_type"):
        must = "a list of texts" if kind == "tuple_type" else "text"
        return (
            f"{name}: must be {must}, and is {_KINDS.get(value.__class__, 'nothing')} ({str(value)[:40]!r})"
        )
    if kind in ("string_too_short", "too_short"):
        return f"{name}: {_EMPTY}"
    if kind == "string_too_long":
        return f"{name}: is longer than {context.get('max_length')} characters"
    if kind == "too_long":
        return f"{name}: has more than {context.get('max_length')} entries"
    return f"{name}: {error['msg']}"
