"""Calls that code makes in the place of the small model, because a message leaves no choice.

Knows:    which tool lists what the customer did not name, and which takes a wish for a person.
Does not: ask a model.   (constrained.py)
Agreed:   a function's mark x-gives holds the ids that a tool without arguments lists, in a customer's words.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from common.shop import load_shop
from model import prompts, routing, transcript, wording
from model.lexicon import lexicon
from model.replies import Message, Schema
from model.routing import ASKED_FOR, Action

UNKNOWN_WORD = "word_not_known"
"""The error of a server that knows nothing under a word that it was given."""

GIVES = "x-gives"
"""A function's own mark: for a tool without arguments, the ids that its results name."""


def listing(messages: list[Message], tools: list[Schema], missing: str) -> Action | None:
    """Return the call that lists what the customer may mean; None where it was made, or nothing lists it."""
    made = {call for message in messages for call in transcript.calls_of(message)}
    for tool in tools:
        if any(noun in missing for noun in _given(tool)) and routing.name_of(tool) not in made:
            return Action(routing.name_of(tool), {})
    return None


def asked_for_list(messages: list[Message], tools: list[Schema]) -> Action | None:
    """Return the call that lists what the newest message asks to see all of, however often that was done."""
    text, language = transcript.newest_user_text(messages), transcript.language(messages)
    kind = wording.asks_for_all(text, language)
    if kind is None or any(transcript.mentioned(routing.evidence(tool), text) for tool in tools):
        return None
    listers = (tool for tool in tools if any(noun.startswith(kind) for noun in _given(tool)[:1]))
    return next((Action(routing.name_of(tool), {}) for tool in listers), None)


def listed_only(messages: list[Message], tools: list[Schema]) -> set[str]:
    """Return the ids that only a list has named: the customer has not said which of them is meant."""
    listed = _listed(messages, tools)
    said = " ".join(str(message.get("content")) for message in messages if message.get("role") == "user")
    return listed - transcript.mentioned(listed, said) - transcript.used(messages)


def unlisted(messages: list[Message], tools: list[Schema]) -> list[Message]:
    """Return the conversation as if earlier turns had asked for the number, where they listed what there is.

    While the customer has not said which one is meant, the number is not known, and the wish still open.
    """
    newest = max((at for at, message in enumerate(messages) if message.get("role") == "user"), default=-1)
    kept = [
        *_without_what_was_listed(messages[: max(newest, 0)], _listers(tools)),
        *messages[max(newest, 0) :],
    ]
    if not listed_only(messages, tools) or kept[0].get("role") != "system" or transcript.missing(kept):
        return kept
    lacking = dict.fromkeys(noun for tool in tools for noun in _given(tool))
    wished = [routing.name_of(tool) for tool in tools if _is_wished(tool)]
    asks = f" {prompts.WISHED} {', '.join(wished)}." if wished else ""
    system = f"{kept[0].get('content')}\n\n{prompts.NOT_YET_KNOWN} {', '.join(lacking)}.{asks}"
    return [{**kept[0], "content": system}, *kept[1:]]


def ends_in_a_list(messages: list[Message], tools: list[Schema]) -> bool:
    """Say whether what was found last is a list of which the customer may mean any."""
    return (
        bool(messages) and messages[-1].get("name") in _listers(tools) and bool(listed_only(messages, tools))
    )


def _without_what_was_listed(messages: list[Message], listers: set[str]) -> Iterator[Message]:
    """Yield the messages without lists, and of what was told then only the question."""
    told = ""
    for message in messages:
        if message.get("name") in listers:
            told = transcript.told_of(message)
        elif told and message.get("role") == "assistant" and not transcript.calls_of(message):
            text = str(message.get("content") or "")
            yield {**message, "content": text.removeprefix(told).strip() or text}
            told = ""
        elif not _is_of_a_list(message, listers):
            yield message


def _is_of_a_list(message: Message, listers: set[str]) -> bool:
    called = transcript.calls_of(message)
    return bool(called) and listers.issuperset(called)


def _is_wished(tool: Schema) -> bool:
    return tool["function"].get(ASKED_FOR) is True and bool(routing.evidence(tool))


def the_only_one(messages: list[Message], tools: list[Schema]) -> Action | None:
    """Return the look-up of the one thing that the list which ends the conversation holds, else None."""
    listers = _listers(tools)
    if not messages or messages[-1].get("name") not in listers or len(_listed(messages, tools)) != 1:
        return None
    lookups = (routing.same_again(tools, routing.name_of(tool)) for tool in tools)
    return next((action for action in lookups if action), None)


def without_lists(messages: list[Message], tools: list[Schema]) -> list[Message]:
    """Return the conversation without lists of which more has been looked up: that says what they said."""
    listers = _listers(tools)
    last = max((at for at, message in enumerate(messages) if message.get("role") == "tool"), default=-1)
    return [m for at, m in enumerate(messages) if at >= last or m.get("name") not in listers]


def _listed(messages: list[Message], tools: list[Schema]) -> set[str]:
    """Return the ids that a list has named."""
    listers = _listers(tools)
    in_lists = " ".join(str(message.get("content")) for message in messages if message.get("name") in listers)
    return transcript.mentioned(set[str]().union(*map(routing.evidence, tools)), in_lists)


def _given(tool: Schema) -> list[str]:
    return tool["function"].get(GIVES) or []


def _listers(tools: list[Schema]) -> set[str]:
    return {routing.name_of(tool) for tool in tools if tool["function"].get(GIVES)}


