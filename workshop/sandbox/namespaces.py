"""The sandbox of our own launcher: Linux namespaces, for root and for an ordinary user.

Knows:    how the launcher is told to make them.
Does not: make them.   (workshop/launcher)
"""

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from workshop.sandbox.launching import ROOT, Pipes, launch, launcher, own_python, refusal
from workshop.sandbox.plans import FOLDER, Job, as_json, plan
from workshop.sandbox.terms import Limits, Ran


class Namespaces:
    """Runs a program in namespaces of its own."""

    name = "namespaces"
    isolated = True
    why_not_isolated = ""

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
        """Run it as Sandbox.run says."""
        made = plan(Job(files, command, limits, stdin, venv, fixed or {}), "namespaces", FOLDER)
        with contextlib.closing(Pipes()) as pipes:
            return await launch(_command(pipes), as_json(made), limits, pipes)


def _command(pipes: Pipes) -> list[str]:
    report, status = pipes.theirs
    return launcher(own_python(), str(ROOT), report, status)


def refused() -> str:
    """Try it once; return what this machine refuses, or nothing."""
    made = plan(Job({}, ["{python}", "-I", "-c", "pass"], Limits(wall_s=5)), "namespaces", FOLDER)
    with contextlib.closing(Pipes()) as pipes:
        return refusal(_command(pipes), as_json(made), pipes)
