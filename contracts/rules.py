"""The rules on a whole task, and all rules together.

Knows:    a task's names, views and prompts.
Does not: know a line of a file.   (reading.py)
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from contracts.broken import FUNCTIONS, VIEWS, Broken
from contracts.contract import MOST_NAME, Function
from contracts.rules_effect import broken_effect
from contracts.rules_request import broken_request
from contracts.rules_result import broken_result
from contracts.rules_schema import broken_schema
from contracts.task import Task
from contracts.yaml_text import Loc

__all__ = ["Broken", "broken_alone", "broken_rules"]

RESERVED = frozenset({"search", "describe", "call", "execute", "render_ui", "apply_changes"})
"""Names of tools of the catalog exposure."""

_PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)\}")


def broken_rules(folder: str, task: Task) -> Iterator[Broken]:
    """Yield every rule that a task breaks. folder: the name of the folder that it was read from."""
    if task.name != folder:
        yield Broken(
            "task.yaml",
            ("name",),
            f"The name is {task.name!r}, and the folder is {folder!r}.",
            "Give both the same name.",
        )
    siblings = {each.contract.name: each.contract for each in task.functions}
    for index, each in enumerate(task.functions):
        at = ("functions", index)
        yield from broken_alone(at, each.contract)
        yield from broken_result(at, each.contract, siblings)
        for hint in ("when", "when_not"):
            yield from _hints((*at, hint), getattr(each.contract, hint), task)
    yield from _names(task)
    yield from _views(task)
    yield from _prompts(task)


def broken_alone(at: Loc, function: Function) -> Iterator[Broken]:
    """Yield the rules that a function breaks, whatever stands beside it. at: the way to it."""
    yield from broken_effect(at, function)
    yield from broken_request(at, function)


def _hints(at: Loc, hint: str, task: Task) -> Iterator[Broken]:
    """A hint that names a function of this task must name one that is there."""
    own = {each.name for each in task.functions}
    for named in re.findall(rf"\b{task.name}_[a-z0-9_]+\b", hint):
        if named not in own:
            yield Broken(FUNCTIONS, at, f"It names {named}, which is not there.", "Correct the name.")


def _names(task: Task) -> Iterator[Broken]:
    for kind, file, names in (
        ("functions", FUNCTIONS, [each.name for each in task.functions]),
        ("views", VIEWS, [each.name for each in task.views]),
    ):
        counted = Counter(names)
        for index, name in enumerate(names):
            if counted[name] > 1:
                yield Broken(file, (kind, index, "name"), f"The name {name} is taken twice.", "Rename one.")
            if len(name) > MOST_NAME or name in RESERVED:
                yield Broken(
                    file,
                    (kind, index, "name"),
                    f"The full name {name} is reserved or longer than {MOST_NAME} characters.",
                    "Choose another.",
                )


def _views(task: Task) -> Iterator[Broken]:
    own = {each.name for each in task.functions}
    for index, view in enumerate(task.views):
        at = ("views", index)
        if view.contract.data.types != ("object",):
            yield Broken(VIEWS, (*at, "data"), "A view's data must be an object.", "Write type: object.")
        for where, rule, remedy in broken_schema(view.contract.data, (*at, "data")):
            yield Broken(VIEWS, where, rule, remedy)
        for nth, action in enumerate(view.contract.actions):
            if action.function is not None and action.function not in own:
                yield Broken(
                    VIEWS,
                    (*at, "actions", nth, "function"),
                    f"{action.function} is no function of this task.",
                    "Correct the name.",
                )
        yield from _twice(VIEWS, (*at, "actions"), [action.name for action in view.contract.actions])


def _twice(file: str, at: Loc, names: Iterable[str]) -> Iterator[Broken]:
    for name, count in Counter(names).items():
        if count > 1:
            yield Broken(file, at, f"The name {name} is taken twice.", "Rename one.")


def _prompts(task: Task) -> Iterator[Broken]:
    for prompt in task.prompts:
        file = f"prompts/{prompt.stem}.md"
        named = set(_PLACEHOLDER.findall(prompt.text))
        for name in sorted(named - set(prompt.head.arguments)):
            yield Broken(file, ("arguments",), f"{{{name}}} is no argument.", "Declare it in the head.")
        for name in sorted(set(prompt.head.arguments) - named):
            yield Broken(
                file, ("arguments", name), f"The text has no {{{name}}}.", "Use it in the text, or remove it."
            )
