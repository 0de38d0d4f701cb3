"""The catalog: every task that is served, and what one profile sees of it.

Knows:    the parts by their full names, and which tasks a profile may see.
Does not: read files (registry.py), rank (search.py), or run (engine.py).
Rule:     a catalog never changes; a new registry makes a new one. What a profile hides is not in its catalog,
          so that a hidden name cannot be told from an unknown one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from contracts.task import Offered, OfferedView, Prompt, Skill, Task


@dataclass(frozen=True)
class Catalog:
    """The tasks, in the order of their names. approved: False where no registry vouches for them."""

    tasks: tuple[Task, ...] = ()
    approved: bool = True
    source: str = ""

    @cached_property
    def functions(self) -> Mapping[str, Offered]:
        """Return the functions by full name."""
        return {each.name: each for task in self.tasks for each in task.functions}

    @cached_property
    def views(self) -> Mapping[str, OfferedView]:
        """Return the views by full name."""
        return {each.name: each for task in self.tasks for each in task.views}

    @cached_property
    def prompts(self) -> Mapping[str, Prompt]:
        """Return the prompts by full name."""
        return {each.name: each for task in self.tasks for each in task.prompts}

    @cached_property
    def skills(self) -> Mapping[str, Skill]:
        """Return the skills by address (`skill://TASK/NAME`)."""
        return {each.uri: each for task in self.tasks for each in task.skills}

    @cached_property
    def digest(self) -> str:
        """Return one digest of all that is served."""
        return ":".join(f"{task.name}={task.digest}" for task in self.tasks)

    def only(self, names: Iterable[str]) -> "Catalog":
        """Return the catalog of some of the tasks."""
        kept = set(names)
        return Catalog(tuple(task for task in self.tasks if task.name in kept), self.approved, self.source)
