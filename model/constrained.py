"""The constrained dialect: one JSON action held by a schema, then the words in a second request.

Knows:    when to route and when to answer, and that a routing text is never shown.
Does not: know any tool; everything comes from the offered schemas and the system message.
Source:   the small model never makes a native call, and its own reply inside the action invents facts.
"""

import json
import secrets
from collections.abc import AsyncIterator
from dataclasses import replace

from common.shop import say
from model import deciding, prompts, routing, shown, standing, transcript
from model.answering import checked, facts_of, opening, settled
from model.budget import fitted
from model.endpoint import Endpoint, Request
from model.leaks import guarded, is_markup
from model.replies import Message, Reply, Schema, ToolCall, Usage, added

ROUTE_SLOT, ANSWER_SLOT, CHOICE_SLOT = 0, 1, 2
ROUTE_TOKENS, ANSWER_TOKENS, CHOICE_TOKENS = 160, 300, 30


class Constrained:
    """Speaks to an endpoint that obeys `response_format`."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._context = endpoint.target.context

    async def stream(self, messages: list[Message], tools: list[Schema]) -> AsyncIterator[str | Reply]:
        """Yield the Reply: one call, or the words for the customer."""
        kept = transcript.before_correction(messages)
        language = transcript.language(kept)
        if kept is not messages:
            # At temperature 0 the same facts give the same words.
            told = transcript.told_of_turn(kept)
            yield Reply(
                told or (None if transcript.texts_of_turn(kept) else say("not_known", language)), requests=0
            )
            return
        whole, messages = messages, standing.unlisted(messages, tools)
        if at_once := _at_once(whole, messages, tools):
            yield at_once
            return
        offered, words = deciding.choices(messages, tools, standing.listed_only(whole, tools))
        if again := _again(messages, offered, tools) or standing.the_only_one(messages, tools):
            yield _called(again)
            return
        routed = Reply(None, requests=0)
        if offered:
            due = deciding.due(messages)
            action, routed = await self._route(due, tools, offered, words)
            action = deciding.reconsidered(action, due, offered, words)
            action = action and shown.as_said(action, offered, transcript.newest_user_text(due), language)
            if action is not None and action.name not in words:
                yield await self._chosen(messages, tools, action, routed)
                return
            if action is not None and action.name == routing.ASK:
                listed = standing.listing(whole, tools, transcript.missing(due))
                yield (
                    replace(routed, tool_calls=(_call(listed),))
                    if listed
                    else replace(routed, content=deciding.question_back(messages, language))
                )
                return
        if told := settled(standing.without_lists(messages, tools)):
            open_end = standing.ends_in_a_list(messages, tools) and not standing.asked_for_list(
                messages, tools
            )
            asked = deciding.question_back(messages, language) if open_end else ""
            yield replace(routed, content=f"{told} {asked}".strip())
            return
        async for item in self._worded(messages, is_desk=routing.is_desk(tools)):
            yield item if isinstance(item, str) else _together(routed, item)

    async def warm(self, messages: list[Message], tools: list[Schema]) -> None:
        """Let the endpoint read the beginning of both prompts, so that the first turn need not wait."""
        opening = [*messages[:1], {"role": "user", "content": "Hello"}]
        for slot, prompt in (
            (ROUTE_SLOT, _route_prompt(opening, tools)),
            (ANSWER_SLOT, transcript.for_answer(opening)),
        ):
            await self._endpoint.reply(Request(prompt, max_tokens=1, slot=slot))

    async def _route(
        self, messages: list[Message], tools: list[Schema], offered: list[Schema], words: tuple[str, ...]
    ) -> tuple[routing.Action | None, Reply]:
        """Return the action, None when the model wrote none that fits, and what asking took."""

        def shown(kept: list[Message]) -> list[Message]:
            return _route_prompt(kept, tools)

        request = Request(
            shown(fitted(messages, self._context - ROUTE_TOKENS, shown)),
            response_format=routing.route_schema(offered, words),
            max_tokens=ROUTE_TOKENS,
            slot=ROUTE_SLOT,
        )
        usage: Usage | None = None
        for attempt in (1, 2):
            reply = await self._endpoint.reply(request)
            usage = added(usage, reply.usage)
            action = routing.read(reply.content, offered, words)
            if action is not None:
                return action, Reply(None, usage=usage, requests=attempt)
            # At temperature 0 the same request gives the same text.
            request = replace(request, temperature=prompts.ROUTE_RETRY_TEMPERATURE)
        return None, Reply(None, usage=usage, requests=2)

    async def _chosen(
        self, messages: list[Message], tools: list[Schema], action: routing.Action, routed: Reply
    ) -> Reply:
        """Return the call, its choices made one by one.

        Inside the action the small model takes the first value of an enum, whatever was said; asked for that
        alone, with the meanings before it, it was right in 13 of 14 messages.
        """
        arguments = dict(action.arguments)
        text, language = transcript.newest_user_text(messages), transcript.language(messages)
        for argument, schema in routing.choices(action, tools).items():
            optional = argument not in routing.needed(action, tools)
            if optional and shown.is_shown(arguments[argument], text, language):
                continue
            if len(schema["enum"]) == 1:
                arguments[argument] = schema["enum"][0]
                continue
            request = Request(
                transcript.for_choice(messages, argument, schema["description"]),
                response_format=routing.choice_schema(argument, schema),
                max_tokens=CHOICE_TOKENS,
                slot=CHOICE_SLOT,
            )
            reply = await self._endpoint.reply(request)
            value = routing.read_choice(reply.content, argument, schema)
            if value is not None:
                arguments[argument] = value
            routed = replace(routed, usage=added(routed.usage, reply.usage), requests=routed.requests + 1)
        return replace(routed, tool_calls=(_call(routing.Action(action.name, arguments)),))

    async def _worded(self, messages: list[Message], *, is_desk: bool) -> AsyncIterator[str | Reply]:
        """Yield the model's answer as far as what was found supports it, else a fixed sentence."""
        facts = facts_of(messages)
        found = transcript.texts_of_turn(messages)
        sources = found or transcript.found_so_far(messages)
        # Without words the agent tells the fields that were found.
        instead = None if found else deciding.no_help(messages, facts.language, is_desk=is_desk)
        if not sources:
            yield Reply(instead, requests=0)
            return
        kept = fitted(messages, self._context - ANSWER_TOKENS, transcript.for_answer)
        prompt = transcript.for_answer(kept)
        request = Request(prompt, max_tokens=ANSWER_TOKENS, slot=ANSWER_SLOT)
        async for item in checked(guarded(self._endpoint.stream(request), _spoken), facts, sources, instead):
            yield item


