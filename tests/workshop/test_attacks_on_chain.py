"""The chain with a model, an agent or a folder against it: no false "done", nothing outside, an account.

What is not withstood is in docs/security.md.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner

from llm import Completion, Reply
from tests.workshop.stand_in import OTHERWISE, RIGHT, SANDBOX, SENTENCE, WRONG, Stage, StandIn
from workshop import accounting, runs
from workshop.__main__ import main
from workshop.agents import tester
from workshop.code import code_of, outline
from workshop.errors import AgentLate, NotStarted, ProjectUnusable
from workshop.events import Began, Committed, Event, FileOnDisk, FileRefused, Judged, TestsFrozen
from workshop.example_tests import names_in, written_tests
from workshop.means import ANSWER_CHARS, Counted
from workshop.messages import ModelReply
from workshop.missing_imports import with_missing_imports
from workshop.offered import offered
from workshop.project import HIDDEN, Project
from workshop.sandbox import Limits
from workshop.screen import Screen
from workshop.second_opinion import SILENT, compared, probes
from workshop.specification import EXAMPLES_MOST, Example
from workshop.specifying import planned_by_code
from workshop.stated import stated_examples
from workshop.witness import doubts
from workshop.words import lines_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path, StandIn())


DECEIVING = {
    "equal to everything": """
class Any:
    def __eq__(self, other):
        return True
def double(n):
    return Any()
""",
    "a number that calls itself equal": """
class Any(int):
    def __eq__(self, other):
        return True
    def __repr__(self):
        return "4"
def double(n):
    return Any(0)
""",
    "a list whose parts are equal to everything": """
class Any(list):
    def __eq__(self, other):
        return True
def double(n):
    return Any()
""",
    "a forged report": """
import gc, os
def double(n):
    for each in gc.get_objects():
        if type(each).__name__ == "Report" and hasattr(each, "nonce"):
            for when in ("call", "teardown"):
                test = "tests/test_double.py::test_stated_1"
                each.tell("outcome", test=test, when=when, result="passed", text="")
            each.tell("end", code=0)
            os._exit(0)
""",
    "a report of pytest that was replaced": """
import sys
reports = sys.modules.get("_pytest.reports")
if reports:
    made = reports.TestReport.from_item_and_call.__func__
    def always(cls, item, call):
        call.excinfo = None
        return made(cls, item, call)
    reports.TestReport.from_item_and_call = classmethod(always)
def double(n):
    return 0
""",
    "an end at once with exit code 0": "import os\ndef double(n):\n    os._exit(0)\n",
    "an end in a thread": """
import os, threading
threading.Thread(target=os._exit, args=(0,)).start()
def double(n):
    return 0
""",
    "an answer for the tests alone": """
import sys
def double(n):
    return 4 if "_pytest" in sys.modules else 0
""",
}


@pytest.mark.parametrize("way", DECEIVING)
async def test_a_program_that_deceives_its_tests_is_not_done(stage: Stage, way: str):
    stage.agents.builds = [{"double.py": DECEIVING[way]}]
    account = await stage.pipeline(fixes=0).run(SENTENCE)
    assert account.outcome == "not_done"
    assert account.works == ()
    assert account.fails == ("double(2) == 4",)


async def test_an_exception_that_is_only_claimed_is_not_done(stage: Stage):
    source = """
import pytest
class Never:
    def __init__(self, *kinds): pass
    def __enter__(self): return self
    def __exit__(self, *error): return True
pytest.raises = Never
def double(n):
    return 2 * n
