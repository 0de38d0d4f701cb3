"""A verdict: passed is passed, and everything else says in its own words why it is not."""

import sys
import venv
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path

import anyio
import pytest

from workshop.judging import Verdict, judge, weigh
from workshop.sandbox import Limits, find

pytestmark = pytest.mark.anyio

ADD = "def add(a, b):\n    return a + b\n"
TEST_ADD = "from adding import add\n\ndef test_add():\n    assert add(1, 2) == 3\n"


async def judged(
    files: Mapping[str, str] | str,
    tests: Mapping[str, str] | str = TEST_ADD,
    limits: Limits = Limits(),  # noqa: B008  frozen
    environment: Path | None = None,
) -> Verdict:
    laid = {"adding.py": files} if isinstance(files, str) else files
    given = {"tests/test_adding.py": tests} if isinstance(tests, str) else tests
    with anyio.fail_after(10):
        return await judge(find(), laid, given, limits=limits, venv=environment)


async def test_a_right_program_passes():
    verdict = await judged(ADD)
    assert verdict.passed
    assert verdict.sentence == "Passed: 1 test."
    assert [(each.test, each.passed, each.output) for each in verdict.outcomes] == [
        ("tests/test_adding.py::test_add", True, "")
    ]


async def test_a_wrong_program_fails_with_what_came_instead():
    verdict = await judged("def add(a, b):\n    return a - b\n")
    assert verdict.status == "failed"
    assert verdict.sentence == "Not passed: 1 of 1 test did not pass."
    assert "assert -1 == 3" in verdict.outcomes[0].output


STATES = {
    "a test that is skipped": (
        "import pytest\n\n@pytest.mark.skip(reason='later')\ndef test_a(): pass\n",
        "all_skipped",
        "Not passed: all tests were skipped.",
    ),
    "a file that is skipped": (
        "import pytest\npytest.skip('later', allow_module_level=True)\n\ndef test_a(): pass\n",
        "all_skipped",
        "Not passed: all tests were skipped.",
    ),
    "a test that may fail": (
        "import pytest\n\n@pytest.mark.xfail\ndef test_a(): assert 0\n",
        "all_skipped",
        "Not passed: all tests were skipped.",
    ),
    "a test that may fail and does not": (
        "import pytest\n\n@pytest.mark.xfail\ndef test_a(): pass\n",
        "failed",
        "Not passed: 1 of 1 test did not pass.",
    ),
    "a test without parameters to run it with": (
        "import pytest\n\n@pytest.mark.parametrize('n', [])\ndef test_a(n): pass\n",
        "all_skipped",
        "Not passed: all tests were skipped.",
    ),
    "one of two skipped": (
        "import pytest\n\ndef test_a(): pass\n\n@pytest.mark.skip\ndef test_b(): pass\n",
        "failed",
        "Not passed: 1 of 2 tests did not pass.",
    ),
    "a coroutine that nothing awaits": (
        "async def test_a(): assert 0\n",
        "failed",
        "Not passed: 1 of 1 test did not pass.",
    ),
    "one form of several": (
        "import pytest\n\n@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_a(n): assert n != 2\n",
        "failed",
        "Not passed: 1 of 3 tests did not pass.",
    ),
    "a fixture that nobody defines": (
        "def test_a(nothing): pass\n",
        "failed",
        "Not passed: 1 of 1 test did not pass.",
    ),
    "a teardown that fails": (
        "import pytest\n\n@pytest.fixture\ndef a():\n    yield\n    assert 0\n\ndef test_a(a): pass\n",
        "failed",
        "Not passed: 1 of 1 test did not pass.",
    ),
    "a test that is hidden before it is found": (
        "def test_a(): assert 0\n\ndel test_a\n\ndef test_b(): pass\n",
        "failed",
        "Not passed: 1 of 2 tests did not pass.",
    ),
    "only tests that are hidden": (
        "def test_a(): assert 0\n\ndel test_a\n",
        "not_collected",
        "Not passed: no test was collected: pytest found none of the tests.",
    ),
    "a class that pytest does not collect": (
        "class TestA:\n    def __init__(self): pass\n    def test_a(self): pass\n",
        "not_collected",
        "Not passed: no test was collected: pytest found none of the tests.",
    ),
    "no test": (
        "x = 1\n",
        "not_collected",
        "Not passed: no test was collected: there is no test function in the tests.",
    ),
    "no Python": (
        "def test_a(:\n",
        "not_collected",
        "Not passed: no test was collected: a test file is not Python: invalid syntax (<unknown>, line 1).",
    ),
    "a module that is not there": (
        "import nowhere\n\ndef test_a(): pass\n",
        "import_error",
        "Not passed: the tests could not be imported: tests/test_adding.py: ModuleNotFoundError: No module "
        "named 'nowhere'.",
    ),
    "an exit in a test": (
        "import os\n\ndef test_a(): os._exit(0)\n",
        "broke_off",
        "Not passed: the run broke off: it ended with exit code 0 before its report did.",
    ),
    "a crash": (
        "import os, signal\n\ndef test_a(): os.kill(os.getpid(), signal.SIGSEGV)\n",
        "broke_off",
        "Not passed: the run broke off: it was ended by the signal 11.",
    ),
    "a session that is left": (
        "import pytest\n\ndef test_a(): pytest.exit('enough', returncode=0)\n",
        "none_ran",
        "Not passed: none of the collected tests ran: pytest told of no result.",
    ),
}


