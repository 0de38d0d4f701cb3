"""What mcp_tools.py promises, tried on the real server.py and on a small server in this process. No model.

Knows:    the demo shop's orders by number, as a customer would.
Does not: look inside the bridge. Broken servers are tried in tests/bridge/.
Run:      python test_bridge.py   one line a check; exit 1 when one fails. pytest collects it as one test.
"""

import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, cast

import anyio
from mcp.server import MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from mcp_tools import Bridge, Limits, ToolResult, connect
from tests.promises import run_by_hand, tried

SERVER = Path(__file__).resolve().parent / "server.py"
LIMIT_S = 30
ERAS = ("auto", "legacy")

Check = Callable[[Bridge], Awaitable[None]]
ON_THE_SHOP: list[Check] = []
ON_THE_LAB: list[Check] = []
ON_A_SHOP_THAT_ENDS: list[Check] = []


def on(where: list[Check]) -> Callable[[Check], Check]:
    """Add the function below to the checks that are tried there."""

    def add(check: Check) -> Check:
        where.append(check)
        return check

    return add


# ---------------------------------------------------------------- a small server in this process


class Line(BaseModel):
    """One line of a parcel."""

    article: Annotated[str, Field(json_schema_extra={"x-grounding": "article"})]
    pieces: int = 1


class Parcel(BaseModel):
    """Lines, and a parcel inside the parcel."""

    lines: list[Line]
    fragile: bool = False


def lab() -> MCPServer:
    """Return a server whose schemas hold references, marks and a tool without annotations."""
    server = MCPServer("lab", log_level="CRITICAL")
    written: list[str] = []

    @server.tool(annotations=ToolAnnotations(read_only_hint=True))
    def weigh(parcel: Parcel) -> int:
        """Weigh a parcel."""
        return sum(line.pieces for line in parcel.lines)

    @server.tool()
    def note(text: str) -> str:
        """Write a note down."""
        written.append(text)
        return f"{len(written)} notes"

    @server.tool()
    def fail() -> str:
        """Break."""
        raise ValueError("the inside of the server")

    del weigh, note, fail
    return server


# ---------------------------------------------------------------- the words of the checks


def parameters(bridge: Bridge, name: str) -> dict[str, Any]:
    """Return the schema that a model is given for the tool."""
    functions = {schema["function"]["name"]: schema["function"] for schema in bridge.openai_schemas()}
    return functions[name]["parameters"]


def worked(result: ToolResult | None) -> dict[str, Any]:
    """Return the data of a call that worked."""
    assert result is not None, "there is no result"
    assert not result.is_error, result.text
    assert result.text, "a result without words"
    return result.data


def refused(result: ToolResult | None, code: str) -> dict[str, Any]:
    """Return the data of a call that was refused in this way."""
    assert result is not None, "there is no result"
    assert result.is_error, f"was not refused: {result.text}"
    assert result.data["error"] == code, f"refused as {result.data['error']}, not as {code}"
    assert result.data["message"] and result.data["next"] and result.text, "a refusal without its sentences"
    return result.data


def ticket(summary: str = "Please look into this.") -> dict[str, Any]:
    """Return the arguments of a ticket that the shop's rules allow."""
    return {"order_id": "4468", "category": "damaged", "summary": summary}


def children() -> list[int]:
    """Return the servers that this process started, where the system has /proc."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = entry.read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
            command = entry.with_name("cmdline").read_bytes()
        except (OSError, ValueError):
            continue  # it ended while we looked
        if int(parent) == os.getpid() and state != "Z" and b"server.py" in command:
            found.append(int(entry.parent.name))
    return found


# ---------------------------------------------------------------- tools and schemas


@on(ON_THE_SHOP)
async def tools(bridge: Bridge) -> None:
    """Tools: all of the server's tools, with titles, descriptions, annotations and marks as listed."""
    assert [tool.name for tool in bridge.tools] == [
        "get_order_status", "list_my_orders", "search_policy", "create_ticket", "get_ticket",
        "list_my_tickets", "contact_staff",
    ]  # fmt: skip
    assert all(tool.title and tool.description and tool.annotations for tool in bridge.tools)
    assert bridge.tools[0].input_schema["properties"]["order_id"]["x-grounding"] == "order_id"
    assert bridge.notices == []


@on(ON_THE_SHOP)
async def functions(bridge: Bridge) -> None:
    """Schemas: each tool in OpenAI's function form, with name, description and parameters."""
    for schema, tool in zip(bridge.openai_schemas(), bridge.tools, strict=True):
        assert schema["type"] == "function"
        assert set(schema["function"]) == {"name", "description", "parameters"}
        assert schema["function"]["name"] == tool.name
        assert schema["function"]["description"] == tool.description


