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

ROUTE_SLOT, ANSWER_SLOT = 0, 1
ROUTE_TOKENS, ANSWER_TOKENS = 160, 300
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
        routed = Reply(None, requests=0)
        note = ""
        if offered:
            action, routed = await self._route(messages, offered, words)
            if action.name not in words:
                yield replace(routed, content=None, tool_calls=(_call(action),))
                return
            note = _note(messages) if action.name == routing.ASK else ""
        if not note and not any(m.get("role") == "tool" for m in messages):
            note = prompts.NO_FACTS_NOTE
        async for item in self._answer(messages, note):
            yield item if isinstance(item, str) else _together(routed, item)

    async def warm(self, messages: list[Message], tools: list[Schema]) -> None:
        """Let the endpoint read the beginning of both prompts, so that the first turn need not wait."""
        opening = [*messages[:1], {"role": "user", "content": "Hello"}]
        for slot, prompt in (
            (ROUTE_SLOT, transcript.for_route(opening, routing.search_of(tools))),
            (ANSWER_SLOT, transcript.for_answer(opening)),
        ):
            await self._endpoint.reply(Request(prompt, max_tokens=1, slot=slot))

    async def _route(
        self, messages: list[Message], tools: list[Schema], words: tuple[str, ...]
    ) -> tuple[routing.Action, Reply]:
        request = Request(
            transcript.for_route(self._fitted(messages, ROUTE_TOKENS), routing.search_of(tools)),
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
        return routing.Action(routing.REPLY, {}), Reply(None, usage=usage, requests=2)

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
    words = (routing.REPLY,)
    if not named and transcript.split_system(messages)[2]:
        words = (routing.REPLY, routing.ASK)
    return takers, words


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
