"""Names for tasks and functions: unique, short enough, and the same each time.

Knows:    operations' ids, tags, paths and methods.
Does not: know anything of what they do.
Rule:     a name depends on its own operation alone. Only where two come to the same one are they told apart,
          by their paths, in an order that other operations have no part in.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from contracts.openapi.described import Operation, items
from contracts.openapi.words import cut, free, is_plural, singular, snake

MOST_TASK = 24
_MOST_FULL = 64
_NO_RESOURCE = re.compile(r"(?:api|rest|v\d+(?:\.\d+)*|store|admin|public|ajax)$", re.IGNORECASE)
_VERBS = {
    "get": "get",
    "head": "head",
    "post": "create",
    "put": "replace",
    "patch": "update",
    "delete": "delete",
}


def task_of(operation: Operation) -> str:
    """Return the name of the task: its first tag, else the first part of its path that tells something."""
    tags = [snake(tag) for tag in items(operation.said.get("tags")) if isinstance(tag, str)]
    found = next((tag for tag in tags if tag), "")
    if not found:
        parts = [snake(part) for part in static_parts(operation.path) if not _NO_RESOURCE.match(part)]
        found = next((part for part in parts if part), "root")
    return cut(found, MOST_TASK, found)


def static_parts(path: str) -> list[str]:
    """Return the parts of a path that are no placeholders."""
    return [part for part in path.strip("/").split("/") if part and "{" not in part]


def names_of(task: str, operations: Sequence[Operation]) -> dict[tuple[str, str], str]:
    """Return the name of each of a task's operations by its path and method."""
    wanted: dict[str, list[Operation]] = defaultdict(list)
    most = _MOST_FULL - MOST_TASK - 5
    methods: dict[str, set[str]] = defaultdict(set)
    for operation in operations:
        methods[operation.path].add(operation.method)
    for operation in operations:
        name = _own_name(task, operation, methods[operation.path])
        wanted[cut(name, most, f"{operation.method} {operation.path}")].append(operation)
    found: dict[tuple[str, str], str] = {}
    taken = set(wanted)
    for name, same in sorted(wanted.items()):
        for index, each in enumerate(sorted(same, key=lambda one: (one.path, one.method))):
            other = name if index == 0 else free(_by(name, each, most), taken, most)
            taken.add(other)
            found[each.path, each.method] = other
    return found


def _by(name: str, operation: Operation, most: int) -> str:
    """Return a name that tells an operation from another of the same name: by what its path names."""
    named = [snake(each) for each in re.findall(r"\{([^{}]*)\}", operation.path)]
    return cut("_".join([name, "by", *named]) if named else name, most, operation.path)


def _own_name(task: str, operation: Operation, methods: set[str]) -> str:
    said = operation.said.get("operationId")
    name = snake(said) if isinstance(said, str) else ""
    if not name:
        return _from_path(task, operation, methods)
    for whole in (task, singular(task)):
        name = name.removeprefix(f"{whole}_") or name
    return name


def _from_path(task: str, operation: Operation, methods: set[str]) -> str:
    parts = [part for part in operation.path.strip("/").split("/") if part]
    ends_in_one = bool(parts) and "{" in parts[-1]
    own = {task, singular(task), *task.split("_")}
    words = [
        snake(part)
        for part in static_parts(operation.path)
        if not _NO_RESOURCE.match(part) and snake(part) and snake(part) not in own
    ]
    verb = _VERBS.get(operation.method, operation.method)
    if operation.method == "put" and "patch" not in methods:
        verb = "update"
    if operation.method == "get" and not ends_in_one and (not words or is_plural(words[-1])):
        verb = "list"
    if operation.method == "post" and words and not ends_in_one and not is_plural(words[-1]):
        return "_".join(words)  # an action, such as complete or cancel
    if ends_in_one and words:
        words[-1] = singular(words[-1])
    return "_".join([verb, *words])