@on(ON_THE_SHOP)
async def converted(bridge: Bridge) -> None:
    """Schemas: types, limits, choices and required arguments are kept."""
    given = parameters(bridge, "create_ticket")
    assert given["required"] == ["order_id", "category", "summary"]
    assert given["properties"]["category"]["enum"] == ["delivery", "return", "refund", "damaged", "other"]
    assert given["properties"]["summary"]["maxLength"] == 300


@on(ON_THE_SHOP)
async def closed(bridge: Bridge) -> None:
    """Schemas: additionalProperties is kept, so that no other argument is written."""
    for tool in bridge.tools:
        assert parameters(bridge, tool.name)["additionalProperties"] is False, tool.name


@on(ON_THE_LAB)
@on(ON_THE_SHOP)
async def marks(bridge: Bridge) -> None:
    """Schemas: no mark of ours reaches a model."""
    assert "x-grounding" in json.dumps([tool.input_schema for tool in bridge.tools])
    assert "x-grounding" not in json.dumps(bridge.openai_schemas())


@on(ON_THE_LAB)
async def references(bridge: Bridge) -> None:
    """Schemas: references are replaced by what they refer to."""
    given = parameters(bridge, "weigh")
    assert "$ref" in json.dumps(bridge.tools[0].input_schema)
    assert "$ref" not in json.dumps(given) and "$defs" not in given
    line = given["properties"]["parcel"]["properties"]["lines"]["items"]
    assert line["properties"]["article"]["type"] == "string"
    assert line["required"] == ["article"]


# ---------------------------------------------------------------- calls


@on(ON_THE_SHOP)
async def call(bridge: Bridge) -> None:
    """Call: gives the structured result and the same in words."""
    result = await bridge.call("get_order_status", {"order_id": "4471"})
    assert worked(result)["status"] == "shipped"
    assert "4471" in result.text and "shipped" in result.text


@on(ON_THE_LAB)
async def in_memory(bridge: Bridge) -> None:
    """Call: a server in this process is called the same way."""
    parcel = {"lines": [{"article": "lamp", "pieces": 3}, {"article": "cup"}]}
    assert worked(await bridge.call("weigh", {"parcel": parcel})) == {"result": 4}


@on(ON_THE_SHOP)
async def at_once(bridge: Bridge) -> None:
    """Call: ten at once each get their own answer."""
    answers: dict[str, dict[str, Any]] = {}

    async def ask(order_id: str) -> None:
        answers[order_id] = worked(await bridge.call("get_order_status", {"order_id": order_id}))

    async with anyio.create_task_group() as group:
        for number in range(10):
            group.start_soon(ask, "4471" if number % 2 else "4468")
    assert {order_id: answer["order_id"] for order_id, answer in answers.items()} == {
        "4471": "4471",
        "4468": "4468",
    }


# ---------------------------------------------------------------- refusals


@on(ON_THE_SHOP)
async def business_refusal(bridge: Bridge) -> None:
    """Refusal: the shop's own comes through with its code, what happened and what to do."""
    refused(await bridge.call("get_order_status", {"order_id": "999999"}), "unknown_order")


@on(ON_THE_SHOP)
async def invalid(bridge: Bridge) -> None:
    """Refusal: a wrong argument is the server's to refuse, and the value is not echoed."""
    told = refused(
        await bridge.call("get_order_status", {"order_id": "private-7", "more": "private-8"}),
        "invalid_arguments",
    )
    assert "private-" not in str(told)


@on(ON_THE_SHOP)
@on(ON_THE_LAB)
async def unknown_tool(bridge: Bridge) -> None:
    """Refusal: an unknown tool is named together with those that are there."""
    told = refused(await bridge.call("delete_everything", {}), "unknown_tool")
    assert bridge.tools[0].name in told["next"]


@on(ON_THE_LAB)
async def crash(bridge: Bridge) -> None:
    """Refusal: a tool that breaks is an error result, without the server's inside."""
    told = refused(await bridge.call("fail", {}), "tool_error")
    assert "inside" not in str(told)


@on(ON_THE_SHOP)
async def no_object(bridge: Bridge) -> None:
    """Refusal: arguments that are no object are not sent."""
    for arguments in ([], "{}", None, 4471, [{"order_id": "4471"}]):
        refused(await bridge.call("get_order_status", cast(Any, arguments)), "bad_arguments")