"""
    stage.agents.builds = [{"double.py": source}]
    account = await stage.pipeline(fixes=0).run(
        "Write double(n). double(2) == 4, double(None) raises ValueError"
    )
    assert account.outcome == "not_done"
    assert account.fails == ("double(None) raises ValueError",)


RIGHT_ANSWERS = {
    "from collections import Counter\ndef f(): return Counter('aab')": "{'a': 2, 'b': 1}",
    "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\ndef f(): return P(1)": "(1,)",
    "from decimal import Decimal\ndef f(): return [Decimal('1.5'), Decimal(10) ** 30]": f"[1.5, {10**30}]",
    "from fractions import Fraction\ndef f(): return Fraction(1, 2)": "0.5",
    "def f(): return {'a': 1}.keys()": "{'a'}",
    "from enum import IntEnum\nclass E(IntEnum):\n    A = 3\ndef f(): return {E.A: (True, b'x')}": (
        "{3: (True, b'x')}"
    ),
    "from collections import UserList\ndef f(): return UserList('ab')": "['a', 'b']",
    "def f(): return float('inf'), float('-inf')": "(1e999, -1e999)",
    "def f(): return frozenset({1}), 1 + 2j, -0.5": "({1}, 1 + 2j, -0.5)",
    "def f():\n    print('x' * 300_000)\n    return 'é\\ud800'": "'é\\ud800'",
    "count = 0\ndef f():\n    global count\n    count += 1\n    return count": "1",
}


async def test_a_right_answer_of_any_kind_is_taken_for_one():
    files = {f"m{number}.py": source for number, source in enumerate(RIGHT_ANSWERS)}
    examples = {
        path: Example(file=path, call="f()", returns=returns)
        for path, returns in zip(files, RIGHT_ANSWERS.values(), strict=True)
    }
    files["m_error.py"] = "class Odd(ValueError): pass\ndef f(): raise Odd('no')"
    examples["m_error.py"] = Example(file="m_error.py", call="f()", raises="ValueError")
    assert await doubts(SANDBOX, files, examples, limits=Limits()) == {}


async def test_each_wrong_answer_is_told_with_what_came():
    files = {"m.py": "def f(n): return {0: 5, 1: [4], 2: '4', 3: object()}.get(n) or 1 / 0"}
    examples = {str(n): Example(file="m.py", call=f"f({n})", returns="4") for n in range(5)}
    examples["5"] = Example(file="m.py", call="f(0)", raises="ValueError")
    told = await doubts(SANDBOX, files, examples, limits=Limits())
    assert list(told) == list("012345")
    assert told["0"] == "Asked for 'f(0) == 4' alone, the program gives 5."
    assert "ZeroDivisionError" in told["4"]
    assert told["5"] == "Asked for 'f(0) raises ValueError' alone, the program gives 5."


ANY = "class Any:\n    def __eq__(self, other): return True\n    def __repr__(self): return '4'\n"
FORGED_RUN = """
import subprocess, sys
class Text(str):
    def strip(self):
        return self
    def __eq__(self, other):
        return True
if "_pytest" in sys.modules:
    subprocess.run = lambda *a, **k: subprocess.CompletedProcess(a, 0, Text(), "")
def double(n):
    return 2 * n
if __name__ == "__main__":
    print("nothing")
