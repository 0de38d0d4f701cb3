"""The rows that were left out, in a file of the same form, to be mended and imported again.

Knows:    how such a file begins, goes on and ends.
Does not: know why a row was left out.
Private:  the file holds customers' data and can be read by its owner alone.
"""

import os
from pathlib import Path
from typing import TextIO

from store.importing.problems import FileRefused
from store.importing.reading import Source


class Rejects:
    """A file of rejected rows; it is made when the first comes."""

    def __init__(self, source: Source, head: str, path: Path | None) -> None:
        self.path = path or Path(f"{source.path.stem}.rejected{source.path.suffix}")
        self._source = source
        self._head = head
        self._file: TextIO | None = None

    @property
    def is_made(self) -> bool:
        """Say whether any row was left out."""
        return self._file is not None

    def add(self, raw: str) -> None:
        """Write one more.  Raises: FileRefused where the file is there already, or cannot be made."""
        is_json = self._source.kind == "json"
        if self._file is None:
            self._file = self._made()
            self._file.write("[\n" if is_json else _ended(self._head))
            self._file.write(raw)
        else:
            self._file.write(f",\n{raw}" if is_json else raw)

    def close(self) -> None:
        """Write the end."""
        if self._file is not None:
            if self._source.kind == "json":
                self._file.write("\n]\n")
            self._file.close()

    def _made(self) -> TextIO:
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise FileRefused(
                f"The rows that are left out would go to {self.path}, which is there already. Move it away, "
                "or name another file with --rejects."
            ) from None
        except OSError as error:
            raise FileRefused(
                f"The rows that are left out cannot be written to {self.path} ({error.strerror}). Name "
                "another file with --rejects."
            ) from None
        return os.fdopen(handle, "w", encoding=self._source.encoding, newline="")


def _ended(head: str) -> str:
    return head if head.endswith(("\n", "\r")) else f"{head}\n"
