"""What is kept between the turns of one conversation: the messages, the evidence, the observed values.

Knows:    the OpenAI form of a history, and that every call in it needs exactly one result.
Does not: ask the model or call a tool (agent_mcp.py), or know its form in a file (saved.py).
"""

from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import anyio

from agent.limits import Spent
from agent.settings import agent_settings
from common.approval import canonical
from common.language import language_of
from common.pending import Approvals, ApprovalsInMemory, Pending
from guards.evidence import Evidence
from guards.grants import Grants
from guards.output import Observed
from llm import ToolCall

Message = dict[str, Any]

_STOPPED = {
    "error": "stopped",
    "message": "The turn was stopped before this call had a result. It may have been carried out.",
    "next": "Do not repeat it unless the customer asks again.",
}

OF_THE_SESSION = ("lock", "grants", "approvals", "offered", "spent")


@dataclass
class Conversation:
    """One customer's conversation; hand the same object to every `run` of it.

    language: that of the newest message which showed one; see common/language.py.
    grants: what the person has said yes to for all calls of a kind; never part of a snapshot or a file.
    approvals: the open questions, where no journal keeps them.
    spent: what it has taken of its limits; what is undone was taken all the same.
    offered: those of an earlier session which this one was shown and has not answered yet.
    """

    messages: list[Message] = field(default_factory=list[Message])
    evidence: Evidence = field(default_factory=Evidence)
    observed: Observed = field(default_factory=Observed)
    language: str = "en"
    lock: anyio.Lock = field(default_factory=anyio.Lock, compare=False)
    grants: Grants = field(default_factory=Grants, compare=False)
    approvals: Approvals = field(default_factory=ApprovalsInMemory, compare=False)
    offered: list[Pending] = field(default_factory=list[Pending], compare=False)
    spent: Spent = field(default_factory=Spent, compare=False)
    _open_calls: dict[str, str] = field(default_factory=dict[str, str])

    def hear(self, text: str, by: Literal["customer", "staff"] = "customer") -> None:
        """Take the message of the customer, or of the staff where they use the chat themselves."""
        self.messages.append({"role": "user", "content": text})
        self.language = language_of(text, self.language)
        self.evidence.hear(text, by)
        self.observed.hear(text)

    def request(self, content: str | None, calls: list[tuple[ToolCall, dict[str, Any] | None]]) -> None:
        """Take the model's calls, with their arguments where they could be parsed.

        Only arguments that were parsed and written again enter the history: broken JSON in it makes
        llama.cpp refuse every later request.
        """
        self._open_calls = {call.id: call.name for call, _ in calls}
        self.messages.append(
            {
                "role": "assistant",
                "content": content or "",
                "tool_calls": [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.name, "arguments": canonical(arguments or {})},
                    }
                    for call, arguments in calls
                ],
            }
        )

    def answer(self, call_id: str, name: str, result: dict[str, Any] | str) -> None:
        """Take the result of one call, as data."""
        self._open_calls.pop(call_id, None)
        content = result if isinstance(result, str) else canonical(result)
        if len(content) > (most := agent_settings().result_chars):
            content = content[:most] + f" … cut; the result has {len(content)} characters"
        self.messages.append({"role": "tool", "tool_call_id": call_id, "name": name, "content": content})

    def reply(self, text: str) -> None:
        """Take what the customer was told."""
        self.messages.append({"role": "assistant", "content": text})

    def remark(self, occasion: str, told: str) -> None:
        """Take what the customer was told without having written anything."""
        self.messages.append({"role": "user", "content": occasion})
        self.reply(told)

    def abandon(self) -> None:
        """End a turn that was stopped or failed: every open call gets a result, and the turn a last word."""
        for call_id, name in list(self._open_calls.items()):
            self.answer(call_id, name, _STOPPED)
        self.reply("(This was stopped. What was asked is not wanted any more unless it is asked again.)")

    def snapshot(self) -> "Conversation":
        """Return a copy that no later turn changes."""
        copy = Conversation()
        copy.restore(self)
        return copy

    def restore(self, earlier: "Conversation") -> None:
        """Become what a conversation was; a turn may hold the lock, and a yes is not brought back."""
        for each in fields(self):
            if each.name not in OF_THE_SESSION:
                setattr(self, each.name, deepcopy(getattr(earlier, each.name)))
        if not self.messages:
            self.spent.tokens = 0  # a new conversation has taken nothing
