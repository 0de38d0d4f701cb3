"""The bench of the workshop's echo: every length is measured against the one aim."""

import anyio
import pytest

from bench import workshop

pytestmark = pytest.mark.anyio


async def test_the_echo_is_timed_at_every_length(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workshop, "TURNS", (1, 20))
    with anyio.fail_after(10):
        rows = await workshop.workshop_rows(runs=3)
    assert [row.what for row in rows] == [
        "workshop: an echo after 1 turns",
        "workshop: an echo after 20 turns",
    ]
    assert all(row.ours_ms > 0 and row.aim == workshop.AIM_MS for row in rows)
