"""Which tests are weighed: the specification's examples as code writes them, and a tester's own beside them.

Knows:    that what is told to be in the person's words is what code made of them, whoever sent it.
Does not: weigh or run them.   (judging.py)
"""

from collections.abc import Mapping

from workshop.errors import PathRefused
from workshop.example_tests import TESTS, written_tests
from workshop.paths import checked_test
from workshop.specification import Specification
from workshop.testfiles import NotPython, functions_of, without
from workshop.verdicts import is_stated

FILES_MOST = 40
CHARS_MOST = 400_000


def offered(
    tests: Mapping[str, str], spec: Specification
) -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """Return the tests to be weighed, path -> content, and what of the tester's is not: its name, and why.

    The tests of the specification's examples are written here, so that a tester cannot change, weaken or
    leave out one of them; what else it calls stated is not.
    """
    own = written_tests(spec.examples)
    taken: dict[str, str] = {}
    refused: list[tuple[str, str]] = []
    for path, source in tests.items():
        if path in own:
            if source != own[path]:
                refused.append((path, "the examples' own tests stand there"))
            continue
        if why := _why_not(path, source, len(taken)):
            refused.append((path[:200], why))
            continue
        claimed = [name for name in _functions(source) if is_stated(name)]
        refused += [(f"{path}::{name}", "it is not in the person's words, and says so") for name in claimed]
        taken[path] = without(source, claimed) if claimed else source
    return {**taken, **own}, tuple(refused)


def _why_not(path: str, source: str, count: int) -> str:
    """Return why a tester's file cannot be taken, "" where it can."""
    if count >= FILES_MOST or len(source) > CHARS_MOST:
        return f"more than {FILES_MOST} files of {CHARS_MOST:,} characters are not run"
    try:
        if checked_test(path) != path:
            return "it is written in another way than it is read"
    except PathRefused as error:
        return str(error)
    return "" if path.endswith(".py") else f"it is no Python file of {TESTS}/"


def _functions(source: str) -> tuple[str, ...]:
    try:
        return functions_of(source)
    except NotPython:
        return ()  # weighing says so
