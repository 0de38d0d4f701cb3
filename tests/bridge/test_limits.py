"""How much of a server is taken, however much it sends: bytes of a message, tools, schemas, seconds."""

import json
from collections.abc import Iterator
from itertools import pairwise

import anyio
import anyio.lowlevel
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response, StreamingResponse

from bridge.bounded import BoundedBody, BoundedLines
from bridge.limits import Limits, configured_limits
from bridge.settings import BridgeSettings
from common.settings import BadSettings, load
from mcp_tools import ConnectError, connect
from server import build_server
from tests.bridge.doors import Door, on_a_port
from tests.bridge.faults import BOUND_S, bridge_to, code, faulty, text

pytestmark = pytest.mark.anyio

SMALL = Limits(connect_s=10, call_s=10, result_bytes=65_536)


# ---------------------------------------------------------------- over stdio


async def test_an_answer_within_the_limit_is_read_whole():
    async with bridge_to(limits=Limits(connect_s=10, call_s=10)) as bridge:
        assert await text(bridge, "read", "huge") == "x" * 2_000_000


@pytest.mark.parametrize("do", ["huge", "endless"])
@pytest.mark.parametrize(("tool", "expected"), [("read", "no_answer"), ("write", "unknown_outcome")])
async def test_an_answer_that_is_too_large_ends_the_call_and_the_next_one_is_served(
    do: str, tool: str, expected: str
):
    async with bridge_to(limits=SMALL) as bridge:
        result = await bridge.call(tool, {"do": do})
        assert code(result) == expected
        assert "more than 65536 bytes in one message (RESULT_BYTES)" in result.text
        assert await text(bridge, "read") == "done"


async def test_a_server_whose_list_of_tools_never_ends_is_refused_with_the_reason():
    with anyio.fail_after(BOUND_S), pytest.raises(ConnectError) as refused:
        async with connect(faulty("endless_list"), limits=SMALL):
            pass
    assert "RESULT_BYTES" in str(refused.value)


# ---------------------------------------------------------------- over HTTP


def said(size: int) -> bytes:
    result = {"content": [{"type": "text", "text": "x" * size}], "resultType": "complete"}
    return json.dumps({"jsonrpc": "2.0", "id": 3, "result": result}).encode()


def as_json(body: bytes) -> Response:
    return Response(body, media_type="application/json")


def as_events(body: bytes) -> Response:
    return Response(b"event: message\ndata: " + body + b"\n\n", media_type="text/event-stream")


def packed(body: bytes) -> Response:
    import gzip

    return Response(gzip.compress(body), headers={"content-encoding": "gzip"}, media_type="application/json")


def endless(body: bytes) -> Response:
    async def forever():
        while True:
            await anyio.lowlevel.checkpoint()  # else nobody would hear that the client is gone
            yield body

    return StreamingResponse(forever(), media_type="application/json")


@pytest.mark.parametrize("answer", [as_json, as_events, packed, endless])
@pytest.mark.parametrize(
    ("tool", "expected"), [("search_policy", "no_answer"), ("create_ticket", "unknown_outcome")]
)
async def test_an_answer_over_http_that_is_too_large_ends_that_call_alone(answer, tool: str, expected: str):
    large = [answer(said(100_000))]
    door = Door(
        build_server().streamable_http_app(), lambda name: large.pop() if name == tool and large else None
    )
    with anyio.fail_after(BOUND_S):
        async with on_a_port(door) as origin, connect(f"{origin}/mcp", limits=SMALL) as bridge:
            result = await bridge.call(tool, {"query": "returns"})
            assert code(result) == expected
            assert "RESULT_BYTES" in result.text
            assert not (await bridge.call("search_policy", {"query": "returns"})).is_error


async def test_a_write_whose_answer_is_no_json_may_have_been_carried_out():
    door = Door(
        build_server().streamable_http_app(),
        lambda name: as_json(b"<html>") if name == "create_ticket" else None,
    )
    with anyio.fail_after(BOUND_S):
        async with on_a_port(door) as origin, connect(f"{origin}/mcp", limits=SMALL) as bridge:
            assert code(await bridge.call("create_ticket", {})) == "unknown_outcome"


# ---------------------------------------------------------------- bytes


class Pieces:
    def __init__(self, pieces: list[bytes]) -> None:
        self._left = list(pieces)

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        if not self._left:
            raise anyio.EndOfStream
        return self._left.pop(0)

    async def aclose(self) -> None:
        self._left.clear()


