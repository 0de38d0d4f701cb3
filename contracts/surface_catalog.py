"""The catalog exposure: three tools through which every function is found, read and called.

Knows:    what they take and what they return; none of it names a task, so that it does not grow with them.
Does not: run a function (engine.py), rank (search.py), or know the other exposure (surface.py).
Rule:     `call` reads. What changes something is refused until changes can be planned and agreed to as one.
Kept:     the names execute, render_ui and apply_changes, for what comes later.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from mcp_types import CallToolResult, ToolAnnotations
from mcp_types import Tool as Listed
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contracts.failures import CallFailed
from contracts.live import View
from contracts.signatures import signature, view_schema
from contracts.surface_tools import UNAPPROVED, refusal_of, spoken
from contracts.task import Offered
from serving.refusals import Refused, invalid_arguments
from serving.said import ENGLISH
from serving.tools import CALLS, or_refusal

MOST_DESCRIBED = 20
"""Names that one `describe` takes."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class Wanted(_Strict):
    """What `search` takes."""

    query: Annotated[str, Field(max_length=200, description="Words, in any language; empty lists all")]
    kind: Literal["function", "view", "prompt", "skill"] | None = None
    task: Annotated[str, Field(max_length=64)] | None = None
    cursor: Annotated[str, Field(max_length=400, description="next_cursor of the page before")] | None = None


class Names(_Strict):
    """What `describe` takes."""

    names: Annotated[
        list[Annotated[str, Field(max_length=200)]],
        Field(min_length=1, max_length=MOST_DESCRIBED, description="Names that search returned"),
    ]


class Called(_Strict):
    """What `call` takes."""

    function: Annotated[str, Field(max_length=200, description="Its full name, as search returned it")]
    arguments: Annotated[dict[str, Any], Field(description="As describe says")] = {}
    all_pages: Annotated[bool, Field(description="Read every page of a list")] = False


_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True
)


@dataclass(frozen=True)
class _Tool:
    """One of the three. results: the properties of its result; the first one is always there."""

    name: str
    title: str
    takes: type[BaseModel]
    description: str
    results: Mapping[str, Any]
    meta: Mapping[str, Any] | None = None

    def listed(self, *, approved: bool) -> Listed:
        schema = {"type": "object", "properties": dict(self.results), "required": [next(iter(self.results))]}
        return Listed(
            name=self.name,
            title=self.title,
            description=self.description if approved else f"{self.description} {UNAPPROVED}",
            input_schema={**_plain(self.takes.model_json_schema()), "description": f"{self.title}."},
            output_schema=or_refusal(schema),
            annotations=_READS,
            _meta=dict(self.meta) if self.meta else None,
        )


_LIST = {"type": "array", "items": {"type": "object"}}

SEARCH = _Tool(
    "search",
    "Search what the shop offers",
    Wanted,
    "Find the functions, views, prompts and skills of this shop by words. Use this first; then describe what "
    "fits.",
    {"hits": _LIST, "next_cursor": {"type": ["string", "null"]}},
)
DESCRIBE = _Tool(
    "describe",
    "Describe functions",
    Names,
    "Say exactly what functions take and return, as Python signatures, and what views, prompts and skills "
    "hold. Use this before a call.",
    {"functions": _LIST, "views": _LIST, "prompts": _LIST, "skills": _LIST},
)
CALL = _Tool(
    "call",
    "Call a function",
    Called,
    "Call one function that reads. Functions that change the shop are refused here.",
    {"function": {"type": "string"}, "data": {}, "count": {"type": "integer"}, "clipped": {"type": "string"}},
    {CALLS: {"function": "function", "arguments": "arguments", "describe": "describe"}},
)

TOOLS = {tool.name: tool for tool in (SEARCH, DESCRIBE, CALL)}


def _plain(schema: Any) -> Any:
    """Return a schema without the titles that pydantic adds: they would be paid for with every prompt."""
    if isinstance(schema, dict):
        parts = cast(dict[str, Any], schema)
        return {name: _plain(part) for name, part in parts.items() if not _is_title(name, part)}
    return [_plain(part) for part in cast(list[Any], schema)] if isinstance(schema, list) else schema


def _is_title(name: str, part: Any) -> bool:
    return name == "title" and isinstance(part, str)


Run = Callable[[Offered, Mapping[str, Any], bool], Awaitable[CallToolResult]]
"""Run a function and return its result; the last says whether all pages are wanted."""


