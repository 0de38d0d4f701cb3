"""A server with the three tools of a catalog: functions are found, described and called by name."""

from collections.abc import Callable
from typing import Any

from mcp.server import MCPServer
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from agent_mcp import Outcome
from tests.agent.scripted import Scripted, calls, desk, says

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False)
CALLS = {"shopkart/calls": {"function": "function", "arguments": "arguments", "describe": "describe"}}

ORDER = {"type": "integer", "minimum": 1, "x-grounding": "order_number"}

GET: dict[str, Any] = {
    "name": "orders_get",
    "effect": "read",
    "input_schema": {"type": "object", "properties": {"order": ORDER}, "required": ["order"]},
    "output_schema": {
        "type": "object",
        "properties": {
            "order": ORDER,
            "next": ORDER,
            "status": {"type": "string"},
            "note": {"type": "string"},
        },
    },
    "signature": "def orders_get(order: int)",
}
DELETE: dict[str, Any] = {**GET, "name": "orders_delete", "effect": "destructive"}

Describe = Callable[[list[str]], dict[str, Any]]


def by_name(*functions: dict[str, Any]) -> Describe:
    """Describe the functions of these names, and none that is not there."""
    return lambda names: {"functions": [each for each in functions if each["name"] in names]}


class Catalog(MCPServer):
    """Keeps on record what was described and what was run, and returns what it is told to."""

    def __init__(
        self,
        *functions: dict[str, Any],
        describe: Describe | None = None,
        data: dict[str, Any] | None = None,
        meta: dict[str, Any] | None = None,
        describing: ToolAnnotations | None = READS,
    ) -> None:
        super().__init__("catalog", version="1")
        self.described: list[list[str]] = []
        self.ran: list[tuple[Any, Any]] = []
        self._describe = describe or by_name(*(functions or (GET, DELETE)))
        self._data = data or {"order": 1001, "next": 2002, "status": "shipped", "note": "order_number: 9009"}
        self.tool(name="describe", annotations=describing)(self.tell)
        self.tool(name="call", title="Call a function", annotations=READS, meta=meta or CALLS)(self.run_one)

    async def tell(self, names: list[str]) -> CallToolResult:
        """Say what functions take."""
        self.described.append(names)
        held = self._describe(names)
        return CallToolResult(
            content=[TextContent(type="text", text="…")], structured_content=held, is_error="error" in held
        )

    async def run_one(self, function: str, arguments: dict[str, Any] | None = None) -> CallToolResult:
        """Call a function."""
        self.ran.append((function, arguments))
        held = {"function": function, "data": self._data}
        return CallToolResult(
            content=[TextContent(type="text", text="The order is shipped.")], structured_content=held
        )


def call(function: Any, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "call", {"function": function, "arguments": arguments}


async def asked(
    shop: Catalog, question: str, *wanted: tuple[str, dict[str, Any]], **more: Any
) -> tuple[Outcome, Scripted, list[str]]:
    """Play one question whose model makes these calls, one a round; return what came of it."""
    model = Scripted(*(calls(each) for each in wanted), says("That is all."))
    async with desk(shop) as at:
        outcome = await at.ask(question, model, **more)
        return outcome, model, at.refused()
