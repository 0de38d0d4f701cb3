"""A yes to all calls of a kind: what it covers, and what it never does."""

from dataclasses import fields, replace
from typing import Any

import pytest
from mcp_types import Tool, ToolAnnotations

from guards.grants import Grant, Grants, grant_for

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string", "x-grounding": "order_id"},
        "category": {"type": "string"},
        "summary": {"type": "string"},
        "lines": {"type": "array"},
    },
}
ARGUMENTS = {"order_id": "4468", "category": "damaged", "summary": "Broken."}


def tool(*, destructive: bool | None = False) -> Tool:
    hints = ToolAnnotations(read_only_hint=False, destructive_hint=destructive)
    return Tool(name="create_ticket", title="Open a ticket", input_schema=SCHEMA, annotations=hints)


def grant(arguments: dict[str, Any] = ARGUMENTS, of: Tool | None = None, **differs: str) -> Grant | None:
    usual = {"server": "server.py", "tool_hash": "h1"}
    return grant_for(of or tool(), arguments, SCHEMA, **(usual | differs))


def given(*grants: Grant | None) -> Grants:
    kept = Grants()
    for each in grants:
        assert each is not None
        kept.give(each)
    return kept


def covers(kept: Grants, wanted: Grant | None) -> bool:
    return wanted is not None and kept.covering(wanted) is not None


def test_it_says_in_words_what_it_covers():
    made = grant()
    assert made is not None
    assert made.words.startswith("Open a ticket for order number 4468, whatever the category and summary")


def test_it_covers_the_same_tool_for_the_same_ids_whatever_else_is_said():
    assert covers(given(grant()), grant({**ARGUMENTS, "category": "return", "summary": "Another."}))


@pytest.mark.parametrize(
    "wanted",
    [
        grant({**ARGUMENTS, "order_id": "4471"}),
        grant({"category": "damaged", "summary": "x"}),
        grant({**ARGUMENTS, "lines": ["1"]}),
        grant({**ARGUMENTS, "forward_to": "x"}),
        grant(tool_hash="h2"),
        grant(server="http://another/mcp"),
    ],
    ids=[
        "another order",
        "no order",
        "with parts",
        "not in the words",
        "a tool that says otherwise",
        "another server",
    ],
)
def test_it_covers_nothing_else(wanted: Grant | None):
    assert wanted is not None
    assert not covers(given(grant()), wanted)


@pytest.mark.parametrize("destructive", [True, None])
def test_there_is_none_for_what_may_alter_or_delete(destructive: bool | None):
    assert grant(of=tool(destructive=destructive)) is None


def test_what_is_no_text_is_not_taken_for_the_text_of_it():
    assert not covers(given(grant()), grant({**ARGUMENTS, "order_id": 4468}))


def test_a_long_id_is_shortened_in_the_words_and_compared_whole():
    long, other = "9" * 100, "9" * 99 + "8"
    made = grant({**ARGUMENTS, "order_id": long})
    assert made is not None and "9" * 100 not in made.words and "…" in made.words
    assert not covers(given(made), grant({**ARGUMENTS, "order_id": other}))


def test_it_is_given_once_and_gone_when_it_is_taken_back():
    made = grant()
    assert made is not None
    kept = given(made, made)
    assert kept.given == [made]
    kept.given.remove(made)
    assert not covers(kept, grant())


def test_words_alone_decide_nothing():
    made = grant()
    assert made is not None
    compared = {field.name for field in fields(Grant)} - {"words"}
    assert covers(given(replace(made, words="other words")), made)
    for name in compared:
        assert not covers(given(replace(made, **{name: "other"})), made), name
