"""A server's question in the middle of a call: to whom it goes, and that the clock stands still meanwhile.

Knows:    the SDK's callback, which runs in a task of nobody's turn, and how an answer gets there.
Does not: show a question, or know what a good answer is.   (agent/elicitation.py)
Rule:     a question belongs to the one call that is under way, and goes to whoever that call's caller named.
          No such call, no such person, several calls, a dry run: each is a no. One question at a time.
Source:   MCP 2026-07-28, where a call returns with a question and is sent again with the answer; MCP
          2025-11-25, elicitation/create, where the server sends a request of its own. The SDK's client makes
          the same callback of both.
"""

import contextvars
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal

import anyio
from anyio.abc import TaskGroup
from mcp_types import ElicitRequestParams, ElicitRequestURLParams, ElicitResult
from pydantic import ValidationError

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ServerQuestion:
    """What a server asks, as it came.

    schema: of the form that it wants filled in. url: of the page that it wants opened instead; else empty.
    """

    message: str
    schema: dict[str, Any] = field(default_factory=dict[str, Any])
    url: str = ""


@dataclass(frozen=True)
class ServerAnswer:
    """What a server is answered. content: with accept, what was filled in."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


Answer = Callable[[ServerQuestion], Awaitable[ServerAnswer]]

MAX_WAITING = 8
"""Questions of one call that may wait for each other; each is a task until it is answered."""

_WITHDRAWN = ServerAnswer("cancel")

_NOBODY = "The server asked a question, and nobody can answer it here, so the answer was no."
_DRY = "The server asked a question in a dry run, in which nobody is asked, so the answer was no."
_WHICH = (
    "The server asked a question while several calls were under way; "
    "it cannot be told of which, so the answer was no."
)
_OUTSIDE = "The server asked a question outside of any call, so the answer was no."
_TOO_MANY = f"The server asked more than {MAX_WAITING} questions at once, so the answer to the rest was no."


class _Answering:
    """Has questions answered in tasks of whoever makes the call: when the call ends, its question ends."""

    def __init__(self, owner: "Questions", answer: Answer, group: TaskGroup) -> None:
        self.owner = owner
        self._answer = answer
        self._group = group
        self._context = contextvars.copy_context()  # that of the turn: what it logs and traces belongs there
        self._one_at_a_time = anyio.Lock()

    async def ask(self, question: ServerQuestion, call: "OpenCall") -> ServerAnswer:
        """Return the answer, from whatever task this is called in; "cancel" where the question was withdrawn.

        Where the task that asks is stopped, because the server took its question back, the person's is too.
        """
        answers: list[ServerAnswer] = []
        done, asked = anyio.Event(), anyio.CancelScope()

        async def find() -> None:
            try:
                with asked:
                    async with self._one_at_a_time:
                        with call.standing_still():
                            answers.append(await self._answer(question))
            finally:
                done.set()

        self._context.run(self._group.start_soon, find)
        try:
            await done.wait()
        finally:
            asked.cancel()
        return answers[0] if answers else _WITHDRAWN


_answering: ContextVar[_Answering | None] = ContextVar("answering", default=None)


@dataclass
class OpenCall:
    """A call under way. scope: what ends it when its time is up.

    waiting: questions that have no answer yet. turned_away: why others were answered with no before anybody
    could be asked, in sentences.
    """

    answering: _Answering | None
    dry: bool
    scope: anyio.CancelScope | None = None
    waiting: int = 0
    turned_away: list[str] = field(default_factory=list[str])

    @contextmanager
    def standing_still(self) -> Generator[None]:
        """Give the call back, at the end, the time that it had left at the beginning.

        Only while an answer is looked for: a server that asks without end, and is told no at once, gains no
        time by it.
        """
        scope = self.scope or anyio.CancelScope()
        left_s = scope.deadline - anyio.current_time()
        scope.deadline = float("inf")
        try:
            yield
        finally:
            scope.deadline = anyio.current_time() + left_s


class Questions:
    """The questions of one session's server."""

    def __init__(self) -> None:
        self._calls: list[OpenCall] = []
        self._logged: set[str] = set()

    @asynccontextmanager
    async def answered_by(self, answer: Answer) -> AsyncGenerator[None]:
        """Have what the server asks during the calls of this block answered.

        Raises: what answer raises, which ends the block's calls.
        """
        try:
            async with anyio.create_task_group() as group:
                token = _answering.set(_Answering(self, answer, group))
                try:
                    yield
                finally:
                    _answering.reset(token)
                    group.cancel_scope.cancel()
        except BaseExceptionGroup as failed:
            raise _first(failed) from None

    @contextmanager
    def during(self, *, dry: bool) -> Generator[OpenCall]:
        """Count a call as under way. dry: it only asks what it would do."""
        answering = _answering.get()
        call = OpenCall(answering if answering and answering.owner is self else None, dry)
        self._calls.append(call)
        try:
            yield call
        finally:
            self._calls.remove(call)

    async def __call__(self, context: object, params: ElicitRequestParams) -> ElicitResult:
        """Answer the SDK's client."""
        if len(self._calls) != 1:
            return self._turned_away(_WHICH if self._calls else _OUTSIDE)
        call = self._calls[0]
        if call.dry or call.answering is None:
            return self._turned_away(_DRY if call.dry else _NOBODY)
        if call.waiting >= MAX_WAITING:
            return self._turned_away(_TOO_MANY)
        call.waiting += 1
        try:
            return _result(await call.answering.ask(_question(params), call))
        finally:
            call.waiting -= 1

    def _turned_away(self, why: str) -> ElicitResult:
        if why not in self._logged:  # a server may ask without end
            self._logged.add(why)
            log.warning("a server's question was not put to anybody", extra={"why": why})
        for call in self._calls:
            if why not in call.turned_away:
                call.turned_away.append(why)
        return ElicitResult(action="decline")


def _question(params: ElicitRequestParams) -> ServerQuestion:
    if isinstance(params, ElicitRequestURLParams):
        return ServerQuestion(params.message, url=params.url or "about:blank")
    return ServerQuestion(params.message, params.requested_schema)


def _result(answer: ServerAnswer) -> ElicitResult:
    try:
        return ElicitResult.model_validate({"action": answer.action, "content": answer.content})
    except ValidationError:  # its text would hold what was filled in
        log.warning("an answer to a server's question is none", extra={"action": answer.action})
        return ElicitResult(action="cancel")


def _first(failed: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the error that ended a block, as whoever is inside it would have seen it."""
    first = failed.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first  # pyright: ignore[reportUnknownArgumentType]
