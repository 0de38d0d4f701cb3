"""Play dialogues with pydantic-ai, as its documentation says: an agent, its instructions, an MCP toolset.

Runs in an environment of its own (requirements.txt) and imports nothing of this project. The request is one
JSON object on stdin, each turn one JSON line on stdout; evals/frameworks/transcripts.py describes both.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


def agent_for(request: dict[str, Any], model: str, record: Path) -> Agent:
    """Return an agent on a model and a server of its own."""
    command, *arguments = [part.replace("{record}", str(record)) for part in request["server"]]
    transport = StdioTransport(command, arguments, env=request["environment"], cwd=request["root"])
    provider = OpenAIProvider(base_url=request["base_url"], api_key=request["api_key"])
    return Agent(
        OpenAIChatModel(model, provider=provider),
        instructions=request["instructions"],
        toolsets=[MCPToolset(transport)],
    )


async def play(request: dict[str, Any], dialogue: dict[str, Any]) -> None:
    """Play one dialogue, telling each turn as soon as it is there."""
    record = Path(request["folder"]) / f"{dialogue['id']}.jsonl"
    agent = agent_for(request, dialogue.get("model", request["model"]), record)
    history: list[ModelMessage] = []
    async with agent:
        for number, text in enumerate(dialogue["turns"], 1):
            told: dict[str, Any] = {"dialogue": dialogue["id"], "turn": number, "reply": "", "model_calls": 0}
            start = time.perf_counter()
            try:
                result = await agent.run(text, message_history=history)
                history = result.all_messages()
                told |= {"reply": result.output, "model_calls": result.usage.requests}
            except Exception as error:  # noqa: BLE001 - a turn that breaks off is a figure; the next is played
                told["error"] = f"{type(error).__name__}: {error}"[:500]
            told["seconds"] = time.perf_counter() - start
            told["recorded"] = len(record.read_text(encoding="utf-8").splitlines())
            print(json.dumps(told, ensure_ascii=False), flush=True)


async def main() -> None:
    """Play every dialogue of the request."""
    request = json.load(sys.stdin)
    for dialogue in request["dialogues"]:
        await play(request, dialogue)


if __name__ == "__main__":
    asyncio.run(main())
