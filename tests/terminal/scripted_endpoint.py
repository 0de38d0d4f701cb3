"""An OpenAI-compatible endpoint on the loopback address that answers `main.py` from a script."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Line = str | tuple[str, dict[str, Any]] | None
"""One reply: words, a call as name and arguments, or None for a model that never answers."""


class Endpoint:
    """Replies in order; when none is left it answers 500, as a model that broke down does."""

    def __init__(self, replies: list[Line]) -> None:
        self.replies = list(replies)
        self.requests: list[dict[str, Any]] = []
        self.asked = threading.Event()
        self.over = threading.Event()
        self.url = ""

    @property
    def environment(self) -> dict[str, str]:
        """What makes main.py use this endpoint, with the model's own tool calls."""
        return {
            "LLM_PROVIDER": "openai",
            "LLM_TOOL_MODE": "native",
            "OPENAI_BASE_URL": self.url,
            "OPENAI_MODEL": "scripted",
            "OPENAI_API_KEY": "none",
        }


@contextmanager
def serving(*replies: Line) -> Iterator[Endpoint]:
    """Serve the replies until the block ends."""
    endpoint = Endpoint(list(replies))

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: the test's output is the chat's."""

        def do_GET(self) -> None:
            self._send("application/json", json.dumps({"object": "list", "data": [_MODEL]}))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            endpoint.requests.append(json.loads(body))
            endpoint.asked.set()
            if not endpoint.replies:
                self.send_error(500)
            elif (line := endpoint.replies.pop(0)) is None:
                endpoint.over.wait()
            else:
                self._send("text/event-stream", _events(line))

        def _send(self, kind: str, text: str) -> None:
            data = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


_MODEL = {"id": "scripted", "object": "model", "created": 0, "owned_by": "tests"}


def _events(line: str | tuple[str, dict[str, Any]]) -> str:
    delta: dict[str, Any] = {"role": "assistant"}
    if isinstance(line, str):
        delta["content"] = line
    else:
        call = {"name": line[0], "arguments": json.dumps(line[1])}
        delta["tool_calls"] = [{"index": 0, "id": f"call_{line[0]}", "type": "function", "function": call}]
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    chunks = [_chunk([choice]), _chunk([]) | {"usage": usage}]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


def _chunk(choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "scripted",
        "choices": choices,
    }
