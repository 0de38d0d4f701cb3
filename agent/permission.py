"""Gate 6 in a turn: one exact call, one question, one answer, used once.

Knows:    the order: the shop's rules, the server's dry run, an earlier yes to all, a person; and that a
          question is kept before it is asked and closed whatever happens.
Does not: hold the rule of any of them (guards/), execute the call (calls.py), know where questions are kept.
"""

import json
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import anyio

from agent import refusals
from agent.conversation import Conversation
from agent.refusals import Refusal
from agent.said import said_in
from agent.settings import agent_settings
from bridge.vetting import fingerprint
from common.approval import (
    BY_GRANT,
    BY_POLICY,
    Approval,
    ApprovalRequest,
    Approver,
    Audience,
    Verdict,
    canonical,
)
from common.events import ApprovalAnswered, ApprovalAsked, Event
from common.pending import Approvals, Pending
from common.phrases import phrase
from common.schema import Schema, inline
from guards.approval import Question, judge, request_for
from guards.behind import Described
from guards.call import BadCall, repair, validate
from guards.grants import Grant, grant_for
from guards.grounding import ground
from guards.policy import Policy, Rule
from guards.servers import mismatch
from journal.errors import JournalFailed

MAX_CHANGES = 5
"""Changes that a person may make to one call before it counts as declined."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Cleared:
    """A call that passed every gate.

    arguments: the text of exactly what was shown and will run. digest: of the approval under which it runs;
    empty where none was needed. function: that the tool is to call, where it calls one by name.
    """

    tool: Any
    arguments: str
    digest: str = ""
    function: Described | None = None


@dataclass(frozen=True)
class Terms:
    """On which terms a session asks. ttl_s: for how many seconds an answer counts."""

    approvals: Approvals
    policy: Policy
    ttl_s: float
    language: str = "en"


class Permission:
    """Asks for one turn."""

    def __init__(
        self,
        bridge: Any,
        approver: Approver,
        conversation: Conversation,
        report: Callable[[Event], Awaitable[None]],
        terms: Terms,
    ) -> None:
        self._bridge = bridge
        self._approver = approver
        self._conversation = conversation
        self._report = report
        self._terms = terms
        self._declined: set[str] = set()

    async def permit(
        self, tool: Any, arguments: dict[str, Any], rule: Rule | None, warnings: Sequence[str] = ()
    ) -> Refusal | Cleared:
        """Return the call as it may run, or why it may not.

        rule: of the shop, for this call. warnings: what is odd about the tool.
        """
        if refused := await self._not_asked(tool, rule):
            return refused
        decision = rule.decision if rule else "ask"
        effect = await self._effect(tool, arguments)
        if isinstance(effect, Refusal):
            return effect
        asked = Question(effect, asked_by(self._bridge), warnings=tuple(warnings))
        if rule and decision == "staff":
            return await self._ask_staff(tool, arguments, asked, rule.say)
        if decision == "allow":
            return await self._unasked(tool, arguments, asked, BY_POLICY)
        wanted = None if warnings or rule else self._grant(tool, arguments)
        if wanted and self._conversation.grants.covering(wanted):
            return await self._unasked(tool, arguments, asked, f"{BY_GRANT}: {wanted.words}")
        return await self._ask_until_settled(tool, arguments, asked, may_always=wanted is not None)

    async def _not_asked(self, tool: Any, rule: Rule | None) -> Refusal | None:
        """Return why nobody is asked about a call, and it is not tried, either."""
        language = self._terms.language
        if tool.name in self._declined:
            return refusals.already_declined(language=language)
        if rule and rule.decision == "deny":
            return refusals.denied(rule.say, language=language)
        if await self._terms.approvals.count(time.time()) >= agent_settings().open_approvals:
            return refusals.too_many_open(language=language)
        return None

    async def ask(self, request: ApprovalRequest, tool: Any) -> tuple[Verdict, Approval | None]:
        """Ask a person about one request, and use a yes: "approved" comes back once for each request."""
        await self._keep(request, tool)
        try:
            await self._report(ApprovalAsked(request))
        except BaseException:
            await self._cancelled(request, used=False)
            raise
        return await self.answer(request, tool)

    async def answer(self, request: ApprovalRequest, tool: Any) -> tuple[Verdict, Approval | None]:
        """Let a question that was kept be answered, and close it. tool: as it was shown."""
        used = False
        try:
            approval, late = await self._answered(request)
            verdict = "expired" if late else judge(request, approval, time.time())
            if verdict == "approved" and tool not in self._bridge.tools:
                verdict = "void"  # the server has changed it while the person was thinking
            verdict = await self._used(request, verdict)
            used = verdict == "approved"
            kept = approval if isinstance(approval, Approval) else None
            # What was filled into a server's form is for that server alone.
            told = replace(kept, content=None) if kept else None
            await self._report(ApprovalAnswered(request, told, verdict))
        except BaseException:
            await self._cancelled(request, used=used)
            raise
        return verdict, kept

    async def withdraw(self, digest: str) -> None:
        """Close a question whose yes was used when its call never left."""
        if digest:
            with anyio.CancelScope(shield=True):
                try:
                    await self._terms.approvals.finish(digest, "cancelled")
                except JournalFailed:  # what stopped the turn must not be hidden by it
                    log.exception("a question whose call never left could not be closed")

    async def _keep(self, request: ApprovalRequest, tool: Any) -> None:
        pending = Pending(request, hash_of(tool), self._terms.language, asked_at=time.time())
        await self._terms.approvals.ask(pending)

    async def _cancelled(self, request: ApprovalRequest, *, used: bool) -> None:
        """Close a question over which the turn was stopped; what waits for the staff goes on waiting."""
        if used:
            return await self.withdraw(request.digest)
        if self._may_wait(request):
            return
        with anyio.CancelScope(shield=True):
            try:
                await self._terms.approvals.settle(request.digest, "cancelled")
                await self._report(ApprovalAnswered(request, None, "cancelled"))
            except JournalFailed:  # what stopped the turn must not be hidden by it
                log.exception("an open question could not be closed", extra={"tool": request.tool})

    def _may_wait(self, request: ApprovalRequest) -> bool:
        return request.audience == "staff" and self._terms.approvals.durable

    async def _answered(self, request: ApprovalRequest) -> tuple[Approval | None, bool]:
        """Return whatever the approver answers, and whether it took too long."""
        if request.audience == "staff" and audience_of(self._approver) != "staff":
            return None, False
        with anyio.move_on_after(max(request.expires_at - time.time(), 0)) as limit:
            try:
                return await self._approver(request), False
            except Exception:  # the approver is the caller's code; whatever goes wrong in it is not a yes
                log.exception("approver failed", extra={"tool": request.tool})
        return None, limit.cancelled_caught

    async def _used(self, request: ApprovalRequest, verdict: Verdict) -> Verdict:
        """Close the question; a yes is used here, before anything runs, and by one caller alone."""
        if verdict == "approved":
            return verdict if await self._terms.approvals.redeem(request.digest, time.time()) else "used"
        if verdict == "not_possible" and self._may_wait(request):
            return "waiting"
        if verdict == "expired" and self._may_wait(request):
            return verdict  # left as it is: the next chat of whoever asked is to tell it
        closed = await self._terms.approvals.settle(request.digest, verdict)
        return verdict if closed or verdict == "expired" else "used"

    async def _ask_until_settled(
        self, tool: Any, arguments: dict[str, Any], asked: Question, *, may_always: bool
    ) -> Refusal | Cleared:
        verdict: Verdict = "declined"
        approval: Approval | None = None
        for _ in range(MAX_CHANGES + 1):
            wanted = self._grant(tool, arguments) if may_always else None
            asked = replace(asked, always=wanted.words if wanted else "")
            request = request_for(tool, arguments, asked, time.time(), self._terms.ttl_s)
            verdict, approval = await self.ask(request, tool)
            if verdict == "approved":
                if wanted and approval and approval.always is True:
                    self._conversation.grants.give(wanted)
                return Cleared(tool, canonical(request.arguments), request.digest)
            if verdict != "changed" or approval is None or approval.changed is None:
                break
            changed = await self._changed(tool, approval.changed)
            if isinstance(changed, str):
                asked = replace(asked, notice=changed)
            else:
                arguments, asked = changed[0], replace(asked, effect=changed[1], notice="")
        if verdict in ("declined", "changed"):
            self._declined.add(tool.name)
        return refusals.not_permitted(verdict, note=_note(approval), language=self._terms.language)

    async def _ask_staff(
        self, tool: Any, arguments: dict[str, Any], asked: Question, say: str
    ) -> Refusal | Cleared:
        """Ask whoever is of the staff: here, or in a chat of theirs while the question is open."""
        asked = replace(asked, audience="staff")
        request = request_for(tool, arguments, asked, time.time(), self._terms.ttl_s)
        verdict, approval = await self.ask(request, tool)
        if verdict == "approved":
            return Cleared(tool, canonical(request.arguments), request.digest)
        self._declined.add(tool.name)
        return refusals.not_permitted(verdict, note=_note(approval), say=say, language=self._terms.language)

    async def _unasked(
        self, tool: Any, arguments: dict[str, Any], asked: Question, by: str
    ) -> Refusal | Cleared:
        """Use the yes that somebody gave before."""
        request = request_for(tool, arguments, asked, time.time(), self._terms.ttl_s)
        await self._keep(request, tool)
        verdict = await self._used(request, "approved")
        try:
            await self._report(ApprovalAnswered(request, Approval(request.digest, True, by), verdict))
        except BaseException:
            await self.withdraw(request.digest)
            raise
        if verdict != "approved":
            return refusals.not_permitted(verdict, language=self._terms.language)
        return Cleared(tool, canonical(request.arguments), request.digest)

    def _grant(self, tool: Any, arguments: dict[str, Any]) -> Grant | None:
        return grant_for(
            tool, arguments, inline(tool.input_schema), server=label_of(self._bridge), tool_hash=hash_of(tool)
        )

    async def _effect(self, tool: Any, arguments: dict[str, Any]) -> str | Refusal:
        """Return what the call would do, in the server's words where it offers a dry run; or its refusal."""
        preview = await preview_of(self._bridge, tool, arguments)
        if preview is None:
            return described(tool)
        if preview.is_error:
            refusal = refusals.from_server("precondition", preview, self._terms.language)
            self._conversation.observed.see({}, refusal.message)  # what the server says may be told
            if refusal.code == "invalid_arguments":  # of use to a model alone
                return replace(refusal, said=phrase("incomplete", self._terms.language))
            return refusal
        return said_in(preview, self._terms.language) or described(tool)

    async def _changed(self, tool: Any, wanted: dict[str, Any]) -> tuple[dict[str, Any], str] | str:
        """Return a person's arguments and what they would do, or why a gate does not take them."""
        schema: Schema = inline(tool.input_schema)
        evidence = self._conversation.evidence
        changed, problems = ground(repair(wanted, schema), schema, evidence)
        for named in problems:  # the call as it was held no such id, so this person has written it
            evidence.set_by_person(named.kind, named.value, named.path)
        if problems:
            changed, problems = ground(changed, schema, evidence)
        if problems:
            return refusals.ungrounded(problems, language=self._terms.language).message
        try:
            validate(changed, schema)
        except BadCall as problem:
            return str(problem)
        rule = self._terms.policy.decide(tool, changed)
        if rule and rule.decision in ("deny", "staff"):
            return rule.say or phrase("policy_denies", self._terms.language)
        effect = await self._effect(tool, changed)
        return effect.message if isinstance(effect, Refusal) else (changed, effect)


