"""Two ways to do one thing, timed side by side, and the table that compares them.

Knows:    clocks, medians, rows.
Does not: know what is measured.
Why side by side: a machine's speed drifts; a ratio of two medians from alternating runs does not.
"""

import statistics
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter

Action = Callable[[], Awaitable[object]]
Timed = Callable[[], Awaitable[float]]
"""Does one thing and returns the milliseconds that count."""


@dataclass(frozen=True)
class Row:
    """One line of the table. Times are medians in milliseconds.

    bare_ms: None where nothing is compared. aim: for the ratio, or for the time where there is none;
    None where the two do not do the same work.
    """

    what: str
    ours_ms: float
    bare_ms: float | None
    aim: float | None
    runs: int

    @property
    def figure(self) -> float:
        """The ratio where there is one, else the time: what the aim speaks of."""
        return self.ours_ms / self.bare_ms if self.bare_ms else self.ours_ms

    @property
    def verdict(self) -> str:
        """Say whether the figure is at or below the aim."""
        if self.aim is None:
            return ""
        return "ok" if self.figure <= self.aim else "missed"


def timed(action: Action) -> Timed:
    """Return the action with a clock around all of it."""

    async def run() -> float:
        started = perf_counter()
        await action()
        return (perf_counter() - started) * 1000

    return run


async def median_ms(ours: Timed, *, runs: int, warm_up: int) -> float:
    """Return the median time, the first warm_up runs left out."""
    times = [await ours() for _ in range(warm_up + runs)]
    return statistics.median(times[warm_up:])


async def medians_ms(ours: Timed, bare: Timed, *, runs: int, warm_up: int) -> tuple[float, float]:
    """Return both medians; the two alternate, and so does which of them goes first."""
    times: dict[Timed, list[float]] = {ours: [], bare: []}
    for turn in range(warm_up + runs):
        for each in (ours, bare) if turn % 2 else (bare, ours):
            times[each].append(await each())
    return statistics.median(times[ours][warm_up:]), statistics.median(times[bare][warm_up:])


def _cells(row: Row) -> tuple[str, ...]:
    compared = row.bare_ms is not None
    aim = "" if row.aim is None else f"<= {row.aim:g}" + ("" if compared else " ms")
    return (
        row.what,
        f"{row.ours_ms:.2f} ms",
        f"{row.bare_ms:.2f} ms" if compared else "",
        f"{row.figure:.2f}" if compared else "",
        aim,
        row.verdict,
        str(row.runs),
    )


def table(rows: list[Row]) -> str:
    """Return the rows as lines of text under one heading."""
    return aligned([("", "ours", "bare", "ratio", "aim", "", "runs"), *map(_cells, rows)])


def aligned(lines: list[tuple[str, ...]]) -> str:
    """Return lines of cells as text, the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
