"""The account of a run: what its tests say, in the words of the examples, and what is left to a person.

Knows:    when a program is done, when nobody can tell, and what a person could do next.
Does not: judge, or print.
"""

import ast
from collections.abc import Mapping

from workshop.account import Account, Outcome
from workshop.errors import BadSpecification, WorkshopError
from workshop.example_tests import path_of_tests, written_tests
from workshop.project import Project
from workshop.runs import Run
from workshop.second_opinion import Opinion
from workshop.specification import EXAMPLES_MOST
from workshop.stated import READ_CHARS, calls_without_result, stated_beyond
from workshop.verdicts import function_of, is_stated, test_sources

AGREEING = 0.75
"""What part of the programs that were written must pass and answer alike for "done".   (docs/evals.md)"""


def not_built(error: WorkshopError) -> Account:
    """Give account of a run that ended without a specification, or without a folder."""
    if isinstance(error, BadSpecification):
        reasons = "; ".join(error.problems[:5])
        say = f"The model wrote no specification that can be used, twice: {reasons}."
        return Account(
            "not_built", look_at=(say, "Say it in other words, name the files, and give an example.")
        )
    return Account("not_built", look_at=(str(error),))


def declined() -> Account:
    """Give account of a specification that the person did not agree to."""
    return Account("declined", look_at=("Nothing was written. Say in other words what is wanted.",))


def counted(tests: Mapping[str, str]) -> tuple[int, int]:
    """Return how many tests are in the person's words, and how many a model proposed."""
    names = list(test_sources(tests))
    stated = sum(is_stated(name) for name in names)
    return stated, len(names) - stated


def changed_since(run: Run, project: Project) -> tuple[str, ...]:
    """Return the files that are not as they were when the best version was judged."""
    if run.best is None:
        return ()
    there = project.files()
    return tuple(path for path, content in run.best.files.items() if there.get(path) != content)


def account_of(
    run: Run, project: Project, problem: WorkshopError | None, changed: tuple[str, ...] = ()
) -> Account:
    """Give account of a run that has a project. changed: files that are not as they were judged."""
    best = None if changed else run.best
    sources = _sources(run)
    stated, proposed = counted(run.tests)
    held = {function_of(each) for each in best.passed} if best else set[str]()
    passed = [name for name in sources if name in held]
    failed = [name for name in sources if name not in held]
    look_at = [
        *_of_problem(problem, project),
        *_of_changes(changed, run.name),
        *(_of_failures(run, failed) if best else []),
        *_of_dropped(run),
        *_of_files_without_a_test(run),
        *(_of_origin(stated, proposed) if run.digest else []),
        *_of_unread(run),
        *_of_calls(run),
        *(_of_opinion(run.opinion) if best else []),
    ]
    return Account(
        outcome="untested" if changed else _outcome(run, problem, passed=len(passed), failed=len(failed)),
        name=run.name,
        works=tuple(_words(sources[name]) for name in passed),
        fails=tuple(_words(sources[name]) for name in failed if best),
        look_at=tuple(look_at),
        files=tuple(project.files()),
        stated=stated,
        proposed=proposed,
        attempts=run.judged,
        agreeing=run.opinion.agreeing if run.opinion else 0,
        compared=run.opinion.written if run.opinion else 0,
        seconds=run.seconds,
        requests=run.requests,
        tokens=run.tokens,
    )


def _sources(run: Run) -> dict[str, str]:
    """Return the tests that there is something to say of: those that count, and what failed beside them."""
    sources = test_sources(run.tests)
    failed = {function_of(name) for name, _ in run.best.failed} if run.best else set[str]()
    beside = test_sources(written_tests(run.spec.examples))
    return sources | {name: beside[name] for name in beside if name in failed and name not in sources}


def _outcome(run: Run, problem: WorkshopError | None, *, passed: int, failed: int) -> Outcome:
    if problem is not None and run.stage == "specified":
        return "not_built"
    if not run.tests:
        return "untested"
    if failed or not passed or run.best is None or run.best.status != "passed":
        return "not_done"
    if problem is not None or stated_beyond(run.sentence):
        return "unsure"
    opinion = run.opinion
    if opinion is None:
        return "done"
    return "done" if opinion.agreeing >= AGREEING * opinion.written else "unsure"


def _of_changes(changed: tuple[str, ...], name: str) -> list[str]:
    if not changed:
        return []
    return [
        f"Since it was judged, {', '.join(changed)} was changed or taken away. What is there now was not "
        f"tested: `python -m workshop resume {name}` tests it."
    ]