def cut(data: bytes, at: list[int]) -> Iterator[bytes]:
    places = [0, *sorted(place % (len(data) + 1) for place in at), len(data)]
    pieces = (data[first:last] for first, last in pairwise(places))
    return (piece for piece in pieces if piece)


SIZES = st.lists(st.integers(0, 30), max_size=8)
CUTS = st.lists(st.integers(0, 300), max_size=8)


async def read_lines(pieces: list[bytes], limit: int) -> bool:
    """Say whether a line was too long."""
    exceeded: list[None] = []
    lines = BoundedLines(Pieces(pieces), limit, lambda: exceeded.append(None))
    try:
        assert [piece async for piece in lines] == pieces
    except anyio.BrokenResourceError:
        assert len(exceeded) == 1
    return bool(exceeded)


async def read_events(pieces: list[bytes], limit: int) -> bool:
    """Say whether an event was too large."""
    exceeded: list[None] = []

    async def sent():
        for piece in pieces:
            yield piece

    response = httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=sent())
    try:
        assert [
            piece async for piece in BoundedBody(response, limit, lambda: exceeded.append(None))
        ] == pieces
    except httpx2.SSEError:
        assert len(exceeded) == 1
    return bool(exceeded)


@given(SIZES, CUTS)
def test_a_line_is_too_long_wherever_it_is_cut(sizes: list[int], cuts: list[int]):
    data = b"".join(b"x" * size + b"\n" for size in sizes)
    exceeded = anyio.run(read_lines, list(cut(data, cuts)), 20)
    assert exceeded == (max(sizes, default=0) > 20)


@given(SIZES, CUTS, st.sampled_from([b"\n\n", b"\r\n\r\n", b"\r\r"]))
def test_an_event_is_too_large_wherever_it_is_cut(sizes: list[int], cuts: list[int], end: bytes):
    data = b"".join(b"x" * size + end for size in sizes)
    # An end that is not whole yet may count as part of what it ends.
    assert anyio.run(read_events, list(cut(data, cuts)), 24) <= (max(sizes, default=0) > 21)
    assert anyio.run(read_events, list(cut(data, cuts)), 24) >= (max(sizes, default=0) > 24)


# ---------------------------------------------------------------- tools


async def test_of_a_long_list_the_first_tools_are_taken_and_the_rest_is_told_once():
    async with bridge_to("three_hundred", limits=Limits(connect_s=10, call_s=10, tools=20)) as bridge:
        assert len(bridge.tools) == 20
        (told,) = [notice for notice in bridge.notices if "TOOLS_PER_SERVER" in notice]
        assert told == "Only the first 20 tools of the server are taken (TOOLS_PER_SERVER)."
        refused = await bridge.call("tool_299", {})
        assert code(refused) == "tool_refused"
        assert "TOOLS_PER_SERVER" in refused.text


async def test_pages_of_tools_are_read_until_there_are_enough():
    async with bridge_to("many_pages", limits=Limits(connect_s=10, call_s=10, tools=5)) as bridge:
        assert [tool.name for tool in bridge.tools] == [f"tool_{page}" for page in range(5)]


async def test_a_tool_whose_schemas_are_too_large_is_not_offered_and_the_others_are():
    async with bridge_to("large_schema", limits=Limits(connect_s=10, call_s=10)) as bridge:
        assert "large" not in [tool.name for tool in bridge.tools]
        assert await text(bridge, "read") == "done"
        assert any("SCHEMA_BYTES" in notice for notice in bridge.notices)


# ---------------------------------------------------------------- the settings


def test_the_limits_of_the_settings_are_those_of_the_code_unless_set(monkeypatch: pytest.MonkeyPatch):
    assert configured_limits() == Limits()
    monkeypatch.setenv("CALL_S", "7.5")
    monkeypatch.setenv("TOOLS_PER_SERVER", "3")
    assert configured_limits() == Limits(call_s=7.5, tools=3)


@pytest.mark.parametrize(
    "name", [name for name in BridgeSettings.model_fields if name.endswith(("_s", "_bytes", "_server"))]
)
@pytest.mark.parametrize("value", ["0", "-1", "99999999999", "many"])
def test_a_limit_that_is_none_is_refused_with_its_name(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(name.upper(), value)
    with pytest.raises(BadSettings) as refused:
        load(BridgeSettings)
    assert f"- {name.upper()}: " in str(refused.value)