def searches_for_wish(messages: list[Message], wanted: list[Schema], tools: list[Schema]) -> list[Schema]:
    """Return the searches that may find what is to be changed, where only its number is not known.

    A small model that may choose lists everything, or looks where the thing is not.
    """
    at_hand = any(tool["function"].get(ASKED_FOR) is True for tool in wanted)
    without_name = [tool for tool in tools if _is_wished(tool) and routing.needs_id(tool)]
    wished = transcript.is_wished(messages) or bool(without_name)
    if at_hand or not wished or not _names_a_thing(messages, tools):
        return []
    lists = lexicon("en")  # names of tools are English
    words = [*transcript.missing(messages).split(), *(routing.name_of(each) for each in without_name)]
    lacking = {lists.stem(word.partition("_")[0]) for word in words}
    found = routing.word_searches(wanted)
    return [tool for tool in found if lists.stem(routing.name_of(tool).partition("_")[0]) in lacking]


def held_to_names(messages: list[Message], wanted: list[Schema], tools: list[Schema]) -> list[Schema]:
    """Return the tools, changes of a thing that is named in words held to what was found under that name.

    Of all that was ever listed a small model takes any.
    """
    if not _names_a_thing(messages, tools):
        return wanted
    said = _naming_words(messages)
    called = {id for name, id in transcript.named_ids(messages) if lexicon("en").stems_of(name) & said}
    kept: list[Schema] = []
    for tool in wanted:
        if not (_is_wished(tool) and routing.needs_id(tool)):
            kept.append(tool)
        elif ids := routing.evidence(tool) & called:
            kept += routing.held_to([tool], ids)
    return kept


def found_for_wish(messages: list[Message], wanted: list[Schema], tools: list[Schema]) -> list[Schema]:
    """Return the changes that are asked for and lacked only the number of the one thing just looked up.

    A desk's look-ups answer by themselves; elsewhere a thing is named in words, and found by them.
    """
    called = transcript.last_call(messages)
    wished = {routing.name_of(tool) for tool in wanted if _is_wished(tool)}
    if not wished or called in wished or not _names_a_thing(messages, tools):
        return []
    # What is told names the thing; the data beside it name others, such as the one above it.
    result = transcript.told_of(messages[-1]) or str(messages[-1].get("content"))
    for tool in wanted:
        named = transcript.mentioned(routing.evidence(tool), result)
        if routing.name_of(tool) in wished and len(named) == 1:
            return routing.held_to([each for each in wanted if routing.name_of(each) in wished], named)
    return []


def _names_a_thing(messages: list[Message], tools: list[Schema]) -> bool:
    """Say whether a message that asks nothing has a word with which no tool speaks of itself: a name.

    The words by which a change is asked for stand in questions, too: which are hidden?
    """
    text, language = transcript.newest_user_text(messages), transcript.language(messages)
    if routing.is_desk(tools) or wording.is_question(text, language):
        return False
    return bool(_naming_words(messages))


def _naming_words(messages: list[Message]) -> set[str]:
    text, lists = transcript.newest_user_text(messages), lexicon(transcript.language(messages))
    told = transcript.tools_told(messages).replace("_", " ")
    around = lists.stems["small"] | lists.stems_of(" ".join(lists.words["polite"]))
    return lists.stems_of(text) - lists.stems_of(told) - around


def without_unknown_word(messages: list[Message], tools: list[Schema]) -> Action | None:
    """Return the last call without the words that its server does not know, where it needs none of them.

    The server's words on that are told with what is found.
    """
    if not messages or transcript.error_of(messages[-1]) != UNKNOWN_WORD:
        return None
    last = Action(transcript.last_call(messages), transcript.last_arguments(messages))
    needed = routing.needed(last, tools)
    kept = {
        name: each for name, each in last.arguments.items() if name in needed or not isinstance(each, str)
    }
    again = replace(last, arguments=kept)
    there = any(routing.name_of(tool) == last.name and routing.fits(kept, tool) for tool in tools)
    return again if there and kept != last.arguments else None


def handing_over(messages: list[Message], tools: list[Schema]) -> Action | None:
    """Return the call that passes a wish for a person on to the staff, None where there is no such wish.

    A shop that says itself where its staff are reached is not asked for a ticket.
    """
    text, language = transcript.newest_user_text(messages), transcript.language(messages)
    if load_shop().hand_off or wording.asks_for_people(text, language) != "hand_off":
        return None
    for tool in tools:
        taken = _free_text(tool)
        if taken and tool["function"].get(ASKED_FOR) is True:
            argument, schema = taken
            return Action(routing.name_of(tool), {argument: text[: int(schema.get("maxLength", len(text)))]})
    return None


def by_code(tool: Schema) -> bool:
    """Say whether the tool is called by code alone, so that the small model need not choose it."""
    return bool(tool["function"].get(GIVES)) or (
        ASKED_FOR in tool["function"] and _free_text(tool) is not None
    )


def hidden(messages: list[Message], tools: list[Schema]) -> set[str]:
    """Return the tools that the small model is not told of: those of code, and those out of reach.

    A tool that is neither offered nor among those that only lack a detail cannot come next, and a line more
    to read makes the small model choose worse.
    """
    called_by_code = {routing.name_of(tool) for tool in tools if by_code(tool)}
    offered = {routing.name_of(tool) for tool in tools}
    waiting = transcript.waiting(messages)
    listed = transcript.tools_listed(messages)
    return called_by_code | {name for name in listed if name not in offered and name not in waiting}


def _free_text(tool: Schema) -> tuple[str, Any] | None:
    properties = routing.parameters_of(tool).get("properties", {})
    if len(properties) != 1:
        return None
    ((argument, schema),) = properties.items()
    return (argument, schema) if schema.get("type") == "string" and "enum" not in schema else None
