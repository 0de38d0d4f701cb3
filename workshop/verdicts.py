"""A version of the program and what its tests said, and which of two is better.

Knows:    that the person's own tests weigh more than those a model proposed.
Does not: run a test.   (judging.py)
"""

import ast
from collections.abc import Mapping

from workshop.judging import Verdict
from workshop.messages import Failure
from workshop.runs import Version

OUTPUT_CHARS = 4_000


def version_of(files: Mapping[str, str], verdict: Verdict) -> Version:
    """Return the version with what the verdict says of it; a run without outcomes failed as a whole."""
    failed = [(each.test, each.output[-OUTPUT_CHARS:]) for each in verdict.outcomes if not each.passed]
    if not failed and not verdict.passed:
        failed = [("", f"{verdict.sentence}\n{verdict.output[-OUTPUT_CHARS:]}")]
    return Version(
        files=dict(files),
        passed=tuple(each.test for each in verdict.outcomes if each.passed),
        failed=tuple(failed),
        status=verdict.status,
        sentence=verdict.sentence,
        seconds=verdict.seconds,
    )


def doubted(version: Version, doubts: Mapping[str, str]) -> Version:
    """Return the version that passed its tests, without what it answers otherwise when asked alone."""
    if not doubts:
        return version
    few = "1 example is" if len(doubts) == 1 else f"{len(doubts)} examples are"
    return version.model_copy(
        update={
            "passed": tuple(name for name in version.passed if name not in doubts),
            "failed": tuple((name, why[-OUTPUT_CHARS:]) for name, why in doubts.items()),
            "status": "failed",
            "sentence": f"Not passed: {few} answered otherwise when the program is asked without its tests.",
        }
    )


def unjudged(files: Mapping[str, str], why: str) -> Version:
    """Return a version that could not be run at all."""
    sentence = f"Not passed: the program cannot be run: {why}."
    return Version(files=dict(files), failed=(("", sentence),), status="broke_off", sentence=sentence)


def is_better(version: Version, other: Version) -> bool:
    """Say whether a version is better: by the stated tests first, then by all of them."""
    return _weight(version) > _weight(other)


def _weight(version: Version) -> tuple[bool, int, int]:
    stated = sum(is_stated(name) for name in version.passed)
    return version.status == "passed", stated, len(version.passed)


def is_stated(test: str) -> bool:
    """Say whether a test is in the person's own words; its name says so."""
    return function_of(test).startswith("test_stated_")


def function_of(test: str) -> str:
    """Return the function's name of a test that is named with its file."""
    return test.rsplit("::", 1)[-1]


def failures_of(version: Version, tests: Mapping[str, str]) -> tuple[Failure, ...]:
    """Return what a developer is told of the failing tests, the person's own ones first.

    tests: with those that do not count and were asked for all the same.
    """
    sources = test_sources(tests)
    ordered = sorted(version.failed, key=lambda each: not is_stated(each[0]))
    everything = "\n".join(tests.values())
    return tuple(
        Failure(
            name=function_of(name) or "The whole run",
            test=sources.get(function_of(name), everything),
            output=output,
        )
        for name, output in ordered
    )


def test_sources(tests: Mapping[str, str]) -> dict[str, str]:
    """Return the source of each test function, by its name."""
    found: dict[str, str] = {}
    for content in tests.values():
        for node in ast.parse(content).body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = ast.get_source_segment(content, node) or ""
    return found
