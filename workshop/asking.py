"""Which request a message is about: the one that is open, an earlier one that is over, or none.

Knows:    ids; that a request is answered once; that what is late, double or for nothing is dropped.
Does not: read lines, wait for anybody, or ask the model.   (lines.py, orchestrator.py)
"""

import anyio

from workshop import messages
from workshop.lines import BadLine

Part = messages.Progress | messages.FileWritten | messages.ModelRequest
Answer = messages.AgentResponse | messages.AgentFailed

CALLS_MOST = 16
"""Questions to the model that one request may have at once."""


class Asking:
    """One request that is open. coming: what its agent says of it, the answer or a fault last."""

    def __init__(self, request: messages.FromCore) -> None:
        self.request = request
        self.answered = False
        self._closed = False
        self.calls: dict[str, anyio.CancelScope] = {}
        self._said, self.coming = anyio.create_memory_object_stream[Part | Answer | Exception](float("inf"))

    def put(self, said: Part | Answer | Exception) -> None:
        """Take what was said for whoever waits; nobody does once the request is closed."""
        if not self._closed:
            self._said.send_nowait(said)

    def waiting(self) -> int:
        """Return how much was said that nobody has taken yet."""
        return self._said.statistics().current_buffer_used

    def close(self) -> list[str]:
        """End the request. Returns the calls of the model that were open, begun or not; they end too."""
        calls = list(self.calls)
        while self.waiting():
            said = self.coming.receive_nowait()
            if isinstance(said, messages.ModelRequest):
                calls.append(said.call)
        for scope in self.calls.values():
            scope.cancel()
        self.calls.clear()
        self._closed = True
        self._said.close()
        self.coming.close()
        return calls


class Matching:
    """The requests of one agent's process: the open one, and those that are over and not answered yet.

    owed: what it may still answer, to be dropped. It is settled when there is none.
    """

    def __init__(self) -> None:
        self.open: Asking | None = None
        self._owed: set[str] = set()
        self._gone = False
        self.settled = anyio.Event()
        self.settled.set()

    def begin(self, request: messages.FromCore) -> Asking:
        """Open a request."""
        self.open = Asking(request)
        return self.open

    def end(self) -> list[str]:
        """Close the open request, answered or not. Returns the calls of the model that were cancelled."""
        asking, self.open = self.open, None
        if asking is None:
            return []
        if not asking.answered and not self._gone:
            self._owed.add(asking.request.id)
            if self.settled.is_set():
                self.settled = anyio.Event()
        return asking.close()

    def heard(self, message: messages.AgentMessage) -> str:
        """Take a message for the open request, or return why it is dropped."""
        asking = self.open
        if asking is None or message.id != asking.request.id:
            return self._stray(message)
        if asking.answered:
            return f"{message.type} after the answer to request {message.id!r}"
        if isinstance(message, Answer):
            asking.answered = True
        asking.put(message)
        return ""

    def unreadable(self, bad: BadLine) -> messages.ModelFailed | None:
        """Take notice of a line that is no message: an answer that cannot be read is one all the same.

        Returns what the agent is told, where it waits for something.
        """
        kind, call, id_ = (bad.about.get(key, "") for key in ("type", "call", "id"))
        asking = self.open
        if kind in ("agent_response", "agent_failed"):
            if asking and not asking.answered and id_ == asking.request.id:
                asking.answered = True
                asking.put(bad)
            elif id_ in self._owed:
                self._settle(id_)
        elif kind == "model_request" and _is_id(call) and _is_id(id_) and not self._is_asked(call):
            return model_failed(id_, call, "bad_request", f"The model was not asked: {bad}")
        return None

    def too_long(self, size: int) -> None:
        """Take notice of a line that was skipped. It may have been the answer: the request ends with it."""
        if self.open and not self.open.answered:
            self.open.put(BadLine(f"a line of {size} bytes, of which at most {messages.LINE_BYTES} are read"))

    def forget(self) -> None:
        """Take nothing as owed any more: the process has ended."""
        self._gone = True
        self._owed.clear()
        self.settled.set()

    def _stray(self, message: messages.AgentMessage) -> str:
        if message.id not in self._owed:
            return f"{message.type} for request {message.id!r}, which is not open"
        if isinstance(message, Answer):
            self._settle(message.id)
        return f"{message.type} for request {message.id!r}, which is over: it came too late"

    def _is_asked(self, call: str) -> bool:
        return self.open is not None and call in self.open.calls

    def _settle(self, id_: str) -> None:
        self._owed.discard(id_)
        if not self._owed:
            self.settled.set()


def _is_id(text: str) -> bool:
    return 0 < len(text) <= 100


def model_failed(id_: str, call: str, code: str, message: str) -> messages.ModelFailed:
    """Return what an agent is told whose question to the model has no answer. Its deadline says nothing."""
    return messages.ModelFailed(id=id_, deadline=0, call=call, code=code, message=message)