async def preview_of(bridge: Any, tool: Any, arguments: dict[str, Any]) -> Any:
    """Return the server's answer to a dry run; None where it offers none.

    A tool whose hints its name denies is sent nothing before a person agrees.
    """
    offers = getattr(bridge, "preview", None)
    if offers is None or mismatch(tool):
        return None
    return await offers(tool.name, json.loads(canonical(arguments)))


def described(tool: Any) -> str:
    """Return the effect as far as the tool's own description tells it, where no dry run is offered."""
    lines = (tool.description or "Changes something on the server.").strip().splitlines()
    return f"{tool.title or tool.name}: {lines[0] if lines else 'changes something on the server'}"


def hash_of(tool: Any) -> str:
    """Return the hash of all that a tool says of itself."""
    return fingerprint(tool)


def label_of(bridge: Any) -> str:
    """Return the server's name as a person knows it, without anything secret."""
    return str(getattr(bridge, "label", "") or "the server")


def asked_by(bridge: Any) -> str:
    """Return who asks about a call, and at which server it is made."""
    return f"the assistant of this chat, at {label_of(bridge)}"


def audience_of(approver: Approver) -> Audience:
    """Return who sits at this end: a member of the staff where the approver says so."""
    return "staff" if getattr(approver, "staff", False) is True else "person"


def _note(approval: Approval | None) -> str | None:
    return approval.note if approval else None