@on(ON_THE_SHOP)
async def not_json(bridge: Bridge) -> None:
    """Refusal: what JSON cannot hold is not sent: NaN, a set, half a character, a key that is no text."""
    for value in (float("nan"), float("inf"), {1, 2}, "\ud800", object()):
        refused(await bridge.call("search_policy", {"query": value}), "bad_arguments")
    refused(await bridge.call("search_policy", cast(Any, {1: "returns"})), "bad_arguments")
    worked(await bridge.call("search_policy", {"query": "returns"}))


@on(ON_THE_SHOP)
async def too_large(bridge: Bridge) -> None:
    """Refusal: a megabyte of arguments, or a hundred levels of them, is not sent; the session goes on."""
    deep: list[Any] = []
    for _ in range(200):
        deep = [deep]
    refused(await bridge.call("search_policy", {"query": "a" * 1_000_000}), "bad_arguments")
    refused(await bridge.call("search_policy", {"query": deep}), "bad_arguments")
    worked(await bridge.call("search_policy", {"query": "returns"}))


# ---------------------------------------------------------------- trying a call without effect


@on(ON_THE_SHOP)
async def preview(bridge: Bridge) -> None:
    """Preview: says in words what a call would do, and changes nothing."""
    for _ in range(2):
        result = await bridge.preview("create_ticket", ticket())
        assert worked(result)["status"] == "not_opened"
        assert result is not None and "4468" in result.text


@on(ON_THE_SHOP)
async def preview_refused(bridge: Bridge) -> None:
    """Preview: a call that the shop's rules forbid is refused before anyone is asked."""
    refused(await bridge.preview("create_ticket", ticket() | {"order_id": "4471"}), "wrong_state")


@on(ON_THE_SHOP)
async def no_preview(bridge: Bridge) -> None:
    """Preview: a tool that offers none is not called for one."""
    assert await bridge.preview("get_order_status", {"order_id": "4471"}) is None
    assert await bridge.preview("delete_everything", {}) is None


@on(ON_THE_LAB)
async def no_preview_by_chance(bridge: Bridge) -> None:
    """Preview: of a server that knows no dry run, nothing is executed."""
    assert await bridge.preview("note", {"text": "not to be written"}) is None
    assert "1 notes" in (await bridge.call("note", {"text": "the first"})).text


# ---------------------------------------------------------------- a server that ends, and leaving


@on(ON_A_SHOP_THAT_ENDS)
async def restart(bridge: Bridge) -> None:
    """Restart: after the server was killed, the next call starts it again, and says what that lost."""
    assert worked(await bridge.call("create_ticket", ticket()))["created"] is True
    (server,) = children()
    os.kill(server, signal.SIGKILL)
    while Path(f"/proc/{server}").exists():  # a zombie's threads may still hold its pipes
        await anyio.lowlevel.checkpoint()
    for _ in range(100):
        await anyio.lowlevel.checkpoint()
    assert worked(await bridge.call("create_ticket", ticket()))["created"] is True
    assert children() not in ([], [server])
    assert any("kept in memory is gone" in notice for notice in bridge.notices)


@on(ON_A_SHOP_THAT_ENDS)
async def leaving(bridge: Bridge) -> None:
    """Leaving: ends the server's process; a call after it starts none and says so."""
    await bridge.close()
    await bridge.close()
    assert children() == []
    refused(await bridge.call("get_order_status", {"order_id": "4471"}), "server_unavailable")
    assert children() == []


# ---------------------------------------------------------------- running them


async def try_all(report: Callable[[str], None]) -> list[str]:
    """Run every check on both protocol eras and return the failed ones."""
    failed: list[str] = []
    with anyio.fail_after(LIMIT_S):
        for era in ERAS:
            async with connect(mode=era) as bridge:
                for check in ON_THE_SHOP:
                    failed += await _try(check, bridge, f"server.py, {era}", report)
            async with connect(lab(), mode=era) as bridge:
                for check in ON_THE_LAB:
                    failed += await _try(check, bridge, f"in memory, {era}", report)
        if Path("/proc/self/stat").exists():
            async with connect([sys.executable, str(SERVER)], limits=Limits(call_s=10)) as bridge:
                for check in ON_A_SHOP_THAT_ENDS:
                    failed += await _try(check, bridge, "server.py as a command", report)
    return failed


async def _try(check: Check, bridge: Bridge, where: str, report: Callable[[str], None]) -> list[str]:
    promise = (check.__doc__ or "").rstrip(".")
    return await tried(f"{promise[:1].lower()}{promise[1:]} ({where})", check(bridge), report)


def test_the_bridge_keeps_every_promise() -> None:
    """Let pytest run the same checks."""
    assert anyio.run(try_all, print) == []


if __name__ == "__main__":
    sys.exit(run_by_hand(try_all))
