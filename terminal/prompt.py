"""The terminal's editor: one line at a time, with history, paste and Ctrl-C as people expect them.

Knows:    prompt-toolkit, and the private file that keeps the history.
Does not: know what a message or a question means.   (session.py)
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import create_input
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import create_output

from terminal.lines import Answer, Interrupted

if sys.platform != "win32":
    import termios

BY = "person at the terminal"

Tell = Callable[[str], None]


class PromptLines:
    """Lines typed at a terminal.

    history: a file that only its owner can read; tell: where a problem with it is said.
    """

    interactive = True

    def __init__(self, history: Path, tell: Tell) -> None:
        self._input = create_input()
        # Prompts belong on stderr, beside the trace; stdout may be a file that collects the answers.
        output = create_output(stdout=sys.stderr if sys.stderr.isatty() else sys.stdout)
        # Given to the editors by their surroundings: handed an output directly, they ignore TERM=dumb.
        with create_app_session(self._input, output):
            self._messages: PromptSession[str] = PromptSession(
                history=private_history(history, tell),
                key_bindings=_message_keys(),
                interrupt_exception=Interrupted,
            )
            self._answers: PromptSession[str] = PromptSession(
                history=InMemoryHistory(), interrupt_exception=Interrupted
            )

    async def message(self) -> str:
        """Return what was typed, without blank messages."""
        while True:
            # handle_sigint: Ctrl-C is a key here; a signal from elsewhere stays the session's to handle.
            text = await self._messages.prompt_async("> ", handle_sigint=False)
            if text.strip():
                return text.strip()

    async def answer(self, question: str) -> Answer:
        """Ask until the answer is y, n or Enter alone; Ctrl-D is no.

        Keys that were pressed before the question stood there answer nothing.
        """
        self._forget_typeahead()
        prompt = question
        while True:
            try:
                text = await self._answers.prompt_async(prompt, handle_sigint=False)
            except EOFError:
                return Answer(False, BY)
            said = text.strip().lower()
            if said in ("y", "n", "no", ""):
                return Answer(said == "y", BY)
            prompt = "Type y for yes; Enter alone is no. [y/N] "

    def _forget_typeahead(self) -> None:
        clear_typeahead(self._input)
        if sys.platform != "win32":
            termios.tcflush(self._input.fileno(), termios.TCIFLUSH)


class PrivateHistory(FileHistory):
    """A history file that may fail without ending the chat."""

    def __init__(self, path: Path, tell: Tell) -> None:
        self._tell = tell
        super().__init__(path)

    def store_string(self, string: str) -> None:
        """Append a message to the file."""
        try:
            super().store_string(string)
        except OSError as error:
            self._tell(f"This message was not added to the history {self.filename}: {error.strerror}.")


def private_history(path: Path, tell: Tell) -> History:
    """Return the history kept at path, made readable for its owner only; in memory where that fails."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.close(descriptor)
        path.chmod(0o600)
    except OSError as error:
        tell(f"No history is kept: {path} cannot be opened ({error.strerror}). Make it writable to keep one.")
        return InMemoryHistory()
    return PrivateHistory(path, tell)


def _message_keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-c")
    def _(event: KeyPressEvent) -> None:  # pyright: ignore[reportUnusedFunction]  # the decorator keeps it
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=Interrupted())

    return keys
