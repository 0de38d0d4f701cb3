"""What the agent adds to a turn: everything but the model, which here answers at once.

Knows:    two scripts of a model: one that calls a tool and then answers, one that only answers.
Does not: measure a model; `python -m evals` does.
"""

from collections.abc import Sequence
from typing import Any

from agent_mcp import run
from bench.measure import Row, Timed, median_ms, timed
from llm import ChatFn, Reply, ToolCall
from mcp_tools import Bridge, connect
from server import build_server

MAX_MS = 5.0
RUNS = 300
WARM_UP = 30

CALL = Reply(None, (ToolCall("call_1", "get_order_status", '{"order_id": "4471"}'),))
ANSWER = Reply("Order 4471 has been shipped.")
GREETING = Reply("You are welcome.")


async def _calls_then_answers(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Reply:
    return ANSWER if messages[-1]["role"] == "tool" else CALL


async def _only_answers(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Reply:
    return GREETING


def _turn(bridge: Bridge, question: str, model: ChatFn, reply: Reply, calls: Sequence[str]) -> Timed:
    async def turn() -> None:
        outcome = await run(question, model, bridge=bridge)
        if outcome.reply != reply.content or outcome.meta["tools_used"] != list(calls):
            raise RuntimeError(
                "The turn did not go as scripted, so its time means nothing. "
                f"It gave {outcome.reply!r} with {outcome.meta!r}."
            )

    return timed(turn)


async def turn_rows(runs: int = RUNS) -> list[Row]:
    """Time a turn with one call, the server in this process, and a turn without a call."""
    async with connect(build_server()) as bridge:
        turns = {
            "turn with one call, model apart": _turn(
                bridge, "Where is order 4471?", _calls_then_answers, ANSWER, ["get_order_status"]
            ),
            "turn without a call, model apart": _turn(bridge, "Thanks!", _only_answers, GREETING, []),
        }
        return [
            Row(what, await median_ms(turn, runs=runs, warm_up=WARM_UP), None, MAX_MS, runs)
            for what, turn in turns.items()
        ]
