"""What every agent in Python stands on: the loop, the lines, the model.

Knows:    how a request comes in, and how answers, files and questions to the model go out.
Does not: know what an agent does, or check what the core sends: the core did.
Agreed:   only the standard library, and of it what starts fast. The protocol has the real stdout to itself;
          whatever else is written to stdout goes to stderr. One request after the other, in their order.
          The end of stdin, and a shutdown, end the process at once, whatever it does just then.
"""

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, NoReturn

Answer = Mapping[str, Any] | str
"""The fields of an agent_response, or its text alone."""

_LINE_BYTES = 4 * 1024 * 1024
_EXIT_WAIT_S = 1.0
"""For how long the end waits for a line that is being written, so that no half of one goes out."""


class ModelSilent(Exception):
    """The model gave no answer. code: not_reachable, timed_out, …; the text is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Desk:
    """One request: what it says, and what an agent may do while it works on it."""

    def __init__(self, message: dict[str, Any], wires: "_Wires") -> None:
        self.message = message
        self._wires = wires

    def time_left(self) -> float:
        """Return for how many seconds anybody waits, never less than 0."""
        return max(float(self.message["deadline"]) - time.time(), 0.0)

    def progress(self, text: str) -> None:
        """Tell a person what is being done."""
        self._send(type="progress", text=text[:2_000])

    def file(self, path: str, content: str) -> None:
        """Hand a finished file to the core, which writes it or refuses to."""
        self._send(type="file", path=path, content=content)

    def ask_model(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float = 0.0,
        seed: int | None = None,
    ) -> str:
        """Return what the model says.

        Raises: ModelSilent, which `serve` answers for whoever lets it through.
        """
        call, reply = self._wires.expected()
        try:
            self._send(
                type="model_request",
                call=call,
                messages=list(messages),
                answer_schema=schema,
                max_tokens=max_tokens,
                temperature=temperature,
                seed=seed,
            )
            answer = reply.get(timeout=self.time_left())
        except queue.Empty:
            raise ModelSilent("timed_out", "The model did not answer before the deadline.") from None
        finally:
            self._wires.forgotten(call)
        if answer["type"] == "model_failed":
            raise ModelSilent(answer["code"], answer["message"])
        return answer["text"]

    def _send(self, **fields: Any) -> None:
        self._wires.send({"id": self.message["id"], **fields})


Handler = Callable[[Desk], Answer]


def serve(handlers: Mapping[str, Handler]) -> NoReturn:
    """Answer requests until stdin ends or the core says so. handlers: a request's type -> what answers it.

    A handler that raises is answered as agent_failed, its traceback on stderr, and the next request is taken.
    """
    wires = _Wires()
    threading.Thread(target=wires.listen, daemon=True).start()
    while True:
        message = wires.requests.get()
        try:
            wires.send({"id": message["id"], **_answered(handlers, message, wires)})
        except (TypeError, ValueError) as error:
            why = f"The agent's answer cannot be written as JSON: {error}"
            wires.send({"id": message["id"], **_failed("broke", why)})


def _answered(handlers: Mapping[str, Handler], message: dict[str, Any], wires: "_Wires") -> dict[str, Any]:
    kind = message["type"]
    desk = Desk(message, wires)
    if kind not in handlers:
        known = ", ".join(sorted(handlers))
        return _failed("unknown_type", f"This agent knows no request {kind!r}. It knows: {known}.")
    if not desk.time_left():
        return _failed("too_late", "The deadline had passed before this agent came to the request.")
    try:
        answer = handlers[kind](desk)
        fields = {"text": answer} if isinstance(answer, str) else dict(answer)
    except ModelSilent as silent:
        return _failed(silent.code, silent.message)
    except Exception as error:  # noqa: BLE001  the top of an agent: one request that breaks is not the end
        sys.excepthook(type(error), error, error.__traceback__)
        return _failed("broke", f"The agent broke on {kind}: {type(error).__name__}: {error}"[:2_000])
    return {"type": "agent_response", **fields}


def _failed(code: str, message: str) -> dict[str, Any]:
    return {"type": "agent_failed", "code": code, "message": message}


class _Wires:
    """Stdin and stdout as lines of JSON. requests: what is to be answered, in the order that it came."""

    def __init__(self) -> None:
        self.requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._in: BinaryIO = sys.stdin.buffer
        self._out = _own_stdout()
        self._writing = threading.Lock()
        self._calls: dict[str, queue.SimpleQueue[dict[str, Any]]] = {}
        self._asked = 0

    def listen(self) -> None:
        """Read lines until there are no more, then end the process."""
        while line := self._in.readline(_LINE_BYTES + 1):
            if not line.endswith(b"\n"):
                self._skip()
            elif line.strip():
                self._heard(line)
        self._end()

    def send(self, message: dict[str, Any]) -> None:
        """Write one line."""
        # Half of a surrogate pair is no character: what cannot be said in UTF-8 goes out as "?".
        line = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        try:
            with self._writing:
                self._out.write(line)
                self._out.flush()
        except (BrokenPipeError, ConnectionResetError):
            os._exit(0)  # nobody reads any more

    def expected(self) -> tuple[str, "queue.SimpleQueue[dict[str, Any]]"]:
        """Return a name for a question to the model, and where its answer will come."""
        reply: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        with self._writing:
            self._asked += 1
            call = str(self._asked)
        self._calls[call] = reply
        return call, reply

    def forgotten(self, call: str) -> None:
        """Let what still comes for this question be dropped."""
        self._calls.pop(call, None)

    def _heard(self, line: bytes) -> None:
        try:
            message = json.loads(line)
            kind, _ = message["type"], message["id"]
            float(message["deadline"])
        except (ValueError, TypeError, KeyError) as error:
            sys.stderr.write(f"dropped a line that is no message: {type(error).__name__}: {error}\n")
            return
        if kind == "shutdown":
            self._end()
        elif kind in ("model_reply", "model_failed"):
            if reply := self._calls.get(message.get("call", "")):
                reply.put(message)
        else:
            self.requests.put(message)

    def _skip(self) -> None:
        sys.stderr.write(f"dropped a line of more than {_LINE_BYTES} bytes\n")
        while (rest := self._in.readline(_LINE_BYTES)) and not rest.endswith(b"\n"):
            pass

    def _end(self) -> NoReturn:
        # Not sys.exit: the main thread may be in the middle of anything, for as long as it likes.
        self._writing.acquire(timeout=_EXIT_WAIT_S)
        os._exit(0)


def _own_stdout() -> BinaryIO:
    """Return the real stdout, and lead whatever else is written to stdout to stderr; UTF-8 on both."""
    sys.stdout.flush()
    own = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    return own
