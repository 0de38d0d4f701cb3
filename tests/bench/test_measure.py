"""The benchmark: it alternates, compares medians, says when an aim is missed, and still runs."""

from itertools import chain

import pytest

from bench.calls import call_rows
from bench.command import help_rows
from bench.measure import Row, median_ms, medians_ms, table
from bench.start import start_rows
from bench.turn import turn_rows

pytestmark = pytest.mark.anyio


async def test_both_sides_alternate_and_take_turns_at_going_first():
    order: list[str] = []

    async def ours() -> float:
        order.append("ours")
        return 2.0

    async def bare() -> float:
        order.append("bare")
        return 1.0

    assert await medians_ms(ours, bare, runs=2, warm_up=1) == (2.0, 1.0)
    assert order == ["bare", "ours", "ours", "bare", "bare", "ours"]


async def test_the_warm_up_does_not_count():
    times = iter([100.0, 3.0, 1.0, 2.0])

    async def ours() -> float:
        return next(times)

    assert await median_ms(ours, runs=3, warm_up=1) == 2.0


def test_the_table_shows_the_ratio_and_says_which_aim_was_missed():
    rows = [
        Row("a call", 1.2, 1.0, 1.15, 300),
        Row("a search", 2.0, 1.0, None, 300),
        Row("a turn", 4.5, None, 5.0, 30),
    ]
    assert table(rows).splitlines() == [
        "             ours     bare  ratio      aim          runs",
        "a call    1.20 ms  1.00 ms   1.20  <= 1.15  missed   300",
        "a search  2.00 ms  1.00 ms   2.00                    300",
        "a turn    4.50 ms                  <= 5 ms      ok    30",
    ]


async def test_every_section_of_the_benchmark_runs():
    short = [await start_rows(runs=1), await help_rows(runs=1), await turn_rows(runs=1)]
    rows = [*await call_rows(runs=1, warm_up=0), *chain.from_iterable(short)]
    assert len(rows) == 10
    assert all(row.ours_ms > 0 for row in rows)
