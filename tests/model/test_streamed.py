"""Calls of a streamed answer, put together however the endpoint numbers them."""

from typing import Any

import pytest

from tests.model.stand_in import StandIn, asked, call, calls, streamed

pytestmark = pytest.mark.anyio


async def named(*deltas: dict[str, Any]) -> list[tuple[str, str]]:
    reply = await asked(StandIn(calls(*deltas)))
    return [(call.name, call.arguments) for call in reply.tool_calls]


def more(arguments: str, **place: Any) -> dict[str, Any]:
    return {**place, "function": {"arguments": arguments}}


async def test_a_call_that_comes_in_pieces_is_put_together():
    assert await named(call("look_up", '{"id"'), more(': "4471"}', index=0)) == [
        ("look_up", '{"id": "4471"}')
    ]


async def test_pieces_without_index_and_id_go_on_with_the_call_before_them():
    first = {"id": "c1", "function": {"name": "look_up", "arguments": '{"id"'}}
    assert await named(first, more(': "4471"}')) == [("look_up", '{"id": "4471"}')]


async def test_whole_calls_without_an_index_are_calls_of_their_own():
    one = {"id": "a", "function": {"name": "one", "arguments": "{}"}}
    two = {"id": "b", "function": {"name": "two", "arguments": "{}"}}
    assert await named(one, two) == [("one", "{}"), ("two", "{}")]


async def test_several_calls_under_index_zero_are_told_apart_by_their_ids():
    assert await named(call("one", "{}", id="a"), call("two", "{}", id="b")) == [("one", "{}"), ("two", "{}")]


async def test_several_calls_under_index_zero_without_ids_are_told_apart_by_their_names():
    whole = [call("one", '{"a": 1}', id=None), call("one", '{"a": 2}', id=None)]
    assert await named(*whole) == [("one", '{"a": 1}'), ("one", '{"a": 2}')]


async def test_a_name_that_is_repeated_with_every_piece_is_one_call():
    assert await named(call("one", '{"a"', id=None), call("one", ": 1}", id=None)) == [("one", '{"a": 1}')]


async def test_calls_whose_pieces_alternate_are_put_together_by_index():
    pieces = [
        call("one", '{"a"', id="a", index=0),
        call("two", '{"b"', id="b", index=1),
        more(": 1}", index=0),
        more(": 2}", index=1),
    ]
    assert await named(*pieces) == [("one", '{"a": 1}'), ("two", '{"b": 2}')]


async def test_an_id_that_is_repeated_with_every_piece_is_one_call():
    assert await named(call("one", '{"a"'), {"id": "c1", **more(": 1}")}) == [("one", '{"a": 1}')]


async def test_arguments_that_come_as_an_object_become_text():
    delta = {"id": "c1", "index": 0, "function": {"name": "one", "arguments": {"a": "ä"}}}
    assert await named(delta) == [("one", '{"a": "ä"}')]


async def test_a_call_without_arguments_has_an_empty_object():
    assert await named(call("one", "")) == [("one", "{}")]


async def test_a_call_without_a_name_is_none():
    assert await named({"id": "c1", "index": 0, "function": {"arguments": "{}"}}) == []


@pytest.mark.parametrize("reason", ["stop", "length", "tool_calls", None])
async def test_a_call_counts_whatever_the_reason_to_finish_is(reason: str | None):
    stand_in = StandIn(streamed({"tool_calls": [call("one", "{}")]}, {}, finish_reason=reason))
    assert [call.name for call in (await asked(stand_in)).tool_calls] == ["one"]


async def test_a_content_of_null_beside_calls_is_no_text():
    reply = await asked(StandIn(streamed({"content": None, "tool_calls": [call("one", "{}")]})))
    assert reply.content is None
