"""Run pytest and report each test over a pipe of its own: what a judged run is started with.

Knows:    what pytest collected, and what became of each test. It runs inside the sandbox, in whatever Python
          the project has, as a script: the standard library and pytest are all it imports.
Does not: decide what passed.   (judging.py)
Told:     a JSON object on stdin: {"nonce": …, "arguments": […]}. It tells one JSON object a line on handle 3.
Order:    pytest is imported before the project's folder can be searched, and that folder comes behind the
          standard library: a project's string.py cannot break pytest. Names that lose that way are reported.
Not held: the project runs in the same process as pytest. Code that sets out to deceive can reach the objects
          of this module and report what it likes; what is caught is what goes wrong without that aim.
"""

import fcntl
import json
import os
import sys
import traceback
from collections.abc import Callable, Generator
from typing import Any, cast

REPORT_FD = 3
_FAR = 50
_TEXT_MOST = 6_000

# Bound here, for a test may replace the names in their modules.
_dumps, _write = json.dumps, os.write


class Report:
    """The pipe, as a plugin of pytest."""

    pytest_make_collect_report: Callable[[Any], Any]

    def __init__(self, handle: int, nonce: str) -> None:
        self.handle = handle
        self.nonce = nonce

    def tell(self, kind: str, **words: Any) -> None:
        """Write one line, whole."""
        line = memoryview(_dumps({"kind": kind, "nonce": self.nonce, **words}).encode() + b"\n")
        while line:
            line = line[_write(self.handle, line) :]

    def pytest_itemcollected(self, item: Any) -> None:
        """Tell that a test was found."""
        self.tell("collected", test=item.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        """Tell of a file whose tests could not be found."""
        if report.outcome != "passed":
            text = _text(report)
            self.tell("not_collected", test=report.nodeid, result=report.outcome, text=text)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Tell what became of a test's set-up, call or teardown."""
        result = report.outcome
        if hasattr(report, "wasxfail"):
            result = "xpassed" if report.passed else "xfailed"
        text = _text(report) if result != "passed" else ""
        self.tell("outcome", test=report.nodeid, when=report.when, result=result, text=text)


def _text(report: Any) -> str:
    told: Any = report.longrepr  # a triple of path, line and reason for what was skipped
    if isinstance(told, tuple):
        return str(cast("tuple[Any, ...]", told)[-1]).removeprefix("Skipped: ")
    return report.longreprtext[-_TEXT_MOST:]


def _exit_is_an_error(collector: Any) -> Generator[None, Any, None]:
    """Make of a module that ends the program when it is imported one that cannot be; pytest would give up."""
    outcome = yield
    if outcome.excinfo is not None and isinstance(outcome.excinfo[1], SystemExit):
        last = traceback.extract_tb(outcome.excinfo[2])[-1]
        where = f"{os.path.relpath(last.filename)}:{last.lineno}"
        text = f"{where}: the program ends when it is imported, by SystemExit({outcome.excinfo[1].code!r})"
        outcome.force_result(sys.modules["pytest"].CollectReport(collector.nodeid, "failed", text, []))


def _hidden() -> list[str]:
    """Return the project's modules that an import does not find: their names are taken."""
    taken = set(sys.builtin_module_names) | set(getattr(sys, "stdlib_module_names", ())) | set(sys.modules)
    return [name for name in sorted(os.listdir(".")) if _module(name) in taken]


def _module(name: str) -> str:
    if name.endswith(".py"):
        return name[:-3]
    return name if os.path.isfile(os.path.join(name, "__init__.py")) else ""


def _search_here() -> None:
    """Find the project's modules after the standard library's, and before what else is installed."""
    sys.path = [path for path in sys.path if path != os.path.dirname(os.path.abspath(__file__))]
    installed = [at for at, path in enumerate(sys.path) if path.endswith(("site-packages", "dist-packages"))]
    sys.path.insert(installed[0] if installed else len(sys.path), os.getcwd())


def main() -> None:
    """Run the tests that stdin names."""
    told = json.loads(sys.stdin.buffer.read())
    # Out of the tests' way, and closed in every program that they start.
    handle = fcntl.fcntl(REPORT_FD, fcntl.F_DUPFD_CLOEXEC, _FAR)
    os.close(REPORT_FD)
    report = Report(handle, told["nonce"])
    try:
        import pytest  # here, for whether it is there is part of the answer
    except ModuleNotFoundError as error:
        report.tell("pytest_missing", text=str(error))
        return
    report.pytest_make_collect_report = pytest.hookimpl(hookwrapper=True)(_exit_is_an_error)
    report.tell("hidden", names=_hidden())
    _search_here()
    sys.argv = ["pytest"]
    code = pytest.main(told["arguments"], plugins=[report])
    report.tell("end", code=int(code))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(code))  # a thread that the project left behind has no say in when this ends


if __name__ == "__main__":
    main()
