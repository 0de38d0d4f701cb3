"""Questions that a chat left open: asked again as they were, answered once, or closed.

Knows:    what must still be true for the same card to be shown: the tool, what it takes, what it would do.
Does not: decide about an answer (permission.py), or make a call (calls.py).
Rule:     what is not exactly what was shown is void. What was used and never came back is told, not repeated.
"""

import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

from agent import refusals
from agent.calls import Caller
from agent.conversation import Conversation
from agent.fallback import fallback_reply
from agent.permission import Cleared, Permission, Terms, asked_by, described, hash_of, preview_of
from agent.said import said_in
from common.approval import ApprovalRequest, Approver, Verdict, canonical, digest_of
from common.events import ApprovalAnswered, ApprovalAsked, Event
from common.pending import Pending
from common.phrases import phrase
from common.schema import inline
from guards.call import BadCall, validate
from llm import ToolCall

Report = Callable[[Event], Awaitable[None]]

_ANSWERED = "(The question that was still open has been answered.)"
_NOT_ANSWERED = "(The question that was still open was not answered.)"
"""Stand for a customer's message in the history, where nothing was written."""


class Resumption:
    """Takes up one open question."""

    def __init__(
        self, bridge: Any, approver: Approver, conversation: Conversation, report: Report, terms: Terms
    ) -> None:
        self._bridge = bridge
        self._conversation = conversation
        self._report = report
        self._terms = terms
        self._permission = Permission(bridge, approver, conversation, report, terms)
        self.caller = Caller(bridge, approver, conversation, report, terms)

    async def take_up(self, pending: Pending) -> str:
        """Ask the question once more, and return what the customer is told of what came of it."""
        request, language = pending.request, self._terms.language
        if pending.started:
            await self._terms.approvals.finish(request.digest, "unknown")
            return await self._closed(
                request, "unknown", phrase("approval_unknown", language, title=request.title)
            )
        if time.time() >= request.expires_at:
            await self._terms.approvals.settle(request.digest, "expired")
            return await self._closed(
                request, "expired", phrase("approval_lapsed", language, title=request.title)
            )
        tool = await self._still_true(pending)
        if tool is None:
            await self._terms.approvals.settle(request.digest, "void")
            return await self._closed(
                request, "void", refusals.not_permitted("void", language=language).message
            )
        await self._report(ApprovalAsked(request))
        verdict, approval = await self._permission.answer(request, tool)
        if verdict != "approved":
            note = approval.note if approval else None
            told = refusals.not_permitted(verdict, note=note, language=self._terms.language)
            self._conversation.remark(_ANSWERED, told.message)
            return told.message
        return await self._execute(Cleared(tool, canonical(request.arguments), request.digest))

    async def _execute(self, cleared: Cleared) -> str:
        call = ToolCall(f"resumed_{cleared.digest[:12]}", cleared.tool.name, cleared.arguments)
        self._conversation.messages.append({"role": "user", "content": _ANSWERED})
        self._conversation.request(None, [(call, json.loads(cleared.arguments))])
        try:
            await self.caller.execute(call, cleared)
        except BaseException:
            self._conversation.abandon()
            raise
        told = fallback_reply(self.caller.seen, self._conversation.observed, language=self._terms.language)
        self._conversation.reply(told)
        return told

    async def _still_true(self, pending: Pending) -> Any:
        """Return the tool, where the call would still do exactly what the card says; else None."""
        request = pending.request
        tool = next((each for each in self._bridge.tools if each.name == request.tool), None)
        if tool is None or hash_of(tool) != pending.tool_hash or digest_of(request) != request.digest:
            return None
        if request.asked_by != asked_by(self._bridge):
            return None  # a tool of another server, however alike
        rule = self._terms.policy.decide(tool, request.arguments)
        if rule and (rule.decision == "deny" or (rule.decision == "staff" and request.audience != "staff")):
            return None
        try:
            validate(request.arguments, inline(tool.input_schema))
        except BadCall:
            return None
        preview = await preview_of(self._bridge, tool, request.arguments)
        if preview is None:  # where the card told of a dry run, nobody can say any more that it still holds
            return tool if request.effect == described(tool) else None
        effect = said_in(preview, pending.language) or described(tool)
        return tool if not preview.is_error and effect == request.effect else None

    async def _closed(self, request: ApprovalRequest, outcome: Verdict, told: str) -> str:
        """Tell of a question that is closed without being asked again, to the model too."""
        await self._report(ApprovalAnswered(request, None, outcome))
        self._conversation.remark(_NOT_ANSWERED, told)
        return told


async def supersede(conversation: Conversation, report: Report, terms: Terms) -> None:
    """Close the questions that were offered again, when the customer writes something else instead."""
    while conversation.offered:
        request = conversation.offered.pop(0).request
        if await terms.approvals.settle(request.digest, "superseded"):
            await report(ApprovalAnswered(request, None, "superseded"))
            told = phrase("approval_superseded", terms.language, title=request.title)
            conversation.remark(_NOT_ANSWERED, told)
