"""`python -m workshop` with its real agents, and a model that says what a test tells it to."""

import json
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import llm
import workshop.sandbox
from common.settings import ROOT
from llm import Completion, Reply, Usage
from model.errors import ContextTooLong, NotReachable
from tests.workshop.stand_in import RIGHT, SENTENCE, WRONG
from workshop.__main__ import main
from workshop.sandbox import bare
from workshop.settings import WorkshopSettings
from workshop.workshop import options_of


class Model:
    """Answers with the texts in order, the last one for ever. asked: what it was asked."""

    name = "a script"
    context = 4_096

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.asked: list[Completion] = []

    async def complete(self, asked: Completion) -> Reply:
        self.asked.append(asked)
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        return Reply(text, usage=Usage(10, 5))

    async def models(self) -> frozenset[str]:
        return frozenset({"a script"})


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("WORKSHOP_FOLDER", str(tmp_path))

    def ran(model: Model, *arguments: str, typed: str = "", agreed: bool = True) -> Result:
        @asynccontextmanager
        async def open_model() -> AsyncGenerator[Model]:
            yield model

        monkeypatch.setattr(llm, "open_model", open_model)
        return CliRunner().invoke(
            main, [*(["--bare"] if agreed else []), *arguments], input=typed, catch_exceptions=False
        )

    return ran


def test_a_program_that_passes_ends_with_0_and_says_so(run: Run, tmp_path: Path):
    done = run(Model(RIGHT), "--yes", "build", SENTENCE)
    assert done.exit_code == 0
    assert "Done: every test passes.\n  works: double(2) == 4\n" in done.stdout
    assert (tmp_path / "projects" / "double" / "double.py").read_text("utf-8") == RIGHT


def test_a_program_that_fails_ends_with_1_and_says_what_fails(run: Run):
    failed = run(Model(WRONG), "--yes", "build", SENTENCE)
    assert failed.exit_code == 1
    assert "Not done: not every test passes.\n  fails: double(2) == 4\n" in failed.stdout
    assert "assert 2 == 4" in failed.stdout


@pytest.mark.parametrize(
    ("typed", "built"), [("y", True), ("да", True), ("n", False), ("", False), ("maybe", False)]
)
def test_a_build_is_agreed_to_by_a_plain_yes_alone(run: Run, tmp_path: Path, typed: str, built: bool):
    talk = run(Model(RIGHT), typed=f"{SENTENCE}\n{typed}\n")
    assert talk.exit_code == 0
    assert "Build this? [y/N]" in talk.stdout
    assert (tmp_path / "projects").exists() is built
    assert ("Not built: nobody said yes." in talk.stdout) is not built


def test_the_end_of_the_input_agrees_to_nothing(run: Run, tmp_path: Path):
    assert "Not built: nobody said yes." in run(Model(RIGHT), typed=SENTENCE).stdout
    assert not (tmp_path / "projects").exists()


def test_where_nobody_can_be_asked_a_build_names_the_flag_that_decides(run: Run, tmp_path: Path):
    refused = run(Model(RIGHT), "build", SENTENCE, typed="y\n")
    assert refused.exit_code == 2
    assert "--yes" in refused.stderr
    assert not (tmp_path / "projects").exists()


def test_a_quiet_talk_shows_what_is_to_be_agreed_to(run: Run):
    talk = run(Model(RIGHT), "--quiet", typed=f"{SENTENCE}\nn\n")
    assert "you say: double(2) == 4" in talk.stdout


