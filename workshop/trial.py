"""A version of the program on trial: its tests, and where they all pass, the same examples asked for alone.

Knows:    which examples a program has to answer: the person's, every one, and a model's whose test counts.
Does not: run the tests, or compare the answers.   (judging.py, witness.py)
"""

from collections.abc import Mapping
from pathlib import Path

from workshop.example_tests import named
from workshop.judging import judge
from workshop.runs import Run, Version
from workshop.sandbox import Limits, Sandbox
from workshop.specification import Example
from workshop.verdicts import doubted, function_of, test_sources, unjudged, version_of
from workshop.witness import doubts


async def tried(
    sandbox: Sandbox, run: Run, files: Mapping[str, str], seconds: float, venv: Path | None
) -> Version:
    """Return the version of these files, with what came of its trial.

    Raises: MemoryUnusable when the tests are not those that were accepted; SandboxMissing.
    """
    limits = Limits(wall_s=seconds, cpu_s=round(seconds))
    try:
        verdict = await judge(sandbox, files, run.checked_tests(), limits=limits, venv=venv)
        version = version_of(files, verdict)
        if not verdict.passed:
            return version
        return doubted(version, await doubts(sandbox, files, asked_of(run), limits=limits, venv=venv))
    except ValueError as error:  # a path that cannot be laid in, more than a run's disk holds, no environment
        return unjudged(files, str(error))


def asked_of(run: Run) -> dict[str, Example]:
    """Return the examples that a program is asked for, by the names of their tests.

    A test of the person's that does not count, because an empty program passes it, must hold all the same.
    """
    counting = test_sources(run.tests)
    return {
        name: each
        for name, each in named(run.spec.examples).items()
        if each.stated or function_of(name) in counting
    }
