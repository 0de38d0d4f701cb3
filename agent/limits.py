"""What one conversation may take: the size and number of messages, tokens, calls a minute.

Knows:    the limits of the settings, what a conversation has taken, and which message ends before it begins.
Does not: end anything itself (agent_mcp.py), or know the limits of a server (bridge/limits.py).
Rule:     a limit is looked at before a message, before a round of the model and before a call enters the
          gates; never between a person's yes and the call that it is for.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.settings import AgentSettings, agent_settings
from common.events import Gate
from common.shop import say
from common.text import length_of
from guards.input import looks_malicious
from llm import Reply

_MINUTE_S = 60.0

MOST_HEARD = 200_000
"""Characters after which a model's stream is not read any more: it is asked for a few hundred words."""

_BYTES_A_TOKEN = 3
"""Where a model tells no tokens: rather too many than too few."""

_WINDOW = 4_096
"""Tokens of one prompt at the most, where a model tells none: the rest of a long history is cut for it."""


@dataclass
class Spent:
    """What a conversation has taken. clock: in seconds, never going back."""

    clock: Callable[[], float] = time.monotonic
    tokens: int = 0
    _called: deque[float] = field(default_factory=deque[float])

    def may_call(self, per_minute: int) -> bool:
        """Count one call, unless the conversation has had its calls for this minute."""
        now = self.clock()
        while self._called and self._called[0] <= now - _MINUTE_S:
            self._called.popleft()
        if len(self._called) >= per_minute:
            return False
        self._called.append(now)
        return True


@dataclass(frozen=True)
class TurnedAway:
    """A message that neither the model nor the server hears of.

    reply: what the customer is told. reason: the same in English. code: the same as one word.
    """

    reply: str
    reason: str
    code: str
    gate: Gate = "input"


def turned_away(
    question: str, language: str, messages: Iterable[Mapping[str, Any]], spent: Spent
) -> TurnedAway | None:
    """Return what is answered without spending anything, or None. messages: of the conversation so far."""
    limits = agent_settings()
    if not question.strip():
        return TurnedAway(say("empty", language), "The message is empty.", "empty_message")
    if (length := length_of(question)) > limits.message_chars:
        told = say("too_long", language, length=length, limit=limits.message_chars)
        return TurnedAway(told, "The message is too long.", "message_too_long")
    if looks_malicious(question):
        reason = "The message tells the model to drop, show or replace its rules."
        return TurnedAway(say("blocked", language), reason, "instruction_attack")
    if full := _full(limits, messages, spent):
        reason, code = full
        return TurnedAway(say("chat_full", language), reason, code, "limit")
    return None


def _full(
    limits: AgentSettings, messages: Iterable[Mapping[str, Any]], spent: Spent
) -> tuple[str, str] | None:
    """Return why a conversation cannot go on, and the word for it."""
    if sum(message["role"] == "user" for message in messages) >= limits.turns_per_chat:
        return f"The conversation has had its {limits.turns_per_chat} messages.", "too_many_turns"
    if spent.tokens >= limits.tokens_per_chat:
        return f"The conversation has taken its {limits.tokens_per_chat} tokens.", "too_many_tokens"
    return None


def tokens_of(reply: Reply, messages: Iterable[Mapping[str, Any]]) -> int:
    """Return the tokens that a reply took; about how many, where the model does not tell."""
    if reply.usage is not None:
        return max(reply.usage.prompt_tokens, 0) + max(reply.usage.completion_tokens, 0)
    if reply.requests == 0:
        return 0
    asked = sum(_size(message.get("content")) for message in messages) // _BYTES_A_TOKEN
    called = sum(_size(call.arguments) for call in reply.tool_calls)
    answered = min(_size(reply.content) + called, MOST_HEARD) // _BYTES_A_TOKEN
    return min(asked, _WINDOW) + answered


def _size(text: object) -> int:
    return len(text.encode("utf-8", "replace")) if isinstance(text, str) else 0
