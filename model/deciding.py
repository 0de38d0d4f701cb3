"""What code knows about the next action, before and after the small model is asked for it.

Knows:    which actions a message leaves open, which part of it is still due, and where the model's choice is
          mended: a search for what is no shop's business, a question back where the rules are asked about,
          search words that are not the customer's.
Does not: ask a model.   (constrained.py)
"""

import json
from collections.abc import Collection
from dataclasses import replace

from common.order_ids import plain
from common.phrases import noun
from common.shop import say
from common.tickets import TICKET, asks_about_ticket
from model import prompts, routing, shown, standing, transcript, wording
from model.lexicon import lexicon
from model.replies import Message, Schema
from model.routing import ASK, REPLY, Action
from model.support import beyond

SHORT = 80
"""Characters of a message that is searched for whole; of a longer one its questions are."""

REPLY_ACTION = Action(REPLY, {})


def choices(
    messages: list[Message], tools: list[Schema], unnamed: Collection[str] = ()
) -> tuple[list[Schema], tuple[str, ...]]:
    """Return the tools and words that the next action may be; no tools: only an answer is due.

    unnamed: values that the customer has not named, though the tools take them.
    """
    wanted = [tool for tool in tools if not routing.is_unasked(tool) and not standing.by_code(tool)]
    wanted = routing.without_values(wanted, set(unnamed))
    if wanted and _was_unasked(messages):
        return routing.without(wanted, transcript.last_call(messages)), (REPLY,)
    text = transcript.newest_user_text(messages)
    takers, named = routing.concerned(wanted, text)
    if not named and not answers_a_call(messages):
        takers = standing.held_to_names(messages, takers, tools)
    takers = shown.by_name(takers, named, text, transcript.language(messages)) if named else takers
    if answers_a_call(messages):
        # Two ids in one message: what was asked about the second is still due.
        if left := named - transcript.used_in_turn(messages):
            return routing.held_to(takers, left), (REPLY,)
        if found := standing.found_for_wish(messages, wanted, tools):
            return found, ()
        return (routing.searches(wanted) if due(messages) is not messages else []), (REPLY,)
    if not named and (looked_in := standing.searches_for_wish(messages, takers, tools)):
        return looked_in, (ASK,)
    if named:
        # A message that names a thing is about that thing; a word instead was wrong more often than right.
        return takers, ()
    return takers, (REPLY, ASK) if transcript.missing(messages) else (REPLY,)


def answers_a_call(messages: list[Message]) -> bool:
    """Say whether the conversation ends in a result."""
    return bool(messages) and messages[-1].get("role") == "tool"


def due(messages: list[Message]) -> list[Message]:
    """Return the conversation, its newest message cut or filled up to what is to be answered now.

    A message may name a thing and ask about the rules besides: once the thing was looked up, the part that
    names none is due, unless what was found holds it. A message that is only the detail that was asked for
    belongs to the wish before it.
    """
    if not answers_a_call(messages):
        return _with_wish(messages)
    language = transcript.language(messages)
    text, used = transcript.newest_user_text(messages), transcript.used_in_turn(messages)
    if not transcript.mentioned(used, text):
        return messages
    others = [part for part in wording.questions(text, language) if not transcript.mentioned(used, part)]
    found = json.dumps(transcript.results_of_turn(messages), ensure_ascii=False)
    other = next(
        (
            part
            for part in others
            if wording.rules_beyond(part, found, language)
            or (wording.concerns_shop(part, language) and beyond(part, found, language))
        ),
        None,
    )
    searched = any(" " in value for value in used)
    if other is None or searched:
        return messages
    newest = max(index for index, message in enumerate(messages) if message.get("role") == "user")
    return [*messages[:newest], {"role": "user", "content": other}]


def _with_wish(messages: list[Message]) -> list[Message]:
    roles = [message.get("role") for message in messages[-3:]]
    if roles != ["user", "assistant", "user"] or messages[-2].get("tool_calls"):
        return messages
    detail, language = transcript.newest_user_text(messages), transcript.language(messages)
    if wording.says_something(detail, language) or not any(char.isdigit() for char in detail):
        return messages
    return [*messages[:-3], {"role": "user", "content": f"{messages[-3].get('content')}\n{detail}"}]


def reconsidered(
    action: Action | None, messages: list[Message], offered: list[Schema], words: tuple[str, ...]
) -> Action | None:
    """Return the action as the words of the newest message leave it standing."""
    search = next(iter(routing.searches(offered)), None)
    if action is not None and ASK in words and _looks_for_nothing(action, messages, offered):
        return Action(ASK, {})
    if action is None or search is None or not words:
        return action
    if action.name == routing.name_of(search):
        return _a_search(action, messages, search, words)
    if action.name in words:
        return _a_word(action, messages, offered, search)
    return _a_call(action, messages, offered, search)


def _looks_for_nothing(action: Action, messages: list[Message], offered: list[Schema]) -> bool:
    """Say whether an action looks for a thing by a word that is no name, as in "category name"."""
    looks = any(routing.name_of(tool) == action.name for tool in routing.word_searches(offered))
    return looks and shown.names_nothing(action, transcript.tools_told(messages))


