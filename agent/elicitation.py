"""What a server asks in the middle of a call, put to the person of this chat.

Knows:    how a question and its form become a request for approval, and what each answer comes to.
Does not: carry questions (bridge/elicitation.py), know what a form may hold (guards/form.py), or draw one
          (the approver).
Rule:     an answer goes to the server alone: no event, no message to the model and no log holds what was
          filled in, and it is evidence for nothing. A yes agrees to what the server asks, never to a call.
          A question ends with its call: it is kept in memory only, and no later chat is offered it.
"""

import logging
import time
import uuid
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from agent.permission import MAX_CHANGES, Permission, Terms, label_of
from agent.refusals import quoted
from agent.said import SAID, said_in
from bridge import ServerAnswer, ServerQuestion, ToolResult
from common.approval import Approval, ApprovalRequest, Verdict
from common.pending import ApprovalsInMemory
from common.phrases import phrase
from common.schema import Schema
from common.text import unsafe_characters
from guards.approval import sealed
from guards.call import BadCall
from guards.form import BadForm, agreed, filled, form_of, host_of, message_of, words

log = logging.getLogger(__name__)

MAX_QUESTIONS = 5
"""Questions of one call that are put to a person; the rest of them are answered with no."""

_ENDS = {
    "declined": "question_declined",
    "changed": "question_declined",
    "not_possible": "question_not_possible",
}


def on_terms(terms: Terms) -> Terms:
    """Return the terms on which a server's question is asked: as any, but kept for this process alone."""
    return replace(terms, approvals=ApprovalsInMemory())


class Elicitation:
    """One call, with whatever its server asks until it comes back.

    waited_s: seconds of it that went by while a person was asked.
    """

    def __init__(self, bridge: Any, tool: Any, permission: Permission, terms: Terms) -> None:
        self.waited_s = 0.0
        self._bridge = bridge
        self._tool = tool
        self._permission = permission
        self._terms = terms
        self._asked = 0
        self._told: list[str] = []

    async def call(self, arguments: dict[str, Any]) -> ToolResult:
        """Make the call; where a question of the server's was not answered with yes, the result says why."""
        asking = getattr(self._bridge, "asking", None)
        async with asking(self._answer) if asking else nullcontext():
            result = await self._bridge.call(self._tool.name, arguments)
        return self._explained(result)

    async def _answer(self, question: ServerQuestion) -> ServerAnswer:
        self._asked += 1
        if self._asked > MAX_QUESTIONS:
            return self._turned_away("question_too_many", limit=MAX_QUESTIONS)
        if question.url:
            self._notice(self._say("question_host", host=host_of(question.url)))
            self._tell(self._say("question_link"))  # the model is told of no host
            return ServerAnswer("decline")
        try:
            message, form = message_of(question.message), form_of(question.schema)
        except BadForm as problem:
            log.warning("a server's question cannot be shown", extra={"problem": str(problem)})
            return self._turned_away("question_unfit")
        began = time.perf_counter()
        try:
            return await self._ask(self._request(question, message, form))
        finally:
            self.waited_s += time.perf_counter() - began

    async def _ask(self, asked: ApprovalRequest) -> ServerAnswer:
        """Ask until the form is filled in as it must be, or not at all."""
        for _ in range(MAX_CHANGES + 1):
            request = self._fresh(asked)
            verdict, approval = await self._permission.ask(request, self._tool)
            if verdict != "approved" or approval is None:
                return self._no(verdict, approval)
            if approval.content is None:
                content = agreed(request.form)
                if content is None:
                    break
                return ServerAnswer("accept", content)
            try:
                return ServerAnswer("accept", filled(request.form, approval.content))
            except BadCall as problem:
                asked = replace(asked, notice=str(problem))
        self._tell(self._say("question_unfilled"))
        return ServerAnswer("decline")

    def _request(self, question: ServerQuestion, message: str, form: Schema) -> ApprovalRequest:
        title = words(self._tool.title or self._tool.name)
        warnings = [self._say("question_warning")]
        if hidden := unsafe_characters(" ".join(question.message.split())):
            warnings.append(self._say("question_hidden", characters=", ".join(hidden[:10])))
        return ApprovalRequest(
            id="",
            tool=self._tool.name,
            title=title,
            arguments={},  # no yes to this can be taken for one to the call
            effect=message,
            reversible=False,
            digest="",
            expires_at=0.0,
            asked_by=f"the server {words(label_of(self._bridge))}, during {title}",
            warnings=tuple(warnings),
            form=form,
        )

    def _fresh(self, asked: ApprovalRequest) -> ApprovalRequest:
        return sealed(replace(asked, id=uuid.uuid4().hex, expires_at=time.time() + self._terms.ttl_s))

    def _no(self, verdict: Verdict, approval: Approval | None) -> ServerAnswer:
        why = self._say(_ENDS.get(verdict, "question_expired"))
        if verdict == "declined" and approval and approval.note and approval.note.strip():
            why += f" {self._say('reason_given', note=quoted(approval.note))}"
        self._tell(why)
        return ServerAnswer("decline" if verdict in ("declined", "changed") else "cancel")

    def _turned_away(self, key: str, **values: object) -> ServerAnswer:
        """Say no without asking anybody; the person and the model are told why."""
        why = self._say(key, **values)
        self._notice(why)
        self._tell(why)
        return ServerAnswer("decline")

    def _tell(self, why: str) -> None:
        if why not in self._told:
            self._told.append(why)

    def _notice(self, text: str) -> None:
        notices = getattr(self._bridge, "notices", None)
        if notices is not None and text not in notices:
            notices.append(text)

    def _say(self, key: str, **values: object) -> str:
        return phrase(key, self._terms.language, **values)

    def _explained(self, result: ToolResult) -> ToolResult:
        """Return the result with what was answered before it, so that a no is not read as the server's."""
        if not self._told:
            return result
        why, said = " ".join(self._told), said_in(result, self._terms.language)
        data = result.data
        if result.is_error:
            told = said if said != result.text else str(data.get("message") or said)
            data = {**data, "message": f"{why} {told}"}
        text = why if said.lstrip().startswith(("{", "[")) else f"{why} {said}"
        meta = {key: value for key, value in result.meta.items() if key != SAID}
        return replace(result, data=data, text=text, meta=meta)