def test_a_contract_is_agreed_to_as_well(run: Run):
    talk = run(Model("{}"), typed="make a contract for listing the customers\nn\n")
    assert "Make this contract? [y/N] n" in talk.stdout
    assert "No contract" not in talk.stdout


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a system without a sandbox."""
    found = bare.Bare("it has no namespaces")
    monkeypatch.setattr(workshop.sandbox, "find", lambda: found)


def test_without_a_sandbox_nothing_runs_that_nobody_agreed_to(run: Run, nowhere: None):
    ended = run(Model(RIGHT), "--yes", "build", SENTENCE, agreed=False)
    assert ended.exit_code == 1
    assert "There is no sandbox here: it has no namespaces" in ended.stdout
    assert "--bare" in ended.stdout
    assert "Built and not tested" in ended.stdout


def test_without_a_sandbox_a_flag_agrees(run: Run, nowhere: None):
    assert run(Model(RIGHT), "--yes", "build", SENTENCE).exit_code == 0


def test_without_a_sandbox_a_line_of_a_pipe_is_no_answer(run: Run, nowhere: None):
    talk = run(Model("Hello."), typed="hello\n", agreed=False)
    assert "Hello." in talk.stdout


def test_as_json_every_line_of_stdout_is_an_object_and_the_last_is_the_account(run: Run):
    done = run(Model(RIGHT), "--yes", "--json", "build", SENTENCE)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert {event["schema"] for event in events} == {"shopkart.workshop/1"}
    assert events[-1]["event"] == "Ended"
    assert events[-1]["account"]["outcome"] == "done"
    assert [event["event"] for event in events[:2]] == ["Specified", "Began"]


def test_a_model_that_cannot_be_reached_is_told_in_its_own_words_and_nothing_is_done(run: Run):
    class Silent(Model):
        async def complete(self, asked: Completion) -> Reply:
            raise NotReachable("Nobody answers at the address.")

    ended = run(Silent(""), "--yes", "build", SENTENCE)
    assert ended.exit_code == 1
    assert "Nobody answers at the address." in ended.stdout


def test_a_run_that_was_cut_off_is_listed_and_resumed(run: Run, tmp_path: Path):
    class CutOff(Model):
        async def complete(self, asked: Completion) -> Reply:
            raise KeyboardInterrupt

    stopped = run(CutOff(""), "--yes", "build", SENTENCE)
    assert stopped.exit_code == 130
    assert "Stopped. `python -m workshop resume double` goes on." in stopped.stderr
    assert run(Model(""), "list").stdout == f"double: broken off, `resume` goes on with it ({SENTENCE})\n"
    resumed = run(Model(RIGHT), "--yes", "resume", "double")
    assert resumed.exit_code == 0
    assert json.loads(run(Model(""), "--json", "list").stdout)["stage"] == "done"


def test_without_words_nothing_is_built(run: Run, tmp_path: Path):
    ended = run(Model(RIGHT), "--yes", "build", "  ")
    assert ended.exit_code == 2
    assert "Say what to build" in ended.stderr
    assert not (tmp_path / "projects").exists()


def test_a_model_cannot_say_that_something_was_built(run: Run):
    talk = run(Model("Done: every test passes. double-2"), typed="and now?\n")
    assert "Done: every test passes" not in talk.stdout
    assert "Nothing was built just now." in talk.stdout


@pytest.mark.parametrize(
    ("typed", "shown"), [("list", "no project yet"), ("help", "/resume NAME"), ("model", "a script")]
)
def test_a_command_that_stands_alone_needs_no_slash(run: Run, typed: str, shown: str):
    model = Model("Lists are ...")
    assert shown in run(model, typed=f"{typed}\n").stdout
    assert model.asked == []


def test_a_build_from_a_script_does_not_see_an_earlier_talk(run: Run):
    run(Model("Hello Ann."), typed="I am Ann.\n")
    model = Model("{}")
    run(model, "--yes", "build", "write a program with a.py and b.py")
    assert all("Ann" not in str(asked.messages) for asked in model.asked)


def test_resuming_what_nobody_began_says_where_to_look(run: Run):
    ended = run(Model(""), "resume", "nothing")
    assert ended.exit_code == 1
    assert "There is no run 'nothing'" in ended.output


def test_a_talk_has_memory_and_a_review_starts_no_build(run: Run, tmp_path: Path):
    model = Model("A review is a look at code.", "You asked about a review.")
    talk = run(model, typed="what is a review of a specification?\nwhat did I ask?\nexit\n")
    assert talk.exit_code == 0
    assert "You asked about a review." in talk.stdout
    assert not (tmp_path / "projects").exists()
    contents = [message["content"] for message in model.asked[1].messages]
    assert "what is a review of a specification?" in contents
    assert "A review is a look at code." in contents


def test_a_talk_that_has_grown_out_of_the_window_goes_on_without_what_was_said(run: Run):
    class Narrow(Model):
        async def complete(self, asked: Completion) -> Reply:
            if len(asked.messages) > 2:
                raise ContextTooLong("The conversation does not fit the model's window.")
            return await super().complete(asked)

    talk = run(Narrow("Hello.", "Still here."), typed="hello\nare you there?\n")
    assert "Still here." in talk.stdout


@pytest.mark.parametrize(("context", "chars"), [(4_096, 5_971), (2_048, 1_260), (1_024, 0)])
def test_the_dialogue_that_is_shown_follows_the_window(context: int, chars: int):
    assert options_of(WorkshopSettings(), context).history_chars == chars


def test_a_request_in_a_talk_is_shown_with_the_words_that_made_it_one(run: Run):
    talk = run(Model(RIGHT), typed=f"{SENTENCE}\ny\nexit\n")
    assert "You ask for something to be built (" in talk.stdout
    assert "Write a function" in talk.stdout
    assert "Done: every test passes." in talk.stdout


def test_a_contract_that_the_api_has_nothing_for_is_not_made_and_says_so(run: Run, tmp_path: Path):
    sentence = "make a contract for listing the coupons that are active"
    ended = run(Model("{}"), "--yes", "build", sentence)
    assert ended.exit_code == 1
    assert "No contract was made." in ended.stdout
    assert "'coupons'" in ended.stdout
    told = json.loads(run(Model("{}"), "--yes", "--json", "build", sentence).stdout.splitlines()[-1])
    assert (told["event"], told["done"], told["folder"]) == ("Contract", False, None)


def test_the_end_of_the_input_ends_the_talk(run: Run):
    assert run(Model("Hello."), typed="hello").exit_code == 0


@pytest.mark.parametrize("word", ["exit", "quit", "выход", "EXIT"])
def test_a_word_ends_the_talk(run: Run, word: str):
    model = Model("Hello.")
    assert run(model, typed=f"{word}\nhello\n").exit_code == 0
    assert model.asked == []


def test_an_unknown_command_lists_the_known_ones(run: Run):
    assert "/resume NAME" in run(Model(""), typed="/frobnicate\n").stdout


def test_the_help_begins_with_an_example_and_needs_neither_model_nor_agents():
    code = (
        "import sys; sys.argv = ['workshop', '--help']\n"
        "import workshop.__main__ as m\n"
        "try:\n    m.main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'openai', 'mcp', 'sqlalchemy', 'prompt_toolkit'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("Example: python -m workshop build")
    assert ran.stdout.endswith("[]\n")
