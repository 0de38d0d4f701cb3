"""The constrained dialect: one JSON action held by a schema, then the words in a second request.

Knows:    when to route and when to answer, and that a routing text is never shown.
Does not: know any tool; everything comes from the offered schemas and the system message.
Source:   the small model never makes a native call, and its own reply inside the action invents facts.
"""

import json
import secrets
from collections.abc import AsyncIterator
from dataclasses import replace

from model import prompts, routing, transcript
from model.budget import fitted
from model.endpoint import Endpoint, Request
from model.leaks import guarded, is_markup
from model.replies import Message, Reply, Schema, ToolCall, Usage, added

ROUTE_SLOT, ANSWER_SLOT, CHOICE_SLOT = 0, 1, 2
ROUTE_TOKENS, ANSWER_TOKENS, CHOICE_TOKENS = 160, 300, 30
PROMPT_TOKENS = 400
"""What this dialect's own words add to the conversation."""


class Constrained:
    """Speaks to an endpoint that obeys `response_format`."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._context = endpoint.target.context

    async def stream(self, messages: list[Message], tools: list[Schema]) -> AsyncIterator[str | Reply]:
        """Yield text pieces, then the Reply; a Reply with a call comes alone."""
        offered, words = _choices(messages, tools)
        if again := _again(messages, offered):
            yield Reply(None, (_call(again),), requests=0)
            return
        routed = Reply(None, requests=0)
        note = ""
        if offered:
            prompt = _route_prompt(self._fitted(messages, ROUTE_TOKENS), tools)
            action, routed = await self._route(prompt, offered, words)
            if action is not None and action.name not in words:
                yield await self._chosen(messages, tools, action, routed)
                return
            note = _note(messages) if action is not None and action.name == routing.ASK else ""
        if not note and not any(m.get("role") == "tool" for m in messages):
            note = prompts.NO_FACTS_NOTE
        if told := transcript.told_as_it_is(messages):
            yield Reply(told, usage=routed.usage, requests=routed.requests)
            return
        async for item in self._worded(messages, note):
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
        self, prompt: list[Message], tools: list[Schema], words: tuple[str, ...]
    ) -> tuple[routing.Action | None, Reply]:
        """Return the action, None when the model wrote none that fits, and what asking took."""
        request = Request(
            prompt,
            response_format=routing.route_schema(tools, words),
            max_tokens=ROUTE_TOKENS,
            slot=ROUTE_SLOT,
        )
        usage: Usage | None = None
        for attempt in (1, 2):
            reply = await self._endpoint.reply(request)
            usage = added(usage, reply.usage)
            action = routing.read(reply.content, tools, words)
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
        for argument, schema in routing.choices(action, tools).items():
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

    async def _worded(self, messages: list[Message], note: str) -> AsyncIterator[str | Reply]:
        """Yield the model's answer, or the server's own sentences where it begins with a yes or a no.

        What it says of a result is mostly true; its yes and no are not.
        """
        told = transcript.told_of_turn(messages)
        head, undecided = "", bool(told)
        async for item in self._answer(messages, note):
            if undecided:
                piece = item if isinstance(item, str) else ""
                head += piece
                if piece and len(head) < prompts.LONGEST_YES:
                    continue
                if prompts.YES_OR_NO.match(head or (item.content or "" if isinstance(item, Reply) else "")):
                    yield Reply(told)
                    return
                undecided = False
                if head:
                    yield head
                if piece:
                    continue
            yield item

    def _answer(self, messages: list[Message], note: str) -> AsyncIterator[str | Reply]:
        prompt = transcript.for_answer(self._fitted(messages, ANSWER_TOKENS), note)
        request = Request(prompt, max_tokens=ANSWER_TOKENS, slot=ANSWER_SLOT)
        return guarded(self._endpoint.stream(request), _spoken)

    def _fitted(self, messages: list[Message], answer_tokens: int) -> list[Message]:
        return fitted(messages, self._context - PROMPT_TOKENS - answer_tokens)


def _choices(messages: list[Message], tools: list[Schema]) -> tuple[list[Schema], tuple[str, ...]]:
    """Return the tools and words that the next action may be; no tools: only an answer is due."""
    text = transcript.newest_user_text(messages)
    takers, named = routing.concerned(tools, text)
    if messages and messages[-1].get("role") == "tool":
        # Two ids in one message: what was asked about the second is still due.
        left = named - transcript.used_in_turn(messages)
        return (routing.held_to(takers, left) if left else []), (routing.REPLY,)
    if named:
        # A message that names a thing is about that thing; a word instead was wrong more often than right.
        return takers, ()
    missing = transcript.split_system(messages)[2]
    words = (routing.REPLY, routing.ASK) if missing else (routing.REPLY,)
    return takers, words


def _route_prompt(messages: list[Message], tools: list[Schema]) -> list[Message]:
    # Made from all tools, not from those that may be chosen now: its beginning must stay the same.
    return transcript.for_route(messages, routing.examples(tools))


def _again(messages: list[Message], offered: list[Schema]) -> routing.Action | None:
    if messages[-1].get("role") != "tool":
        return None
    return routing.same_again(offered, transcript.last_call(messages))


def _call(action: routing.Action) -> ToolCall:
    arguments = json.dumps(action.arguments, ensure_ascii=False)
    return ToolCall(f"call_{secrets.token_hex(4)}", action.name, arguments)


def _note(messages: list[Message]) -> str:
    missing = transcript.split_system(messages)[2]
    return prompts.ASK_NOTE.format(missing=missing) if missing else prompts.ASK_NOTE_UNNAMED


def _spoken(reply: Reply) -> Reply:
    text = (reply.content or "").strip()
    return replace(reply, content=None if is_markup(text) else text or None, tool_calls=())


def _together(routed: Reply, answer: Reply) -> Reply:
    return Reply(
        answer.content,
        usage=added(routed.usage, answer.usage),
        requests=routed.requests + answer.requests,
    )
