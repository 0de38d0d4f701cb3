"""A request and an answer as values: what is sent, and what came back, before anything is made of it.

Knows:    their parts.
Does not: build (requesting.py), send (sending.py), or read them (responding.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Outgoing:
    """A request below an upstream's base URL.

    path: encoded already, begins with a slash. query: in order, names may repeat, not encoded yet.
    headers: without the credential, which is added where it is sent. body: a JSON value; has_body tells
    null from none.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Any = None
    has_body: bool = False


@dataclass(frozen=True)
class Answer:
    """What an upstream answered. data: its JSON, None where there was none."""

    status: int
    data: Any
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Result:
    """What a function returned, projected to its declared fields.

    count: items that the upstream sent, where data is a list. pagination: as the contract keeps it. clipped:
    in words, what was left out; empty where nothing was. cached: whether it was not asked for anew.
    """

    data: Any
    count: int | None = None
    pagination: Mapping[str, Any] = field(default_factory=dict[str, Any])
    clipped: str = ""
    cached: bool = False
    pages: int = 1
