"""The honest replies as they are written in first.yaml and second.yaml.

Knows:    the form of the files.
Does not: look anything up (seen.py), or judge a reply.   (judged.py)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

PARTS = {"first": "the guards were tuned on these", "second": "written after the guards, never tuned on"}
VIEWS = ("record", "retail", "demo")
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Sources:
    """What was looked up before a reply, and how it was seen: a raw record, or our server's result."""

    view: str
    orders: tuple[str, ...]
    users: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    heard: str = ""
    done: str = ""
    also: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Honest:
    """One honest reply and what it is honest about."""

    part: str
    sources: Sources
    language: str
    text: str


@cache
def honest_replies(part: str) -> tuple[Honest, ...]:
    """Return the replies of a part; one that holds of both views comes twice."""
    import yaml

    written = cast(list[dict[str, Any]], yaml.safe_load((_HERE / f"{part}.yaml").read_text(encoding="utf-8")))
    return tuple(each for group in written for each in _of_group(part, group))


def _of_group(part: str, group: dict[str, Any]) -> Iterator[Honest]:
    views = ("record", "retail") if group["seen"] == "both" else (group["seen"],)
    for view in views:
        if view not in VIEWS:
            raise ValueError(f"{part}.yaml: seen: {view!r}; write one of both, {', '.join(VIEWS)}")
        sources = Sources(
            view,
            tuple(group["orders"]),
            tuple(group.get("users", ())),
            tuple(group.get("products", ())),
            tuple(group.get("policies", ())),
            group.get("heard", ""),
            group.get("done", ""),
            tuple(group.get("also", ())),
        )
        for language, texts in group["replies"].items():
            yield from (Honest(part, sources, language, text) for text in texts)
