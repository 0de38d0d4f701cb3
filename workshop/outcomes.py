"""What the tests say of a program, and how it reads.

Knows:    the states that a judged run can end in, and a sentence for each.
Does not: run tests (judging.py), or read a report (reported.py).
"""

from dataclasses import dataclass
from typing import Literal

Status = Literal[
    "passed",
    "failed",
    "not_collected",
    "import_error",
    "none_ran",
    "all_skipped",
    "timed_out",
    "pytest_missing",
    "broke_off",
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one test.

    output: what pytest said of it, or why it has no result; empty where it passed. failed: it ran and did not
    hold; False too for what was skipped or did not run to its end, which is not passed either.
    """

    test: str
    passed: bool
    output: str = ""
    failed: bool = False

    @property
    def function(self) -> str:
        """The test without its parameters."""
        return self.test.partition("[")[0]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the tests say of a program. why: the particulars of the status, in words.

    ignored: the project's files that were not laid in. hidden: those of its modules whose names are taken by
    modules of Python itself or of pytest, so that an import finds those.
    """

    status: Status
    outcomes: tuple[Outcome, ...]
    output: str
    seconds: float
    why: str = ""
    ignored: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every expected test ran and passed."""
        return self.status == "passed"

    @property
    def sentence(self) -> str:
        """Say it for a person."""
        good = sum(outcome.passed for outcome in self.outcomes)
        said = f"Passed: {_tests(good)}." if self.passed else f"Not passed: {self._reason(good)}"
        if self.ignored:
            said += f" Left out, for it could change how the tests run: {', '.join(self.ignored)}."
        if self.hidden:
            names = ", ".join(self.hidden)
            said += f" An import does not reach {names}: the name is that of a standard module."
        return said

    def _reason(self, good: int) -> str:
        bad = len(self.outcomes) - good
        return {
            "failed": f"{bad} of {_tests(len(self.outcomes))} did not pass.",
            "not_collected": f"no test was collected: {self.why}.",
            "import_error": f"the tests could not be imported: {self.why}.",
            "none_ran": f"none of the collected tests ran: {self.why}.",
            "all_skipped": "all tests were skipped.",
            "timed_out": f"time ran out: {self.why}.",
            "pytest_missing": f"pytest is missing: {self.why}.",
            "broke_off": f"the run broke off: {self.why}.",
        }[self.status]


def _tests(count: int) -> str:
    return f"{count} test" if count == 1 else f"{count} tests"