async def all_at_once(runs: Mapping[str, Callable[[], Awaitable[Verdict]]]) -> dict[str, Verdict]:
    verdicts: dict[str, Verdict] = {}
    some = anyio.CapacityLimiter(4)

    async def one(name: str) -> None:
        async with some:
            verdicts[name] = await runs[name]()

    async with anyio.create_task_group() as tasks:
        for name in runs:
            tasks.start_soon(one, name)
    return verdicts


@pytest.fixture(scope="module")
async def of_states() -> dict[str, Verdict]:
    return await all_at_once({name: partial(judged, ADD, tests) for name, (tests, _, _) in STATES.items()})


@pytest.mark.parametrize("name", STATES)
async def test_what_is_not_passed_says_so(name: str, of_states: Mapping[str, Verdict]):
    _, status, sentence = STATES[name]
    verdict = of_states[name]
    assert (verdict.status, verdict.sentence, verdict.passed) == (status, sentence, False), verdict


async def test_a_program_that_is_no_python_is_an_import_error_told_with_each_test():
    verdict = await judged("def add(a, b)\n    return a\n")
    assert verdict.status == "import_error"
    assert "SyntaxError: expected ':'" in verdict.sentence
    assert "SyntaxError: expected ':'" in verdict.outcomes[0].output


async def test_a_program_that_ends_when_imported_says_where():
    verdict = await judged(ADD + "\nimport sys\nsys.exit(add(1, 1))\n")
    assert verdict.status == "import_error"
    assert verdict.sentence == (
        "Not passed: the tests could not be imported: tests/test_adding.py: adding.py:5: the program ends "
        "when it is imported, by SystemExit(2)."
    )


async def test_time_running_out_tells_what_had_passed():
    tests = "from adding import add\n\ndef test_a(): pass\n\ndef test_b():\n    while True: add(1, 2)\n"
    verdict = await judged(ADD, tests, Limits(cpu_s=1))  # not a clock's second: the machine may be busy
    assert verdict.status == "timed_out"
    assert verdict.sentence == (
        "Not passed: time ran out: it used more than 1 s of processor time; "
        "passed before that: tests/test_adding.py::test_a."
    )
    assert [each.passed for each in verdict.outcomes] == [True, False]


async def test_an_environment_without_pytest_says_how_to_get_it(tmp_path: Path):
    venv.create(tmp_path / "env", symlinks=True)
    verdict = await judged(ADD, environment=tmp_path / "env")
    assert verdict.status == "pytest_missing"
    assert verdict.sentence == (
        "Not passed: pytest is missing: No module named 'pytest'; install it where the tests run, with "
        "`python -m pip install pytest`."
    )


DECEITS = {
    "an exit when imported": "import os\nprint('3 passed in 0.01s', flush=True)\nos._exit(0)\n",
    "a polite exit when imported": "import sys\nprint('1 passed')\nsys.exit(0)\n",
    "a skip when imported": "import pytest\npytest.skip('no', allow_module_level=True)\n",
    "an exit of pytest": "import pytest\npytest.exit('no', returncode=0)\n",
    "handles closed": "import os\nos.closerange(3, 200)\ndef add(a, b): return 3\n",
    "an exit of the interpreter": "import os, atexit\ndef add(a, b): os._exit(0)\n",
    "garbage on the pipe": "import os\nfor fd in range(3, 90):\n"
    '    try: os.write(fd, b\'{"kind": "end", "code": 0}\\n[[[\\n\')\n    except OSError: pass\n',
    "tests written over": "open('tests/test_adding.py', 'w').write('def test_add(): pass')\n",
    "tests replaced": "import os\nos.rename('tests', 'old')\n",
}


