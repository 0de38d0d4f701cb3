"""About how many tokens a text takes, from its characters alone.

Knows:    what a character of each script costs qwen2.5, rather too much than too little.
Does not: load a tokenizer: one of Ollama's model is not to be had, and none is needed for a budget.
Source:   27 texts counted with the tokenizer of the embedded qwen2.5 (tests/data/tokens); digits cost one
          each, Latin letters a quarter, Devanagari one and more.
"""

import json
import re
from functools import lru_cache

from model.replies import Message

COSTS: tuple[tuple[str, float], ...] = (
    (r"[\s,.:/+-](?=[0-9])", 1.0),  # before a digit nothing is taken in with a word
    (r"\s", 0.1),
    (r"[0-9]", 1.0),
    (r"[a-z]", 0.31),
    (r"[A-Z]", 0.8),
    (r"[\x21-\x7e]", 0.6),  # ASCII that is left: punctuation
    (r"[\u00a0-\u024f]", 1.0),
    (r"[\u0400-\u052f]", 0.5),  # Cyrillic
    (r"[\u0590-\u06ff\u0750-\u077f]", 0.58),  # Hebrew and Arabic
    (r"[\u0e00-\u0e7f]", 0.75),  # Thai
    (r"[\u3040-\u30ff]", 0.7),  # kana
    (r"[\u3400-\u9fff\uac00-\ud7af]", 1.0),  # Han and Hangul
    (r"[\u0250-\uffff]", 1.25),  # Greek, Devanagari and the other scripts of India, and what else there is
    (r"[\U00010000-\U0010ffff]", 2.0),  # emoji
)
"""Tokens a character, by the first class that it falls into."""

CLASSES = re.compile("|".join(f"((?:{characters})+)" for characters, _ in COSTS))

MESSAGE_TOKENS = 6
"""The marks around one message: its beginning, its role, its end."""

TOOLS_TOKENS = 160
"""What the template says about calls before it lists the tools."""


@lru_cache(maxsize=4096)
def count(text: str) -> int:
    """Return about how many tokens the text takes."""
    cost = 0.0
    for match in CLASSES.finditer(text):
        cost += len(match.group()) * COSTS[(match.lastindex or 1) - 1][1]
    return int(cost) + 1 if text else 0


def of_message(message: Message) -> int:
    """Return about how many tokens one message takes, its calls among them."""
    content = message.get("content")
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False) if content else ""
    calls = message.get("tool_calls")
    return MESSAGE_TOKENS + count(text) + (count(json.dumps(calls, ensure_ascii=False)) if calls else 0)


def of_messages(messages: list[Message]) -> int:
    """Return about how many tokens the messages take."""
    return sum(map(of_message, messages))


def of_tools(tools: list[Message]) -> int:
    """Return about how many tokens the offered tools take."""
    if not tools:
        return 0
    return TOOLS_TOKENS + sum(count(json.dumps(tool, ensure_ascii=False)) for tool in tools)
