"""Play dialogues with openai-agents, as its documentation says: an agent, its instructions, an MCP server.

Runs in an environment of its own (requirements.txt) and imports nothing of this project. The request is one
JSON object on stdin, each turn one JSON line on stdout; evals/frameworks/transcripts.py describes both.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.exceptions import AgentsException
from agents.items import TResponseInputItem
from agents.mcp import MCPServerStdio
from openai import AsyncOpenAI


def server_for(request: dict[str, Any], record: Path) -> MCPServerStdio:
    """Return a server of the dialogue's own."""
    command, *arguments = [part.replace("{record}", str(record)) for part in request["server"]]
    return MCPServerStdio(
        {"command": command, "args": arguments, "env": request["environment"], "cwd": request["root"]}
    )


async def play(request: dict[str, Any], dialogue: dict[str, Any]) -> None:
    """Play one dialogue, telling each turn as soon as it is there."""
    record = Path(request["folder"]) / f"{dialogue['id']}.jsonl"
    client = AsyncOpenAI(base_url=request["base_url"], api_key=request["api_key"])
    async with server_for(request, record) as server:
        agent = Agent(
            name="Support",
            instructions=request["instructions"],
            model=OpenAIChatCompletionsModel(dialogue.get("model", request["model"]), client),
            mcp_servers=[server],
        )
        history: list[TResponseInputItem] = []
        for number, text in enumerate(dialogue["turns"], 1):
            told: dict[str, Any] = {"dialogue": dialogue["id"], "turn": number, "reply": "", "model_calls": 0}
            start = time.perf_counter()
            try:
                result = await Runner.run(agent, [*history, {"role": "user", "content": text}])
                history = result.to_input_list()
                told |= {
                    "reply": str(result.final_output),
                    "model_calls": result.context_wrapper.usage.requests,
                }
            except Exception as error:  # noqa: BLE001 - a turn that breaks off is a figure; the next is played
                told["error"] = f"{type(error).__name__}: {error}"[:500]
                if isinstance(error, AgentsException) and error.run_data is not None:
                    told["model_calls"] = error.run_data.context_wrapper.usage.requests
            told["seconds"] = time.perf_counter() - start
            told["recorded"] = len(record.read_text(encoding="utf-8").splitlines())
            print(json.dumps(told, ensure_ascii=False), flush=True)


async def main() -> None:
    """Play every dialogue of the request."""
    set_tracing_disabled(disabled=True)  # it would send the conversations to the maker of the framework
    request = json.load(sys.stdin)
    for dialogue in request["dialogues"]:
        await play(request, dialogue)


if __name__ == "__main__":
    asyncio.run(main())
