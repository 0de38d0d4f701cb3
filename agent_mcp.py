"""The guarded agent: one customer message in, one checked reply out.

Knows:    the loop, the order of the gates, and the stream of events.
Does not: know which server, which model or which screen; the rules of a gate are in guards/.
Order:    input guardrail → model → for each call: whitelist → parse and repair → grounding → validation
          → preview → a person → the server (which checks again) → model … → output check → reply.
Promises: at most MAX_STEPS rounds of the model, plus one after a failed reply check; every call id gets
          one result, whatever happens; nothing that changes something runs without a yes to exactly it.
"""

import inspect
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

import anyio.lowlevel

from agent.calls import Caller
from agent.conversation import Conversation
from agent.fallback import fallback_reply
from agent.limits import TurnedAway, tokens_of, turned_away
from agent.permission import Terms, audience_of, label_of
from agent.policy_file import shop_policy
from agent.prompt import RULES, correction, system_prompt
from agent.resuming import Resumption, supersede
from agent.settings import agent_settings
from agent.speech import listen, pieces
from common import tracing
from common.approval import Approver
from common.events import Done, Event, GateDecision, ModelStarted, ReplyChecked, Token
from common.language import language_of
from common.pending import Approvals, Pending
from common.shop import load_shop, say
from common.text import shortened
from guards.approval import approve_all, approve_none, needs_approval
from guards.disclosure import disclosed
from guards.input import MAX_QUESTION, looks_malicious
from guards.output import unverified
from guards.seams import across
from journal.entry import kept_reason
from llm import ChatFn, Reply, Usage
from mcp_tools import connect
from model.replies import note_reply

__all__ = [
    "MAX_STEPS",
    "Conversation",
    "Journal",
    "Outcome",
    "approve_all",
    "approve_none",
    "looks_malicious",
    "needs_approval",
    "opening",
    "resume",
    "run",
    "unanswered",
]

MAX_STEPS = 4


class Journal(Protocol):
    """Whatever keeps the turn's events beyond the turn.

    It may have `approvals`, which then keeps the open questions (common/pending.py).
    """

    async def record(self, event: Event) -> None:
        """Keep one event."""
        ...


OnEvent = Callable[[Event], Awaitable[None] | None]


@dataclass(frozen=True)
class Outcome:
    """What the customer was told, and what it took.

    meta: llm_calls, steps, tools_used (names of executed calls, in order), blocked, usage (tokens).
    """

    reply: str
    meta: dict[str, Any]


async def run(  # noqa: PLR0913  the signature that scripts outside the house call
    question: str,
    chat_fn: ChatFn,
    approver: Approver = approve_none,
    *,
    bridge: Any = None,
    conversation: Conversation | None = None,
    on_event: OnEvent | None = None,
    journal: Journal | None = None,
) -> Outcome:
    """Answer one message of a customer.

    bridge: an open session with a server; None opens one for this turn. conversation: kept by the caller
    between turns; two turns of one conversation wait for each other. on_event: sync or async. journal: hears
    of each event first; what it raises ends the turn before what the event announces.
    Raises: what chat_fn and journal raise, and ConnectError; the conversation stays valid then, as after a
    cancel.
    """
    conversation = conversation or Conversation()
    turn = _Turn(question, conversation, _Reporter(on_event, journal))
    async with conversation.lock:
        with tracing.turn(question, chat_fn) as turn.span:
            language = language_of(shortened(question, MAX_QUESTION), conversation.language)
            if early := turned_away(question, language, conversation.messages, conversation.spent):
                return await turn.turn_away(early)
            if bridge is not None:
                return await turn.play(chat_fn, approver, bridge)
            async with connect() as own:
                return await turn.play(chat_fn, approver, own)


async def unanswered(conversation: Conversation, *, journal: Journal | None = None) -> list[Pending]:
    """Return the questions that an earlier session left, oldest first: each is for `resume`.

    Those that nobody answered in time are among them once, to be told. What is not resumed is closed by the
    next message, unless it waits for the staff.
    """
    approvals, now = _approvals(conversation, journal), time.time()
    lapsed = await approvals.lapsed(now)
    left = await approvals.open(now)
    conversation.offered[:] = [
        each for each in left if each.request.audience == "person" and not each.started
    ]
    return [*lapsed, *left]


