"""The files of a person: conversations written to new files, and read back.

Knows:    that a file of a conversation is its owner's alone, and that no file is ever written over.
Does not: know the forms.   (export.py, agent/saved.py)
"""

import os
from pathlib import Path

_MAX_BYTES = 50_000_000
"""Bytes of a file that is loaded; a day of chatting is a few hundred thousand."""


class FileProblem(Exception):
    """A file that cannot be written or read; the text says why and what to do."""


def write_new(path: Path, text: str) -> None:
    """Write a file that only its owner can read.

    Raises: FileProblem, also where something of that name is there.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise FileProblem(f"{path} is there already and is left as it is. Try {_free_name(path)}") from None
    except (OSError, ValueError) as error:
        raise FileProblem(f"{path} cannot be written ({_why(error)}). Name another file.") from None
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)


def read(path: Path) -> str:
    """Return a file's text.

    Raises: FileProblem.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise FileProblem(f"{path} is larger than {_MAX_BYTES:,} bytes: it is no saved chat.")
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise FileProblem(f"{path} is no UTF-8 text: byte {error.start} is wrong.") from None
    except (OSError, ValueError) as error:
        raise FileProblem(f"{path} cannot be read ({_why(error)}). Check its name.") from None


def _free_name(path: Path) -> Path:
    number = 2
    while (free := path.with_name(f"{path.stem}-{number}{path.suffix}")).exists():
        number += 1
    return free


def _why(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
