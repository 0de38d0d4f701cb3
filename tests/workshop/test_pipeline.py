"""The chain: what is built, tested, mended and told, step by step."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.workshop.stand_in import OTHERWISE, RIGHT, SENTENCE, WRONG, Stage, StandIn
from workshop import runs
from workshop.errors import AgentGone, AgentLate, MemoryUnusable
from workshop.events import Committed, Ended, FileRefused, Judged, Specified, TestsFrozen, Working
from workshop.messages import FixRequest
from workshop.specification import Specification

pytestmark = pytest.mark.anyio

SPEC = json.dumps(
    {
        "title": "Shop till",
        "description": "Adds prices.",
        "requirements": ["adds prices"],
        "files": [
            {"path": "prices.py", "description": "total(prices)"},
            {"path": "main.py", "description": "prints"},
        ],
        "examples": [{"file": "prices.py", "call": "total([1, 2])", "returns": "3"}],
    }
)
TWO_FILES = "Write a program with prices.py and main.py that adds prices"


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path, StandIn())


async def test_a_program_that_passes_is_done_and_stands_on_disk(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    account = await stage.pipeline().run(SENTENCE)
    assert account.outcome == "done"
    assert account.works == ("double(2) == 4",)
    assert (account.stated, account.proposed, account.attempts) == (1, 0, 1)
    folder = stage.folder / "projects" / account.name
    assert (folder / "double.py").read_text("utf-8") == RIGHT
    assert "double(2)" in (folder / "tests" / "test_double.py").read_text("utf-8")
    assert stage.of(Ended)[-1].account == account


async def test_a_task_of_one_file_is_planned_without_a_model(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    await stage.pipeline().run(SENTENCE)
    assert "spec_request" not in stage.agents.kinds()
    assert stage.of(Specified)[0].by_code


async def test_a_fix_gets_the_code_the_test_and_its_output(stage: Stage):
    stage.agents.builds, stage.agents.fixes = [{"double.py": WRONG}], [{"double.py": RIGHT}]
    account = await stage.pipeline().run(SENTENCE)
    assert account.outcome == "done"
    assert account.attempts == 2
    _, _, fields = next(each for each in stage.agents.asked if each[1] == "fix_request")
    assert fields["files"] == {"double.py": WRONG}
    assert "assert (double(2)) == (4)" in fields["failures"][0].test
    assert "2 == 4" in fields["failures"][0].output
    assert fields["attempt"] == 1


async def test_a_fix_that_changes_nothing_ends_the_mending(stage: Stage):
    stage.agents.builds = [{"double.py": WRONG}]
    stage.agents.fixes = [{"double.py": WRONG}, {"double.py": RIGHT}]
    account = await stage.pipeline(fixes=5).run(SENTENCE)
    assert account.outcome == "not_done"
    assert stage.agents.kinds().count("fix_request") == 1


async def test_no_more_than_the_allowed_fixes_are_made(stage: Stage):
    stage.agents.builds = [{"double.py": WRONG}]
    stage.agents.fixes = [{"double.py": f"def double(n):\n    return n + {k}\n"} for k in (5, 6, 7, 8)]
    account = await stage.pipeline(fixes=2).run(SENTENCE)
    assert account.outcome == "not_done"
    assert account.attempts == 3
    assert stage.agents.kinds().count("fix_request") == 2


async def test_an_account_says_what_fails_and_why(stage: Stage):
    stage.agents.builds = [{"double.py": WRONG}]
    account = await stage.pipeline(fixes=0).run(SENTENCE)
    assert account.fails == ("double(2) == 4",)
    assert any("assert 2 == 4" in line for line in account.look_at)


async def test_writing_anew_is_the_last_resort(stage: Stage):
    stage.agents.builds = [{"double.py": WRONG}, {"double.py": RIGHT}]
    stage.agents.fixes = [{"double.py": "def double(n):\n    return n + 9\n"}]
    account = await stage.pipeline(fixes=1, anew=3).run(SENTENCE)
    assert account.outcome == "done"
    assert stage.agents.kinds() == ["build_request", "test_request", "fix_request", "build_request"]
    assert stage.agents.asked[-1][2]["variant"] == 2


async def test_the_best_version_is_what_is_left(stage: Stage):
    sentence = "Write double(n). double(2) == 4, double(0) == 0"
    half = "def double(n):\n    return 4\n"
    stage.agents.builds, stage.agents.fixes = (
        [{"double.py": half}],
        [{"double.py": "def double(n):\n    return 9\n"}],
    )
    account = await stage.pipeline(fixes=1).run(sentence)
    assert account.outcome == "not_done"
    assert account.works == ("double(2) == 4",)
    assert (stage.folder / "projects" / account.name / "double.py").read_text("utf-8") == half


async def test_what_a_person_has_put_beside_the_program_stays(stage: Stage):
    stage.agents.builds = [{"double.py": WRONG}, {"double.py": WRONG + "\n"}]
    account = await stage.pipeline(fixes=0).run(SENTENCE)
    notes = stage.folder / "projects" / account.name / "notes.txt"
    notes.write_text("mine", encoding="utf-8")
    again = runs.kept(stage.memory, account.name)
    assert again is not None
    runs.keep(stage.memory, again.model_copy(update={"stage": "tested"}))
    await stage.pipeline(fixes=0, anew=1).resume(account.name)
    assert notes.read_text("utf-8") == "mine"


async def test_a_developer_that_ends_in_the_middle_of_writing_anew_leaves_the_best_version(stage: Stage):
    stage.agents.builds = [{"double.py": WRONG}, AgentGone("The developer ended.")]
    account = await stage.pipeline(fixes=0, anew=2).run(SENTENCE)
    assert account.outcome == "not_done"
    assert any("The developer ended." in line for line in account.look_at)
    assert (stage.folder / "projects" / account.name / "double.py").read_text("utf-8") == WRONG


async def test_each_version_is_a_commit(stage: Stage):
    stage.agents.builds, stage.agents.fixes = [{"double.py": WRONG}], [{"double.py": RIGHT}]
    account = await stage.pipeline().run(SENTENCE)
    commits = [event.commit for event in stage.of(Committed)]
    assert len(commits) == 2
    folder = stage.folder / "projects" / account.name
    shown = subprocess.run(
        ["git", "show", f"{commits[0]}:double.py"], cwd=folder, capture_output=True, text=True
    )
    assert shown.stdout == WRONG


async def test_the_tests_stay_as_they_were_accepted_whatever_a_fix_sends(stage: Stage):
    weak = "def test_stated_1():\n    assert True\n"
    stage.agents.builds = [{"double.py": WRONG}]
    stage.agents.fixes = [{"tests/test_double.py": weak, "conftest.py": "", "double.py": WRONG + "\n"}]
    account = await stage.pipeline(fixes=1).run(SENTENCE)
    assert account.outcome == "not_done"
    assert [event.path for event in stage.of(FileRefused)] == ["tests/test_double.py", "conftest.py"]
    assert "assert True" not in (stage.folder / "projects" / account.name / "tests/test_double.py").read_text(
        "utf-8"
    )


async def test_tests_that_were_changed_on_disk_are_not_the_ones_that_judge(stage: Stage):
    on_disk = stage.folder / "projects" / "double" / "tests" / "test_double.py"

    class Tampering(StandIn):
        async def ask(self, agent: str, kind: type, seconds: float, *, on_part: Any = None, **fields: Any):
            if kind is FixRequest:
                assert "double(2)" in on_disk.read_text("utf-8")
                on_disk.write_text("def test_stated_1():\n    pass\n", encoding="utf-8")
            return await super().ask(agent, kind, seconds, on_part=on_part, **fields)

    stage.agents = Tampering(builds=[{"double.py": WRONG}], fixes=[{"double.py": WRONG + "\n"}])
    account = await stage.pipeline(fixes=1).run(SENTENCE)
    assert (account.outcome, account.attempts) == ("not_done", 2)


async def test_kept_tests_that_were_tampered_with_are_refused(stage: Stage):
    stage.agents.builds = [{"double.py": WRONG}]
    account = await stage.pipeline(fixes=0).run(SENTENCE)
    run = runs.kept(stage.memory, account.name)
    assert run is not None
    tampered = run.model_copy(
        update={"tests": {"tests/test_double.py": "def test_a():\n    pass\n"}, "stage": "tested"}
    )
    runs.keep(stage.memory, tampered)
    with pytest.raises(MemoryUnusable, match="digest differs"):
        await stage.pipeline().resume(account.name)


async def test_a_test_that_passes_on_an_empty_program_does_not_count(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    account = await stage.pipeline().run("Write double(n). double(2) == 4, double('') == None")
    assert account.stated == 1
    assert any("does not count" in line and "empty program" in line for line in account.look_at)


async def test_without_a_test_that_counts_nothing_is_called_done(stage: Stage):
    stage.agents.specs, stage.agents.tests = (
        [SPEC.replace("total([1, 2])", "total(").replace('"3"', '"("')],
        [{}],
    )
    stage.agents.builds = [{"prices.py": "def total(p):\n    return sum(p)\n", "main.py": "print(1)\n"}]
    account = await stage.pipeline().run(TWO_FILES)
    assert account.outcome == "untested"
    assert any("Give an example" in line for line in account.look_at)


async def test_an_invalid_specification_is_asked_for_once_more_with_the_reasons_and_logged(stage: Stage):
    stage.agents.specs = ["I would rather not.", SPEC]
    stage.agents.builds = [{"prices.py": "def total(p):\n    return sum(p)\n", "main.py": "print(1)\n"}]
    account = await stage.pipeline().run(TWO_FILES)
    assert account.outcome == "done"
    second = stage.agents.asked[1][2]
    assert second["reasons"]
    assert second["last"] == "I would rather not."
    assert "I would rather not." in (stage.folder / "logs" / "invalid_answers.log").read_text("utf-8")


async def test_how_a_specification_was_read_is_told(stage: Stage):
    stage.agents.specs = [SPEC.replace('"returns": "3"', '"returns": "3 apples"')]
    stage.agents.builds = [{"prices.py": "def total(p):\n    return sum(p)\n", "main.py": "print(1)\n"}]
    await stage.pipeline().run(TWO_FILES)
    assert any("left out" in event.text for event in stage.of(Working))


async def test_what_the_model_proposes_is_no_test_beside_the_persons_own_words(stage: Stage):
    stage.agents.specs = [SPEC]
    stage.agents.builds = [{"prices.py": "def total(p):\n    return sum(p) or 7\n", "main.py": "print(1)\n"}]
    account = await stage.pipeline().run(TWO_FILES + "; total([]) == 7")
    assert account.works == ("total([]) == 7",)
    assert (account.stated, account.proposed) == (1, 0)


async def test_two_invalid_specifications_end_in_an_account(stage: Stage):
    stage.agents.specs = ["no", "no again", SPEC]
    account = await stage.pipeline().run(TWO_FILES)
    assert account.outcome == "not_built"
    assert stage.agents.kinds() == ["spec_request", "spec_request"]
    assert not (stage.folder / "projects").exists()


async def test_nothing_is_written_before_the_person_agrees(stage: Stage):
    seen: list[Specification] = []

    async def no(spec: Specification) -> bool:
        seen.append(spec)
        return False

    account = await stage.pipeline().run(SENTENCE, no)
    assert account.outcome == "declined"
    assert seen[0].examples[0].call == "double(2)"
    assert not (stage.folder / "projects").exists()
    assert stage.agents.asked == []


async def test_a_second_project_of_the_same_title_leaves_the_first_as_it_is(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}, {"double.py": WRONG}]
    first = await stage.pipeline(fixes=0).run(SENTENCE)
    second = await stage.pipeline(fixes=0).run(SENTENCE)
    assert first.name != second.name
    assert (stage.folder / "projects" / first.name / "double.py").read_text("utf-8") == RIGHT


@pytest.mark.parametrize(
    "path", ["../other/double.py", "/tmp/double.py", ".git/hooks/pre-commit", "unplanned.py"]
)
async def test_a_file_outside_the_plan_is_refused_and_said(stage: Stage, path: str):
    stage.agents.builds = [{path: RIGHT, "double.py": RIGHT}]
    account = await stage.pipeline().run(SENTENCE)
    assert account.outcome == "done"
    assert [event.path for event in stage.of(FileRefused)] == [path]


async def test_a_developer_that_is_late_leaves_what_is_on_disk_and_the_run_goes_on_later(stage: Stage):
    late = AgentLate("The developer did not answer within 600 s.")
    stage.agents.specs = [SPEC]
    stage.agents.builds = [{"prices.py": "def total(p):\n    return sum(p)\n", "main.py": late}]
    account = await stage.pipeline().run(TWO_FILES)
    assert account.outcome == "not_built"
    assert account.files == ("prices.py",)
    assert any("On disk is: prices.py" in line and "resume" in line for line in account.look_at)
    stage.agents.builds = [{"main.py": "print(1)\n"}]
    resumed = await stage.pipeline().resume(account.name)
    assert resumed.outcome == "done"
    assert list(stage.agents.asked[-2][2]["files"]) == ["prices.py"]


async def test_a_crash_after_the_build_goes_on_with_the_tests(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    stage.agents.tests = [AgentGone("The tester ended.")]
    account = await stage.pipeline().run(SENTENCE)
    assert account.outcome == "untested"
    assert any("The tester ended." in line for line in account.look_at)
    stage.agents.tests = []
    resumed = await stage.pipeline().resume(account.name)
    assert resumed.outcome == "done"
    assert stage.agents.kinds().count("build_request") == 1


async def test_a_run_that_ended_gives_its_account_again(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    account = await stage.pipeline().run(SENTENCE)
    asked = len(stage.agents.asked)
    again = await stage.pipeline().resume(account.name)
    assert (again.outcome, again.works) == (account.outcome, account.works)
    assert len(stage.agents.asked) == asked


async def test_a_run_that_nobody_began_cannot_be_resumed(stage: Stage):
    with pytest.raises(MemoryUnusable, match="no run 'nothing'"):
        await stage.pipeline().resume("nothing")


async def test_programs_that_agree_make_it_done(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}] + [{"double.py": f"# {k}\n{RIGHT}"} for k in range(3)]
    account = await stage.pipeline(opinions=3).run(SENTENCE)
    assert account.outcome == "done"
    assert account.attempts == 1


async def test_programs_that_differ_make_it_unsure_and_name_the_call(stage: Stage):
    stage.agents.builds = [
        {"double.py": RIGHT},
        {"double.py": OTHERWISE},
        {"double.py": OTHERWISE},
        {"double.py": RIGHT},
    ]
    account = await stage.pipeline(opinions=3).run(SENTENCE)
    assert account.outcome == "unsure"
    assert any("double(" in line and "leave open" in line for line in account.look_at)


async def test_programs_that_fail_the_tests_count_as_ones_that_do_not_agree(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}, *([{"double.py": RIGHT}] * 2), *([{"double.py": WRONG}] * 2)]
    account = await stage.pipeline(opinions=4).run(SENTENCE)
    assert (account.outcome, account.agreeing, account.compared) == ("unsure", 3, 5)
    assert any(
        "5 programs were written for this, and only 3 pass the tests" in each for each in account.look_at
    )


async def test_where_no_other_program_passes_one_more_example_is_asked_for(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}, *([{"double.py": WRONG}] * 4)]
    account = await stage.pipeline(opinions=4).run(SENTENCE)
    assert account.outcome == "unsure"
    assert any("only this one passes the tests" in each for each in account.look_at)


async def test_an_example_that_was_not_understood_is_named(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    account = await stage.pipeline().run(
        SENTENCE + ", and double('a') == raises TypeError, double(x) is twice x"
    )
    assert any("Not understood as an example: double('a')." in each for each in account.look_at)


async def test_a_model_that_falls_silent_while_programs_are_compared_is_told(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}, *([AgentGone("The developer ended.")] * 2)]
    account = await stage.pipeline(opinions=2).run(SENTENCE)
    assert account.outcome == "unsure"
    assert any("The developer ended." in event.text for event in stage.of(Working))


async def test_an_unchanged_fix_does_not_become_one_more_program_anew(stage: Stage):
    stage.agents.builds = [{"double.py": f"def double(n):\n    return n + {k}\n"} for k in range(5, 15)]
    stage.agents.fixes = [{}]
    account = await stage.pipeline(fixes=5, anew=2).run(SENTENCE)
    assert stage.agents.kinds().count("build_request") == 3
    assert account.attempts == 3
    assert account.look_at[0].startswith("After 3 versions: ")


async def test_a_program_that_a_person_mended_is_judged_when_the_run_is_resumed(stage: Stage):
    stage.agents.builds = [{"double.py": WRONG}]
    account = await stage.pipeline(fixes=0).run(SENTENCE)
    assert account.outcome == "not_done"
    (stage.folder / "projects" / account.name / "double.py").write_text(RIGHT, encoding="utf-8")
    resumed = await stage.pipeline(fixes=0).resume(account.name)
    assert resumed.outcome == "done"
    assert resumed.attempts == 2


async def test_a_program_that_was_not_run_for_want_of_a_sandbox_is_tested_later(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    there, stage.sandbox = stage.sandbox, None
    first = await stage.pipeline().run(SENTENCE)
    assert first.outcome == "untested"
    assert any("--bare" in line and "resume" in line for line in first.look_at)
    assert not any("Give an example" in line for line in first.look_at)
    stage.sandbox = there
    assert (await stage.pipeline().resume(first.name)).outcome == "done"


async def test_what_a_run_took_adds_up_over_its_parts(stage: Stage):
    stage.agents.builds = [AgentGone("The developer ended."), {"double.py": RIGHT}]
    first = await stage.pipeline().run(SENTENCE)
    resumed = await stage.pipeline().resume(first.name)
    assert resumed.seconds > first.seconds > 0


async def test_without_git_it_is_said_once(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("workshop.project.shutil.which", lambda name, **_: None)
    stage.agents.builds, stage.agents.fixes = [{"double.py": WRONG}], [{"double.py": RIGHT}]
    account = await stage.pipeline().run(SENTENCE)
    assert account.outcome == "done"
    assert [event.commit for event in stage.of(Committed)] == [""]
    assert "git" in stage.of(Committed)[0].why


async def test_the_program_that_most_agree_with_is_kept(stage: Stage):
    stage.agents.builds = [{"double.py": OTHERWISE}] + [{"double.py": RIGHT}] * 4
    account = await stage.pipeline(opinions=4).run(SENTENCE)
    assert (account.outcome, account.agreeing, account.compared) == ("done", 4, 5)
    assert (stage.folder / "projects" / account.name / "double.py").read_text("utf-8") == RIGHT


async def test_without_a_sandbox_nothing_runs_and_nothing_is_called_done(stage: Stage):
    stage.agents.builds = [{"double.py": RIGHT}]
    stage.sandbox = None
    account = await stage.pipeline().run(SENTENCE)
    assert account.outcome == "untested"
    assert stage.of(Judged) == []
    assert stage.of(TestsFrozen) == []


async def test_a_program_that_never_ends_is_told_as_such(stage: Stage):
    stage.agents.builds = [{"double.py": "def double(n):\n    while True:\n        pass\n"}]
    account = await stage.pipeline(fixes=0, test_s=1.0).run(SENTENCE)
    assert account.outcome == "not_done"
    assert any("time ran out" in line for line in account.look_at)


async def test_what_the_agents_say_is_shown_with_their_names(stage: Stage):
    stage.agents.builds = [{"double.py": WRONG}]
    stage.agents.fixes = [{"double.py": WRONG}]
    await stage.pipeline().run(SENTENCE)
    assert [event.agent for event in stage.of(Working)] == ["developer"]
