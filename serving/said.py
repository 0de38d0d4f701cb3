"""The same sentence in every language that a server speaks: English as the text, the others beside it.

Knows:    where in a result each goes.
Does not: make sentences, beside the two of serving/words.yaml; choose one: the client knows its reader.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

SAID = "shopkart/said"
"""Result `_meta`: the text for the customer by language, all but English."""

ENGLISH = "en"


def answer(said: Mapping[str, str], data: BaseModel) -> CallToolResult:
    """Return a tool's result. said: its sentence by language, English among them."""
    return CallToolResult(
        content=[TextContent(type="text", text=said[ENGLISH])],
        structured_content=data.model_dump(mode="json"),
        _meta=beside({language: text for language, text in said.items() if language != ENGLISH}),
    )


def beside(said: Mapping[str, str]) -> dict[str, Any] | None:
    """Return a result's `_meta` with the sentences for the customer."""
    return {SAID: dict(said)} if said else None


@cache
def told_of(code: str) -> Mapping[str, str]:
    """Return the sentences of a refusal that every server of the house has."""
    return _read()[code]


@cache
def _read() -> dict[str, dict[str, str]]:
    return yaml.safe_load(Path(__file__).with_name("words.yaml").read_text(encoding="utf-8"))