def _of_unread(run: Run) -> list[str]:
    """Tell what of a long sentence was not taken for examples."""
    beyond = stated_beyond(run.sentence)
    said = [f"{beyond} examples of yours were not tested: {EXAMPLES_MOST} is the most."] if beyond else []
    if len(run.sentence) > READ_CHARS:
        said.append(f"Only the first {READ_CHARS:,} characters of your sentence were read for examples.")
    return said


def _of_calls(run: Run) -> list[str]:
    """Tell which calls of the sentence say nothing that could be tested."""
    calls = calls_without_result(run.sentence, run.spec.examples)
    return (
        [f"Not understood as an example: {', '.join(calls[:5])}. Write it as `f(1) == 2`."] if calls else []
    )


def _of_problem(problem: WorkshopError | None, project: Project) -> list[str]:
    if problem is None:
        return []
    there = ", ".join(project.files()) or "nothing"
    return [f"{problem} On disk is: {there}. `python -m workshop resume {project.name}` goes on from there."]


def _of_failures(run: Run, failed: list[str]) -> list[str]:
    if run.best is None or not failed:
        return []
    versions = "one version" if run.judged == 1 else f"{run.judged} versions"
    said = [f"After {versions}: {run.best.sentence}"]
    for name, output in run.best.failed[:3]:
        lines = [line for line in output.splitlines() if line.startswith("E ")] or output.splitlines()[-3:]
        words = " ".join(line.removeprefix("E").strip() for line in lines[:3])
        said.append(f"{function_of(name) or 'The run'}: {words[:400]}")
    return said


def _of_dropped(run: Run) -> list[str]:
    return [f"{name} does not count: {why}" for name, why in run.dropped]


def _of_files_without_a_test(run: Run) -> list[str]:
    """Tell which files no test is about; a package's own file holds nothing."""
    if not run.tests:
        return []
    tested = {path_of_tests(each.path): each.path for each in run.spec.files}
    without = [
        file for test, file in tested.items() if test not in run.tests and not file.endswith("__init__.py")
    ]
    return [f"No test is about {', '.join(without)}."] if without else []


def _of_origin(stated: int, proposed: int) -> list[str]:
    if not stated and not proposed:
        return ["There is no test that counts. Give an example: `name(2) == 4`."]
    if not stated:
        return [
            f"No test is in your words; what the model proposed, {proposed} of them, is for you to check."
        ]
    return [f"What the model proposed, {proposed} of the tests, is for you to check."] if proposed else []


def _of_opinion(opinion: Opinion | None) -> list[str]:
    """Tell what the other programs say that were written for the same sentence."""
    if opinion is None:
        return []
    said = _of_agreement(opinion)
    if opinion.silent:
        said.append(f"{opinion.silent} of them gave no answer in time.")
    if opinion.differing is not None:
        call, own, other = opinion.differing
        said.append(
            f"Your examples leave open: {_outcome_of(call, own)} here, and {_outcome_of(call, other)} in "
            f"another program that passes. Say which is right, as in `{_example_of(call, own)}`."
        )
    elif not opinion.calls and opinion.of > 1:
        said.append("There was no further call to compare the programs on.")
    return said


def _of_agreement(opinion: Opinion) -> list[str]:
    """Tell why the other programs do not confirm this one, where they do not."""
    if opinion.agreeing >= AGREEING * opinion.written:
        return []
    written = f"{opinion.written} programs were written for this"
    if opinion.of == 1:
        return [f"{written}, and only this one passes the tests: nothing confirms it. Give one more example."]
    if opinion.agreeing == opinion.of:
        return [f"{written}, and only {opinion.of} pass the tests. Give one more example."]
    return [f"{written}; {opinion.of} pass the tests, and {opinion.agreeing} of these do the same elsewhere."]


def _outcome_of(call: str, answer: str) -> str:
    return f"{call} {answer}" if answer.startswith("raises ") else f"{call} gives {answer}"


def _example_of(call: str, answer: str) -> str:
    return f"{call} {answer}" if answer.startswith("raises ") else f"{call} == {answer}"


def _words(source: str) -> str:
    """Return what a test asserts: its docstring, which is the example."""
    (function,) = ast.parse(source).body
    return ast.get_docstring(function) or source  # type: ignore[arg-type]
