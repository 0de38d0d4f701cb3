"""The bench of contracts: what it makes is in order, each work is measured, and it says what was missed."""

from pathlib import Path

from bench.contracts import Line
from bench.contracts_probe import probe
from bench.contracts_synthetic import files_of_task, name_of, write_tasks
from contracts.pinning import build
from contracts.reading import read_task


def test_a_number_makes_one_task_and_always_the_same():
    assert len({name_of(number) for number in range(1_000)}) == 1_000
    assert files_of_task(7) == files_of_task(7) != files_of_task(7, changed=True)


def test_a_task_holds_what_the_figures_speak_of():
    for number in (0, 99, 999):
        task = read_task(name_of(number), files_of_task(number))
        counts = [len(task.functions), len(task.views), len(task.skills), len(task.prompts)]
        assert counts == [8, 2, 1, 3]


def test_everything_is_measured_and_two_tasks_cost_no_longer_prompt_than_one(tmp_path: Path):
    found: list[dict[str, float]] = []
    for size in (1, 2):
        write_tasks(tmp_path / f"tasks{size}", size)
        build(tmp_path / f"tasks{size}", tmp_path / f"registry{size}")
        found.append(probe(tmp_path / f"registry{size}"))
    one, two = found
    assert min(value for name, value in one.items() if name != "memory_mb") > 0
    assert (one["entries"], two["entries"]) == (14, 28)
    assert one["prompt_chars"] == two["prompt_chars"]


def test_a_figure_above_its_aim_is_missed():
    assert Line("search", "3 ms", 0.3, 0.3).cells == ("search", "3 ms", "0.30 ms", "<= 0.3 ms", "ok")
    assert Line("search", "3 ms", 0.31, 0.3).cells[-1] == "missed"
