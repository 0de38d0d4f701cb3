"""Pure views of a conversation for the constrained dialect.

Knows:    the agreed form of the system message, and how history is shown to each of the two prompts.
Does not: ask a model, or know what a tool does.
Agreed:   messages[0] holds the shop's rules, one line a tool ("- name(arguments): what it does"), and,
          when a detail is missing, a last paragraph that begins with "Not yet known:".
"""

import json
import re
from collections.abc import Collection, Iterable
from typing import Any, cast

from common.language import LANGUAGES, language_of
from model import prompts
from model.numbers import stands_in
from model.replies import Message, Schema

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
    return rules, tools, missing.strip().partition(". ")[0].rstrip(".")


def missing(messages: list[Message]) -> str:
    """Return the detail that is not known yet, in a customer's words; "" when nothing is missing."""
    return split_system(messages)[2]


def for_route(
    messages: list[Message],
    examples: Iterable[tuple[str, Schema]] = (),
    hidden: Collection[str] = (),
    prompt: str = prompts.ROUTE,
) -> list[Message]:
    """Return the routing prompt: what was decided so far as JSON actions, results in short.

    hidden: tools that the prompt leaves out. prompt: how the routing is asked for.
    """
    tools = "\n".join(line for line in _tool_lines(messages) if _named(line) not in hidden)
    lines = [f'"{said}" -> {json.dumps(action, ensure_ascii=False)}' for said, action in examples]
    shown_examples = "\n".join(["\n\nExamples:", *lines]) if lines else ""
    system = prompt.format(tools=tools, examples=shown_examples)
    shown: list[Message] = [{"role": "system", "content": system}]
    for message in messages:
        shown.extend(_as_actions(message))
    return shown


def tools_told(messages: list[Message]) -> str:
    """Return what the system message tells of the tools."""
    return split_system(messages)[1]


def tools_listed(messages: list[Message]) -> list[str]:
    """Return the names of the tools that the system message tells of."""
    return [_named(line) for line in _tool_lines(messages)]


def waiting(messages: list[Message]) -> str:
    """Return the paragraph on what is not known yet, which names the tools that wait; "" without one."""
    text = _text(messages[0]) if messages else ""
    return text.rpartition(f"\n\n{prompts.NOT_YET_KNOWN}")[2] if prompts.NOT_YET_KNOWN in text else ""


def _tool_lines(messages: list[Message]) -> list[str]:
    _, lines, _ = split_system(messages)
    return [match.group() for match in TOOL_LINE.finditer(lines)]


def _named(line: str) -> str:
    return line.removeprefix("- ").partition("(")[0]


def for_choice(messages: list[Message], argument: str, meanings: str) -> list[Message]:
    """Return the prompt for one argument that is a choice: the customer's words and the values' meanings."""
    listed = re.sub(r"\.\s+", "\n- ", f"- {meanings.strip().rstrip('.')}")
    said = "\n".join(_unsettled(messages))
    content = prompts.CHOICE.format(said=said, argument=argument, meanings=listed)
    return [{"role": "user", "content": content}]


def for_answer(messages: list[Message], note: str = "") -> list[Message]:
    """Return the answer prompt: the rules, the talk with what was found, and a note at its end.

    Calls are left out: a small model that sees one writes one.
    """
    rules, _, _ = split_system(messages)
    shown: list[Message] = [{"role": "system", "content": prompts.ANSWER.format(rules=rules).strip()}]
    for message in messages:
        talk = _as_talk(message)
        if talk and talk[0]["role"] == "system" == shown[-1]["role"] and len(shown) > 1:
            # Results that stand apart are answered apart: the model then tells of the last one only.
            shown[-1]["content"] += "\n" + talk[0]["content"]
        else:
            shown.extend(talk)
    if note:
        shown.append({"role": "system", "content": note})
    return shown


def language(messages: list[Message]) -> str:
    """Return the language that the customer writes now."""
    spoken = LANGUAGES[0]
    for message in messages:
        if message.get("role") == "user":
            spoken = language_of(_text(message), spoken)
    return spoken


def before_correction(messages: list[Message]) -> list[Message]:
    """Return the conversation without a rejected reply and the message that sends it back, if it ends so."""
    sent_back = len(messages) > 1 and _text(messages[-1]).startswith(prompts.CORRECTION)
    return messages[:-2] if sent_back and messages[-1].get("role") == "user" else messages


def found_so_far(messages: list[Message]) -> str:
    """Return every sentence that the server has said in this conversation."""
    return _sentences(_object(_text(message)) for message in messages if message.get("role") == "tool")


def found_last(messages: list[Message]) -> str:
    """Return what the server said last."""
    results = [_object(_text(message)) for message in messages if message.get("role") == "tool"]
    return _sentences(results[-1:])


def newest_user_text(messages: list[Message]) -> str:
    """Return what the customer wrote last."""
    return next((_text(m) for m in reversed(messages) if m.get("role") == "user"), "")


def _unsettled(messages: list[Message]) -> list[str]:
    """Return what the customer wrote since the last call: the wish, and the detail that was asked for."""
    said: list[str] = []
    for message in reversed(messages):
        if message.get("role") == "tool":
            break
        if message.get("role") == "user":
            said.insert(0, _text(message))
    return said


