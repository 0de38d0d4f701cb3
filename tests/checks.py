"""Checks of a server, gathered by the session that each is tried in.

Knows:    that a check's docstring is its promise.
Does not: hold a check.   (client_test.py, client_answers.py)
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from mcp import Client

Run = Callable[[Client], Awaitable[None]]


@dataclass(frozen=True)
class Check:
    """One promise, in the words of its docstring. session: the settings of the server it is tried on."""

    session: dict[str, str]
    run: Run

    @property
    def promise(self) -> str:
        """Return the docstring as it is printed."""
        text = (self.run.__doc__ or "").rstrip(".")
        return text[:1].lower() + text[1:]


class Checks(list[Check]):
    """The checks of one file, in their order."""

    def tried_as(self, session: dict[str, str]) -> Callable[[Run], Run]:
        """Add the function below to the checks of this session."""

        def add(run: Run) -> Run:
            self.append(Check(session, run))
            return run

        return add
