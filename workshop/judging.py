"""Judge a program by its tests, and tests by an empty program.

Knows:    what is laid in with a program, and how pytest is started on it.
Does not: run anything itself (workshop/sandbox), read the report (reported.py), or write tests.
Rule:     passed means that every test function found in the tests' source was reported as passed, and the
          report ended as it should. What a run prints counts for nothing; skipped and xfailed are not passed.
Laid in:  the tests cannot be changed by the run. The project's own tests, settings of pytest and modules that
          Python or pytest would load by themselves are left out: they could change what the tests mean.
Not held: the program runs in pytest's process, so that one written to deceive could report what it likes.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from workshop.outcomes import Outcome, Status, Verdict
from workshop.reported import Report, lines_of
from workshop.sandbox import Limits, Sandbox
from workshop.testfiles import NotPython, functions_of, without

__all__ = ["Outcome", "Status", "Verdict", "Weighed", "judge", "weigh"]

_STARTER = ".judge/judge_plugin.py"
_TESTS = "tests/"
# -s: no packages of a user's own. Not -I: the environment is ours, and fixes the order of sets.
_COMMAND = ("{python}", "-s", "-B", _STARTER)
_ARGUMENTS = (
    *("-c", "/dev/null", "--rootdir", ".", "--noconftest", "--import-mode=importlib"),
    *("-p", "no:cacheprovider", "-p", "no:doctest", "-p", "no:junitxml", "-p", "no:pastebin"),
    *("-q", "--no-header", "--color=no", "--tb=short", "--continue-on-collection-errors"),
)
_LEFT_OUT_ANYWHERE = {"conftest.py"}
_LEFT_OUT_ON_TOP = {
    *("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "setup.cfg", "pyproject.toml"),
    *("sitecustomize.py", "usercustomize.py", "pytest.py", "_pytest.py"),
}
_LEFT_OUT_FOLDERS = {"tests", "pytest", "_pytest", "sitecustomize", "usercustomize", ".judge"}

_EMPTY = """\
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *args, **kwargs: None
"""


@dataclass(frozen=True, slots=True)
class Weighed:
    """kept: the tests that say something, path -> source. dropped: (test, why it says nothing)."""

    kept: dict[str, str]
    dropped: tuple[tuple[str, str], ...]


async def judge(
    sandbox: Sandbox,
    files: Mapping[str, str],
    tests: Mapping[str, str],
    *,
    limits: Limits = Limits(),  # noqa: B008  frozen
    venv: Path | None = None,
) -> Verdict:
    """Run the tests on the files, and say what came of it.

    Raises: SandboxMissing where the system refuses what it allowed before; ValueError for a path that leads
    out of the folder, and for files that are more than the run's disk holds.
    """
    try:
        expected = [f"{path}::{name}" for path, source in tests.items() for name in functions_of(source)]
    except NotPython as error:
        return Verdict("not_collected", (), "", 0.0, f"a test file is not Python: {error}")
    if not expected:
        return Verdict("not_collected", (), "", 0.0, "there is no test function in the tests")
    laid = {_place(path): path for path in tests}
    given = {path: text for path, text in files.items() if not _left_out(path)}
    nonce = secrets.token_hex(16)
    ran = await sandbox.run(
        given,
        _COMMAND,
        limits,
        stdin=json.dumps({"nonce": nonce, "arguments": [*_ARGUMENTS, *laid]}).encode(),
        venv=venv,
        fixed={place: tests[path] for place, path in laid.items()} | {_STARTER: _starter()},
    )
    report = Report(lines_of(ran.report, nonce), laid)
    return report.verdict(ran, expected, tuple(sorted(files.keys() - given.keys())))


def _place(path: str) -> str:
    return path if path.startswith(_TESTS) else _TESTS + path


def _starter() -> str:
    return Path(__file__).with_name("judge_plugin.py").read_text(encoding="utf-8")


def _left_out(path: str) -> bool:
    parts = PurePosixPath(path).parts or (path,)  # an empty path is for the sandbox to refuse
    if parts[-1] in _LEFT_OUT_ANYWHERE or parts[-1].endswith(".pth"):
        return True
    return parts[0] in (_LEFT_OUT_ON_TOP if len(parts) == 1 else _LEFT_OUT_FOLDERS)


async def weigh(
    sandbox: Sandbox,
    files_planned: Sequence[str],
    tests: Mapping[str, str],
    *,
    limits: Limits = Limits(),  # noqa: B008  frozen
    venv: Path | None = None,
) -> Weighed:
    """Keep the tests that fail on an empty program: one that passes there says nothing of a full one.

    In the empty program every name of a planned module is a function that takes anything and returns None.
    Of a file only those functions are left out that say nothing. One with parameters is kept if any form of
    it fails. Raises: as judge.
    """
    functions: dict[str, tuple[str, ...]] = {}
    dropped: list[tuple[str, str]] = []
    for path, source in tests.items():
        try:
            functions[path] = functions_of(source)
        except NotPython as error:
            dropped.append((path, f"it is not Python: {error}"))
        else:
            if not functions[path]:
                dropped.append((path, "there is no test function in it"))
    empty = {path: _EMPTY if path.endswith(".py") else "" for path in files_planned}
    readable = {path: tests[path] for path, names in functions.items() if names}
    verdict = await judge(sandbox, empty, readable, limits=limits, venv=venv)
    kept: dict[str, str] = {}
    for path, source in readable.items():
        silent = {name: _why_silent(verdict, f"{path}::{name}") for name in functions[path]}
        silent = {name: why for name, why in silent.items() if why}
        dropped += [(f"{path}::{name}", why) for name, why in silent.items()]
        if len(silent) < len(functions[path]):
            kept[path] = without(source, silent)
    return Weighed(kept, tuple(dropped))


def _why_silent(verdict: Verdict, function: str) -> str:
    """Return why the test function says nothing, or nothing where it fails as it should."""
    outcomes = [outcome for outcome in verdict.outcomes if outcome.function == function]
    if any(outcome.failed for outcome in outcomes):
        return ""
    if not outcomes:
        return verdict.sentence
    if any(outcome.passed for outcome in outcomes):
        return "it passes on an empty program"
    return outcomes[0].output
