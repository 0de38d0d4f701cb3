"""The talk with the analyst: an ordinary conversation, until a person asks for something to be built.

Knows:    the commands of the talk, and that nothing is built before the person agreed to a specification.
Does not: recognise the intent, or build.   (intent.py, workshop.py)
"""

from collections.abc import Awaitable, Callable

from common.text import visible
from workshop.account import Outcome
from workshop.errors import WorkshopError
from workshop.intent import wants_build
from workshop.screen import Screen
from workshop.specification import Specification
from workshop.words import of_specification
from workshop.workshop import Workshop

BARE = frozenset({"build", "help", "list", "model", "resume"})
"""Commands that are one also without a slash, when they stand alone."""

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


Contract = Callable[[str], Awaitable[bool]]
"""Makes a contract for this house out of a sentence, and says whether it is done."""


class Talk:
    """One conversation. unattended: nobody is asked before a build."""

    def __init__(self, workshop: Workshop, screen: Screen, contract: Contract, *, unattended: bool) -> None:
        self._workshop = workshop
        self._screen = screen
        self._contract = contract
        self._unattended = unattended

    async def go_on(self) -> None:
        """Read and answer until the person ends it; what fails is told, and the talk goes on."""
        self._screen.put([f"{GREETING}\nModel: {self._workshop.model_name}\n"])
        while (line := await self._screen.line("You: ")) is not None:
            text = line.strip()
            if text.casefold() in ENDS:
                break
            try:
                if await self._screen.interrupted(lambda text=text: self._answer(text)):
                    self._screen.put([self._screen.stopped("/resume {}")])
            except WorkshopError as error:
                self._screen.put([visible(str(error))])

    async def _answer(self, text: str) -> None:
        """Do what one line asks for."""
        if text.startswith("/") or text.casefold() in BARE or text.casefold().startswith("resume "):
            await self._command(text if text.startswith("/") else f"/{text}")
        elif text:
            said = await self._workshop.handle_input(text)
            if said.intent is not None:
                self._screen.put([f"You ask for something to be built ({visible(said.intent.words)!r})."])
                await self.make(text, after_talk=True)
            else:
                # Indented, so that no line of a model's looks like one of ours.
                self._screen.put([*(f"  {visible(line)}" for line in said.text.splitlines()), ""])

    async def make(self, sentence: str, *, after_talk: bool = False) -> Outcome:
        """Build what a sentence asks for: a contract where it says so, else a program.

        after_talk: with what was said before in view.
        """
        self._screen.begin()
        if wants_build(sentence).kind == "contract":
            if not self._unattended and not await self._screen.ask("Make this contract?"):
                return "declined"
            return "done" if await self._contract(sentence) else "not_done"
        account = await self._workshop.run_pipeline(
            sentence, confirm=self._confirm, on_event=self._screen.on_event, after_talk=after_talk
        )
        return account.outcome

    async def resume(self, name: str) -> Outcome:
        """Go on with a run.

        Raises: MemoryUnusable.
        """
        self._screen.begin()
        return (await self._workshop.resume(name, on_event=self._screen.on_event)).outcome

    async def _confirm(self, spec: Specification) -> bool:
        if self._unattended:
            return True
        if self._screen.quiet:
            self._screen.put(of_specification(spec))
        return await self._screen.ask("Build this?")

    async def _command(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        if word == "/build" and rest:
            await self.make(rest, after_talk=True)
        elif word == "/resume" and rest:
            await self.resume(rest)
        elif word == "/list":
            lines = [each.line for each in self._workshop.listed()]
            self._screen.put(lines or ["There is no project yet."])
        elif word == "/model":
            self._screen.put([self._workshop.model_name])
        else:
            known = word in ("/help", "/build", "/resume")
            self._screen.put([] if known else [f"There is no command {visible(word)}."])
            self._screen.put([HELP])