async def resume(
    pending: Pending,
    approver: Approver,
    *,
    bridge: Any,
    conversation: Conversation | None = None,
    on_event: OnEvent | None = None,
    journal: Journal | None = None,
) -> Outcome:
    """Ask a question that was left open once more, and do what was asked if the answer is yes.

    The reply says what came of it. A question that is no longer true is closed without being asked.
    Raises: what journal raises.
    """
    conversation = conversation or Conversation()
    report = _Reporter(on_event, journal)
    async with conversation.lock:
        conversation.offered[:] = [each for each in conversation.offered if each != pending]
        language = load_shop().answers_in(pending.language)
        terms = _terms(bridge, conversation, journal, language)
        taken_up = Resumption(bridge, approver, conversation, report, terms)
        with tracing.turn("", None) as span:
            span.set(tracing.CONVERSATION_ID, getattr(bridge, "conversation", ""))
            reply = await taken_up.take_up(pending)
        await report(Token(reply))
        meta = {
            "llm_calls": 0,
            "steps": 0,
            "tools_used": list(taken_up.caller.used),
            "blocked": False,
            "usage": {"prompt_tokens": 0, "completion_tokens": 0},
        }
        await report(Done(reply, meta))
        return Outcome(reply, meta)


def opening(bridge: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the messages and tools with which a conversation with this server begins, to warm a model."""
    talk = Conversation()
    caller = Caller(bridge, approve_none, talk, _Reporter(None, None), _terms(bridge, talk, None, "en"))
    tools, withheld = caller.offer()
    return [{"role": "system", "content": system_prompt(bridge.tools, withheld)}], tools


@dataclass(frozen=True)
class _Reporter:
    """Hands each event to whoever listens, in order."""

    on_event: OnEvent | None
    journal: Journal | None

    async def __call__(self, event: Event) -> None:
        if self.journal is not None:
            await self.journal.record(event)
        tracing.note(event, kept_reason)
        if self.on_event is not None:
            waiting = self.on_event(event)
            if inspect.isawaitable(waiting):
                await waiting


@dataclass
class _Turn:
    """One message and all that it leads to."""

    question: str
    conversation: Conversation
    report: _Reporter
    steps: int = 0
    llm_calls: int = 0
    usage: Usage = field(default_factory=lambda: Usage(0, 0))
    caller: Caller | None = None
    language: str = "en"
    tokens: int = 0
    stopped: bool = False
    span: tracing.Traced = field(default_factory=tracing.Traced)

    async def play(self, chat_fn: ChatFn, approver: Approver, bridge: Any) -> Outcome:
        """Play the turn against an open bridge."""
        self.span.set(tracing.CONVERSATION_ID, getattr(bridge, "conversation", ""))
        if not self.conversation.messages:
            # What the shop says of itself may be told; it is evidence for no id.
            self.conversation.observed.tell(load_shop().facts(), load_shop().currency)
        await supersede(self.conversation, self.report, self._terms(bridge))
        self.conversation.hear(self.question, "staff" if audience_of(approver) == "staff" else "customer")
        self.language = load_shop().answers_in(self.conversation.language)
        terms = self._terms(bridge)
        self.caller = Caller(bridge, approver, self.conversation, self.report, terms)
        try:
            reply = await self._answer(chat_fn, self.caller)
        except BaseException:  # a cancel too: the history must stay one that a model accepts
            self.conversation.abandon()
            raise
        self.conversation.reply(reply)
        return await self.end(reply, blocked=False)

    def _terms(self, bridge: Any) -> Terms:
        return _terms(bridge, self.conversation, self.report.journal, self.language)

    async def turn_away(self, early: TurnedAway) -> Outcome:
        """End the turn before it began: neither the model nor the server hears of it."""
        await self.report(GateDecision(early.gate, False, early.reason, code=early.code))
        await self.report(Token(early.reply))
        return await self.end(early.reply, blocked=True)

    async def end(self, reply: str, *, blocked: bool) -> Outcome:
        """Report the end and return the outcome."""
        meta = {
            "llm_calls": self.llm_calls,
            "steps": self.steps,
            "tools_used": list(self.caller.used) if self.caller else [],
            "blocked": blocked,
            "usage": {
                "prompt_tokens": self.usage.prompt_tokens,
                "completion_tokens": self.usage.completion_tokens,
            },
        }
        self.span.set(tracing.STEPS, self.steps)
        self.span.set(tracing.BLOCKED, blocked)
        self.span.show(
            tracing.OUTPUT_MESSAGES, lambda: tracing.messages_told([{"role": "assistant", "content": reply}])
        )
        await self.report(Done(reply, meta))
        return Outcome(reply, meta)

    async def _answer(self, chat_fn: ChatFn, caller: Caller) -> str:
        while self.steps < MAX_STEPS and not await self._used_up():
            # In the last round only words help: no round is left to use a result in.
            tools, withheld = caller.offer() if self.steps < MAX_STEPS - 1 else ([], {})
            messages = self._messages(caller, withheld)
            reply, problems = await self._ask(chat_fn, messages, tools)
            if not reply.tool_calls:
                return await self._checked(chat_fn, caller, reply, problems)
            if not await caller.handle(reply, last=self.steps == MAX_STEPS):
                break
        return await self._fall_back(caller)

    async def _checked(self, chat_fn: ChatFn, caller: Caller, reply: Reply, problems: list[str]) -> str:
        """Return the reply when it passed; else ask once more, then say only what was observed."""
        if problems and not await self._used_up():
            await self.report(ReplyChecked(False, tuple(problems)))
            again = [
                *self._messages(caller, {}),
                {"role": "assistant", "content": _quoted(reply.content)},
                {"role": "user", "content": correction(problems)},
            ]
            reply, problems = await self._ask(chat_fn, again, [])
        if reply.tool_calls or problems:
            await self.report(ReplyChecked(False, tuple(problems)))
            return await self._fall_back(caller)
        await self.report(ReplyChecked(True))
        return (reply.content or "").strip()

    async def _used_up(self) -> bool:
        """Say whether the turn has had its tokens: then no model is asked any more."""
        most = agent_settings().tokens_per_turn
        if self.tokens >= most and not self.stopped:
            self.stopped = True
            reason = f"The turn has taken its {most} tokens."
            await self.report(GateDecision("limit", False, reason, code="too_many_tokens"))
        return self.stopped

    async def _fall_back(self, caller: Caller) -> str:
        reply = ""
        if caller.seen or not self.stopped:
            reply = fallback_reply(caller.seen, self.conversation.observed, language=self.language)
        if self.stopped:
            reply = f"{reply} {say('turn_full', self.language)}".strip()
        await self.report(Token(reply))
        await self.report(ReplyChecked(True))
        return reply

    async def _ask(
        self, chat_fn: ChatFn, messages: list[dict[str, Any]], tools: list[dict[str, Any]]
    ) -> tuple[Reply, list[str]]:
        self.steps += 1
        await self.report(ModelStarted(self.steps))
        await anyio.lowlevel.checkpoint()  # a scripted model never waits; a cancel must still get in
        observed, names = (
            self.conversation.observed,
            [tool.name for tool in self.caller.tools] if self.caller else [],
        )

        async def show(sentence: str) -> None:
            await self.report(Token(sentence))

        told: list[str] = []
        today = date.today()

        def wrong(sentence: str) -> list[str]:
            before = "".join(told)
            told.append(sentence)  # one word a line is a run of words, too; one digit a line is a number
            return [
                *unverified(sentence, observed, names, today),
                *across(before, sentence, observed, today),
                *disclosed(before + sentence, RULES),
            ]

        with tracing.round_of(chat_fn) as span:
            reply, problems, shown = await listen(pieces(chat_fn, messages, tools), wrong, show)
            note_reply(span, reply)
        self.llm_calls += reply.requests
        taken = tokens_of(reply, messages)
        self.tokens += taken
        self.conversation.spent.tokens += taken
        if reply.usage:
            self.usage = Usage(
                self.usage.prompt_tokens + reply.usage.prompt_tokens,
                self.usage.completion_tokens + reply.usage.completion_tokens,
            )
        if shown and reply.tool_calls:
            await self.report(ReplyChecked(False))  # words before a call are not the reply
        return reply, problems

    def _messages(self, caller: Caller, withheld: dict[str, list[str]]) -> list[dict[str, Any]]:
        system = {
            "role": "system",
            "content": system_prompt(caller.tools, withheld, wished=caller.wished(withheld)),
        }
        return [system, *self.conversation.messages]


def _quoted(content: object) -> str:
    """Return the rejected reply as it goes back to the model: bounded, never empty."""
    return content[:2_000] if isinstance(content, str) and content.strip() else "(empty)"


def _approvals(conversation: Conversation, journal: Journal | None) -> Approvals:
    return getattr(journal, "approvals", None) or conversation.approvals


def _terms(bridge: Any, conversation: Conversation, journal: Journal | None, language: str) -> Terms:
    rules = shop_policy().at(label_of(bridge), own=getattr(bridge, "own", False) is True)
    return Terms(_approvals(conversation, journal), rules, agent_settings().plan_ttl_s, language)
