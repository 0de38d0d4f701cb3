"""Rules on what comes back: fields, pages, failures, sentences and resolvers speak of what is declared.

Knows:    one function, and its siblings for resolvers.
Does not: know requests.   (rules_request.py)
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from contracts.broken import FUNCTIONS, Broken
from contracts.contract import Function, Said
from contracts.rules_request import mapped_sources, placeholders, types_of
from contracts.rules_schema import Rules, broken_schema, inner_schemas
from contracts.shapes import Shape
from contracts.yaml_text import Loc

_FIELD = re.compile(r"\{([^{}]*)\}")
_BRACE = re.compile(r"[{}]")
_ID_TYPES = frozenset({"string", "integer"})


def broken_result(at: Loc, function: Function, siblings: Mapping[str, Function]) -> Iterator[Broken]:
    """Yield what is wrong with a function's results. at: the way to the function."""
    for where, said, remedy in (
        *_fields(function),
        *_statuses(function),
        *_pages(function),
        *_told(function),
        *_sentences(function),
        *_resolvers(function, siblings),
    ):
        yield Broken(FUNCTIONS, (*at, *where), said, remedy)


def fields_at(shape: Shape, path: str) -> Shape | None:
    """Return the schema at a dotted path of objects; None where nothing is declared there."""
    found: Shape | None = shape
    for part in path.split("."):
        found = (found.properties or {}).get(part) if found else None
    return found


def items_of(shape: Shape) -> Shape | None:
    """Return the schema of a list's items; None where it is no list."""
    return shape.items if "array" in shape.types else None


def _fields(function: Function) -> Rules:
    fields = function.response.fields
    where: Loc = ("response", "fields")
    if not fields.model_fields_set:
        if function.method == "GET":
            yield where, "A read whose fields are not declared returns nothing.", "Declare response.fields."
        return
    if not types_of(fields) & {"object", "array"} and "any" in types_of(fields):
        yield where, "It does not say what the data are.", "Write type: object or type: array."
    if "array" in fields.types and fields.items is None:
        yield where, "It does not say what is in the list.", "Write items."
    items = items_of(fields)
    for shape, at in ((fields, where), *([(items, (*where, "items"))] if items else [])):
        if "object" in shape.types and not (
            shape.properties or isinstance(shape.additional_properties, Shape)
        ):
            yield (
                at,
                "The object has no declared field, so that nothing of it is returned.",
                "Write properties.",
            )
    yield from _open(fields, where)
    yield from broken_schema(fields, where)


def _open(shape: Shape, at: Loc) -> Rules:
    """Yield the objects whose fields would be returned without being declared."""
    if shape.additional_properties is True:
        yield (
            (*at, "additionalProperties"),
            "Fields that are not declared would be returned.",
            "Declare them, or write the schema that each of them has.",
        )
    for step, inner in inner_schemas(shape):
        yield from _open(inner, (*at, *step))


def _statuses(function: Function) -> Rules:
    for status in function.failures:
        if status < 300 or status in (function.response.success or ()):
            yield (
                ("failures", str(status)),
                f"The status {status} is no failure here.",
                "Remove it, or take it out of response.success.",
            )


def _pages(function: Function) -> Rules:
    pages = function.response.pagination
    if pages is None:
        return
    where: Loc = ("response", "pagination")
    if pages.argument not in function.arguments:
        yield (*where, "argument"), f"{pages.argument} is no argument.", "Declare it under params."
    elif pages.argument not in set(mapped_sources(function.request.query)):
        yield (*where, "argument"), f"{pages.argument} is not sent in the query.", "Map it in request.query."
    elif pages.kind != "cursor" and "integer" not in types_of(function.arguments[pages.argument]):
        yield (
            (*where, "argument"),
            f"{pages.argument} counts, and is no integer.",
            "Write type: integer for it.",
        )
    elif pages.kind == "cursor" and "string" not in types_of(function.arguments[pages.argument]):
        yield (
            (*where, "argument"),
            f"{pages.argument} is a cursor, and no text.",
            "Write type: string for it.",
        )
    if pages.kind == "cursor" and pages.next is None:
        yield where, "The pages follow a cursor, and nothing says where it is.", "Write next: the path to it."
    if "array" not in function.response.fields.types:
        yield (
            where,
            "Only a list has pages.",
            "Write type: array under response.fields, or remove pagination.",
        )


