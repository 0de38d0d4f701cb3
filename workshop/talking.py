"""The talk with the analyst: an ordinary conversation, until a person asks for something to be built.

Knows:    the commands of the talk, and that nothing is built before the person agreed to a specification.
Does not: recognise the intent, or build.   (intent.py, workshop.py)
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from common.text import visible
from workshop.account import Account
from workshop.errors import WorkshopError
from workshop.screen import Screen
from workshop.specification import Specification
from workshop.workshop import Workshop

ENDS = frozenset({"exit", "quit", "выход", "/exit", "/quit"})

GREETING = (
    "I write and test small Python programs on this machine. Say what you need, best with an example:\n"
    "  write a function add(a, b) that adds two numbers; add(2, 3) == 5\n"
    "/help lists the commands; exit ends."
)
HELP = (
    "/build SENTENCE   build it, whatever the words\n"
    "/list             the projects, and how each stands\n"
    "/resume NAME      go on with a run that was interrupted\n"
    "/model            which model answers\n"
    "exit              end"
)


@dataclass(frozen=True)
class Manner:
    """How a talk goes. unattended: nobody is asked before a build."""

    unattended: bool = False


class Talk:
    """One conversation. last: the account of the newest build, None before the first."""

    def __init__(self, workshop: Workshop, screen: Screen, manner: Manner, contract: "ContractFn") -> None:
        self._workshop = workshop
        self._screen = screen
        self._manner = manner
        self._contract = contract
        self.last: Account | None = None

    async def go_on(self) -> None:
        """Read and answer until the person ends it."""
        self._screen.put([f"{GREETING}\nModel: {self._workshop.model_name}\n"])
        while (line := await self._screen.line("You: ")) is not None:
            text = line.strip()
            if text.casefold() in ENDS:
                break
            if text:
                await self.answer(text)

    async def answer(self, text: str) -> None:
        """Do what one line asks for; what fails is told, and the talk goes on."""
        try:
            await (self._command(text) if text.startswith("/") else self._said(text))
        except WorkshopError as error:
            self._screen.put([visible(str(error))])

    async def _said(self, text: str) -> None:
        said = await self._workshop.handle_input(text)
        if said.intent is None:
            self._screen.put([*(visible(line) for line in said.text.splitlines()), ""])
            return
        self._screen.put([f"You ask for something to be built ({visible(said.intent.words)!r})."])
        await (self._contract(text) if said.intent.kind == "contract" else self.build(text))

    async def build(self, sentence: str) -> Account:
        """Run the chain on a sentence."""
        self._screen.begin()
        self.last = await self._workshop.run_pipeline(
            sentence, confirm=self.confirm, on_event=self._screen.on_event
        )
        return self.last

    async def confirm(self, spec: Specification) -> bool:
        """Ask whether this is to be built."""
        return self._manner.unattended or await self._screen.ask("Build this?")

    async def _command(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        if word == "/build" and rest:
            await self.build(rest)
        elif word == "/resume" and rest:
            self._screen.begin()
            self.last = await self._workshop.resume(rest, on_event=self._screen.on_event)
        elif word == "/list":
            self._screen.put(listed(self._workshop))
        elif word == "/model":
            self._screen.put([self._workshop.model_name])
        else:
            self._screen.put([HELP])


ContractFn = Callable[[str], Awaitable[None]]


def listed(workshop: Workshop) -> list[str]:
    """Return a line for each run."""
    lines = [f"{run.name}: {run.stage}, {visible(run.sentence[:80])}" for run in workshop.runs()]
    return lines or ["There is no project yet."]
