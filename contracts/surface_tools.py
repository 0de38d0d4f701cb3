"""A function of a contract as an MCP tool, and what became of a call as an MCP result.

Knows:    which part of a contract goes where in a tool, a result and a refusal.
Does not: run anything (engine.py), or know which tools there are (surface.py).
Rule:     an annotation says what the contract says, and nothing better: a call counts as safe to repeat only
          where the upstream's method is (RFC 9110, 9.2.2).
"""

from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent, ToolAnnotations
from mcp_types import Tool as Listed

from contracts.contract import Function
from contracts.engine import Preview
from contracts.failures import CallFailed
from contracts.task import Offered
from contracts.wire import Result
from serving.refusals import Refused
from serving.said import ENGLISH, beside
from serving.tools import ASKED_FOR, PREVIEW, or_refusal

UNAPPROVED = "Unapproved: nobody has reviewed this."
"""What is said wherever a bare folder is served in place of a registry."""

_REPLACES = frozenset({"PUT", "PATCH"})
_REPEATABLE = frozenset({"GET", "HEAD", "PUT", "DELETE"})


def tool_of(offered: Offered, *, approved: bool) -> Listed:
    """Return the tool of a function."""
    contract = offered.contract
    return Listed(
        name=offered.name,
        title=contract.summary.rstrip("."),
        description=described(contract, approved=approved),
        input_schema=offered.params_schema,
        output_schema=output_schema(offered),
        annotations=annotations_of(contract),
        _meta=_meta_of(contract),
    )


def described(contract: Function, *, approved: bool) -> str:
    """Return what the model reads of a function."""
    said = f"{contract.summary} Use this when {_inside(contract.when)} When not: {contract.when_not}"
    return said if approved else f"{said} {UNAPPROVED}"


def _inside(sentence: str) -> str:
    """Return a sentence as it stands within another; a name or an abbreviation keeps its capital."""
    return sentence[0].lower() + sentence[1:] if sentence[1:2].islower() or sentence[1:2] == " " else sentence


def annotations_of(contract: Function) -> ToolAnnotations:
    """Return what a client may expect of a call."""
    reads = contract.effect == "read"
    return ToolAnnotations(
        read_only_hint=reads,
        # Not destructive means to MCP that it only adds; what replaces something does more than that.
        destructive_hint=contract.effect == "destructive" or contract.method in _REPLACES,
        idempotent_hint=reads or contract.method in _REPEATABLE,
        open_world_hint=True,  # whatever it does, it does at the upstream
    )


def _meta_of(contract: Function) -> dict[str, Any] | None:
    if contract.effect == "read":
        return None
    asked = {language: list(words) for language, words in contract.asked_for.items()}
    return {PREVIEW: True} | ({ASKED_FOR: asked} if asked else {})


def output_schema(offered: Offered) -> dict[str, Any]:
    """Return the schema of a result: the data, that there is none, what a dry run says, or a refusal."""
    schema = or_refusal(
        {"type": "object", "properties": {"data": kept_form(offered.fields_schema), **_BESIDE}}
    )
    ways = ("data", "empty") if offered.contract.effect == "read" else ("data", "empty", "dry_run")
    refusal = {"required": ["error", "message", "next"]}
    return schema | {"anyOf": [*({"required": [way]} for way in ways), refusal]}


_KEPT = ("title", "description", "type", "x-grounding", "x-voice")


def kept_form(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a schema of the data holds whatever the shop sends: types, names and marks.

    The engine drops what has another type. It cannot make the shop send what is required, or a word of an
    enum; a client that checks a result against its schema would lose the whole of it.
    """
    kept: dict[str, Any] = {key: schema[key] for key in _KEPT if key in schema}
    if "properties" in schema:
        kept["properties"] = {name: kept_form(each) for name, each in schema["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), Mapping):
            kept[key] = kept_form(schema[key])
    branches = [kept_form(each) for key in ("anyOf", "oneOf") for each in schema.get(key, ())]
    return {"anyOf": [*([kept] if "type" in kept else []), *branches]} if branches else kept


_BESIDE: Mapping[str, Any] = {
    "empty": {"type": "boolean", "description": "The shop answered without data"},
    "count": {"type": "integer", "description": "How many items the shop sent"},
    "pagination": {"type": "object", "description": "Where this page stands"},
    "clipped": {"type": "string", "description": "What was left out"},
    "pages": {"type": "integer", "description": "How many pages were read"},
    "dry_run": {"type": "boolean", "description": "Nothing was changed"},
    "request": {"type": "string", "description": "What would be sent"},
}


def result_of(result: Result, said: Mapping[str, str], **first: Any) -> CallToolResult:
    """Return a call's result. said: its sentence by language. first: what stands before the data."""
    held: dict[str, Any] = first | ({"empty": True} if result.data is None else {"data": result.data})
    if result.count is not None:
        held["count"] = result.count
    if result.pagination:
        held["pagination"] = dict(result.pagination)
    if result.clipped:
        held["clipped"] = result.clipped
    if result.pages > 1:
        held["pages"] = result.pages
    return spoken(said, held)


def preview_of(preview: Preview) -> CallToolResult:
    """Return what a dry run says."""
    said = {ENGLISH: preview.sentence, **preview.said}
    return spoken(said, {"dry_run": True, "request": preview.line})


def spoken(said: Mapping[str, str], held: dict[str, Any]) -> CallToolResult:
    """Return a result with its English sentence as the text and the others beside it."""
    others = {language: text for language, text in said.items() if language != ENGLISH}
    return CallToolResult(
        content=[TextContent(type="text", text=said[ENGLISH])],
        structured_content=held,
        _meta=beside(others),
    )


def refusal_of(failure: CallFailed) -> Refused:
    """Return a failed call as a refusal of the house, with the upstream's words on single fields."""
    fields = "; ".join(f"{name}: {words}" for name, words in failure.fields.items())
    message = f"{failure.message} The fields: {fields}." if fields else failure.message
    refusal = Refused(failure.code, message, failure.next, said=failure.said)
    refusal.ran = failure.sent
    return refusal