def _route_prompt(messages: list[Message], tools: list[Schema]) -> list[Message]:
    # Made from all tools, not from those that may be chosen now: its beginning must stay the same.
    hidden = standing.hidden(messages, tools)
    if not routing.is_desk(tools):
        return transcript.for_route(messages, routing.listings(tools), hidden, prompts.ROUTE_TOOLS)
    return transcript.for_route(messages, routing.examples(tools), hidden)


def _at_once(whole: list[Message], messages: list[Message], tools: list[Schema]) -> Reply | None:
    """Return what needs no model: a list or a person that is asked for, a courtesy, a ticket's number.

    whole: the conversation with what was listed; messages: without.
    """
    if deciding.answers_a_call(messages):
        return None
    if call := standing.asked_for_list(messages, tools) or standing.handing_over(messages, tools):
        return _called(call)
    language = transcript.language(messages)
    if fixed := opening(transcript.newest_user_text(messages), language, is_desk=routing.is_desk(tools)):
        return Reply(fixed, requests=0)
    if not deciding.lacks_ticket(messages, tools):
        return None
    listed = standing.listing(whole, tools, "ticket number")
    return _called(listed) if listed else Reply(deciding.question_back(messages, language), requests=0)


def _again(messages: list[Message], offered: list[Schema], tools: list[Schema]) -> routing.Action | None:
    if messages[-1].get("role") != "tool":
        return None
    if without := standing.without_unknown_word(messages, tools):
        return without
    return routing.same_again(offered, transcript.last_call(messages))


def _call(action: routing.Action) -> ToolCall:
    arguments = json.dumps(action.arguments, ensure_ascii=False)
    return ToolCall(f"call_{secrets.token_hex(4)}", action.name, arguments)


def _called(action: routing.Action) -> Reply:
    return Reply(None, (_call(action),), requests=0)


def _spoken(reply: Reply) -> Reply:
    text = (reply.content or "").strip()
    return replace(reply, content=None if is_markup(text) else text or None, tool_calls=())


def _together(routed: Reply, answer: Reply) -> Reply:
    return Reply(
        answer.content,
        usage=added(routed.usage, answer.usage),
        requests=routed.requests + answer.requests,
    )
