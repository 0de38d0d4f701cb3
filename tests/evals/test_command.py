"""`python -m evals`: its output, its files, how it ends; and one dialogue through the real agent."""

from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner

from evals import __main__ as command
from evals import messages, play
from evals.input_guard import Stopped
from evals.scoring import Verdict
from llm import Message, Reply, Schema, ToolCall
from model.errors import ModelError


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Reports go to a folder of the test; no outside data is there."""
    monkeypatch.setattr(command, "REPORTS", tmp_path / "var")
    monkeypatch.setenv("SHOPKART_EXAMS", str(tmp_path / "exams"))
    return tmp_path / "var"


def test_guards_only_measures_the_guardrail_without_a_model_and_says_what_was_skipped(reports: Path) -> None:
    done = CliRunner().invoke(command.main, ["--guards-only"])
    assert "stopped: plain attempts of our own" in done.output
    assert "skipped: not in exams/" in done.output
    assert len(list(reports.glob("eval-*.json"))) == 1


def test_the_guardrail_stops_every_plain_attempt_and_no_ordinary_message(reports: Path) -> None:
    done = CliRunner().invoke(command.main, ["--guards-only"])
    assert done.exit_code == 0, done.output
    turns = [turn.text for dialogue in messages.load() for turn in dialogue.turns]
    assert [text for text in turns if command.looks_malicious(text)] == []


def test_a_missed_aim_ends_with_1(reports: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def let_all_through(text: str) -> bool:
        return False

    monkeypatch.setattr(command, "looks_malicious", let_all_through)
    done = CliRunner().invoke(command.main, ["--guards-only"])
    assert done.exit_code == 1
    assert "MISSED" in done.output


def test_a_filter_that_fits_nothing_ends_with_2_and_says_what_to_do(reports: Path) -> None:
    done = CliRunner().invoke(command.main, ["--filter", "zebra"])
    assert done.exit_code == 2
    assert "'zebra'" in done.output
    assert "Leave --filter out" in done.output


def test_no_model_ends_with_4_and_the_models_own_words(
    reports: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_model(*_: object) -> command.Played:
        raise ModelError("Ollama does not answer. Start it with `ollama serve`.")

    monkeypatch.setattr(command, "run_all", no_model)
    done = CliRunner().invoke(command.main, ["--limit", "1"])
    assert done.exit_code == 4
    assert "ollama serve" in done.output


def test_a_run_that_is_stopped_ends_with_130_and_not_with_that_of_a_missed_aim(
    reports: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stopped(*_: object) -> command.Played:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run_all", stopped)
    done = CliRunner().invoke(command.main, ["--limit", "1"])
    assert (done.exit_code, list(reports.glob("*"))) == (130, [])
    assert "no report" in done.output


def test_a_played_run_prints_its_table_and_meets_its_aims(
    reports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn = Verdict("one", "g", 1, "hello", "Hi!", (), True, True)
    assert command.conclude(
        command.Played("a model", {"written": (turn,)}), [Stopped("set", "attack", 1, 1, "all", met=True)]
    )
    assert "1 of 1 = 100.0 %" in capsys.readouterr().out
    assert '"model": "a model"' in next(reports.glob("eval-*.json")).read_text(encoding="utf-8")


def test_both_sets_stand_in_the_table_apart_and_one_missed_aim_is_enough(
    reports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = Verdict("one", "g", 1, "hello", "Hi!", (), True, True)
    wrong = Verdict("two", "g", 1, "hello", "Hi!", (), False, False)
    assert not command.conclude(command.Played("m", {"written": (right,), "unseen": (wrong,)}), [])
    printed = capsys.readouterr().out
    assert printed.index("The written messages") < printed.index("The unseen messages")
    assert (printed.count("at least 95 %"), printed.count("at least 90 %"), printed.count("MISSED")) == (
        1,
        1,
        1,
    )


@pytest.mark.parametrize(
    ("options", "sets"),
    [
        ([], ["written", "second", "third", "unseen"]),
        (["--set", "unseen"], ["unseen"]),
        (["--set", "written"], ["written"]),
    ],
)
def test_the_chosen_sets_are_played(
    reports: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], sets: list[str]
) -> None:
    asked: list[str] = []

    async def nothing_played(dialogues: dict[str, object], _: object) -> command.Played:
        asked.extend(dialogues)
        return command.Played("m", {})

    monkeypatch.setattr(command, "run_all", nothing_played)
    assert CliRunner().invoke(command.main, options).exit_code == 0
    assert asked == sets


@pytest.mark.parametrize(
    ("options", "other"),
    [
        (
            ["--provider", "embedded", "--model", "small"],
            {"llm_provider": "embedded", "embedded_model": "small"},
        ),
        (["--provider", "ollama", "--model", "big"], {"llm_provider": "ollama", "ollama_model": "big"}),
        (["--provider", "ollama"], {"llm_provider": "ollama"}),
        ([], {}),
    ],
)
def test_a_model_of_the_command_line_takes_the_place_of_the_configured_one(
    reports: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], other: dict[str, str]
) -> None:
    got: list[object] = []

    async def nothing_played(_: object, settings: dict[str, str]) -> command.Played:
        got.append(settings)
        return command.Played("m", {})

    monkeypatch.setattr(command, "run_all", nothing_played)
    CliRunner().invoke(command.main, options)
    assert got == [other]


def test_a_model_without_its_provider_ends_with_2_and_says_what_to_add(reports: Path) -> None:
    done = CliRunner().invoke(command.main, ["--model", "qwen2.5-coder-0.5b"])
    assert done.exit_code == 2
    assert "add --provider" in done.output


@pytest.mark.anyio
async def test_a_dialogue_goes_through_the_real_agent_and_server_with_a_scripted_model() -> None:
    replies = iter(
        [
            Reply(None, (ToolCall("c1", "get_order_status", '{"order_id": "4471"}'),)),
            Reply("Order 4471 has been shipped."),
        ]
    )

    async def scripted(messages: list[Message], tools: list[Schema]) -> Reply:
        return next(replies)

    with anyio.fail_after(60):
        verdicts = await play.play(
            play.chosen(messages.load(), "status-plain", None),
            lambda: play.fresh_shop(scripted),
            lambda _: None,
        )
    assert [(one.right_call, one.missing, one.unverified, one.error) for one in verdicts] == [
        (True, (), (), "")
    ]
