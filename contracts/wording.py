"""A broken field in words: pydantic's findings as rule and remedy, for people who never saw a model.

Knows:    pydantic's kinds of errors, and the patterns of a contract's names.
Does not: know where in a file a field is.   (reading.py)
Rule:     a value is never repeated: it may be what somebody should not have written there.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from contracts.yaml_text import Loc

TYPES = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "dict_type": "a mapping (key: value)",
    "tuple_type": "a list",
    "model_type": "a mapping (key: value)",
    "model_attributes_type": "a mapping (key: value)",
}

FORMS = {
    "^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$": "lower-case letters and digits, words joined by _, as in brand_id",
    "^[a-z][a-z0-9-]*$": "lower-case letters, digits and -, as in brand-rules",
    "^[a-z]{2}$": "the two letters of a language, as in en",
    "^[a-z][a-z0-9_.:-]{0,80}$": "one word in lower case, as in brands.read",
    "^[A-Za-z][A-Za-z0-9_]{0,63}$": "letters, digits and _, as in brand_id",
    "^/": "a path that begins with /, as in /brands/{brand_id}",
    r"^[A-Za-z0-9_$@:-]+(?:\.[A-Za-z0-9_$@:-]+)*$": "names joined by dots, as in data.items",
    "^[a-z][a-z0-9_]{0,40}$": "lower-case letters, digits and _, as in brand_id",
}
"""A pattern of contract.py or shapes.py -> the same in words."""

_LIMITS = {
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than": "less than {lt}",
    "less_than_equal": "{le} or less",
}

Told = tuple[Loc, str, str]


def in_words(error: ValidationError, kind: type[BaseModel]) -> Iterator[Told]:
    """Yield each broken field: the way to it, the rule, the remedy. kind: the model of the whole file."""
    problems = cast(Sequence[Mapping[str, Any]], error.errors(include_url=False))
    for group in _of_one_place(problems).values():
        kinds = list(dict.fromkeys(TYPES[each["type"]] for each in group if each["type"] in TYPES))
        loc = group[0]["loc"]
        if len(kinds) > 1:
            yield loc, f"It must be {', '.join(kinds[:-1])} or {kinds[-1]}.", "Write one of them."
            continue
        for problem in group:
            if not _is_echo(problem, problems):
                yield loc, *_told(problem, kind)


def _of_one_place(problems: Sequence[Mapping[str, Any]]) -> dict[Loc, list[Mapping[str, Any]]]:
    """Group what was tried in turn for one value; the last step is then the name of an alternative."""
    groups: dict[Loc, list[Mapping[str, Any]]] = {}
    for problem in problems:
        loc = problem["loc"]
        tried = loc and loc[-1] in ("str", "int", "float", "bool")
        groups.setdefault(loc[:-1] if tried else loc, []).append(problem)
    return groups


def _is_echo(problem: Mapping[str, Any], problems: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether a list only counts as short because one of its items is wrong."""
    loc = problem["loc"]
    return problem["type"] == "too_short" and any(
        len(each["loc"]) > len(loc) and each["loc"][: len(loc)] == loc for each in problems
    )


def _told(problem: Mapping[str, Any], kind: type[BaseModel]) -> tuple[str, str]:
    """Return the rule that a field breaks, and what to do."""
    name = str(problem["loc"][-1])[:60] if problem["loc"] else ""
    context: Mapping[str, Any] = problem.get("ctx", {})
    match problem["type"]:
        case "missing":
            return "This field is missing.", f"Add {name}."
        case "extra_forbidden":
            return f"There is no field {name!r} here.", _meant(name, kind)
        case "string_too_long":
            long = len(str(problem["input"]))
            return f"It has {long} characters, and {context['max_length']} are allowed.", "Shorten it."
        case "string_too_short":
            return f"It needs {context['min_length']} characters or more.", "Write more."
        case "too_short" | "too_long":
            bound = context.get("min_length", context.get("max_length"))
            more = "or more" if problem["type"] == "too_short" else "at most"
            return f"It needs {bound} {more}.", "Add some." if more == "or more" else "Remove some."
        case "string_pattern_mismatch":
            form = FORMS.get(context["pattern"])
            return f"It does not match {context['pattern']}.", f"Write {form or 'it in that form'}."
        case "literal_error":
            return f"It must be {context['expected']}.", "Write one of them."
        case found if found in TYPES:
            quotes = " A text that looks like a number is put in quotes." if found == "string_type" else ""
            return f"It must be {TYPES[found]}.", f"Write {TYPES[found]}.{quotes}"
        case found if found in _LIMITS:
            return f"It must be {_LIMITS[found].format(**context)}.", "Write such a number."
        case _:
            told = problem["msg"].removeprefix("Value error, ").removesuffix(".")
            return f"It cannot be this: {told}.", "Correct it."


def _meant(name: str, kind: type[BaseModel]) -> str:
    near = difflib.get_close_matches(name, sorted(_field_names(kind, set())), n=1, cutoff=0.7)
    return f"Did you mean {near[0]!r}? If not, remove it." if near else "Remove it."


def _field_names(kind: Any, seen: set[Any]) -> set[str]:
    """Return the names of the fields of a model and of all models in it, as they are written."""
    names: set[str] = set()
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        if kind in seen:
            return names
        seen.add(kind)
        for name, info in kind.model_fields.items():
            names.add(info.alias or name)
            names |= _field_names(info.annotation, seen)
        return names
    for inner in cast(Sequence[Any], getattr(cast(object, kind), "__args__", ())):
        names |= _field_names(inner, seen)
    return names
