"""How far a run has come, kept so that it goes on after Ctrl-C or a crash.

Knows:    what has to be kept: the plan, the frozen tests with their digest, the versions, the best of them.
Does not: do any of it.   (pipeline.py)
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from workshop.account import Outcome
from workshop.errors import MemoryUnusable
from workshop.memory import Memory
from workshop.second_opinion import Opinion
from workshop.specification import Specification

Stage = Literal["specified", "tested", "built", "ended"]


class Version(BaseModel):
    """A program that was judged. passed: the names of the tests that it passes."""

    model_config = ConfigDict(frozen=True)
    files: dict[str, str]
    passed: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    status: str = ""
    sentence: str = ""
    seconds: float = 0.0


class Run(BaseModel):
    """One run, as it is kept.

    tests: the frozen tests; digest is over them, so that a change of what is kept is noticed. fixes, anew:
    how often it was mended and written anew, and attempt both together; is_stuck: mending changed nothing.
    judged: how many versions were. outcome: that of the last account. opinion: how far other programs agree
    with the best version; None where none were asked for.
    """

    model_config = ConfigDict(frozen=True)
    name: str
    sentence: str
    spec: Specification
    stage: Stage = "specified"
    tests: dict[str, str] = {}
    digest: str = ""
    dropped: tuple[tuple[str, str], ...] = ()
    attempt: int = 0
    fixes: int = 0
    anew: int = 0
    judged: int = 0
    is_stuck: bool = False
    outcome: Outcome | None = None
    best: Version | None = None
    opinion: Opinion | None = None
    seconds: float = 0.0
    requests: int = 0
    tokens: tuple[int, int] = (0, 0)

    def frozen(self, tests: Mapping[str, str], dropped: tuple[tuple[str, str], ...]) -> "Run":
        """Return the run with its tests fixed."""
        fixed = dict(tests)
        return self.model_copy(
            update={"tests": fixed, "digest": digest(fixed), "dropped": dropped, "stage": "tested"}
        )

    @property
    def passes(self) -> bool:
        """Say whether the best version passes every test."""
        return self.best is not None and self.best.status == "passed"

    def may_mend(self, most: int) -> bool:
        """Say whether mending is to be tried once more."""
        return self.fixes < most and not self.is_stuck

    def trying(self, **counts: int) -> "Run":
        """Return the run at its next attempt."""
        return self.model_copy(update={"attempt": self.attempt + 1, **counts})

    def taking(self, seconds: float, requests: int, tokens: tuple[int, int]) -> "Run":
        """Return the run with what it has taken since."""
        asked, answered = self.tokens
        return self.model_copy(
            update={
                "seconds": self.seconds + seconds,
                "requests": self.requests + requests,
                "tokens": (asked + tokens[0], answered + tokens[1]),
            }
        )

    def checked_tests(self) -> dict[str, str]:
        """Return the frozen tests.

        Raises: MemoryUnusable when they are not the ones that were accepted.
        """
        if digest(self.tests) != self.digest:
            raise MemoryUnusable(
                f"The tests of {self.name} are not the ones that were accepted: their digest differs. "
                "Nothing was judged with them. Start the run again."
            )
        return dict(self.tests)


def digest(tests: Mapping[str, str]) -> str:
    """Return the sha256 over paths and contents."""
    return hashlib.sha256(json.dumps(sorted(tests.items())).encode()).hexdigest()


def keep(memory: Memory, run: Run) -> None:
    """Keep the run under its project's name."""
    memory.remember(_key(run.name), run.model_dump(mode="json"))


def kept(memory: Memory, name: str) -> Run | None:
    """Return the run of a project, None where there is none.

    Raises: MemoryUnusable.
    """
    value: Any = memory.recall(_key(name))
    if value is None:
        return None
    try:
        return Run.model_validate(value)
    except ValidationError as error:
        raise MemoryUnusable(
            f"What is kept of the run {name!r} cannot be read ({error.error_count()} fields). Start it again."
        ) from error


def _key(name: str) -> str:
    return f"run:{name}"
