"""Read the report of a judged run: what the plugin told, and what it comes to.

Knows:    the report's lines, and which tests were expected.
Does not: run tests (judging.py), or believe what they print.
Rule:     a test has passed if its set-up, its call and its teardown were each told as passed, once. All have
          if each expected function did, in every form that was collected, and the report came to its end.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ValidationError

from workshop.outcomes import Outcome, Status, Verdict
from workshop.sandbox import Ran

_PASSED = [("setup", "passed"), ("call", "passed"), ("teardown", "passed")]


class _Line(BaseModel):
    """One line of the report."""

    kind: Literal["collected", "not_collected", "outcome", "hidden", "pytest_missing", "end"]
    nonce: str
    test: str = ""
    when: str = ""
    result: str = ""
    text: str = ""
    names: tuple[str, ...] = ()
    code: int = 0


def lines_of(report: bytes, nonce: str) -> Iterator[_Line]:
    """Return what the plugin wrote; whatever else is on the pipe is none of it."""
    for text in report.split(b"\n"):
        try:
            line = _Line.model_validate_json(text)
        except ValidationError:
            continue
        if line.nonce == nonce:
            yield line


class Report:
    """What was told, by the names that the core has for the tests. laid: place in the run -> path."""

    def __init__(self, lines: Iterable[_Line], laid: Mapping[str, str]) -> None:
        self.collected: dict[str, None] = {}
        self.errors: dict[str, str] = {}
        self.skipped_files: dict[str, str] = {}
        self.results: dict[str, list[tuple[str, str, str]]] = {}
        self.hidden: tuple[str, ...] = ()
        self.missing = ""
        self.code: int | None = None
        for line in lines:
            place, separator, rest = line.test.partition("::")
            self._take(line, laid.get(place, place) + separator + rest)

    def _take(self, line: _Line, test: str) -> None:
        match line.kind:
            case "collected":
                self.collected[test] = None
            case "not_collected":
                where = self.skipped_files if line.result == "skipped" else self.errors
                where[test] = line.text
            case "outcome":
                self.results.setdefault(test, []).append((line.when, line.result, line.text))
            case "hidden":
                self.hidden = line.names
            case "pytest_missing":
                self.missing = line.text
            case "end":
                self.code = line.code

    def verdict(self, ran: Ran, expected: Sequence[str], ignored: tuple[str, ...]) -> Verdict:
        """Return what it comes to. expected: `path::function`, each of which must have passed."""
        status, why = self._ended(ran)
        found = {test.partition("[")[0] for test in self.collected}
        outcomes = [self._outcome(test, why) for test in self.collected]
        outcomes += [self._not_there(test, why) for test in expected if test not in found]
        if status is None:
            status, why = self._of_a_whole_run(outcomes)
        elif status == "timed_out":
            done = ", ".join(outcome.test for outcome in outcomes if outcome.passed)
            why += f"; passed before that: {done or 'none'}"
        return Verdict(status, tuple(outcomes), ran.output, ran.seconds, why, ignored, self.hidden)

    def _parts(self) -> Iterator[tuple[str, str, str]]:
        for parts in self.results.values():
            yield from parts

    def _outcome(self, test: str, why: str) -> Outcome:
        parts = self.results.get(test, [])
        if [(when, result) for when, result, _ in parts] == _PASSED:
            return Outcome(test, True)
        said = [
            text if result == "failed" else f"{result}: {text}"
            for _, result, text in parts
            if result != "passed"
        ]
        failed = any(result == "failed" for _, result, _ in parts)
        return Outcome(
            test, False, "\n".join(said) or f"it did not run to its end{why and ': '}{why}", failed
        )

    def _not_there(self, test: str, why: str) -> Outcome:
        path = test.partition("::")[0]
        if path in self.skipped_files:
            return Outcome(test, False, f"skipped: {self.skipped_files[path]}")
        errors = [text for place, text in self.errors.items() if place.partition("::")[0] == path]
        return Outcome(test, False, "\n".join(errors) or f"it was not collected{why and ': '}{why}")

    def _ended(self, ran: Ran) -> tuple[Status | None, str]:
        """Return the status of a run that did not come to its end; None for one that did."""
        if self.missing:
            advice = "install it where the tests run, with `python -m pip install pytest`"
            return "pytest_missing", f"{self.missing}; {advice}"
        if ran.ended == "timed_out":
            return "timed_out", ran.why
        if ran.ended != "exited":
            return "broke_off", ran.why
        if self.code is None:
            return "broke_off", f"it ended with exit code {ran.code} before its report did"
        if self.code not in {0, 1, 5}:
            return "broke_off", f"pytest ended with exit code {self.code}"
        return None, ""

    def _of_a_whole_run(self, outcomes: Sequence[Outcome]) -> tuple[Status, str]:
        if self.errors:
            return "import_error", "; ".join(f"{at}: {_reason(text)}" for at, text in self.errors.items())
        if not self.collected and not self.skipped_files:
            return "not_collected", "pytest found none of the tests"
        if all(outcome.passed for outcome in outcomes):
            return "passed", ""
        if all(outcome.output.startswith(("skipped: ", "xfailed: ")) for outcome in outcomes):
            return "all_skipped", ""
        if not any(when == "call" or result == "failed" for when, result, _ in self._parts()):
            return "none_ran", "pytest told of no result"
        return "failed", ""


def _reason(text: str) -> str:
    """Return the line of a traceback that says what went wrong, without pytest's mark before it."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("E").strip() if lines else "no reason was given"
