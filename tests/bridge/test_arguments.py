"""What cannot be sent is refused before it is sent; everything else arrives as it was."""

import math
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server import MCPServer
from mcp_types import JSONRPCRequest, jsonrpc_message_adapter

from bridge import problem_with
from mcp_tools import Limits, connect
from tests.bridge.faults import code

pytestmark = pytest.mark.anyio

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_what_is_let_through_arrives_as_it_was_sent(arguments):
    if problem_with(arguments, 262_144) is None:
        request = JSONRPCRequest(jsonrpc="2.0", id=1, method="m", params={"arguments": arguments})
        line = request.model_dump_json(by_alias=True, exclude_unset=True)
        arrived = cast(Any, jsonrpc_message_adapter.validate_json(line))
        assert arrived.params["arguments"] == arguments


def nested(levels: int) -> dict[str, Any]:
    value: Any = "inside"
    for _ in range(levels):
        value = {"a": value}
    return value


CYCLE: dict[str, Any] = {}
CYCLE["self"] = CYCLE


@pytest.mark.parametrize(
    "arguments",
    [
        {"a": math.nan},
        {"a": [math.inf]},
        {"a": {1, 2}},
        {"a": b"bytes"},
        {"a": "\ud800"},
        {"\udfff": 1},
        {1: "a"},
        {None: "a"},
        {"a": 10**5000},
        {"a": object()},
        nested(101),
        nested(5_000),
        {"a": "x" * 1_000_000},
        {"a": ["[" * 5] * 100_000},
        CYCLE,
        [],
        None,
        "{}",
    ],
    ids=lambda value: type(value).__name__,
)
async def test_arguments_that_cannot_be_sent_are_refused_and_the_session_goes_on(arguments):
    server = MCPServer("echo", log_level="CRITICAL")
    calls: list[Any] = []
    server.add_tool(lambda a: str(calls.append(a)), name="echo")
    async with connect(server, mode="legacy") as bridge:
        assert code(await bridge.call("echo", arguments)) == "bad_arguments"
        assert calls == []
        assert not (await bridge.call("echo", {"a": "fine"})).is_error
        assert calls == ["fine"]


async def test_the_bound_of_the_size_is_the_sessions_own():
    assert problem_with({"a": "x" * 91}, 100) is None
    refused = problem_with({"a": "x" * 92}, 100)
    assert refused is not None
    assert "101 bytes; 100 are allowed" in refused.text
    assert problem_with(nested(100), Limits().argument_bytes) is None
    assert problem_with({"a": "{[" * 200}, Limits().argument_bytes) is None
