"""The yeses to all that a person keeps for later chats, in a file of their own.

Knows:    the file: whose each one is, for which tool as it described itself, until when.
Does not: know what one covers (guards/grants.py), or use one.   (permissions.py)
Rule:     kept on purpose, offered to the same person at the same server alone, for KEPT_DAYS, and only where
          nobody else could have written the file. A file that cannot be read is no yes, and that is said.
"""

import json
import os
import stat
import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from common.approval import canonical
from guards.grants import Grant
from journal.served import Served
from terminal.files import FileProblem

KEPT_DAYS = 30
"""A yes that nobody has thought of for a month is asked for again."""

_MAX_BYTES = 1_000_000
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Kept(_Part):
    """One yes. who: of whom and where, as a hash. until: seconds since the epoch."""

    who: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    server: str
    tool: str
    tool_hash: str
    ids: str
    words: str
    until: float

    @property
    def grant(self) -> Grant:
        return Grant(self.server, self.tool, self.tool_hash, self.ids, self.words)


class _File(_Part):
    form: Literal["shopkart/permissions/1"] = Field(alias="schema")
    permissions: list[_Kept]


@dataclass(frozen=True)
class Loaded:
    """What a file held for one person. notices: what is to be said of it."""

    grants: tuple[Grant, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kept:
    """The file, as one person at one server sees it.

    who: see `who_is`; empty where nobody can be told from another: then nothing is kept.
    """

    path: Path
    who: str
    clock: Callable[[], float] = time.time

    def load(self, tools: Mapping[str, str]) -> Loaded:
        """Return what is still good. tools: the hash of all that each tool says of itself, by its name.

        What has run out, and what was said yes to of a tool that is another now, is removed.
        """
        try:
            mine = self._mine(self._read()) if self.who else []
            changed = [each for each in mine if tools.get(each.tool, each.tool_hash) != each.tool_hash]
            late = [each for each in mine if self.clock() >= each.until and each not in changed]
            for each in [*changed, *late]:
                self.remove(each.grant)
        except FileProblem as problem:
            return Loaded(notices=(f"No saved permission is used. {problem}",))
        notices = [
            f"A saved permission is gone, because its tool has changed: {each.words}." for each in changed
        ]
        notices += [f"A saved permission has run out after {KEPT_DAYS} days: {each.words}." for each in late]
        good = [each.grant for each in mine if each not in (*changed, *late) and each.tool in tools]
        return Loaded(tuple(good), tuple(notices))

    def add(self, grant: Grant) -> None:
        """Keep a yes.  Raises: FileProblem."""
        until = self.clock() + KEPT_DAYS * 86_400
        kept = _Kept(who=self.who, **asdict(grant), until=until)
        self._change(lambda found: [*self._without(found, grant), kept])

    def remove(self, grant: Grant) -> None:
        """Keep a yes no longer.  Raises: FileProblem."""
        self._change(lambda found: self._without(found, grant))

    def _mine(self, found: list[_Kept]) -> list[_Kept]:
        return [each for each in found if each.who == self.who]

    def _without(self, found: list[_Kept], grant: Grant) -> list[_Kept]:
        return [each for each in found if each.who != self.who or each.grant != grant]

    def _read(self) -> list[_Kept]:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FileProblem(self._unfit(error.strerror or type(error).__name__)) from None
        if found.st_mode & _OTHERS_WRITE or (sys.platform != "win32" and found.st_uid != os.getuid()):
            raise FileProblem(self._unfit("others can write it"))
        if found.st_size > _MAX_BYTES:
            raise FileProblem(self._unfit(f"it has more than {_MAX_BYTES:,} bytes"))
        try:
            return _File.model_validate_json(self.path.read_bytes()).permissions
        except OSError as error:
            raise FileProblem(self._unfit(error.strerror or type(error).__name__)) from None
        except ValidationError:
            raise FileProblem(self._unfit("it is no list of permissions")) from None

    def _unfit(self, why: str) -> str:
        return f"{self.path} cannot be used: {why}. Mend it, or delete it and save anew."

    def _change(self, change: Callable[[list[_Kept]], list[_Kept]]) -> None:
        """Write the file anew, whole or not at all, with nobody else's change lost."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _alone(self.path.with_suffix(".lock")):
                kept = [each.model_dump() for each in change(self._read())]
                _write(
                    self.path, json.dumps({"schema": "shopkart/permissions/1", "permissions": kept}, indent=1)
                )
        except OSError as error:
            raise FileProblem(self._unfit(error.strerror or type(error).__name__)) from None


def who_is(served: Served, says: str) -> str:
    """Return a name for whom a chat serves and where; empty where it might be anybody.

    says: the server's own sentence, which tells the demo shop from another.
    """
    if not served.is_staff and not served.person:
        return ""
    return sha256(canonical([served.server, says, served.is_staff, served.person]).encode()).hexdigest()


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _alone(lock: Path) -> Generator[None]:
    """Let no other chat change the file within the block, where the system can."""
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform != "win32":
            import fcntl  # not on Windows

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