"""


@pytest.mark.parametrize("value", ["Decimal('4')", "2 + 2", "math.floor(4.5)", "[4] * 2", "frozenset([4])"])
async def test_a_value_that_is_no_literal_is_worked_out_without_the_program(value: str):
    files = {
        "m.py": f"{ANY}def f(): return Any()",
        "n.py": f"import math\nfrom decimal import Decimal\ndef f(): return {value}",
    }
    examples = {path: Example(file=path, call="f()", returns=value) for path in files}
    assert list(await doubts(SANDBOX, files, examples, limits=Limits())) == ["m.py"]


async def test_a_value_that_cannot_be_told_is_left_to_the_tests():
    example = Example(file="m.py", call="f()", returns="datetime.date(2026, 1, 2)")
    files = {"m.py": "import datetime\ndef f(): return datetime.date(2026, 1, 2)"}
    assert await doubts(SANDBOX, files, {"a": example}, limits=Limits()) == {}


async def test_what_a_program_prints_is_asked_for_where_it_was_imported_too():
    called = Example(file="double.py", call="double(2)", returns="4")
    run = Example(file="double.py", arguments=("2",), prints="4\n")
    told = await doubts(SANDBOX, {"double.py": FORGED_RUN}, {"call": called, "run": run}, limits=Limits())
    assert list(told) == ["run"]
    assert "prints 'nothing'" in told["run"]
    right = RIGHT + "import sys\nif __name__ == '__main__':\n    print(double(int(sys.argv[1])))\n"
    assert await doubts(SANDBOX, {"double.py": right}, {"call": called, "run": run}, limits=Limits()) == {}


async def test_what_the_person_said_must_hold_also_where_an_empty_program_holds_it(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    stage.agents.fixes = [{"double.py": "def double(n):\n    return 2 * n or None\n"}]
    account = await stage.pipeline(fixes=0).run("Write double(n). double(2) == 4, double('') == None")
    assert account.outcome == "not_done"
    assert account.fails == ("double('') == None",)
    account = (
        await Stage(
            stage.folder,
            StandIn([{"double.py": RIGHT}], [{"double.py": "def double(n):\n    return 2 * n or None\n"}]),
        )
        .pipeline()
        .run("Write double(n). double(2) == 4, double('') == None")
    )
    assert account.outcome == "done"


async def test_more_examples_than_are_tested_are_not_done_and_told(stage: Stage):
    said = ", ".join(f"double({n}) == {2 * n}" for n in range(1, EXAMPLES_MOST + 6))
    stage.agents.builds = [
        {"double.py": f"def double(n):\n    return 2 * n if n <= {EXAMPLES_MOST} else 0\n"}
    ]
    account = await stage.pipeline().run(f"Write double(n). {said}")
    assert account.outcome == "unsure"
    assert any("5 examples of yours were not tested" in line for line in account.look_at)


def test_two_files_whose_tests_have_one_path_keep_the_tests_of_both():
    examples = [Example(file=file, call="f(1)", returns="2", stated=True) for file in ("a/b.py", "a_b.py")]
    (content,) = written_tests(examples).values()
    assert "from a.b import f" in content
    assert "from a_b import f" in content


def test_a_function_that_is_called_as_one_of_pythons_is_the_one_to_be_written():
    assert names_in(Example(file="sum.py", call="sum([1, 2])", returns="3")) == (["sum"], [])
    assert names_in(Example(file="a.py", call="sum(part([1, 2]))", returns="3")) == (["part"], [])


WEAK = "def test_stated_1():\n    import double\n    assert double.double(2) is not None\n"


@pytest.mark.parametrize(
    "path", ["tests/test_double.py", "tests/test_more.py", "test_double.py", "tests/a/b.py"]
)
async def test_a_tester_cannot_change_the_persons_tests_or_add_to_them(stage: Stage, path: str):
    stage.agents.builds, stage.agents.tests = [{"double.py": WRONG}], [{path: WEAK}]
    account = await stage.pipeline(fixes=0).run(SENTENCE)
    assert account.outcome == "not_done"
    assert (account.stated, account.fails) == (1, ("double(2) == 4",))


@pytest.mark.parametrize(
    "path",
    [
        *("../../x.py", "/tmp/x.py", "tests/../x.py", "", "tests/\ud800.py", "tests/a\x1b[2J.py"),
        *("tests/" + "a/" * 40 + "x.py", "tests", "tests/x.txt", "./tests/x.py"),
    ],
)
def test_a_testers_file_with_a_path_that_leads_elsewhere_is_left_out_and_told(path: str):
    spec = planned_by_code(SENTENCE)
    assert spec is not None
    tests, refused = offered({path: WEAK.replace("stated", "proposed")}, spec)
    assert list(tests) == ["tests/test_double.py"]
    told = "\n".join(lines_of(TestsFrozen(1, 0, refused)))
    assert "does not count" in told
    assert "\x1b" not in told


async def test_a_run_goes_on_after_a_testers_file_was_left_out(stage: Stage):
    stage.agents.builds, stage.agents.tests = [{"double.py": RIGHT}], [{"../../x.py": WEAK}]
    account = await stage.pipeline(fixes=0).run(SENTENCE)
    assert (account.outcome, account.works) == ("done", ("double(2) == 4",))
    assert sorted(each.name for each in stage.folder.iterdir()) == ["logs", "projects"]


def test_a_model_cannot_propose_in_the_persons_name_or_about_other_files():
    listed = [
        {"file": "double.py", "call": "double(2)", "returns": "4", "stated": True},
        {"file": 'double.py"""\nimport os\n"""', "call": "double(3)", "returns": "6"},
        {"file": "os.py", "call": "getcwd()", "returns": "'/'"},
        {"file": "double.py", "call": "double.__name__", "returns": "'double'"},
        {"file": "double.py", "call": "len('ab')", "returns": "2"},
        {"file": "double.py", "call": "double.double(5)", "returns": "10"},
    ]
    read = list(tester._read(json.dumps({"examples": listed}), ["double.py"]))  # type: ignore[reportPrivateUsage]
    assert [(each.call, each.stated) for each in read] == [("double(2)", False), ("double(5)", False)]


@pytest.mark.parametrize(
    "text", ['{"examples": 3}', '{"examples": {"a": 1}}', "[" * 100_000, "[]", '{"examples": [3]}']
)
def test_an_answer_of_another_form_proposes_nothing(text: str):
    assert list(tester._read(text, ["a.py"])) == []  # type: ignore[reportPrivateUsage]


async def test_a_run_that_was_not_sure_is_not_done_when_it_is_looked_at_again(stage: Stage):
    stage.agents.builds = [{"double.py": each} for each in (RIGHT, OTHERWISE, OTHERWISE, RIGHT)]
    account = await stage.pipeline(opinions=3).run(SENTENCE)
    again = await stage.pipeline(opinions=3).resume(account.name)
    assert (account.outcome, again.outcome) == ("unsure", "unsure")
    assert again.look_at == account.look_at


async def test_a_program_that_was_changed_after_it_was_judged_is_not_said_to_work(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    account = await stage.pipeline().run(SENTENCE)
    (stage.folder / "projects" / account.name / "double.py").write_text(WRONG, encoding="utf-8")
    again = await stage.pipeline().resume(account.name)
    assert (again.outcome, again.works) == ("not_done", ())


def test_programs_that_do_not_answer_agree_with_nobody():
    found = compared(["f(1)"], [[SILENT], [SILENT], ["1"]])
    assert (found.chosen, found.agreeing, found.of) == (2, 1, 3)
    assert compared(["f(1)"], [[SILENT], [SILENT]]).agreeing == 0


@pytest.mark.parametrize(
    "call",
    [
        *("f(" + "-" * 300 + "1)", "f(" + "+".join(["1"] * 400) + ")", "f(0x" + "f" * 1_900 + ")"),
        *("f(f'{1}b')", "f(f'{1:>{2}}')", "f(1e999, -1e999)", "f('\\ud800')", "f(lambda x: 1)"),
        "f(*[1], **{'a': 2})",
    ],
)
def test_any_call_is_changed_or_left_alone(call: str):
    for each in probes([Example(file="a.py", call=call, returns="1")]):
        assert each.startswith("f(")


MEGABYTE = 1_000_000
LONG = {
    "backticks": "`" * MEGABYTE,
    "a fence that does not end": "```" + "a" * MEGABYTE,
    "a fence and spaces": "```" + " " * MEGABYTE,
    "definitions without a body": "def f():\n" * (MEGABYTE // 9),
    "brackets": "(" * MEGABYTE,
    "minuses": "x = " + "-" * MEGABYTE + "1",
    "pluses": "x = " + "1+" * (MEGABYTE // 2) + "1",
    "fences": "```\n" * (MEGABYTE // 4),
    "a sum as a default": "def f(a=" + "1+" * 2_000 + "1): pass",
}


@pytest.mark.parametrize("name", LONG)
def test_a_long_answer_is_read_in_bounded_time(name: str):
    source = code_of(LONG[name], "a.py")
    assert len(source) <= len(LONG[name]) + 1
    assert isinstance(outline(source), str)
    assert with_missing_imports(source, "a.py", {"b.py": source}) is not None


@pytest.mark.parametrize("text", ["def f(): pass  # \ud800", "x" * (ANSWER_CHARS * 6)])
async def test_any_answer_of_a_model_can_be_handed_on(text: str):
    async def complete(asked: Completion) -> Reply:
        return Reply(text)

    reply = await Counted(complete)(Completion([{"role": "user", "content": "?"}]))
    assert ModelReply(id="1", deadline=0, call="1", text=reply.content or "").text


async def test_a_sentence_with_half_a_character_is_built(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    assert (await stage.pipeline().run(f"{SENTENCE} \udcff")).outcome == "done"


async def test_an_agent_that_cannot_be_started_ends_in_an_account(stage: Stage):
    stage.agents.builds = [NotStarted("The agent 'developer' ended four times.")]
    account = await stage.pipeline().run(SENTENCE)
    assert account.outcome == "not_built"
    assert "ended four times" in account.look_at[0]


async def test_a_late_developer_leaves_the_best_version_in_the_folder(stage: Stage):
    late = AgentLate("The developer did not answer within 450 s.")
    stage.agents.builds, stage.agents.fixes = [{"double.py": WRONG}, late], [{"double.py": WRONG}]
    account = await stage.pipeline(anew=2).run(SENTENCE)
    assert account.outcome == "not_done"
    assert (stage.folder / "projects" / account.name / "double.py").read_text("utf-8") == WRONG


async def test_a_file_that_is_too_long_is_refused_and_said(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT + "#" * 500_000}]
    account = await stage.pipeline(fixes=0).run(SENTENCE)
    assert account.outcome == "not_done"
    assert ["longer than" in event.why for event in stage.of(FileRefused)] == [True]


@pytest.mark.parametrize(
    "path", [f"{folder}/a.py" for folder in sorted(HIDDEN)] + ["a/__pycache__/b.py", "VENV/pyvenv.cfg"]
)
def test_nothing_is_written_where_it_would_not_be_seen(tmp_path: Path, path: str):
    project = Project.begun(tmp_path, "a")
    with pytest.raises(Exception, match="may not be written"):
        project.write(path, "")
    assert list(project.folder.iterdir()) == []


Act = Callable[[Path], None]


async def _acted(stage: Stage, at: type, act: Act, **options: Any):
    """Run with something done to the project's folder whenever an event of this kind is heard."""

    async def heard(event: Event) -> None:
        stage.events.append(event)
        if isinstance(event, at):
            act(stage.folder / "projects" / "double")

    stage._heard = heard  # type: ignore[method-assign]
    with anyio.fail_after(20):
        return await stage.pipeline(**options).run(SENTENCE)


