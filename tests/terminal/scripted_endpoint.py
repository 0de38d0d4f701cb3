"""An OpenAI-compatible endpoint on the loopback address that answers `main.py` from a script.

It can also be an Ollama that has to pull its model first.
"""

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
        self.models = ["scripted"]

    @property
    def ollama(self) -> dict[str, str]:
        """What makes main.py take this endpoint for an Ollama."""
        return {
            "LLM_PROVIDER": "ollama",
            "LLM_TOOL_MODE": "native",
            "OLLAMA_BASE_URL": self.url,
            "OLLAMA_MODEL": "scripted",
        }

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
            listed = [{"id": name, "object": "model", "created": 0} for name in endpoint.models]
            self._send("application/json", json.dumps({"object": "list", "data": listed}))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = json.loads(body)
            if self.path == "/api/pull":
                endpoint.models.append(request["model"])
                self._send("application/x-ndjson", _PULLED)
                return
            if request.get("max_tokens") == 1:  # the warm-up: it asks for nothing
                self._send("application/json", json.dumps(_WARM))
                return
            endpoint.requests.append(request)
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


_PULLED = """\
{"status": "pulling manifest"}
{"status": "pulling 1", "digest": "sha256:1", "total": 200, "completed": 100}
{"status": "pulling 1", "digest": "sha256:1", "total": 200, "completed": 200}
{"status": "success"}
"""

_WARM = {
    "id": "0",
    "object": "chat.completion",
    "created": 0,
    "model": "scripted",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "H"}, "finish_reason": "length"}],
}


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
