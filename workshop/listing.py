"""The projects that there are, and how each stands.

Knows:    that a folder may have no run, and a run may be unreadable; neither hides the others.
Does not: go on with one.   (pipeline.py)
"""

from dataclasses import dataclass
from pathlib import Path

from common.text import visible
from workshop import runs
from workshop.errors import MemoryUnusable
from workshop.memory import Memory

SHOWN = 80


@dataclass(frozen=True)
class Listed:
    """A project. stage: how far its run has come, or why nothing is known of one."""

    name: str
    stage: str
    sentence: str = ""

    @property
    def line(self) -> str:
        """Return it as a person reads it."""
        said = f", {visible(self.sentence[:SHOWN])}" if self.sentence else ""
        return f"{visible(self.name)}: {self.stage}{said}"


def listed(memory: Memory, projects: Path) -> list[Listed]:
    """Return the projects in the order of their names."""
    if not projects.is_dir():
        return []
    return [_of(memory, each.name) for each in sorted(projects.iterdir()) if each.is_dir()]


def _of(memory: Memory, name: str) -> Listed:
    try:
        run = runs.kept(memory, name)
    except MemoryUnusable as error:
        return Listed(name, str(error))
    return Listed(name, run.stage, run.sentence) if run else Listed(name, "no run is kept of it")
