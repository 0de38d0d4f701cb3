"""The calls of one turn: each through the gates, each with exactly one result.

Knows:    the order of the gates and what each outcome means for the conversation.
Does not: hold a gate's rule (guards/), speak to the model (agent_mcp.py) or to the server (the bridge).
"""

import json
import time
from collections.abc import Awaitable, Iterable
from dataclasses import replace
from typing import Any

import anyio
import anyio.lowlevel

from agent import refusals
from agent.behind import Behind, own_schema
from agent.conversation import Conversation
from agent.elicitation import Elicitation, on_terms
from agent.fallback import Seen
from agent.permission import Cleared, Permission, Terms, label_of
from agent.refusals import Refusal
from agent.said import is_spoken, said_in
from agent.settings import agent_settings
from agent.wire import well_formed
from common import tracing
from common.approval import Approver, canonical
from common.events import (
    Event,
    Gate,
    GateDecision,
    ToolRequested,
    ToolReturned,
    ToolStarted,
)
from common.schema import Schema, inline
from guards.approval import needs_approval
from guards.asked import asked_for, shown, unsettled, wished_for
from guards.behind import Described, calls_of, result_of
from guards.call import BadCall, parse, repair, validate
from guards.gives import gives
from guards.grounding import Ungrounded, ground
from guards.narrowing import narrow
from guards.output import brought
from guards.servers import changes_behind, mismatch
from journal.entry import kept_reason
from llm import Reply, ToolCall
from mcp_tools import openai_schema


