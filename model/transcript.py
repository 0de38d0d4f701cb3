"""Pure views of a conversation for the constrained dialect.

Knows:    the agreed form of the system message, and how history is shown to each of the two prompts.
Does not: ask a model, or know what a tool does.
Agreed:   messages[0] holds the shop's rules, one line a tool ("- name(arguments): what it does"), and,
          when a detail is missing, a last paragraph that begins with "Not yet known:".
"""

import json
import re
from collections.abc import Iterable
from typing import Any, cast

from common.text import fold
from model import prompts
from model.replies import Message

TOOL_LINE = re.compile(r"^- \w+\(.*?\):.*(?:\n {2,}\S.*)*$", re.MULTILINE)
RECALL_CHARS = 200


def split_system(messages: list[Message]) -> tuple[str, str, str]:
    """Return the shop's rules, the tools' lines, and what is not yet known ("" when nothing is missing)."""
    if not messages or messages[0].get("role") != "system":
        return "", "", ""
    text = _text(messages[0])
    body, mark, missing = text.rpartition(f"\n\n{prompts.NOT_YET_KNOWN}")
    if not mark:
        body, missing = text, ""
    tools = "\n".join(match.group() for match in TOOL_LINE.finditer(body))
    rules = re.sub(r"\n{3,}", "\n\n", TOOL_LINE.sub("", body)).strip()
    return rules, tools, missing.strip().partition(".")[0]


def for_route(messages: list[Message], search: tuple[str, str] | None = None) -> list[Message]:
    """Return the routing prompt: what was decided so far as JSON actions, results in short."""
    _, tools, _ = split_system(messages)
    shown: list[Message] = [
        {"role": "system", "content": prompts.ROUTE.format(tools=tools, examples=_examples(search))}
    ]
    for message in messages:
        shown.extend(_as_actions(message))
    return shown


def for_answer(messages: list[Message], note: str = "") -> list[Message]:
    """Return the answer prompt: the rules, the talk with what was found, and a note at its end.

    Calls are left out: a small model that sees one writes one.
    """
    rules, _, _ = split_system(messages)
    shown: list[Message] = [{"role": "system", "content": prompts.ANSWER.format(rules=rules).strip()}]
    for message in messages:
        shown.extend(_as_talk(message))
    if note:
        shown.append({"role": "system", "content": note})
    return shown


def newest_user_text(messages: list[Message]) -> str:
    """Return what the customer wrote last."""
    return next((_text(m) for m in reversed(messages) if m.get("role") == "user"), "")


def used_in_turn(messages: list[Message]) -> set[str]:
    """Return every argument value of the calls made since the newest user message."""
    values: set[str] = set()
    for message in reversed(messages):
        if message.get("role") == "user":
            break
        for call in _calls(message):
            values |= set(_leaves(arguments_of(call)))
    return values


def mentioned(values: Iterable[str], text: str) -> set[str]:
    """Return the values that stand in the text as whole tokens, whatever script its digits are in."""
    plain = fold(text).casefold()
    return {v for v in values if re.search(rf"(?<!\w){re.escape(fold(v).casefold())}(?!\w)", plain)}


def arguments_of(call: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call in history; {} when they are no JSON object."""
    try:
        value: Any = json.loads(call["function"]["arguments"])
    except (ValueError, KeyError, TypeError):
        return {}
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _calls(message: Message) -> list[dict[str, Any]]:
    return message.get("tool_calls") or []


def _examples(search: tuple[str, str] | None) -> str:
    lines: list[str] = []
    for said, action, words in prompts.ROUTE_EXAMPLES:
        if action != "search":
            lines.append(f'"{said}" -> {json.dumps({"action": action})}')
        elif search is not None:
            name, argument = search
            lines.append(f'"{said}" -> {json.dumps({"action": name, argument: words})}')
    return "\n\nExamples:\n" + "\n".join(lines)


def _as_actions(message: Message) -> list[Message]:
    role, text = message.get("role"), _text(message)
    if role == "user":
        return [{"role": "user", "content": text}]
    if role == "tool":
        return [{"role": "user", "content": prompts.ROUTE_RESULT.format(result=_short(text))}]
    if role != "assistant":
        return []
    calls = _calls(message)
    actions: list[dict[str, Any]] = [
        {"action": call["function"]["name"], **arguments_of(call)} for call in calls
    ]
    if not calls and text:
        actions = [{"action": "reply", "text": _short(text)}]
    return [{"role": "assistant", "content": json.dumps(action, ensure_ascii=False)} for action in actions]


def _as_talk(message: Message) -> list[Message]:
    role, text = message.get("role"), _text(message)
    if role == "tool":
        return [{"role": "system", "content": prompts.FOUND.format(result=text)}]
    if role == "user" or (role == "assistant" and text):
        return [{"role": role, "content": text}]
    return []


def _text(message: Message) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else ""


def _short(text: str) -> str:
    return text if len(text) <= RECALL_CHARS else text[:RECALL_CHARS] + "…"


def _leaves(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        value = list(cast(dict[str, Any], value).values())
    if not isinstance(value, list):
        yield str(value)
        return
    for item in cast(list[Any], value):
        yield from _leaves(item)
