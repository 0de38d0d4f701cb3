"""The orchestrator: runs agents, asks them, and asks the model for them.

Knows:    which agents there are, whose turn it is, when nobody waits any more.
Does not: write a file, run code, or read what an answer says.   (pipeline.py, judging.py)
Agreed:   one request at a time for each agent, in the order of asking. An agent that ended is started again
          at its next request; so is one that still works on a request which is over. What is dropped, and
          what agents write to stderr, is told to on_stderr.

    async with Orchestrator(model.complete, memory) as orchestrator:
        await orchestrator.start_agent("echo", [sys.executable, "-m", "workshop.agents.echo"])
        answer = await orchestrator.ask("echo", UserInput, 5, text="hello")
"""

import itertools
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any

import anyio
from anyio.abc import TaskGroup
from pydantic import ValidationError

from common.text import visible
from llm import CompleteFn, Completion, ModelError
from workshop.asking import CALLS_MOST, Asking, model_failed
from workshop.errors import AgentFailed, AgentLate, NotStarted
from workshop.lines import BadLine, line_of
from workshop.memory import Memory
from workshop.messages import (
    LINE_BYTES,
    AgentResponse,
    FileWritten,
    FromCore,
    ModelFailed,
    ModelReply,
    ModelRequest,
    Progress,
    Shutdown,
    UserInput,
)
from workshop.messages import AgentFailed as AnswerFailed
from workshop.notices import Notices
from workshop.place import Place, State

OnPart = Callable[[Progress | FileWritten], Awaitable[None]]
OnStderr = Callable[[str], Awaitable[None]]

_FAREWELL_S = 2.0


async def unheard(line: str) -> None:
    """Let nobody know."""


