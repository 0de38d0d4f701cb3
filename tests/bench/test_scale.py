"""The scale bench: it measures each place at each size, and says what grew."""

from bench.scale import ScaleRow, scale_rows, scale_table
from tests.postgres import Postgres


def test_every_place_is_measured_at_every_size(postgres: Postgres):
    del postgres  # only to be left out where there is none
    rows = scale_rows((100, 200), runs=10)
    assert {row.place for row in rows} == {"SQLite file", "Postgres"}
    assert len(rows) == 10
    assert all(len(row.figures) == 2 and min(row.figures) > 0 for row in rows)


def test_the_table_shows_the_growth_and_says_which_aim_was_missed():
    rows = [
        ScaleRow("order by its id", "Postgres", (0.1, 0.15)),
        ScaleRow("new ticket", "Postgres", (0.1, 0.3)),
        ScaleRow("peak memory", "Postgres", (70.0, 91.0)),
    ]
    assert scale_table(rows, (1000, 100_000)).splitlines() == [
        "                           1,000 orders  100,000 orders  growth      aim",
        "order by its id, Postgres       0.10 ms         0.15 ms    1.50     <= 2      ok",
        "new ticket, Postgres            0.10 ms         0.30 ms    3.00     <= 2  missed",
        "peak memory, Postgres             70 MB           91 MB    1.30  <= 1.25  missed",
    ]
