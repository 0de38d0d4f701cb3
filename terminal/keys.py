"""The keys of the editor, and what Tab completes.

Knows:    prompt-toolkit's key bindings.
Does not: read a line.   (prompt.py)
Keys:     Enter sends; Alt-Enter, or Enter after a backslash, begins a new line; Ctrl-G opens $EDITOR;
          Ctrl-C clears what was typed, or leaves; Escape at a question is Ctrl-C.
"""

from collections.abc import Iterable

from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_selection, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from terminal.commands import COMMANDS, beginning_with
from terminal.lines import Interrupted

_FREE = ~is_searching & ~has_selection


def message_keys() -> KeyBindings:
    """Return the keys of the editor of messages."""
    keys = KeyBindings()
    keys.add("c-c")(_clear_or_leave)
    keys.add("enter", filter=_FREE)(_send_or_break)
    keys.add("escape", "enter", filter=_FREE)(_break)
    keys.add("c-g", filter=_FREE)(_open_editor)
    keys.add("tab", filter=Condition(_one_command))(_complete)
    return keys


def answer_keys() -> KeyBindings:
    """Return the keys of a question's line."""
    keys = KeyBindings()
    keys.add("escape", eager=True)(_interrupt)
    return keys


def _clear_or_leave(event: KeyPressEvent) -> None:
    if event.current_buffer.text:
        event.current_buffer.reset()
    else:
        _interrupt(event)


def _interrupt(event: KeyPressEvent) -> None:
    event.app.exit(exception=Interrupted())


def _send_or_break(event: KeyPressEvent) -> None:
    buffer = event.current_buffer
    if buffer.document.is_cursor_at_the_end and buffer.text.endswith("\\"):
        buffer.delete_before_cursor()
        buffer.insert_text("\n")
    else:
        buffer.validate_and_handle()


def _break(event: KeyPressEvent) -> None:
    event.current_buffer.insert_text("\n")


def _one_command() -> bool:
    typed = get_app().current_buffer.text
    return typed.startswith("/") and len(beginning_with(typed)) == 1


def _complete(event: KeyPressEvent) -> None:
    """Write the one command that fits, at once: the editor's own completion is later than a quick Enter."""
    buffer = event.current_buffer
    name = beginning_with(buffer.text)[0]
    takes = any(command.takes for command in COMMANDS if command.name == name)
    buffer.document = Document(name + (" " if takes else ""))


def _open_editor(event: KeyPressEvent) -> None:
    event.current_buffer.open_in_editor()


class CommandCompleter(Completer):
    """Completes the name of a command."""

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield the commands that begin with what stands before the cursor, if nothing else does."""
        typed = document.text_before_cursor
        if not typed.startswith("/") or any(char.isspace() for char in typed):
            return
        for command in COMMANDS:
            if command.name.startswith(typed.lower()):
                ending = " " if command.takes else ""
                yield Completion(
                    command.name + ending, -len(typed), command.name, display_meta=command.purpose
                )