@pytest.fixture(scope="module")
async def of_deceits() -> dict[str, Verdict]:
    return await all_at_once({name: partial(judged, program) for name, program in DECEITS.items()})


@pytest.mark.parametrize("name", DECEITS)
async def test_a_wrong_program_does_not_pass_by(name: str, of_deceits: Mapping[str, Verdict]):
    if name.startswith("tests ") and not find().isolated:
        pytest.skip(f"nothing here keeps files from being written: {find().why_not_isolated}")
    assert not of_deceits[name].passed, of_deceits[name]


STEERING = {
    "conftest.py": "def pytest_collection_modifyitems(items): items.clear()\n",
    "inner/conftest.py": "raise SystemExit\n",
    "tests/conftest.py": "raise SystemExit\n",
    "tests/test_adding.py": "def test_add(): pass\n",
    "pytest.ini": "[pytest]\naddopts = --collect-only\n",
    "setup.cfg": "[tool:pytest]\naddopts = --collect-only\n",
    "tox.ini": "[pytest]\naddopts = --collect-only\n",
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--collect-only'\n",
    "sitecustomize.py": "raise SystemExit\n",
    "usercustomize.py": "raise SystemExit\n",
    "pytest.py": "raise SystemExit\n",
    "_pytest/__init__.py": "raise SystemExit\n",
    "evil.pth": "import os; os._exit(0)\n",
}


async def test_what_could_steer_the_tests_is_left_out_and_told():
    verdict = await judged({"adding.py": ADD, **STEERING})
    assert verdict.passed
    assert verdict.ignored == tuple(sorted(STEERING))
    assert (
        "Left out, for it could change how the tests run: _pytest/__init__.py, conftest.py,"
        in verdict.sentence
    )


async def test_a_module_named_as_one_of_pythons_breaks_nothing_and_is_told():
    names = ["string", "random", "calendar", "queue", "json", "types", "logging", "token", "pluggy", "re"]
    files = {f"{name}.py": "raise SystemExit('mine')\n" for name in names} | {"select/__init__.py": "1 / 0"}
    verdict = await judged(
        {"adding.py": "import random, string, calendar, queue, json, logging\n" + ADD, **files}
    )
    assert verdict.passed
    assert set(verdict.hidden) == {f"{name}.py" for name in names} | {"select"}
    assert "An import does not reach calendar.py, json.py," in verdict.sentence


async def test_a_project_may_use_a_name_that_some_installed_package_has():
    files = {"yaml.py": ADD, "click/__init__.py": "", "click/deep.py": ADD}
    tests = (
        "from yaml import add\nfrom click.deep import add as b\n\ndef test_a(): assert add(1, 1) == b(1, 1)\n"
    )
    verdict = await judged(files, tests)
    assert verdict.passed, verdict
    assert verdict.hidden == ()


async def test_a_test_that_replaces_what_reports_use_is_still_reported():
    tests = (
        "import json, os\n\ndef test_a():\n    os.write = json.dumps = open = None\n\n"
        "def test_b(monkeypatch):\n    monkeypatch.setattr('os.getcwd', None)\n"
    )
    assert (await judged(ADD, tests)).passed


async def test_a_thread_left_running_does_not_hold_the_verdict_up():
    tests = "import threading\n\ndef test_a():\n    threading.Thread(target=threading.Event().wait).start()\n"
    verdict = await judged(ADD, tests, Limits(wall_s=8))
    assert verdict.passed, verdict


async def test_programs_are_started_by_tests_as_a_person_would():
    program = "import sys\nprint(int(sys.argv[1]) + int(input()))\n"
    tests = (
        "import subprocess, sys\n\ndef test_a():\n"
        "    command = [sys.executable, 'main.py', '1']\n"
        "    done = subprocess.run(command, input='2', capture_output=True, text=True)\n"
        "    assert (done.stdout, done.returncode) == ('3\\n', 0)\n"
    )
    assert (await judged({"main.py": program}, tests)).passed


