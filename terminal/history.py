"""The file that keeps what was typed, for the arrow keys and Ctrl-R.

Knows:    prompt-toolkit's form of it, and who may read it.
Does not: keep what looks like a secret or a contact, or end the chat when it cannot be written.
"""

import os
from collections.abc import Callable
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from common.redaction import redact
from common.secret import looks_secret

Tell = Callable[[str], None]

NOT_KEPT = "This message looks as if it held a secret or a contact: it is not kept in the history."


class PrivateHistory(FileHistory):
    """A history file that may fail without ending the chat."""

    def __init__(self, path: Path, tell: Tell) -> None:
        self._tell = tell
        super().__init__(path)

    def store_string(self, string: str) -> None:
        """Append a message to the file, unless it looks as if it held a secret or somebody's contact."""
        if looks_secret(string) or redact(string) != string:
            self._tell(NOT_KEPT)
            return
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
