"""When a function is not the one to use: each draft names the others about the same thing.

Knows:    the functions of one task, by their paths: /orders and /orders/{id} are a list and one of it.
Does not: know the description.
"""

import re
from collections import defaultdict
from typing import Any

_LAST = re.compile(r"/\{[^{}]*\}$")


def told_apart(task: str, functions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the functions, each telling which of its siblings to use instead, where there is one."""
    by_place: dict[str, dict[str, Any]] = defaultdict(dict)
    for each in functions:
        by_place[_place(each["path"])].setdefault(_role(each), each["name"])
    return [
        each
        | {"when": _without_names(task, each["when"])}
        | _instead(task, each, by_place[_place(each["path"])])
        for each in functions
    ]


def _without_names(task: str, hint: str) -> str:
    """Return a description's words, none of which looks like the name of a function of this task."""
    return re.sub(rf"\b{task}_[a-z0-9_]+\b", lambda found: found[0].replace("_", " "), hint)


def _instead(task: str, function: dict[str, Any], others: dict[str, Any]) -> dict[str, str]:
    said = [
        f"{words}, use {task}_{others[role]}."
        for role, words in _WORDS.items()
        if role in others and role != _role(function)
    ]
    return {"when_not": " ".join(said)[:400]} if said else {}


_WORDS = {
    "list": "To look for some or to see many",
    "one": "To see one alone",
    "new": "To make a new one",
    "change": "To change one",
    "loss": "To take one away",
}


def _place(path: str) -> str:
    return _LAST.sub("", path.rstrip("/"))


def _role(function: dict[str, Any]) -> str:
    single = bool(_LAST.search(function["path"].rstrip("/")))
    match function["effect"], function["method"]:
        case "read", _:
            return "one" if single else "list"
        case "destructive", _:
            return "loss"
        case _, "POST":
            return "change" if single else "new"
        case _:
            return "change"