async def test_packages_and_test_classes_are_found():
    files = {"pack/__init__.py": "", "pack/inner.py": ADD}
    tests = (
        "import unittest\nfrom pack.inner import add\n\n"
        "class TestOne:\n    def test_a(self): assert add(1, 1) == 2\n\n"
        "class Two(unittest.TestCase):\n    def test_b(self): self.assertEqual(add(1, 1), 2)\n"
    )
    verdict = await judged(files, tests)
    assert verdict.passed
    at = "tests/test_adding.py"
    assert [each.test for each in verdict.outcomes] == [f"{at}::TestOne::test_a", f"{at}::Two::test_b"]


async def test_names_are_told_as_they_were_given():
    verdict = await judged(ADD, {"test_one.py": TEST_ADD, "deep/test_two.py": TEST_ADD})
    assert verdict.passed
    assert [each.test for each in verdict.outcomes] == ["test_one.py::test_add", "deep/test_two.py::test_add"]


async def test_sets_come_in_the_same_order_each_time():
    tests = "from adding import order\n\ndef test_a(): assert 0, order\n"
    files = "order = list({str(n) for n in range(50)})\n"
    first, second = [(await judged(files, tests)).outcomes[0].output for _ in range(2)]
    assert first == second


async def test_a_path_out_of_the_folder_is_refused():
    for path in ("../x.py", "/x.py", "a//b.py", "", ".", "a\0b", "x" * 300):
        with pytest.raises(ValueError):
            await judged({path: ""})


# Weighing


async def test_only_tests_that_fail_on_an_empty_program_are_kept():
    tests = (
        "import pytest\nimport adding\nfrom adding import add\n\n"
        "def test_says_something():\n    assert add(1, 2) == 3\n\n"
        "def test_is_there():\n    assert callable(add)\n    assert add is not None\n\n"
        "@pytest.mark.parametrize('n', [None, 2])\ndef test_some_forms(n):\n    assert add(n, 0) == n\n\n"
        "@pytest.mark.skip(reason='later')\ndef test_skipped(): assert 0\n\n"
        "def test_raises():\n    with pytest.raises(TypeError):\n        add('a', 1)\n"
    )
    with anyio.fail_after(10):
        weighed = await weigh(find(), ["adding.py"], {"tests/test_adding.py": tests})
    source = weighed.kept["tests/test_adding.py"]
    assert [word for word in source.split() if word.startswith("test_")] == [
        "test_says_something():",
        "test_some_forms(n):",
        "test_raises():",
    ]
    assert dict(weighed.dropped) == {
        "tests/test_adding.py::test_is_there": "it passes on an empty program",
        "tests/test_adding.py::test_skipped": "skipped: later",
    }


async def test_files_that_say_nothing_at_all_are_dropped_with_the_reason():
    tests = {
        "tests/test_good.py": TEST_ADD,
        "tests/test_broken.py": "def test_a(:\n",
        "tests/test_none.py": "x = 1\n",
        "tests/test_lost.py": "import nowhere\n\ndef test_a(): assert 0\n",
        "tests/test_true.py": "def test_a(): assert True\n",
    }
    with anyio.fail_after(10):
        weighed = await weigh(find(), ["adding.py", "data.json"], tests)
    why = dict(weighed.dropped)
    assert list(weighed.kept) == ["tests/test_good.py"]
    assert why["tests/test_broken.py"].startswith("it is not Python: ")
    assert why["tests/test_none.py"] == "there is no test function in it"
    assert "No module named 'nowhere'" in why["tests/test_lost.py::test_a"]
    assert why["tests/test_true.py::test_a"] == "it passes on an empty program"


async def test_a_test_class_that_says_nothing_leaves_a_file_that_still_reads():
    tests = (
        "from adding import add\n\nclass TestNothing:\n    def test_a(self):\n        assert True\n\n"
        "class TestSome:\n    x = 1\n    def test_b(self):\n        assert True\n"
        "    def test_c(self):\n        assert add(1, 1) == 2\n"
    )
    with anyio.fail_after(10):
        weighed = await weigh(find(), ["adding.py"], {"tests/test_adding.py": tests})
    verdict = await judged(ADD, weighed.kept)
    assert [each.test for each in verdict.outcomes] == ["tests/test_adding.py::TestSome::test_c"]
    assert verdict.passed


def test_the_plugin_needs_nothing_but_pytest():
    source = Path(sys.modules["workshop.judging"].__file__ or "").with_name("judge_plugin.py")
    lines = [line.strip() for line in source.read_text(encoding="utf-8").splitlines()]
    imported = {line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names | {"pytest"}
