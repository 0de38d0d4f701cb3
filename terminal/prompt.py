"""The terminal's editor: messages and answers as they are typed.

Knows:    prompt-toolkit.
Does not: know what a message or a question means (session.py), or which key does what.   (keys.py)
"""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_input
from prompt_toolkit.input.typeahead import clear_typeahead, store_typeahead
from prompt_toolkit.output import create_output

from terminal.escape import EscapeWatch
from terminal.history import Tell, private_history
from terminal.keys import CommandCompleter, answer_keys, message_keys
from terminal.lines import PROMPT, Interrupted

if sys.platform != "win32":
    import termios


class PromptLines:
    """Lines typed at a terminal.

    history: a file that only its owner can read; tell: where a problem with it is said.
    """

    interactive = True

    def __init__(self, history: Path, tell: Tell) -> None:
        self._tell = tell
        self._remarks: list[str] = []
        self._kept: str | None = None
        self._watch: EscapeWatch | None = None
        self._input = create_input()
        # Prompts belong on stderr, beside the trace; stdout may be a file that collects the answers.
        output = create_output(stdout=sys.stderr if sys.stderr.isatty() else sys.stdout)
        # Given to the editors by their surroundings: handed an output directly, they ignore TERM=dumb.
        with create_app_session(self._input, output):
            self._messages: PromptSession[str] = PromptSession(
                # Said once the editor has left the screen: it redraws the lines around its own.
                history=private_history(history, self._remarks.append),
                key_bindings=message_keys(),
                completer=CommandCompleter(),
                complete_while_typing=False,
                prompt_continuation=" " * len(PROMPT),
                tempfile_suffix=".md",
                interrupt_exception=Interrupted,
            )
            self._answers: PromptSession[str] = PromptSession(
                history=InMemoryHistory(), key_bindings=answer_keys(), interrupt_exception=Interrupted
            )

    @property
    def typed(self) -> int:
        """The keys that were pressed in the turn that runs and wait for the next prompt."""
        return len(self._watch.typed) if self._watch else 0

    async def message(self) -> str:
        """Return what was typed, without blank messages."""
        self._say_remarks()
        while True:
            if self._kept is not None:
                text, self._kept = self._kept, None
            else:
                # handle_sigint: Ctrl-C is a key here; a signal from elsewhere stays the session's to handle.
                text = await self._messages.prompt_async(PROMPT, handle_sigint=False)
                self._say_remarks()
            if text.strip():
                return text.strip()

    async def ask(self, question: str, default: str = "") -> str:
        """Return one line. Keys that were pressed before the question stood there answer nothing."""
        self._forget_typeahead()
        return await self._answers.prompt_async(question, default=default, handle_sigint=False)

    def keep(self, line: str) -> None:
        """Put a line back: it is the next message."""
        self._kept = line

    @contextmanager
    def watching(self, stop: Callable[[], None]) -> Generator[None, None, None]:
        """Call stop when Escape is pressed within the block; other keys wait for the next prompt."""
        self._watch = watch = EscapeWatch(self._input, stop)
        try:
            with watch.reading():
                yield
        finally:
            self._watch = None
            store_typeahead(self._input, watch.typed)

    def _say_remarks(self) -> None:
        while self._remarks:
            self._tell(self._remarks.pop(0))

    def _forget_typeahead(self) -> None:
        clear_typeahead(self._input)
        if self._watch:
            self._watch.typed.clear()
        if sys.platform != "win32":
            termios.tcflush(self._input.fileno(), termios.TCIFLUSH)