class Caller:
    """Makes the calls of one turn, through the gates."""

    def __init__(
        self,
        bridge: Any,
        approver: Approver,
        conversation: Conversation,
        report: Any,
        terms: Terms,
    ) -> None:
        self.tools: list[Any] = []
        self.used: list[str] = []
        self.seen: list[Seen] = []
        self._bridge = bridge
        self._conversation = conversation
        conversation.evidence.server = label_of(bridge)  # what another one returned is none here
        self._report = report
        self._terms = terms
        self._language = terms.language
        self._permission = Permission(bridge, approver, conversation, report, terms)
        self._questions = Permission(bridge, approver, conversation, report, on_terms(terms))
        self._by_name: dict[str, Any] = {}
        self._schemas: dict[str, Schema] = {}
        self._failed: set[tuple[str, str]] = set()
        self._behind = Behind(bridge, terms.language)
        self._take_tools()

    def offer(self) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
        """Return the tools as narrowed by the evidence, and the details that others still miss, by tool."""
        offered: list[dict[str, Any]] = []
        withheld: dict[str, list[str]] = {}
        self._take_tools()
        for tool in self.tools:
            schema, missing = narrow(self._schemas[tool.name], self._conversation.evidence)
            if missing:
                if self._may_be_due(tool):
                    withheld[tool.name] = missing
                    self._conversation.observed.see({}, " ".join(missing))  # their examples may be told
            else:
                offered.append(self._marked(tool, openai_schema(tool, schema)))
        return offered, withheld

    def _take_tools(self) -> None:
        """Take the tools as the server lists them now: the list may change in the middle of a turn."""
        tools = list(self._bridge.tools)
        if tools != self.tools:
            self.tools = tools
            self._by_name = {tool.name: tool for tool in tools}
            self._schemas = {tool.name: inline(tool.input_schema) for tool in tools}

    def _may_be_due(self, tool: Any) -> bool:
        """Say whether the customer may have to be asked for what the tool lacks.

        Of a look-up that lists the words by which it is asked for, only where they were said.
        """
        return self._asks(tool) or asked_for(tool, *unsettled(self._conversation.messages, tool.name))

    def _asks(self, tool: Any) -> bool:
        """Say whether a person must agree: the tool may change something, or is not what it says."""
        return needs_approval(tool) or bool(self._warnings(tool))

    def _warnings(self, tool: Any, function: Described | None = None) -> list[str]:
        """Return what is odd about a tool, in sentences for whoever is asked about it.

        function: that it is to call.
        """
        changed: dict[str, str] = getattr(self._bridge, "changed", None) or {}
        behind = changes_behind(tool, function) if function else None
        return [said for said in (changed.get(tool.name), mismatch(tool), behind) if said]

    def wished(self, names: Iterable[str]) -> list[str]:
        """Return those of the tools which the customer's words lead to."""
        messages = self._conversation.messages
        return [name for name in names if wished_for(self._by_name[name], *unsettled(messages, name))]

    def _marked(self, tool: Any, schema: Schema) -> Schema:
        """Return the function schema, with marks for what the customer's words say about a change."""
        if not self._asks(tool):
            named = gives(tool)
            return {**schema, "function": {**schema["function"], "x-gives": named}} if named else schema
        wish, before = unsettled(self._conversation.messages, tool.name)
        marks = {"x-asked-for": asked_for(tool, wish, before), "x-shown": shown(tool, wish)}
        return {**schema, "function": {**schema["function"], **marks}}

    async def handle(self, reply: Reply, *, last: bool) -> bool:
        """Make the calls of one reply, in order; return False when the turn should end.

        last: no round of the model is left, so nothing is called and the ids are only answered.
        """
        calls = [(call, _parsed(call)) for call in well_formed(reply.tool_calls)]
        self._conversation.request(
            reply.content, [(call, parsed if isinstance(parsed, dict) else None) for call, parsed in calls]
        )
        limits, going = agent_settings(), not last
        for index, (call, parsed) in enumerate(calls):
            await self._emit(ToolRequested(call.id, call.name, call.arguments))
            if index >= limits.calls_per_reply:
                told = f"One reply may hold {limits.calls_per_reply} calls"
                outcome: Refusal | Cleared = refusals.over_limit(told)
            elif not going:
                outcome = refusals.over_limit("The turn has ended")
            elif not self._conversation.spent.may_call(limits.calls_per_minute):
                outcome = refusals.too_many_calls(language=self._language)
            else:
                outcome = await self._clear(call, parsed)
            if isinstance(outcome, Cleared):
                await self.execute(call, outcome)
            else:
                await self._refuse(call, outcome)
                going = going and outcome.code != "repeated_call"
        return going

    async def _clear(self, call: ToolCall, parsed: dict[str, Any] | BadCall) -> Refusal | Cleared:
        """Take one call through the gates; the first that stops it decides."""
        self._take_tools()
        tool = self._by_name.get(call.name)
        if tool is None:
            return self._once(call, parsed) or refusals.unknown_tool(call.name, sorted(self._by_name))
        await self._passed(call, "whitelist")
        if isinstance(parsed, BadCall):
            return self._once(call, parsed) or refusals.bad_arguments(
                str(parsed), call.name, language=self._language
            )
        await self._passed(call, "parse")
        function = await self._behind.function(tool, parsed)
        if isinstance(function, Refusal):
            return self._once(call, parsed) or function
        schema, arguments, problems = self._grounded(tool, parsed)
        repeat = self._once(call, arguments)
        if repeat:
            return repeat
        if problems:
            return refusals.ungrounded(problems, language=self._language)
        await self._passed(call, "grounding")
        try:
            validate(arguments, schema)
        except BadCall as problem:
            return refusals.bad_arguments(str(problem), call.name, language=self._language)
        await self._passed(call, "validation")
        outcome = await self._permit(call, tool, arguments, function)
        return replace(outcome, function=function) if isinstance(outcome, Cleared) else outcome

    def _grounded(self, tool: Any, parsed: dict[str, Any]) -> tuple[Schema, dict[str, Any], list[Ungrounded]]:
        """Return what a call must fit, the call as it fits best, and the ids in it that nobody named."""
        schema, wanted = self._behind.as_called(tool, self._schemas[tool.name], parsed)
        return schema, *ground(repair(wanted, schema), schema, self._conversation.evidence)

    async def _permit(
        self, call: ToolCall, tool: Any, arguments: dict[str, Any], function: Described | None
    ) -> Refusal | Cleared:
        """Gate 6: what changes something, and what the shop's rules name, needs a yes."""
        warnings = self._warnings(tool, function)
        asks = needs_approval(tool) or bool(warnings)
        rule = self._terms.policy.decide(tool, arguments, changes=asks, odd=bool(warnings))
        if not asks and (rule is None or rule.decision == "allow"):
            return Cleared(tool, canonical(arguments))
        if not asked_for(tool, *unsettled(self._conversation.messages, tool.name)):
            return refusals.not_asked_for(_title(tool), language=self._language)
        outcome = await self._permission.permit(tool, arguments, rule, warnings)
        if isinstance(outcome, Cleared):
            await self._before_it_leaves(outcome, self._passed(call, "permission"))
        return outcome

    def _once(self, call: ToolCall, arguments: dict[str, Any] | BadCall) -> Refusal | None:
        """Return the refusal of a call that has failed before in this turn."""
        return (
            refusals.repeated(call.name, language=self._language)
            if self._key(call, arguments) in self._failed
            else None
        )

    def _key(self, call: ToolCall, arguments: dict[str, Any] | BadCall) -> tuple[str, str]:
        return call.name, call.arguments if isinstance(arguments, BadCall) else canonical(arguments)

    async def execute(self, call: ToolCall, cleared: Cleared) -> None:
        """Make a call that passed every gate, once, and put its result where it belongs."""
        name = cleared.tool.name
        told = ToolStarted(call.id, name, json.loads(cleared.arguments), cleared.digest)
        await self._before_it_leaves(cleared, self._emit(told))
        asked = Elicitation(self._bridge, cleared.tool, self._questions, self._terms)
        started = time.perf_counter()
        try:
            result = await self._call(call, cleared, asked)
        finally:
            # Whoever is told of a stopped call is told that its outcome is not known; a killed process tells
            # nobody, and then the question stays started.
            if cleared.digest:
                with anyio.CancelScope(shield=True):
                    await self._terms.approvals.finish(cleared.digest)
        self.used.append(name)
        self._take(call, cleared, result)
        seconds = time.perf_counter() - started - asked.waited_s  # a person's thinking is no tool's time
        await self._emit(
            ToolReturned(
                call.id,
                name,
                json.loads(cleared.arguments),
                result.is_error,
                dict(result.data),
                result.text,
                seconds,
            )
        )

    async def _before_it_leaves(self, cleared: Cleared, step: Awaitable[None]) -> None:
        """Take a step between a yes and its call; where it ends the turn, nothing was done under that yes."""
        try:
            await step
            await anyio.lowlevel.checkpoint()  # the last moment at which a cancel finds nothing done
        except BaseException:
            await self._permission.withdraw(cleared.digest)
            raise

    async def _call(self, call: ToolCall, cleared: Cleared, asked: Elicitation) -> Any:
        name = cleared.tool.name
        with tracing.tool_call(name, call.id, cleared.arguments) as span:
            if cleared.tool in self._bridge.tools:
                result = await asked.call(json.loads(cleared.arguments))
            else:  # another chat at the same bridge may have heard of it since
                result = refusals.changed_since(name)
            if result.is_error:
                code = result.data.get("error")
                span.fail((kept_reason(code) if isinstance(code, str) else "") or "tool_error")
            span.show(tracing.TOOL_RESULT, lambda: result.data or result.text)
            return result

    def _take(self, call: ToolCall, cleared: Cleared, result: Any) -> None:
        """Put a result where it belongs: history, evidence, observed values, and what the turn has seen."""
        tool, conversation = cleared.tool, self._conversation
        if result.is_error:
            refusal = refusals.from_server("precondition", result, self._language)
            if cleared.digest:
                refusal = refusals.after_approval(refusal, language=self._language)
            self._failed.add((tool.name, cleared.arguments))
            conversation.observed.see({}, refusal.message, echoes=self._echoes(cleared))
            conversation.answer(call.id, call.name, refusal.as_result())
            self.seen.append(Seen(tool.name, False, {}, "", refusal.message))
            return
        schema = self._returned(cleared, result.data)
        said = said_in(result, self._language)
        conversation.observed.see(
            result.data,
            result.text,
            schema,
            said=said,
            echoes=self._echoes(cleared),
            spoken=is_spoken(result),
        )
        if cleared.function and not cleared.function.reads:
            conversation.observed.act(cleared.function.name, "")
        elif self._asks(tool):
            conversation.observed.act(tool.name, tool.title or "")
        conversation.answer(call.id, call.name, _told(result.data, said))
        self.seen.append(Seen(tool.name, True, result.data, said))

    def _returned(self, cleared: Cleared, data: dict[str, Any]) -> Schema:
        """Take the ids of a result, and return the schema that says what is in it."""
        tool, evidence = cleared.tool, self._conversation.evidence
        if cleared.function:
            schema = result_of(cleared.function)
            evidence.see(data, schema, cleared.function.name, declared_only=True)
            return schema
        schema = own_schema(tool)
        # Of a function that nobody has described, and of a description, each field may be anything.
        if calls_of(tool) is None and not self._behind.describes(tool.name):
            evidence.see(data, schema, tool.name)
        return schema

    def _echoes(self, cleared: Cleared) -> list[str]:
        """Return what only the model put into a call; what a person has agreed to is not only the model's."""
        return [] if cleared.digest else brought(json.loads(cleared.arguments), self._conversation.observed)

    async def _refuse(self, call: ToolCall, refusal: Refusal) -> None:
        await self._emit(
            GateDecision(refusal.gate, False, refusal.message, call.id, call.name, code=refusal.code)
        )
        parsed = _parsed(call)
        if isinstance(parsed, dict) and call.name in self._schemas:
            _, parsed, _ = self._grounded(self._by_name[call.name], parsed)
        self._failed.add(self._key(call, parsed))
        self._conversation.answer(call.id, call.name, refusal.as_result())
        if refusal.gate != "limit" or refusal.said:
            said = refusal.message if refusal.said is None else refusal.said
            self.seen.append(Seen(call.name, False, {}, "", said))

    async def _passed(self, call: ToolCall, gate: Gate) -> None:
        await self._emit(GateDecision(gate, True, "", call.id, call.name))

    async def _emit(self, event: Event) -> None:
        await self._report(event)


def _parsed(call: ToolCall) -> dict[str, Any] | BadCall:
    try:
        return parse(call.arguments)
    except BadCall as problem:
        return problem


def _told(data: dict[str, Any], said: str) -> dict[str, Any] | str:
    """Return what the model is shown of a result: the server's sentence, where there is one, and the data."""
    known = {key: value for key, value in data.items() if value is not None}
    if not known:
        return said
    is_sentence = said and not said.lstrip().startswith(("{", "["))
    return {"summary": said, "data": known} if is_sentence else known


def _title(tool: Any) -> str:
    return tool.title or tool.name
