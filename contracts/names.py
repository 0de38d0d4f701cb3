"""Full names across tasks: two tasks can come to the same one, as `a` with `b_c` and `a_b` with `c`.

Knows:    the names of the parts of tasks.
Does not: know the rules inside one task.   (rules.py)
"""

from collections.abc import Iterable

from contracts.problems import Problem
from contracts.task import Task


def taken_twice(tasks: Iterable[Task]) -> list[Problem]:
    """Return a problem for every name that a task of an earlier name has already."""
    owners: dict[tuple[str, str], str] = {}
    problems: list[Problem] = []
    for task in sorted(tasks, key=lambda each: each.name):
        for kind, names in (
            ("function", [each.name for each in task.functions]),
            ("view", [each.name for each in task.views]),
            ("prompt", [each.name for each in task.prompts]),
        ):
            for name in names:
                owner = owners.setdefault((kind, name), task.name)
                if owner != task.name:
                    problems.append(
                        Problem(
                            f"{task.name}/task.yaml",
                            0,
                            "name",
                            f"Its {kind} {name} has the same full name as one of the task {owner}.",
                            f"Rename the task or the {kind}.",
                        )
                    )
    return problems
