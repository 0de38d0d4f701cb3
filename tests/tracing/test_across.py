"""A trace that goes on in the server, and what a server's own spans tell of what clients send."""

import anyio
import pytest
from mcp import Client, MCPError
from mcp.server import MCPServer

from common import tracing
from mcp_tools import Limits, connect
from server import build_server
from tests.agent.scripted import Scripted, calls, desk, says
from tests.bridge.doors import on_a_port
from tests.bridge.faults import BOUND_S, bridge_to
from tests.tracing.spans import facts, is_below, told_of, watched

pytestmark = pytest.mark.anyio

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])
PERSONAL = "ann@example.org of 12 Elm Street"


@ERAS
async def test_the_spans_of_a_server_over_http_stand_below_the_call_that_it_answers(mode: str):
    app = build_server().streamable_http_app()
    with watched() as spans, anyio.fail_after(BOUND_S):
        async with (
            on_a_port(app) as origin,
            connect(f"{origin}/mcp", limits=Limits(connect_s=10, call_s=10), mode=mode) as bridge,
        ):
            with tracing.tool_call("get_order_status", "c1", "{}"):
                await bridge.call("get_order_status", {"order_id": "4471"})
    call = spans.the("execute_tool get_order_status")
    (sent,) = spans.named("MCP send tools/call")
    (answered,) = spans.named("tools/call")
    assert sent.parent and call.context and sent.parent.span_id == call.context.span_id
    assert answered.parent and sent.context and answered.parent.span_id == sent.context.span_id
    assert answered.kind.name == "SERVER"


@ERAS
async def test_a_server_tells_of_no_name_and_no_text_that_a_client_sends(mode: str):
    with watched() as spans, anyio.fail_after(BOUND_S):
        async with Client(build_server(), mode=mode) as client:
            await client.call_tool(PERSONAL, {})
            await client.call_tool("get_order_status", {"order_id": PERSONAL})
            await client.call_tool("search_policy", {"query": PERSONAL})
            for name in ("support-reply", PERSONAL):
                with pytest.raises(MCPError):
                    await client.get_prompt(name, {PERSONAL: PERSONAL})
            with pytest.raises(MCPError):
                await client.read_resource(f"shop://{PERSONAL}")
    served = [span for span in spans.ended if span.kind.name == "SERVER"]
    told = "\n".join(map(told_of, served))
    assert "ann@" not in told and "Elm" not in told
    assert {span.name for span in served} >= {
        "tools/call _OTHER",
        "tools/call get_order_status",
        "tools/call search_policy",
        "prompts/get",
        "resources/read",
    }


async def test_a_tool_that_crashes_is_told_without_its_text():
    class Broken(Exception):
        pass

    server = build_server()
    tool = server._tools["list_my_orders"]

    def crash() -> None:
        raise Broken(PERSONAL)

    tool.fn, tool.is_async = crash, False
    with watched() as spans:
        async with Client(server) as client:
            await client.call_tool("list_my_orders", {})
    span = spans.the("tools/call list_my_orders")
    assert facts(span)[tracing.CODE] == "internal_error"
    assert "Elm" not in spans.text()


async def test_what_another_server_says_of_its_errors_is_in_no_span():
    with watched() as spans:
        async with bridge_to() as bridge:
            for do in ("error_internal", "error_params"):
                await bridge.call("read", {"do": do})
    assert "ann@" not in spans.text()
    assert [facts(span)[tracing.ERROR_TYPE] for span in spans.named("MCP send tools/call")] == [
        "-32603",
        "-32602",
    ]


async def test_a_dry_run_is_no_execution_on_our_side():
    ticket = {"order_id": "4468", "category": "damaged", "summary": "The lamp is broken."}
    with watched() as spans:
        async with desk() as at:
            asked = "please open a ticket for 4468: the lamp is broken"
            await at.ask(asked, Scripted(calls(("create_ticket", ticket)), says("No.")))
    assert spans.named("execute_tool") == []
    assert is_below(spans.the("tools/call create_ticket"), spans.named("invoke_agent")[0], spans.ended)


async def test_a_parent_that_is_none_is_not_taken():
    for meta in (
        None,
        {},
        {"traceparent": "ann@example.org"},
        {"traceparent": 5},
        {"traceparent": "00-0-0-0"},
    ):
        assert tracing.parent_of(meta) is None


async def test_a_server_of_another_house_keeps_the_spans_that_the_sdk_makes():
    """They are that server's; docs/tracing.md says so."""
    server = MCPServer("other")
    with watched() as spans:
        async with Client(server) as client:
            await client.list_tools()
    assert spans.named("tools/list")