@pytest.mark.parametrize("at", [Began, FileOnDisk, TestsFrozen, Judged, Committed])
async def test_a_folder_that_is_gone_ends_in_an_account(stage: Stage, at: type):
    stage.agents.builds, stage.agents.fixes = [{"double.py": WRONG}], [{"double.py": RIGHT}]
    account = await _acted(stage, at, lambda folder: shutil.rmtree(folder, ignore_errors=True))
    assert account.outcome in ("not_built", "not_done", "untested")
    assert account.works == ()


def _stale_lock(folder: Path) -> None:
    (folder / ".git" / "index.lock").touch()


def _no_repository(folder: Path) -> None:
    (folder / ".git").mkdir(exist_ok=True)


def _elsewhere(folder: Path) -> None:
    (folder / ".git").write_text(f"gitdir: {folder.parent / 'elsewhere'}\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("at", "act"), [(Committed, _stale_lock), (TestsFrozen, _no_repository), (TestsFrozen, _elsewhere)]
)
async def test_a_history_that_cannot_be_kept_is_told_and_stops_nothing(stage: Stage, at: type, act: Act):
    stage.agents.builds, stage.agents.fixes = [{"double.py": WRONG}], [{"double.py": RIGHT}]
    account = await _acted(stage, at, act)
    assert account.outcome == "done"
    last = stage.of(Committed)[-1]
    assert last.commit == ""
    assert "git says" in last.why
    assert "not kept" in "\n".join(lines_of(last))


