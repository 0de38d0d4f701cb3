"""What happens in a run, as one stream: the screen, `--json`, the logs and the tests all read it.

Knows:    the kinds of events.
Does not: know who reads them.
"""

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any

from workshop.account import Account
from workshop.specification import Specification


@dataclass(frozen=True)
class Working:
    """An agent says what it is doing."""

    agent: str
    text: str


@dataclass(frozen=True)
class Specified:
    """What is to be built; by_code: no model was asked."""

    spec: Specification
    by_code: bool


@dataclass(frozen=True)
class Began:
    """The project has its folder."""

    name: str
    folder: str


@dataclass(frozen=True)
class FileOnDisk:
    """A file was written."""

    path: str
    lines: int


@dataclass(frozen=True)
class FileRefused:
    """A file that an agent sent was not written."""

    path: str
    why: str


@dataclass(frozen=True)
class TestsFrozen:
    """The tests are fixed from now on. dropped: the name of each that does not count, and why."""

    __test__ = False
    stated: int
    proposed: int
    dropped: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Judged:
    """A version of the program was tested. attempt: 0 for the first."""

    attempt: int
    passed: int
    failed: int
    sentence: str
    seconds: float


@dataclass(frozen=True)
class Committed:
    """The version stands in the project's history; commit is "" where there is no git, or it refused: why."""

    commit: str
    why: str = ""


@dataclass(frozen=True)
class Ended:
    """The run is over."""

    account: Account


Event = Working | Specified | Began | FileOnDisk | FileRefused | TestsFrozen | Judged | Committed | Ended

OnEvent = Callable[[Event], Awaitable[None]]


async def unheard(event: Event) -> None:
    """Let nobody know."""


def as_json(event: Event) -> dict[str, Any]:
    """Return the event as one JSON object; `event` is its kind."""
    kind = type(event).__name__
    if isinstance(event, Specified):
        return {"event": kind, "spec": event.spec.model_dump(mode="json"), "by_code": event.by_code}
    return {"event": kind, **asdict(event)}
