"""Kill -9 of a chat around a yes: the card comes back, or its outcome is not known; nothing runs twice."""

from pathlib import Path

import pytest

from common.phrases import phrase
from tests.agent.killed import killed_at, redeemed_at_once
from tests.agent.left import Till, chat, yes
from tests.journal.writers import proven

pytestmark = pytest.mark.anyio

DONE = "('4471', 12.5)\n"
ROUNDS_IN_SOAK = 15


async def test_a_chat_that_is_killed_while_it_asks_leaves_the_same_card_which_runs_once(
    kept_url: str, tmp_path: Path
):
    done = tmp_path / "done"
    digest = killed_at("asking", kept_url, done)
    till = Till()
    async with chat(till, kept_url) as after:
        (left,) = await after.left()
        assert (left.request.digest, left.started) == (digest, False)
        await after.take_up(left, yes)
        assert await after.left() == []
    assert not done.exists() and till.done == [("4471", 12.5)]
    assert proven(kept_url).bad is None


@pytest.mark.parametrize(("moment", "done_then"), [("used", ""), ("called", DONE)])
async def test_a_chat_that_is_killed_after_a_yes_is_told_as_unknown_and_nothing_runs_again(
    kept_url: str, tmp_path: Path, moment, done_then: str
):
    done = tmp_path / "done"
    done.touch()
    digest = killed_at(moment, kept_url, done)
    assert done.read_text() == done_then
    till = Till()
    async with chat(till, kept_url) as after:
        (left,) = await after.left()
        assert (left.request.digest, left.started) == (digest, True)
        outcome = await after.take_up(left, yes)
        assert outcome.reply == phrase("approval_unknown", "en", title="Refund an order")
        assert await after.left() == []
    assert till.done == [] and done.read_text() == done_then


async def _left_and_redeemed(url: str, processes: int) -> list[bool]:
    async with chat(Till(), url) as one:
        request = await one.leave()
    return redeemed_at_once(url, request.digest, processes)


async def test_five_processes_that_use_one_yes_at_once_are_told_yes_once(kept_url: str):
    assert sorted(await _left_and_redeemed(kept_url, 5)) == [*[False] * 4, True]


@pytest.mark.soak
async def test_twenty_processes_that_use_one_yes_at_once_are_told_yes_once(kept_url: str):
    for _ in range(ROUNDS_IN_SOAK):
        assert sorted(await _left_and_redeemed(kept_url, 20)) == [*[False] * 19, True]
