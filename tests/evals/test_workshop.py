"""What `python -m evals.workshop` counts, and that its judge and its kept replies can be trusted."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evals.workshop import table
from evals.workshop.judge import holds
from evals.workshop.playing import played, player
from evals.workshop.replies import Asked, Kept
from evals.workshop.results import Result, Results
from evals.workshop.tasks import FILE, Task, load
from evals.workshop.ways import BEST, SINGLE, WAYS
from llm import Completion, Reply, Usage
from model.errors import NotReachable
from workshop.options import Options
from workshop.sandbox import find

pytestmark = pytest.mark.anyio

ROW = {
    "task_id": 3,
    "prompt": "Write a function to double a number.",
    "test_imports": ["import math"],
    "test_list": ["assert double(2) == 4", "assert double(0) == 0"],
}
ASSERTS = ("assert double(2) == 4", "assert double(0) == 0")


def test_a_task_shows_its_first_example_and_no_other(tmp_path: Path):
    path = tmp_path / FILE
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    (task,) = load(tmp_path)
    assert task.sentence == "Write a function to double a number. For example: double(2) == 4"
    assert task.asserts == ASSERTS
    assert task.imports == ("import math",)


def test_without_the_file_there_are_no_tasks(tmp_path: Path):
    assert load(tmp_path) == []


@pytest.mark.parametrize(
    ("source", "right"),
    [
        ("def double(n):\n    return 2 * n\n", True),
        ("def double(n):\n    return n * n\n", True),
        ("def double(n):\n    return n\n", False),
        ("def double(n):\n    return n + 2\n", False),
        ("raise SystemExit(0)\n", False),
        ("import os\nprint('ok')\nos._exit(0)\n", False),
        ("def double(n)\n", False),
        ("", False),
    ],
)
async def test_the_judge_wants_every_assert_reached(source: str, right: bool):
    judged = await holds(find(), {"solution.py": source}, ASSERTS, ())
    assert judged.right is right
    assert (judged.problem == "") is right


async def test_a_program_of_several_files_is_judged_whole():
    files = {"core.py": "def twice(n):\n    return 2 * n\n", "api.py": "from core import twice as double\n"}
    assert (await holds(find(), files, ASSERTS, ())).right


async def test_the_same_request_is_asked_once_also_after_a_new_start(tmp_path: Path):
    asked: list[Completion] = []

    async def complete(completion: Completion) -> Reply:
        asked.append(completion)
        return Reply(f"answer {len(asked)}", usage=Usage(7, 3))

    one = Completion([{"role": "user", "content": "a"}])
    first = Kept(complete, "model", tmp_path / "replies.db")
    assert (await Asked(first)(one)).content == "answer 1"
    first.close()
    second = Kept(complete, "model", tmp_path / "replies.db")
    assert await Asked(second)(one) == Reply("answer 1", usage=Usage(7, 3))
    assert (await Asked(second)(replace(one, temperature=0.8, seed=1))).content == "answer 2"
    second.close()
    third = Kept(complete, "another model", tmp_path / "replies.db")
    assert (await Asked(third)(one)).content == "answer 3"
    third.close()


@pytest.mark.parametrize("options", [None, Options()])
async def test_a_task_in_which_the_model_failed_is_not_counted(tmp_path: Path, options: Options | None):
    async def broken(completion: Completion) -> Reply:
        raise NotReachable("Nobody answers at the address.")

    kept = Kept(broken, "model", tmp_path / "replies.db")
    task = Task("3", "Write double(n). double(2) == 4", ASSERTS, ())
    async with player(kept, find(), tmp_path) as at:
        with pytest.raises(NotReachable):
            await played(task, "a way", at, options)
    kept.close()


async def test_a_task_is_played_with_what_its_replies_took(tmp_path: Path):
    async def right(completion: Completion) -> Reply:
        return Reply("def double(n):\n    return 2 * n\n", usage=Usage(7, 3))

    kept = Kept(right, "model", tmp_path / "replies.db")
    task = Task("3", "Write double(n). double(2) == 4", ASSERTS, ())
    async with player(kept, find(), tmp_path) as at:
        one = await played(task, SINGLE, at, None)
        whole = await played(task, BEST, at, WAYS[BEST])
    kept.close()
    assert (one.right, one.requests, one.prompt_tokens, one.claim) == (True, 1, 7, "")
    assert (whole.right, whole.requests, whole.claim) == (True, 5, "done")
    assert whole.seconds > 0


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path):
    path = tmp_path / "results.jsonl"
    Results(path).add(Result(SINGLE, "3", right=True))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"way": "single shot", "ta')
    assert list(Results(path).of(SINGLE)) == ["3"]


def test_results_go_on_where_they_were(tmp_path: Path):
    results = Results(tmp_path / "results.jsonl")
    results.add(Result(SINGLE, "3", right=True))
    results.add(Result(BEST, "3", claim="done"))
    again = Results(tmp_path / "results.jsonl")
    assert again.known(SINGLE, "3") == Result(SINGLE, "3", right=True)
    assert again.known(SINGLE, "4") is None
    assert list(again.of(BEST)) == ["3"]


def test_a_way_is_compared_on_the_tasks_that_both_have_played():
    single = {"1": Result(SINGLE, "1", right=True), "2": Result(SINGLE, "2")}
    loop = {
        "1": Result(BEST, "1", claim="done", right=True),
        "2": Result(BEST, "2", claim="done", right=True),
        "3": Result(BEST, "3", claim="done"),
    }
    first, second = table.lines({SINGLE: single, BEST: loop}, SINGLE)
    assert first.gain is None
    assert (second.right.count, second.right.total) == (2, 3)
    assert (second.done.count, second.done.total) == (2, 3)
    assert second.gain is not None
    assert second.gain[0] == pytest.approx(0.5)


def test_the_difference_of_paired_shares_has_newcombes_interval():
    """The example of Newcombe 1998, table II: 36, 12, 2 and 0 of 50 give 0.0569 to 0.3404 by method 10."""
    pairs = [(True, True)] * 36 + [(True, False)] * 12 + [(False, True)] * 2
    gain, low, high = table.gain_of(pairs)
    assert gain == pytest.approx(0.20)
    assert low == pytest.approx(0.0569, abs=0.0005)
    assert high == pytest.approx(0.3404, abs=0.0005)


def test_a_gain_of_nothing_has_an_interval_around_nothing():
    gain, low, high = table.gain_of([(True, True)] * 5 + [(False, False)] * 5)
    assert gain == 0
    assert low <= 0 <= high


def test_the_default_way_of_the_workshop_is_the_one_that_the_aims_are_about():
    assert WAYS[BEST] == Options()


def test_the_table_has_a_row_for_each_way_that_was_played():
    told = table.table(table.lines({SINGLE: {"1": Result(SINGLE, "1", right=True)}, BEST: {}}, SINGLE))
    assert "| single shot | 1 of 1 (100.0 %)" in told
    assert BEST not in told
