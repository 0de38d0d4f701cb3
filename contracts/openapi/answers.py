"""An operation's responses as the response and the failures of a contract.

Knows:    envelopes and pages in the forms that are common.
Does not: know parameters, beyond the names under which pages are asked for.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from contracts.openapi.described import Description, Operation, mapping
from contracts.openapi.examples import schema_of
from contracts.openapi.keywords import Schema
from contracts.openapi.schemas import Converter, marked
from contracts.openapi.words import line, sentence, singular, snake

_JSON = re.compile(r"application/(?:[\w.+-]+\+)?json(?:\s*;.*)?|\*/\*", re.IGNORECASE)
_BESIDE = frozenset(
    {"meta", "pagination", "links", "status", "success", "message", "count", "total", "paging", "page"}
)
_TOTALS = ("total_pages", "totalPages", "pages", "last_page", "lastPage", "pageCount", "page_count")
_NEXT = ("next_cursor", "nextCursor", "next_page_token", "nextPageToken", "next")
_RETRY = frozenset({408, 429, 500, 502, 503, 504})


@dataclass
class Answers:
    """What an operation answers. response, failures: as functions.yaml holds them."""

    description: Description
    operation: Operation
    converter: Converter
    of: str

    def response(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the response. query: wire name -> argument."""
        schema = self._schema()
        if not schema:
            self.converter.note(
                "No JSON answer is described: the function returns nothing but that it worked."
            )
            return {}
        path, fields, around = _unwrapped(schema)
        made: dict[str, Any] = {"data": path} if path else {}
        made["fields"] = _owned(fields, f"{self.of}_id"[:41])
        if fields.get("type") == "array" and (pages := _pages(around, query)):
            made["pagination"] = pages
        return made

    def _schema(self) -> Schema:
        responses = mapping(self.operation.said.get("responses"))
        good = sorted(status for status in responses if re.fullmatch(r"2\d\d|2XX", status, re.IGNORECASE))
        for status in good or [each for each in ("default",) if each in responses]:
            content = mapping(self.description.follow(responses[status]).get("content"))
            for kind, value in content.items():
                if _JSON.fullmatch(kind) and (schema := self._media(mapping(value))):
                    return schema
            for kind in content:
                self.converter.note(f"An answer as {line(kind, 40)} is not read.")
        return {}

    def _media(self, media: Mapping[str, Any]) -> Schema:
        """Return the schema of one form of answer; where it says nothing, what its example shows."""
        schema = self.converter.shape(media["schema"], self.of) if "schema" in media else {}
        if set(schema) - {"type", "description"} or schema.get("type") not in (None, "object"):
            return schema
        named = (mapping(self.description.follow(each)) for each in mapping(media.get("examples")).values())
        shown = media.get("example", next((each["value"] for each in named if "value" in each), None))
        if not isinstance(shown, dict | list) or not shown:
            return {}
        self.converter.note("No fields are declared; they were read off the example. Compare them.")
        return schema_of(shown, self.of)

    def failures(self) -> dict[str, Any]:
        """Return the failures by status."""
        made: dict[str, Any] = {}
        for status, said in sorted(mapping(self.operation.said.get("responses")).items()):
            if not re.fullmatch(r"[45]\d\d", status):
                if not re.fullmatch(r"[23]..|default", status, re.IGNORECASE):
                    self.converter.note(f"The responses {line(status, 10)} are not told apart.")
                continue
            text = line(self.description.follow(said).get("description"), 300) or f"It failed ({status})"
            made[status] = {"say": sentence(f"{text[:1].upper()}{text[1:]}")}
            if int(status) in _RETRY:
                made[status] |= {"next": "Try again in a moment.", "retry": True}
        return made


def _unwrapped(schema: Schema) -> tuple[str, Schema, Schema]:
    """Return the path to the data, their schema, and the schema of all that is around them."""
    properties = mapping(schema.get("properties"))
    inner = mapping(properties.get("data"))
    if inner.get("type") in ("array", "object") and set(properties) - {"data"} <= _BESIDE:
        return "data", dict(inner), schema
    return "", schema, schema


def _owned(schema: Schema, kind: str) -> Schema:
    """Return the schema with the id of the thing itself marked as one of its kind."""
    if schema.get("type") == "array" and isinstance(schema.get("items"), dict):
        return {**schema, "items": _owned(schema["items"], kind)}
    properties = mapping(schema.get("properties"))
    if isinstance(properties.get("id"), dict):
        return {**schema, "properties": {**properties, "id": marked(dict(properties["id"]), kind)}}
    return schema


def _pages(around: Schema, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return how pages follow each other, where that is plain."""
    flat = {
        f"{outer}.{name}" if outer else name
        for outer, held in (
            ("", around),
            *((key, mapping(value)) for key, value in mapping(around.get("properties")).items()),
        )
        for name in mapping(held.get("properties"))
    }
    kept = next(
        (key for key in ("pagination", "meta", "paging") if key in mapping(around.get("properties"))), None
    )
    beside = {"kept": kept} if kept else {}
    numbers = (query.get(name) for name in ("page", "page[number]"))
    page = next((each for each in numbers if isinstance(each, str)), None)
    if page:
        more = next((path for path in sorted(flat) if path.rsplit(".", 1)[-1] in _TOTALS), None)
        return {"kind": "page", "argument": page, **({"more": more} if more else {}), **beside}
    cursor = next(
        (query[name] for name in ("cursor", "after", "page_token") if isinstance(query.get(name), str)), None
    )
    following = next((path for path in sorted(flat) if path.rsplit(".", 1)[-1] in _NEXT), None)
    if cursor and following:
        return {"kind": "cursor", "argument": cursor, "next": following, **beside}
    return {}


def resource_of(operation: Operation) -> str:
    """Return what an operation is about, in the singular: the last word of its path that is no action."""
    parts = [part for part in operation.path.strip("/").split("/") if part]
    names = [snake(part) for part in parts if "{" not in part]
    behind = [snake(parts[at - 1]) for at, part in enumerate(parts) if at and "{" in part]
    if names and parts and "{" not in parts[-1] and behind and singular(names[-1]) == names[-1]:
        return singular(behind[-1])  # /orders/(id)/cancel is about an order
    return singular(names[-1]) if names else "item"
