"""What of a conversation fits the model's window.

Knows:    the order in which things go: the oldest results are shortened, then the oldest turns are dropped,
          then the oldest calls of the newest turn.
Does not: count as the model does; the estimate is meant to be too high.   (tokens.py)
Stays:    the system message, the newest message of the customer, the last call with what it gave, and every
          call beside its results, whatever the limit.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, cast

from model.replies import Message
from model.tokens import of_messages

STEP = 4
"""Turns are shortened and dropped by fours: each change makes the engine read the whole prompt again."""

SHORT_CHARS = 160
"""What is left of a shortened result: enough for one sentence of it."""

Shown = Callable[[list[Message]], list[Message]]
"""How a dialect shows a conversation to the model."""

Turn = list[Message]


def as_they_are(messages: list[Message]) -> list[Message]:
    """Show the messages as they are."""
    return messages


def estimate(messages: list[Message]) -> int:
    """Return about how many tokens the messages take, rather too many than too few."""
    return of_messages(messages)


def fitted(messages: list[Message], limit: int, shown: Shown = as_they_are) -> list[Message]:
    """Return as much of the conversation as fits the limit in tokens, or the least that must stay.

    shown: what the limit is for; a dialect that rewrites the conversation is measured on what it sends.
    """
    kept = messages
    for kept in _ever_less(messages):
        if of_messages(shown(kept)) <= limit:
            break
    return kept


def _ever_less(messages: list[Message]) -> Iterator[list[Message]]:
    """Yield the conversation whole, then ever less of it, in the order of the promise above."""
    head = messages[:1] if messages and messages[0].get("role") == "system" else []
    turns = _turns(messages[len(head) :])
    yield messages
    if not turns:
        return
    older = len(turns) - 1
    for count in _steps(older):
        yield [*head, *_flat([*map(_shortened, turns[:count]), *turns[count:]])]
    turns = [*map(_shortened, turns[:older]), turns[older]]
    for count in _steps(older):
        yield [*head, *_flat(turns[count:])]
    for newest in _ever_less_of_turn(turns[older]):
        yield [*head, *newest]


def _ever_less_of_turn(turn: Turn) -> Iterator[Turn]:
    """Yield the newest turn with fewer results in full, then with fewer calls; the last call stays."""
    said, rounds = _rounds(turn)
    for count in range(1, len(rounds) + 1):
        yield [*said, *_flat([*map(_shortened, rounds[:count]), *rounds[count:]])]
    for count in range(1, len(rounds)):
        yield [*said, *_flat(list(map(_shortened, rounds[count:])))]


def _steps(count: int) -> list[int]:
    """Return how many of the oldest to give up, step by step; the last few one by one."""
    return [n for n in range(1, count + 1) if n % STEP == 0 or n > count - STEP]


def _turns(messages: list[Message]) -> list[Turn]:
    """Return the messages in turns, each beginning with the customer's message."""
    turns: list[Turn] = []
    for message in messages:
        if message.get("role") == "user" or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def _rounds(turn: Turn) -> tuple[Turn, list[Turn]]:
    """Return what was said first, and the rounds after it: words, or calls together with their results."""
    said = turn[:1] if turn[0].get("role") == "user" else []
    rounds: list[Turn] = []
    for message in turn[len(said) :]:
        if message.get("role") != "tool" or not rounds:
            rounds.append([])
        rounds[-1].append(message)
    return said, rounds


def _shortened(messages: Turn) -> Turn:
    return [_short(message) if message.get("role") == "tool" else message for message in messages]


def _short(result: Message) -> Message:
    content = result.get("content")
    if not isinstance(content, str) or len(content) <= SHORT_CHARS:
        return result
    return {**result, "content": _gist(content)}


def _gist(content: str) -> str:
    """Return the result's own sentence, where it has one, else its beginning."""
    try:
        value: Any = json.loads(content)
    except ValueError:
        value = None
    fields = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    for key in ("summary", "message"):
        if isinstance(text := fields.get(key), str) and text:
            return json.dumps({key: _cut(text)}, ensure_ascii=False)
    return _cut(content)


def _cut(text: str) -> str:
    return text if len(text) <= SHORT_CHARS else text[:SHORT_CHARS] + "…"


def _flat(turns: list[Turn]) -> list[Message]:
    return [message for turn in turns for message in turn]
