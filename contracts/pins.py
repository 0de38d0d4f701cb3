"""The index of the registry: which files were approved, with the sha256 of each, as bytes and as values.

Knows:    the form of registry.json, and how it shows that its own bytes are whole.
Does not: read the files that it lists (registry.py), or write (pinning.py).
"""

import errno
import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contracts.contract import Name
from contracts.folders import MOST_FILES
from contracts.problems import ContractsError
from contracts.yaml_text import MOST_BYTES

INDEX = "registry.json"
TASKS = "tasks"
STAGED = ".staged"
FORMAT = 1
_MOST_INDEX_BYTES = 32_000_000

_HEAD = re.compile(rb'\{\n "digest": "([0-9a-f]{64})",\n')
"""The index begins with the sha256 of all that follows: no byte of it can change unseen."""


class NoRegistry(ContractsError):
    """There is no registry, or its index cannot be read: nothing was approved."""


class Pinned(BaseModel):
    """One file of the index."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    size: Annotated[int, Field(ge=0, le=MOST_BYTES)]

    def is_of(self, data: bytes) -> bool:
        """Say whether these are the bytes that were approved."""
        return len(data) == self.size and hashlib.sha256(data).hexdigest() == self.sha256


class PinnedTask(BaseModel):
    """One task of the index. by: what it was pinned with; origin: from where."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    by: Annotated[str, Field(max_length=200)]
    origin: Annotated[str, Field(max_length=200)]
    files: Annotated[dict[str, Pinned], Field(max_length=MOST_FILES)]


class Index(BaseModel):
    """registry.json."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    digest: str
    format: Annotated[int, Field(ge=FORMAT, le=FORMAT)]
    tasks: dict[Name, PinnedTask]


def pin_of(files: Mapping[str, bytes], by: str, origin: str) -> PinnedTask:
    """Return the index entry of a task's files."""
    pins = {
        path: Pinned(sha256=hashlib.sha256(data).hexdigest(), size=len(data))
        for path, data in sorted(files.items())
    }
    return PinnedTask(by=by, origin=origin, files=pins)


def index_bytes(pins: Mapping[str, PinnedTask]) -> bytes:
    """Return the index as it is written: the same pins make the same bytes."""
    said = {"format": FORMAT, "tasks": {name: pin.model_dump(mode="json") for name, pin in pins.items()}}
    rest = json.dumps(said, indent=1, sort_keys=True, ensure_ascii=True).encode().removeprefix(b"{\n") + b"\n"
    return b'{\n "digest": "%s",\n%s' % (hashlib.sha256(rest).hexdigest().encode(), rest)


def read_index(registry: Path) -> Index:
    """Return the index.  Raises: NoRegistry."""
    path = registry / INDEX
    make = "Pin the tasks with `python -m contracts build`."
    try:
        data = plain_bytes(path, _MOST_INDEX_BYTES)
    except (OSError, NotPlain) as error:
        raise NoRegistry(f"There is no registry at {registry} ({why(error)}). {make}") from None
    head = _HEAD.match(data)
    if not head or hashlib.sha256(data[head.end() :]).hexdigest().encode() != head[1]:
        raise NoRegistry(f"{path} is not as it was written: its digest is another. {make}")
    try:
        return Index.model_validate(json.loads(data, object_pairs_hook=_once))
    except (ValueError, RecursionError) as error:
        told = (
            f"{len(error.errors())} of its fields are wrong"
            if isinstance(error, ValidationError)
            else str(error)[:120]
        )
        raise NoRegistry(f"{path} cannot be used: {told}. {make}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name stands in it twice")
    return made


class NotPlain(Exception):
    """A file that is a link, no file, or too large."""


def plain_bytes(path: Path, most: int) -> bytes:
    """Return a plain file's bytes; a link is not followed.  Raises: OSError, NotPlain."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise NotPlain("it is no plain file")
        if facts.st_size > most:
            raise NotPlain(f"it is larger than {most} bytes")
        return file.read(most + 1)


def why(error: Exception) -> str:
    """Return in words why a file could not be read."""
    if isinstance(error, OSError):
        return "it is a link" if error.errno == errno.ELOOP else error.strerror or "it cannot be read"
    return str(error)
