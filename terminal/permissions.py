"""The yeses to all of a chat: listed, revoked, kept for later chats.

Knows:    the session's grants, and where a person keeps some of them.
Does not: know what a grant covers, or whether it may be used.   (guards/grants.py)
Rule:     none outlives the conversation in which it was given, unless it was saved on purpose.
"""

from dataclasses import dataclass
from typing import Protocol

from common.text import visible
from guards.grants import Grant, Grants
from terminal.files import FileProblem
from terminal.kept import KEPT_DAYS
from terminal.words import counted

_NONE = "There is no yes to all in this chat. Where one is possible, a question offers it: a."
_HOW = "/permissions revoke NUMBER takes one back; /permissions save NUMBER keeps it for your next chats."


class Keeper(Protocol):
    """Where a person keeps some of them; `terminal.kept.Kept` is one."""

    @property
    def who(self) -> str:
        """Return for whom; empty where nobody can be told from another."""
        ...

    def add(self, grant: Grant) -> None:
        """Keep one.  Raises: FileProblem."""
        ...

    def remove(self, grant: Grant) -> None:
        """Keep one no longer.  Raises: FileProblem."""
        ...


@dataclass
class Permissions:
    """The grants of one session; those of `saved` are kept in the file too."""

    grants: Grants
    keeper: Keeper | None = None
    saved: tuple[Grant, ...] = ()

    def carry_out(self, wish: str) -> list[str]:
        """Return what is said to /permissions, after what was wished is done."""
        verb, _, number = wish.partition(" ")
        if not wish:
            return self._listed()
        if verb not in ("revoke", "save"):
            return [f"There is no /permissions {visible(verb)[:40]}. {_HOW}"]
        grant = self._numbered(number.strip())
        if grant is None:
            given = counted(len(self.grants.given), "permission")
            return [f"Which one? There is {given} here: /permissions lists them by number."]
        return [self._revoke(grant) if verb == "revoke" else self._save(grant)]

    def drop(self) -> str:
        """End every yes that was not saved; return what is said of it, empty where there was none."""
        dropped = [grant for grant in self.grants.given if grant not in self.saved]
        self.grants.given[:] = [grant for grant in self.grants.given if grant in self.saved]
        return f"Taken back with it: {counted(len(dropped), 'yes to all')}." if dropped else ""

    def _listed(self) -> list[str]:
        rows = [
            f"  {number}  {visible(grant.words)} · {visible(grant.tool)} at {visible(grant.server)} · "
            + (f"saved for {KEPT_DAYS} days" if grant in self.saved else "for this conversation")
            for number, grant in enumerate(self.grants.given, 1)
        ]
        return ["Done without asking:", *rows, _HOW] if rows else [_NONE]

    def _numbered(self, typed: str) -> Grant | None:
        given = self.grants.given
        is_one = typed.isascii() and typed.isdecimal() and 0 < int(typed[:9]) <= len(given)
        return given[int(typed) - 1] if is_one else None

    def _revoke(self, grant: Grant) -> str:
        self.grants.given.remove(grant)  # first: whatever becomes of the file, this chat asks again
        if grant in self.saved and self.keeper:
            self.saved = tuple(each for each in self.saved if each != grant)
            try:
                self.keeper.remove(grant)
            except FileProblem as problem:
                return f"Taken back in this chat alone. {visible(str(problem))}"
        return f"Taken back; it is asked about again: {visible(grant.words)}."

    def _save(self, grant: Grant) -> str:
        if self.keeper is None or not self.keeper.who:
            return "It cannot be saved: this server does not say whom it serves, so anybody would have it."
        try:
            self.keeper.add(grant)
        except FileProblem as problem:
            return f"It is not saved. {visible(str(problem))}"
        self.saved = (*(each for each in self.saved if each != grant), grant)
        return f"Saved for your next chats at this server, for {KEPT_DAYS} days: {visible(grant.words)}."
