"""The workshop as one object: its agents, its memory, its model, and the chain that it runs.

Knows:    how the parts are put together.
Does not: read a command line or print.   (__main__.py, talking.py)

    async with opened(load(WorkshopSettings), chat) as workshop:
        account = await workshop.run_pipeline("write a function add(a, b); add(2, 3) == 5")
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from llm import Completion, Reply
from workshop.account import HEADLINES, STANDS, Account
from workshop.chain import AGENTS
from workshop.errors import AgentFailed
from workshop.events import OnEvent, unheard
from workshop.intent import Intent, wants_build
from workshop.listing import Listed, listed
from workshop.means import Bench, Counted
from workshop.memory import Memory
from workshop.messages import Remembered
from workshop.options import Options
from workshop.orchestrator import Orchestrator
from workshop.pipeline import Confirm, Pipeline, agreed
from workshop.records import Records
from workshop.sandbox import Sandbox
from workshop.settings import WorkshopSettings


class Model(Protocol):
    """What the workshop needs of a model; llm.open_model() gives one."""

    @property
    def name(self) -> str:
        """Return what a person calls it."""
        ...

    @property
    def context(self) -> int:
        """Return its window, in tokens."""
        ...

    async def complete(self, asked: Completion) -> Reply:
        """Return the text that it writes."""
        ...

    async def models(self) -> frozenset[str]:
        """Return the names of the models there are."""
        ...


OnStderr = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class Said:
    """What came of something that a person said: words of the analyst, or an intent to build."""

    text: str = ""
    intent: Intent | None = None


class Workshop:
    """The public face of this room. Everything an agent does stands behind these calls."""

    def __init__(self, bench: Bench, model: Model, options: Options, commands: dict[str, list[str]]) -> None:
        self._bench = bench
        self._model = model
        self._options = options
        self._commands = commands

    @property
    def model_name(self) -> str:
        """Return what a person calls the model."""
        return self._model.name

    @property
    def projects(self) -> Path:
        """Return the folder of the projects."""
        return self._bench.projects

    async def start_agent(self, name: str, command: Sequence[str] | None = None) -> None:
        """Start an agent; without a command, the one that the chain has for this name.

        Raises: NotStarted.
        """
        await self._bench.orchestrator.start_agent(name, list(command or self._commands[name]))

    async def stop_agent(self, name: str) -> None:
        """End an agent: a word first, then a signal, then the end."""
        await self._bench.orchestrator.stop_agent(name)

    async def stop_all_agents(self) -> None:
        """End every agent."""
        await self._bench.orchestrator.stop_all_agents()

    def remember(self, key: str, value: Any) -> None:
        """Keep a value that JSON can hold."""
        self._bench.memory.remember(key, value)

    def recall(self, key: str, default: Any = None) -> Any:
        """Return a kept value."""
        return self._bench.memory.recall(key, default)

    def append_history(self, role: str, content: str) -> None:
        """Add a line to the dialogue; role is user or assistant."""
        self._bench.memory.append(role, content)

    async def query_model(self, prompt: str, *, max_tokens: int = 1024) -> str:
        """Return what the model says to a prompt, with nothing around it.

        Raises: llm.ModelError.
        """
        asked = Completion([{"role": "user", "content": prompt}], max_tokens=max_tokens)
        return (await self._bench.model(asked)).content or ""

    async def list_models(self) -> frozenset[str]:
        """Return the names of the models at the endpoint.

        Raises: llm.ModelError.
        """
        return await self._model.models()

    async def handle_input(self, text: str) -> Said:
        """Answer what a person said; what asks for something to be built is returned as such.

        Raises: AgentFailed.
        """
        intent = wants_build(text)
        if intent.build:
            return Said(intent=intent)
        try:
            return Said(await self._answer(text, self._options.history_chars))
        except AgentFailed as error:
            if error.code != "context_too_long":
                raise
            # Some scripts take a token for every character: better without what was said than not at all.
            return Said(await self._answer(text, 0))

    async def _answer(self, text: str, chars: int) -> str:
        answer = await self._bench.orchestrator.say(
            "analyst", text, self._options.base_s, chars=chars, facts=self._facts()
        )
        # A small model repeats what an account looks like; only a run gives one.
        return NOTHING_BUILT if any(each in answer.text for each in HEADLINES.values()) else answer.text

    async def run_pipeline(
        self,
        sentence: str,
        *,
        confirm: Confirm = agreed,
        on_event: OnEvent = unheard,
        after_talk: bool = False,
    ) -> Account:
        """Run the chain on a sentence, and return the account of it.

        after_talk: what was said before is in view.
        """
        chars = self._options.history_chars // 2 if after_talk else 0
        history: tuple[Remembered, ...] = self._bench.memory.newest(chars)
        account = await Pipeline(self._bench, self._options, on_event).run(sentence, confirm, history)
        self._noted(sentence, account)
        return account

    async def resume(self, name: str, *, on_event: OnEvent = unheard) -> Account:
        """Go on with a run that was interrupted.

        Raises: MemoryUnusable when there is none of this name.
        """
        return await Pipeline(self._bench, self._options, on_event).resume(name)

    def listed(self) -> list[Listed]:
        """Return the projects, and how each stands."""
        return listed(self._bench.memory, self.projects)

    def _facts(self) -> dict[str, Any]:
        last = self.recall("last_account")
        return {"the last program": last} if last else {}

    def _noted(self, sentence: str, account: Account) -> None:
        """Let the analyst know of the run when the talk goes on."""
        stands = STANDS[account.outcome]
        told = f"{account.name or 'nothing'}: {stands}, for the words {sentence[:300]!r}"
        self.remember("last_account", told)


@asynccontextmanager
async def opened(
    settings: WorkshopSettings,
    model: Model,
    sandbox: Sandbox | None,
    *,
    on_stderr: OnStderr,
    options: Options | None = None,
) -> AsyncGenerator[Workshop]:
    """Give a workshop with its three agents running, and end them afterwards.

    sandbox: None has programs written and nothing run.
    Raises: MemoryUnusable, NotStarted.
    """
    memory = Memory(settings.folder / "memory.db")
    try:
        counted = Counted(model.complete)
        async with Orchestrator(counted, memory, on_stderr=on_stderr) as orchestrator:
            records = Records(settings.folder / "logs")
            bench = Bench(orchestrator, counted, memory, sandbox, settings.folder / "projects", records)
            workshop = Workshop(bench, model, options or options_of(settings, model.context), AGENTS)
            for name in AGENTS:
                await workshop.start_agent(name)
            yield workshop
    finally:
        memory.close()


NOTHING_BUILT = (
    "Nothing was built just now. To have something built, say what: write a function …, with an example."
)

ANSWER_TOKENS = 1_500
"""What a question itself and its answer take of the window, the longest being a specification."""

CHARS_A_TOKEN = 2.3
"""Rather too few than too many: English has four."""


def options_of(settings: WorkshopSettings, context: int) -> Options:
    """Return the options that the settings name. context: the model's window, in tokens."""
    return Options(
        fixes=settings.workshop_fixes,
        base_s=settings.workshop_base_s,
        file_s=settings.workshop_file_s,
        history_chars=max(0, round((context - ANSWER_TOKENS) * CHARS_A_TOKEN)),
    )
