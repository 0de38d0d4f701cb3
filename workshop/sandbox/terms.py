"""What a sandbox is, what it is given and what it gives back.

Knows:    the limits of a run, what is told of one, and the form that every sandbox has.
Does not: run anything.   (namespaces.py, bubblewrap.py, bare.py)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

REPORT_FD = 3
"""Where a program writes its report: a pipe of its own, read apart from what it prints."""

Ended = Literal["exited", "timed_out", "too_much_output", "killed"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a run may use.

    cpu_s holds for each process, the others for all of the run together. memory_mb is the address space of
    each process too. disk_mb is what the run can write, wherever it writes; output_bytes what it can print.
    """

    wall_s: float = 30.0
    cpu_s: int = 20
    memory_mb: int = 512
    processes: int = 48
    output_bytes: int = 200_000
    disk_mb: int = 64


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a run.

    code: its exit code, -N where signal N ended it, None where we did. output: stdout and stderr together,
    cut at the limit. report: what it wrote to REPORT_FD. why: in words, where it did not end by itself.
    """

    code: int | None
    ended: Ended
    output: str
    report: bytes
    seconds: float
    why: str = ""


class Sandbox(Protocol):
    """Somewhere to run a program that nobody has read."""

    @property
    def name(self) -> str:
        """bubblewrap, namespaces or bare."""
        ...

    @property
    def isolated(self) -> bool:
        """Whether a run is kept from this machine's files, network and processes."""
        ...

    @property
    def why_not_isolated(self) -> str:
        """Say what is missing, in a sentence for the person who is asked; empty where isolated."""
        ...

    async def run(
        self,
        files: Mapping[str, str],
        command: Sequence[str],
        limits: Limits = Limits(),
        *,
        stdin: bytes = b"",
        venv: Path | None = None,
        fixed: Mapping[str, str] | None = None,
    ) -> Ran:
        """Run the command in a fresh folder that holds the files, and is gone afterwards.

        `{python}` in the command is the interpreter: the one of venv where that is given, else ours. fixed:
        files that the run can read and not change; nothing else can be in the same folder of the top level.
        Raises: SandboxMissing when the system refuses what it allowed before; ValueError for a path that
        leads out of the folder.
        """
        ...
