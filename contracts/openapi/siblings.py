"""When a function is not the one to use: each draft names the others about the same thing.

Knows:    the functions of one task, by their paths: /orders and /orders/{id} are a list and one of it.
Does not: know the description.
"""

import re
from collections import defaultdict
from typing import Any

_LAST = re.compile(r"/\{[^{}]*\}$")


def tell_apart(task: str, functions: list[dict[str, Any]]) -> None:
    """Write into each function's when_not which of its siblings to use instead, where there is one."""
    by_place: dict[str, dict[str, Any]] = defaultdict(dict)
    for each in functions:
        by_place[_place(each["path"])].setdefault(_role(each), each["name"])
    for each in functions:
        others = by_place[_place(each["path"])]
        said = [
            f"{words}, use {task}_{others[role]}."
            for role, words in _WORDS.items()
            if role in others and others[role] != each["name"] and role != _role(each)
        ]
        if said:
            each["when_not"] = " ".join(said)[:400]


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
