"""A scripted model behind an OpenAI-compatible endpoint on this machine, for agents that speak HTTP.

Knows:    the cases by number: the name of the model that is asked for is the number of a case. It finds its
          place in the script by counting what it said since the customer's newest message.
Does not: think.
"""

import json
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from evals.hostile.case import Case
from evals.hostile.playing import spoken
from llm import Reply


@contextmanager
def model_of(cases: Sequence[Case]) -> Generator[str]:
    """Serve the scripts of these cases and give the endpoint's address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            asked: dict[str, Any] = json.loads(self.rfile.read(length))
            body = json.dumps(completion(cases[int(asked["model"])], asked)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: the screen is the command's."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def completion(case: Case, asked: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to one request, in the form of the endpoint."""
    messages: list[dict[str, Any]] = asked["messages"]
    customers = [index for index, message in enumerate(messages) if message["role"] == "user"]
    turn = case.turns[min(len(customers), len(case.turns)) - 1]
    since = messages[customers[-1] :]
    said = sum(message["role"] == "assistant" for message in since)
    reply = spoken(turn.model[min(said, len(turn.model) - 1)], messages)
    return {
        "id": "stub",
        "object": "chat.completion",
        "created": 0,
        "model": asked["model"],
        "choices": [{"index": 0, "finish_reason": _reason(reply), "message": _message(reply, len(messages))}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _reason(reply: Reply) -> str:
    return "tool_calls" if reply.tool_calls else "stop"


def _message(reply: Reply, place: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.tool_calls:
        message["tool_calls"] = [
            {
                "id": f"{place}-{index}",  # no two calls of a talk have the same
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for index, call in enumerate(reply.tool_calls)
        ]
    return message