def used_in_turn(messages: list[Message]) -> set[str]:
    """Return every argument value of the calls made since the newest user message."""
    newest = max((at for at, message in enumerate(messages) if message.get("role") == "user"), default=-1)
    return used(messages[newest + 1 :])


def used(messages: list[Message]) -> set[str]:
    """Return every argument value of the calls that were made."""
    return {
        value for message in messages for call in _calls(message) for value in _leaves(arguments_of(call))
    }


def calls_of(message: Message) -> list[str]:
    """Return the names of the tools that a message calls."""
    return [call["function"]["name"] for call in _calls(message)]


def last_call(messages: list[Message]) -> str:
    """Return the name of the tool that was called last, "" without one."""
    calls = [call for message in messages for call in _calls(message)]
    return calls[-1]["function"]["name"] if calls else ""


def is_wished(messages: list[Message]) -> bool:
    """Say whether the customer asks for what only the missing detail keeps from being done."""
    _, mark, missing = (
        _text(messages[0]).rpartition(f"\n\n{prompts.NOT_YET_KNOWN}") if messages else ("", "", "")
    )
    return bool(mark) and prompts.WISHED in missing


def last_arguments(messages: list[Message]) -> dict[str, Any]:
    """Return the arguments of the call that was made last, {} without one."""
    calls = [call for message in messages for call in _calls(message)]
    return arguments_of(calls[-1]) if calls else {}


def acted(messages: list[Message]) -> bool:
    """Say whether this turn's last result is a refusal, or of an action.

    A look-up takes one argument, an action more.
    """
    results = results_of_turn(messages)
    return bool(results) and ("error" in results[-1] or len(last_arguments(messages)) > 1)


def told_of_turn(messages: list[Message]) -> str:
    """Return the server's own sentences about everything that was called since the newest user message.

    "" where it has none for one of the results: telling the others would hide that one.
    """
    results = results_of_turn(messages)
    return _sentences(results) if all(_sentences([result]) for result in results) else ""


def told_of(result: Message) -> str:
    """Return the server's own sentence of one result, "" where it has none."""
    return _sentences([_object(_text(result))])


def named_ids(messages: list[Message]) -> list[tuple[str, str]]:
    """Return what results call their things, each with a number that stands beside the name."""
    found: list[tuple[str, str]] = []
    for message in messages:
        if message.get("role") == "tool":
            found += _named_ids(_object(_text(message)))
    return found


def _named_ids(value: Any) -> Iterable[tuple[str, str]]:
    if isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _named_ids(item)
    if isinstance(value, dict):
        record = cast(dict[str, Any], value)
        names = [each for key, each in record.items() if "name" in key or "title" in key]
        own = record.get("id", record.get("number"))
        yield from ((name, str(own)) for name in names if isinstance(name, str) and own is not None)
        for part in record.values():
            yield from _named_ids(part)


def error_of(result: Message) -> str:
    """Return the code of a refusal, "" of any other message."""
    code = _object(_text(result)).get("error") if result.get("role") == "tool" else None
    return code if isinstance(code, str) else ""


def texts_of_turn(messages: list[Message]) -> str:
    """Return the results since the newest user message as they stand."""
    newest = max((at for at, message in enumerate(messages) if message.get("role") == "user"), default=-1)
    return "\n".join(_text(message) for message in messages[newest + 1 :] if message.get("role") == "tool")


def results_of_turn(messages: list[Message]) -> list[dict[str, Any]]:
    """Return the results since the newest user message."""
    newest = max(
        (index for index, message in enumerate(messages) if message.get("role") == "user"), default=-1
    )
    return [_object(_text(message)) for message in messages[newest + 1 :] if message.get("role") == "tool"]


def _sentences(results: Iterable[dict[str, Any]]) -> str:
    said = [result.get("summary") or result.get("message") for result in results]
    return " ".join(dict.fromkeys(text for text in said if isinstance(text, str)))


def _object(text: str) -> dict[str, Any]:
    try:
        value: Any = json.loads(text)
    except ValueError:
        return {}
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def mentioned(values: Iterable[str], text: str) -> set[str]:
    """Return the values that stand in the text."""
    return {value for value in values if stands_in(value, text)}


def arguments_of(call: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call in history; {} when they are no JSON object."""
    text = call.get("function", {}).get("arguments")
    return _object(text) if isinstance(text, str) else {}


def _calls(message: Message) -> list[dict[str, Any]]:
    return message.get("tool_calls") or []


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
        return [{"role": "system", "content": prompts.FOUND.format(result=_told(text))}]
    if role == "user" or (role == "assistant" and text):
        return [{"role": role, "content": text}]
    return []


def _told(result: str) -> str:
    """Return a result with a summary, or a refusal, as its sentences: a model that reads JSON writes JSON.

    The small model also answers more truly from a sentence than from fields (docs/evals.md).
    """
    fields = _object(result)
    said = [text for key in ("summary", "message", "next") if isinstance(text := fields.get(key), str)]
    return " ".join(said) or result


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
