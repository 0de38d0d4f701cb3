"""No sandbox: limits and a folder of its own, and nothing else between a run and the machine.

Knows:    what it lacks, in a sentence for the person who must agree first.
Does not: ask.   (pipeline.py)
"""

import contextlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workshop.sandbox.launching import ROOT, Pipes, launch, launcher, own_python
from workshop.sandbox.plans import Job, as_json, plan
from workshop.sandbox.terms import Limits, Ran


@dataclass(frozen=True, slots=True)
class Bare:
    """Runs a program that can do what we can."""

    why_not_isolated: str
    name: str = "bare"
    isolated: bool = False

    async def run(
        self,
        files: Mapping[str, str],
        command: Sequence[str],
        limits: Limits = Limits(),  # noqa: B008  frozen
        *,
        stdin: bytes = b"",
        venv: Path | None = None,
        fixed: Mapping[str, str] | None = None,
    ) -> Ran:
        """Run it as Sandbox.run says, in a temporary folder."""
        job = Job(files, command, limits, stdin, venv, fixed or {})
        with tempfile.TemporaryDirectory(prefix="workshop-") as folder, contextlib.closing(Pipes()) as pipes:
            report, status = pipes.theirs
            started = launcher(own_python(), str(ROOT), report, status)
            return await launch(started, as_json(plan(job, "bare", folder)), limits, pipes)
