"""A stand-in for Ollama on the loopback address, made from its public API pages.

It lists models, answers chat completions with the lines it was given, and pulls. A real Ollama was not run.
Source: ollama/ollama docs/api.md and docs/openai.md.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import httpx2


class Ollama:
    """models: what it lists; answers: what it says, the last one again and again; asked: what it heard."""

    def __init__(self, *answers: httpx2.Response, models: tuple[str, ...] = ("qwen2.5:7b",)) -> None:
        self.models = models
        self.answers = list(answers)
        self.lines: list[dict[str, Any]] = []
        self.asked: list[tuple[str, Any]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def listed(self) -> httpx2.Response:
        data = [{"id": name, "object": "model", "created": 1, "owned_by": "library"} for name in self.models]
        return httpx2.Response(200, json={"object": "list", "data": data})

    def answer(self, path: str, body: Any) -> httpx2.Response:
        self.asked.append((path, body))
        if path == "/api/pull":
            self.models = (*self.models, body["model"])
            return httpx2.Response(200, text="".join(json.dumps(line) + "\n" for line in self.lines))
        if path != "/v1/chat/completions":
            return httpx2.Response(404, text="404 page not found")
        if body["model"] not in self.models:
            message = f'model "{body["model"]}" not found, try pulling it first'
            return httpx2.Response(
                404, json={"error": {"message": message, "type": "api_error", "code": None}}
            )
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        ollama = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                known = self.path == "/v1/models"
                self._send(ollama.listed() if known else httpx2.Response(404, text="404 page not found"))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                self._send(ollama.answer(self.path, body))

            def _send(self, answer: httpx2.Response) -> None:
                self.send_response(answer.status_code)
                self.send_header("content-type", answer.headers.get("content-type", "text/plain"))
                self.send_header("content-length", str(len(answer.content)))
                self.end_headers()
                self.wfile.write(answer.content)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing: the output belongs to the tests."""

        return Handler