class Orchestrator:
    """An async context manager; at its end every agent is ended. now: the clock of the deadlines."""

    def __init__(
        self,
        complete: CompleteFn,
        memory: Memory,
        *,
        on_stderr: OnStderr = unheard,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._complete = complete
        self._memory = memory
        self._now = now
        self._notices = Notices(on_stderr)
        self._places: dict[str, Place] = {}
        self._ids = itertools.count(1)
        self._tasks: TaskGroup | None = None

    async def __aenter__(self) -> "Orchestrator":
        self._tasks = await anyio.create_task_group().__aenter__()
        self._tasks.start_soon(self._notices.tell)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        tasks = self._group()
        try:
            await self.stop_all_agents()
        finally:
            await self._notices.told()
            tasks.cancel_scope.cancel()
            # Without the exception: it goes on as it is, not as one of a group.
            await tasks.__aexit__(None, None, None)

    @property
    def agents(self) -> Mapping[str, State]:
        """Return each agent that was started and not stopped, and what it does."""
        return {name: place.state for name, place in self._places.items()}

    async def start_agent(self, name: str, command: Sequence[str]) -> None:
        """Start a program as an agent. A path in the command counts from the project's root.

        Raises: NotStarted when it cannot be started, or an agent is called so already.
        """
        self._group()
        if name in self._places:
            raise NotStarted(f"An agent {name!r} is there already. Stop it first, or take another name.")
        place = self._places[name] = Place(name, list(command), self._notices)
        try:
            await place.start()
        except BaseException:
            self._places.pop(name, None)
            raise

    async def stop_agent(self, name: str) -> None:
        """End an agent: a word, a signal, the end. A request that it has fails.

        Raises: NotStarted when there is none of this name.
        """
        place = self._place(name)
        del self._places[name]
        await place.close(Shutdown(id=self._next_id(), deadline=self._now() + _FAREWELL_S))

    async def stop_all_agents(self) -> None:
        """End every agent, all at once."""
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as ends:
                for name in self._places:
                    ends.start_soon(self.stop_agent, name)

    async def ask(
        self,
        name: str,
        kind: type[FromCore],
        seconds: float,
        *,
        on_part: OnPart | None = None,
        **fields: object,
    ) -> AgentResponse:
        """Ask an agent, and return its answer.

        kind and fields: a request of messages.py, without its id and deadline.
        seconds: for how long the answer is waited for, its turn included. on_part: called with what the agent
        says and hands over before it answers, in order.
        Raises: NotStarted; AgentLate; AgentGone; AgentFailed with the agent's code, or bad_request where the
        request cannot be sent, bad_answer where the answer cannot be read. What on_part and the model raise
        that is no ModelError goes through. Then the request is over: what still comes of it is dropped.
        """
        place = self._place(name)
        give_up = anyio.current_time() + seconds
        with anyio.move_on_at(give_up):
            async with place.turn:
                await place.ready(give_up)
                request = self._request(kind, give_up - anyio.current_time(), fields)
                return await self._answer(place, request, on_part)
        raise AgentLate(
            f"The agent {name!r} did not answer within {seconds:g} s. It goes on for now; what it still says "
            "of this is dropped. Ask again, or allow more time."
        )

    async def say(
        self, name: str, text: str, seconds: float, *, chars: int, facts: Mapping[str, Any] | None = None
    ) -> AgentResponse:
        """Have an agent answer what a person said, with the dialogue in view, and remember both.

        chars: how much of the dialogue. facts: what else the agent is told.
        Raises: as `ask`, and then nothing is remembered; MemoryUnusable.
        """
        history = self._memory.newest(chars)
        answer = await self.ask(name, UserInput, seconds, text=text, history=history, memory=facts or {})
        self._memory.append_all([("user", text), ("assistant", answer.text)])
        return answer

    async def _answer(self, place: Place, request: FromCore, on_part: OnPart | None) -> AgentResponse:
        asking = place.begin(request)
        try:
            async for said in asking.coming:
                match said:
                    case AgentResponse():
                        return said
                    case AnswerFailed():
                        raise AgentFailed(visible(said.message), said.code)
                    case ModelRequest():
                        self._call(place, asking, said)
                    case BadLine():
                        raise AgentFailed(
                            f"The agent {place.name!r} gave an answer that cannot be read: {said}",
                            "bad_answer",
                        )
                    case Exception():
                        raise said
                    case _ if on_part is not None:
                        await on_part(said)
                    case _:
                        pass
                place.taken(asking)
        finally:
            place.end()
        raise AssertionError("a request's stream is closed by its own end alone")

    def _call(self, place: Place, asking: Asking, asked: ModelRequest) -> None:
        """Begin to ask the model, or say why not."""
        if asked.call in asking.calls:
            place.drop(f"a second model_request {asked.call!r} while the first is open")
        elif len(asking.calls) >= CALLS_MOST:
            why = f"More than {CALLS_MOST} questions to the model at once. Wait for an answer first."
            place.send(model_failed(asked.id, asked.call, "too_many_calls", why))
        else:
            scope = asking.calls[asked.call] = anyio.CancelScope()
            self._group().start_soon(self._ask_model, place, asking, asked, scope)

    async def _ask_model(
        self, place: Place, asking: Asking, asked: ModelRequest, scope: anyio.CancelScope
    ) -> None:
        with scope:
            answer = await self._model_answer(asking, asked)
            if asking.calls.pop(asked.call, None) is not None:
                place.send(answer)

    async def _model_answer(self, asking: Asking, asked: ModelRequest) -> FromCore:
        deadline = asking.request.deadline
        try:
            reply = await self._complete(
                Completion(
                    [{"role": each.role, "content": each.content} for each in asked.messages],
                    schema=asked.answer_schema,
                    max_tokens=asked.max_tokens,
                    temperature=asked.temperature,
                    seed=asked.seed,
                )
            )
            return ModelReply(id=asked.id, deadline=deadline, call=asked.call, text=reply.content or "")
        except ModelError as error:
            return ModelFailed(
                id=asked.id, deadline=deadline, call=asked.call, code=error.code, message=str(error)
            )
        except Exception as error:  # noqa: BLE001  the top of a task: it goes to the one who asked, not to all
            asking.put(error)
            return model_failed(asked.id, asked.call, "broke", "The question to the model broke.")

    def _request(self, kind: type[FromCore], seconds: float, fields: Mapping[str, Any]) -> FromCore:
        try:
            request = kind(id=self._next_id(), deadline=self._now() + seconds, **fields)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise AgentFailed(
                f"The request cannot be sent: {where}: {first['msg']}.", "bad_request"
            ) from None
        if (size := len(line_of(request))) > LINE_BYTES:
            raise AgentFailed(
                f"The request cannot be sent: it has {size} bytes, and a line holds {LINE_BYTES}. Send less.",
                "bad_request",
            )
        return request

    def _place(self, name: str) -> Place:
        if name not in self._places:
            known = ", ".join(sorted(self._places)) or "none"
            raise NotStarted(f"There is no agent {name!r}. Running: {known}. Start it first.")
        return self._places[name]

    def _next_id(self) -> str:
        # Nobody can answer a request that it has not been sent.
        return f"{next(self._ids)}-{secrets.token_hex(4)}"

    def _group(self) -> TaskGroup:
        if self._tasks is None:
            raise NotStarted("The orchestrator is not open: use it in `async with`.")
        return self._tasks
