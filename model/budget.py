"""What of a conversation fits the model's window.

Knows:    an estimate of tokens, and that whole turns go, the oldest first, never the system message.
Does not: count as the model does; the estimate is meant to be too high.
"""

import json

from model.replies import Message

# qwen2.5 takes 3.5 to 4.5 bytes of English a token; a number of digits takes one a digit.
BYTES_A_TOKEN = 3
MESSAGE_TOKENS = 8
STEP = 4
"""Turns are dropped by fours: each drop makes the engine read the whole prompt again."""


def estimate(messages: list[Message]) -> int:
    """Return about how many tokens the messages take, rather too many than too few."""
    texts = (json.dumps(m, ensure_ascii=False).encode("utf-8", "surrogatepass") for m in messages)
    return sum(len(text) // BYTES_A_TOKEN + MESSAGE_TOKENS for text in texts)


def fitted(messages: list[Message], limit: int) -> list[Message]:
    """Return the messages without as many of the oldest turns as the limit in tokens asks for.

    The newest turn stays, whatever its size.
    """
    head = messages[:1] if messages and messages[0].get("role") == "system" else []
    turns = _turns(messages[len(head) :])
    dropped = 0
    while dropped < len(turns) - 1 and estimate([*head, *_flat(turns[dropped:])]) > limit:
        dropped = min(dropped + STEP, len(turns) - 1)
    return [*head, *_flat(turns[dropped:])]


def _turns(messages: list[Message]) -> list[list[Message]]:
    turns: list[list[Message]] = []
    for message in messages:
        if message.get("role") == "user" or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def _flat(turns: list[list[Message]]) -> list[Message]:
    return [message for turn in turns for message in turn]