async def answer(view: View, name: str, arguments: Mapping[str, Any], run: Run) -> CallToolResult:
    """Answer a call of one of the three tools.  Raises: Refused."""
    try:
        wanted = TOOLS[name].takes.model_validate(dict(arguments))
    except ValidationError as error:
        raise invalid_arguments(error) from None
    match wanted:
        case Wanted():
            return _found(view, wanted)
        case Names():
            return _described(view, wanted.names)
        case Called():
            return await run(readable(view, wanted.function), wanted.arguments, wanted.all_pages)
        case _:
            raise AssertionError(name)


def readable(view: View, name: str) -> Offered:
    """Return a function that reads.  Raises: Refused."""
    offered = view.catalog.functions.get(name)
    if offered is None:
        raise unknown_function()
    if offered.contract.effect != "read":
        raise Refused(
            "needs_plan",
            f"{name} changes the shop, and nothing is changed through this tool.",
            "Tell the user that this server only reads the shop, and that nothing was changed.",
        )
    return offered


def unknown_function() -> Refused:
    """Refuse a function that is not there, or not for this profile. Its name is not repeated."""
    return Refused(
        "unknown_function",
        "There is no function of that name.",
        "Use search, and copy a name from its hits.",
    )


def _found(view: View, wanted: Wanted) -> CallToolResult:
    try:
        page = view.index.search(wanted.query, wanted.kind, wanted.task, wanted.cursor)
    except CallFailed as failure:
        raise refusal_of(failure) from None
    hits = [_hit(hit) for hit in page.hits]
    lines = [f"{hit['name']} ({hit['kind']}): {hit['summary']}" for hit in hits]
    told = "\n".join(lines) or "Nothing was found. Try other words, or fewer."
    more = "\nThere are more: search again with the cursor." if page.next_cursor else ""
    return _spoken(view, told + more, {"hits": hits, "next_cursor": page.next_cursor})


def _hit(hit: Any) -> dict[str, Any]:
    said = {"name": hit.name, "kind": hit.kind, "task": hit.task, "summary": hit.summary}
    return said | ({"effect": hit.effect} if hit.effect else {})


def _described(view: View, names: Sequence[str]) -> CallToolResult:
    held: dict[str, list[dict[str, Any]]] = {"functions": [], "views": [], "prompts": [], "skills": []}
    lines: list[str] = []
    unknown = 0
    for name in dict.fromkeys(names):
        found = _one(view, name)
        if found is None:
            unknown += 1
            continue
        kind, text, data = found
        held[kind].append(data)
        lines.append(text)
    if not lines:
        raise unknown_function()
    if unknown:
        lines.append(f"{unknown} of the names {'is' if unknown == 1 else 'are'} unknown here.")
    return _spoken(view, "\n\n".join(lines), held)


def _one(view: View, name: str) -> tuple[str, str, dict[str, Any]] | None:
    """Return what stands under a name: its kind, a text for the model, and the same as data."""
    catalog = view.catalog
    if offered := catalog.functions.get(name):
        text = signature(offered)
        return "functions", text, _function(offered, text)
    if screen := catalog.views.get(name):
        schema = view_schema(screen)
        data = {"name": name, "summary": screen.contract.summary, "data_schema": schema}
        return "views", f"{name}: {screen.contract.summary}\nData: {json.dumps(schema)}", data
    if prompt := catalog.prompts.get(name):
        data = {"name": name, "summary": prompt.head.summary, "arguments": dict(prompt.head.arguments)}
        return "prompts", f"{name} (a prompt): {prompt.head.summary}", data
    skill = catalog.skills.get(name) or next((s for s in catalog.skills.values() if s.name == name), None)
    if skill is None:
        return None
    data = {"name": skill.name, "uri": skill.uri, "description": skill.head.description, "text": skill.text}
    return "skills", f"{skill.uri}: {skill.head.description}\n{skill.text}", data


def _function(offered: Offered, text: str) -> dict[str, Any]:
    return {
        "name": offered.name,
        "effect": offered.contract.effect,
        "summary": offered.contract.summary,
        "input_schema": offered.params_schema,
        "output_schema": offered.fields_schema,
        "signature": text,
    }


def _spoken(view: View, text: str, held: dict[str, Any]) -> CallToolResult:
    return spoken({ENGLISH: text if view.catalog.approved else f"{UNAPPROVED}\n{text}"}, held)