async def test_git_that_cannot_be_run_stops_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    broken = tmp_path / "bin" / "git"
    broken.parent.mkdir()
    broken.write_text("#!/nowhere\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(broken))
    stage.agents.builds = [{"double.py": RIGHT}]
    assert (await stage.pipeline().run(SENTENCE)).outcome == "done"


async def test_a_link_in_a_files_place_is_not_followed(stage: Stage, tmp_path: Path):
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")

    def act(folder: Path) -> None:
        (folder / "double.py").unlink(missing_ok=True)
        (folder / "double.py").symlink_to(victim)

    stage.agents.builds, stage.agents.fixes = [{"double.py": WRONG}], [{"double.py": RIGHT}]
    account = await _acted(stage, Judged, act)
    assert account.outcome != "done"
    assert victim.read_text("utf-8") == "mine"


async def test_what_a_person_puts_into_the_folder_stays(stage: Stage):
    def act(folder: Path) -> None:
        (folder / "notes.txt").write_text("mine", encoding="utf-8")
        (folder / "test_mine.py").write_text("mine", encoding="utf-8")

    stage.agents.builds = [{"double.py": WRONG}, {"double.py": RIGHT}]
    stage.agents.fixes = [{"double.py": WRONG + "#\n"}]
    account = await _acted(stage, Judged, act, anew=3)
    folder = stage.folder / "projects" / account.name
    assert account.outcome == "done"
    assert [(folder / name).read_text("utf-8") for name in ("notes.txt", "test_mine.py")] == ["mine", "mine"]


@pytest.mark.skipif(os.name != "posix", reason="folders are not held on Windows")
async def test_two_runs_on_one_project_do_not_mix(stage: Stage):
    stage.agents.builds = [AgentLate("late")]
    account = await stage.pipeline().run(SENTENCE)
    project = Project(stage.folder / "projects" / account.name)
    with project.held(), pytest.raises(ProjectUnusable, match="Another workshop"):
        await stage.pipeline().resume(account.name)
    stage.agents.builds = [{"double.py": RIGHT}]
    assert (await stage.pipeline().resume(account.name)).outcome == "done"


@pytest.mark.skipif(os.name != "posix", reason="folders are not held on Windows")
async def test_a_project_whose_folder_became_a_link_is_not_gone_on_with(stage: Stage, tmp_path: Path):
    stage.agents.builds = [AgentLate("late")]
    account = await stage.pipeline().run(SENTENCE)
    folder = stage.folder / "projects" / account.name
    elsewhere = tmp_path / "elsewhere"
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    stage.agents.builds = [{"double.py": RIGHT}]
    with pytest.raises(ProjectUnusable):
        await stage.pipeline().resume(account.name)
    assert not (elsewhere / "double.py").exists()


async def test_a_run_that_breaks_off_while_programs_are_compared_is_not_done(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    account = await stage.pipeline(opinions=0).run(SENTENCE)
    run = runs.kept(stage.memory, account.name)
    assert run is not None
    assert account.outcome == "done"
    folder = Project(stage.folder / "projects" / account.name)
    broken = run.model_copy(update={"stage": "tested"})
    assert accounting.account_of(broken, folder, NotStarted("gone")).outcome == "unsure"


def test_a_full_stop_after_a_call_ends_the_sentence():
    (example,) = stated_examples("Write f(). f() == 1", "f.py")
    assert (example.call, example.returns) == ("f()", "1")


def test_json_for_a_machine_moves_no_terminal_and_stays_what_it_was(capsys: pytest.CaptureFixture[str]):
    text = "\x1b[2J \x9b2J \u202e \u2028 \ud800 да 🙂"
    Screen(as_json=True).put_json({"text": text})
    out = capsys.readouterr().out
    assert not any(char in out for char in "\x1b\x9b\u202e\u2028\ud800")
    assert json.loads(out)["text"] == text
    assert "да 🙂" in out


@pytest.mark.parametrize("name", ["a\x1b]0;x\x07b", "a\x9bb"])
def test_a_list_of_projects_moves_no_terminal(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "projects" / name).mkdir(parents=True)
    monkeypatch.setenv("WORKSHOP_FOLDER", str(tmp_path))
    listed = CliRunner().invoke(main, ["list"], color=True)
    assert listed.exit_code == 0
    assert not any(char in listed.output for char in "\x1b\x9b\x07")


def test_a_memory_that_cannot_be_used_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "memory.db").write_bytes(b"no database" * 1_000)
    (tmp_path / "memory.db").chmod(0o600)
    monkeypatch.setenv("WORKSHOP_FOLDER", str(tmp_path))
    listed = CliRunner().invoke(main, ["list"])
    assert listed.exit_code == 1
    assert "cannot be used" in listed.output