def _told(function: Function) -> Rules:
    told, fields = function.response.told, function.response.fields
    items = items_of(fields)
    about = {
        "one": None if items else fields,
        "each": items,
        "some": Shape(type="object", properties={"items": Shape(type="string")}),
        "none": Shape(type="object", properties={}),
    }
    for name, shape in about.items():
        said: Said | None = getattr(told, name)
        if said is None:
            continue
        where: Loc = ("response", "told", name)
        if shape is None:
            kind = "a list" if items else "no list"
            yield where, f"The data are {kind}.", "Use one for an object; some, each and none for a list."
            continue
        for field in _named(said):
            if field != "count" and fields_at(shape, field) is None:
                yield (
                    where,
                    f"{{{field}}} is no declared field.",
                    "Correct it, or declare it in response.fields.",
                )
    if told.each and not told.some:
        yield ("response", "told"), "each is told inside some, which is missing.", "Write some with {items}."
    if told.each and told.some and not all("{items}" in text for text in _texts(told.some)):
        yield (
            ("response", "told", "some"),
            "each is told where {items} stands, and it does not.",
            "Write {items}.",
        )


def _named(said: Said) -> Iterable[str]:
    return dict.fromkeys(name for text in _texts(said) for name in _FIELD.findall(text))


def _texts(said: Said) -> Iterable[str]:
    return [said] if isinstance(said, str) else said.values()


def _said(function: Function) -> Iterator[tuple[Loc, Said]]:
    """Yield every sentence of a function, and where it stands."""
    for status, failure in function.failures.items():
        yield ("failures", str(status), "say"), failure.say
    if function.approval is not None:
        yield ("approval",), function.approval
    for name in ("one", "some", "each", "none"):
        said: Said | None = getattr(function.response.told, name)
        if said is not None:
            yield ("response", "told", name), said


def _sentences(function: Function) -> Rules:
    texts = list(_said(function))
    for where, said in texts:
        if isinstance(said, dict) and "en" not in said:
            yield where, "The English sentence (en) is missing.", "Add en."
        if any(_BRACE.search(_FIELD.sub("", text)) for text in _texts(said)):
            yield where, "A brace stands alone.", "Write {name}, or leave the brace out."
    if function.approval is not None:
        for name in _named(function.approval):
            if name not in function.arguments:
                yield ("approval",), f"{{{name}}} is no argument.", "Use declared arguments only."
    for where, said in texts:
        if where[0] == "failures" and any(True for _ in _named(said)):
            yield where, "A failure's sentence has no placeholders.", "Write it without braces."


def _resolvers(function: Function, siblings: Mapping[str, Function]) -> Rules:
    for name, resolver in function.resolve.items():
        where: Loc = ("resolve", name)
        if name not in function.arguments:
            yield where, f"{name} is no argument.", "Declare it under params."
        elif "string" not in function.arguments[name].types:
            yield where, f"{name} must be a text: it is a person's word.", "Write type: string for it."
        other = siblings.get(resolver.function)
        if other is None or other is function:
            yield (
                (*where, "function"),
                f"The task has no other function {resolver.function}.",
                "Correct the name.",
            )
            continue
        if other.effect != "read" or set(other.required) - {resolver.word} or other.resolve:
            yield (
                (*where, "function"),
                f"{resolver.function} must be a read without resolvers, and need no argument but word's.",
                "Choose another.",
            )
        if resolver.word is not None and resolver.word not in other.arguments:
            yield (
                (*where, "word"),
                f"{resolver.function} has no argument {resolver.word}.",
                "Write one of its arguments, or leave word out.",
            )
        items = items_of(other.response.fields)
        for path in (*resolver.match, resolver.value):
            found = fields_at(items, path) if items else None
            if found is None or not _ID_TYPES & set(found.types):
                yield (
                    where,
                    f"{resolver.function} declares no text or number at {path} of a list's items.",
                    "Declare it in its response.fields, or correct the path.",
                )


def path_arguments(function: Function) -> set[str]:
    """Return the arguments that stand in the path."""
    return {function.request.path.get(name, name) for name in placeholders(function.path)}
