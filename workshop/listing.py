"""The projects that there are, and how each stands.

Knows:    that a folder may have no run, and a run may be unreadable; neither hides the others.
Does not: go on with one.   (pipeline.py)
"""

from dataclasses import dataclass
from pathlib import Path

from common.text import visible
from workshop import runs
from workshop.account import STANDS
from workshop.errors import MemoryUnusable
from workshop.memory import Memory

SHOWN = 80


@dataclass(frozen=True)
class Listed:
    """A project. stage: how it stands, or why nothing is known of it."""

    name: str
    stage: str
    sentence: str = ""

    @property
    def line(self) -> str:
        """Return it as a person reads it."""
        cut = "…" if len(self.sentence) > SHOWN else ""
        said = f" ({visible(self.sentence[:SHOWN])}{cut})" if self.sentence else ""
        return f"{visible(self.name)}: {self.stage}{said}"


def listed(memory: Memory, projects: Path) -> list[Listed]:
    """Return the projects in the order of their names."""
    if not projects.is_dir():
        return []
    return [_of(memory, each) for each in sorted(projects.iterdir()) if each.is_dir()]


def _of(memory: Memory, folder: Path) -> Listed:
    name = folder.name
    try:
        run = runs.kept(memory, name)
    except MemoryUnusable as error:
        return Listed(name, str(error))
    if run is None:
        is_contract = any((each / "task.yaml").is_file() for each in (folder, folder / name.split("-")[0]))
        return Listed(name, "a contract" if is_contract else "no run is kept of it")
    if run.stage != "ended":
        return Listed(name, "broken off, `resume` goes on with it", run.sentence)
    return Listed(name, STANDS[run.outcome] if run.outcome else "ended", run.sentence)
