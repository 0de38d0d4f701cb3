"""What the store costs at a thousand, a hundred thousand and a million orders, in a file and on Postgres.

Knows:    the sizes, the places, and how much more the largest may cost than the smallest.
Does not: measure (at_scale.py) or make the orders (synthetic.py).
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measure import aligned
from bench.synthetic import fill
from common.settings import ROOT
from tests.postgres import NoPostgres, Postgres

RUNS = 400
SIZES = (1_000, 100_000, 1_000_000)
MAX_GROWTH = 2.0
"""An index over a million is twice as deep as one over a thousand: log 10^6 / log 10^3."""
MAX_MEMORY_GROWTH = 1.25
_MEMORY = "peak memory"


@dataclass(frozen=True)
class ScaleRow:
    """One thing in one place: medians in milliseconds, or megabytes of memory, at each size."""

    what: str
    place: str
    figures: tuple[float, ...]

    @property
    def growth(self) -> float:
        """How many times the smallest size's figure the largest size's is."""
        return self.figures[-1] / self.figures[0]

    @property
    def aim(self) -> float:
        """How many times it may be."""
        return MAX_MEMORY_GROWTH if self.what == _MEMORY else MAX_GROWTH

    @property
    def cells(self) -> tuple[str, ...]:
        """Return what the table shows of it."""
        unit = "MB" if self.what == _MEMORY else "ms"
        figures = (f"{each:.0f} {unit}" if unit == "MB" else f"{each:.2f} {unit}" for each in self.figures)
        verdict = "ok" if self.growth <= self.aim else "missed"
        return (f"{self.what}, {self.place}", *figures, f"{self.growth:.2f}", f"<= {self.aim:g}", verdict)


def scale_rows(sizes: Sequence[int] = SIZES, runs: int = RUNS) -> list[ScaleRow]:
    """Measure every place that there is here, at every size."""
    with tempfile.TemporaryDirectory(prefix="shopkart-scale-") as folder:
        rows = _rows("SQLite file", sizes, lambda size: _in_file(Path(folder) / "shop.db", size, runs))
    try:
        server = Postgres(durable=True)
    except NoPostgres as missing:
        print(f"Postgres was NOT measured: {missing}.", file=sys.stderr)
        return rows
    try:
        return rows + _rows("Postgres", sizes, lambda size: _in_postgres(server, size, runs))
    finally:
        server.stop()


def scale_table(rows: list[ScaleRow], sizes: Sequence[int] = SIZES) -> str:
    """Return the rows as lines of text under one heading."""
    heading = ("", *(f"{size:,} orders" for size in sizes), "growth", "aim", "")
    return aligned([heading, *(row.cells for row in rows)])


_Figures = dict[str, float]


def _rows(place: str, sizes: Sequence[int], measure: Callable[[int], _Figures]) -> list[ScaleRow]:
    by_size = [measure(size) for size in sizes]
    return [ScaleRow(what, place, tuple(figures[what] for figures in by_size)) for what in by_size[0]]


def _in_file(file: Path, size: int, runs: int) -> _Figures:
    url = f"sqlite:///{file}"
    fill(url, size)
    try:
        return _measured(url, size, runs)
    finally:
        for each in file.parent.glob(f"{file.name}*"):
            each.unlink()


def _in_postgres(server: Postgres, size: int, runs: int) -> _Figures:
    url = server.create("shop")
    try:
        fill(url, size)
        return _measured(url, size, runs)
    finally:
        server.drop("shop")


def _measured(url: str, size: int, runs: int) -> _Figures:
    print(f"Measuring {size:,} orders ...", file=sys.stderr)
    command = [sys.executable, "-m", "bench.at_scale", url, str(size), str(runs)]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    told = json.loads(done.stdout)
    return {**told["ms"], _MEMORY: told["peak_mb"]}