def _a_search(action: Action, messages: list[Message], search: Schema, words: tuple[str, ...]) -> Action:
    """A search stays where it is the shop's business, and nothing of one's own is to be looked up."""
    text, language = _said(messages)
    if ASK in words and (_only_a_detail_lacks(messages) or wording.asks_of_own(text, language)):
        return Action(ASK, {})
    # The model's own words count too: it reads what is misspelt, and German.
    said = f"{text} {' '.join(map(str, action.arguments.values()))}"
    going_on = transcript.last_call(messages) == action.name
    if not going_on and not any(wording.concerns_shop(said, spoken) for spoken in (language, "en")):
        return REPLY_ACTION
    return _in_own_words(action, text, language, search)


def _a_word(action: Action, messages: list[Message], offered: list[Schema], search: Schema) -> Action:
    """A word stays where nothing is asked that the rules, or the last look-up, answer."""
    text, language = _said(messages)
    if _only_a_detail_lacks(messages):
        return Action(ASK, {})
    a_case = wording.concerns_shop(text, language) or wording.supposes(text, language)
    in_general = action.name == ASK and a_case and wording.asks_in_general(text, language)
    if in_general or wording.asks_of_rules(text, language):
        return _in_own_words(Action(routing.name_of(search), {}), text, language, search)
    return _going_on(messages, offered, text, language) or action


def _a_call(action: Action, messages: list[Message], offered: list[Schema], search: Schema) -> Action:
    """A look-up of what was named before stays where what was found may answer."""
    text, language = _said(messages)
    found = transcript.found_so_far(messages)
    looks_up = routing.same_again(offered, action.name) is not None
    rules = wording.asks_of_rules(text, language) and wording.rules_beyond(text, found, language)
    if not looks_up or not rules:
        return action
    return _in_own_words(Action(routing.name_of(search), {}), text, language, search)


def _only_a_detail_lacks(messages: list[Message]) -> bool:
    """Say whether a change is asked for, not only wondered about, that lacks a detail."""
    text, language = _said(messages)
    wonders = wording.asks_of_rules(text, language) or wording.supposes(text, language)
    return transcript.is_wished(messages) and not wonders


def _said(messages: list[Message]) -> tuple[str, str]:
    return transcript.newest_user_text(messages), transcript.language(messages)


def _going_on(messages: list[Message], offered: list[Schema], text: str, language: str) -> Action | None:
    """Return the last look-up once more where the message asks for what such a result tells, else None."""
    last = transcript.last_call(messages)
    found = transcript.found_so_far(messages)
    if routing.same_again(offered, last) is None or not wording.is_question(text, language):
        return None
    return None if beyond(text, found, language) else Action(last, transcript.last_arguments(messages))


def lacks_ticket(messages: list[Message], tools: list[Schema]) -> bool:
    """Say whether a message is about a ticket of which nobody knows the number, and about nothing else."""
    text = transcript.newest_user_text(messages)
    named = any(transcript.mentioned(routing.evidence(tool), text) for tool in tools)
    about = TICKET in transcript.missing(messages).split(" ") and asks_about_ticket(plain(text))
    return about and not named and not answers_a_call(messages)


def question_back(messages: list[Message], language: str) -> str:
    """Return the sentence that asks for the detail which is missing."""
    lacks = _due_detail(messages)
    return say("ask_detail", language, detail=noun(lacks, language)) if lacks else say("ask_which", language)


def no_help(messages: list[Message], language: str, *, is_desk: bool = True) -> str:
    """Return what is told when there is nothing to look up: what was found last, if that is asked about."""
    text, found = transcript.newest_user_text(messages), transcript.found_so_far(messages)
    if found and wording.is_question(text, language) and not beyond(text, found, language):
        return transcript.found_last(messages)
    lacks = _due_detail(messages)
    if not is_desk:
        return say("off_topic_tools", language)
    if not lacks or not wording.concerns_shop_or_own(text, language):
        return say("off_topic", language)
    return f"{say('can_do', language)} {say('ask_detail_if', language, detail=noun(lacks, language))}"


def _in_own_words(action: Action, text: str, language: str, search: Schema) -> Action:
    """Return the search with the customer's words, after the model's where those add something.

    The model knows what "that" is, and leaves out half of a question. In another language than English it
    copies an example, or translates.
    """
    ((argument, schema),) = routing.parameters_of(search)["properties"].items()
    written, lists = str(action.arguments.get(argument, "")), lexicon(language)
    copied = not written or written in (words for _, _, words in prompts.ROUTE_EXAMPLES)
    parts = " ".join(wording.questions(text, language))
    whole = len(text) <= SHORT or not wording.says_something(parts, language)
    asked = text if whole else parts
    alone = wording.says_something(asked, language) or wording.concerns_shop(asked, language)
    adds = not lists.stems_of(written) <= lists.stems_of(asked)
    query = f"{written}: {asked}" if adds and not (alone and (copied or language != "en")) else asked
    limit = int(schema.get("maxLength", routing.LONGEST_TEXT))
    return replace(action, arguments={argument: query[:limit]})


def _due_detail(messages: list[Message]) -> str:
    """Return the one of the missing details that the newest message is about."""
    details = transcript.missing(messages).split(", ")
    about_ticket = asks_about_ticket(plain(transcript.newest_user_text(messages)))
    return next((detail for detail in details if detail.startswith(TICKET) == about_ticket), details[0])


def _was_unasked(messages: list[Message]) -> bool:
    results = transcript.results_of_turn(messages)
    return answers_a_call(messages) and bool(results) and results[-1].get("error") == "not_asked_for"
