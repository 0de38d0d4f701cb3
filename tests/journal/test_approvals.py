"""Open questions in the database: whose they are, used once, proven, and gone when they are closed."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner
from sqlalchemy import select, text

from common.approval import ApprovalRequest, Verdict
from common.database import open_engine, writing
from common.events import ApprovalAnswered
from common.pending import Pending
from guards.approval import sealed
from journal import Trail, TurnJournal
from journal.__main__ import main
from journal.approvals import TOLD_WITHIN_S, ApprovalsInSql
from journal.errors import QuestionsFailed
from journal.key import JournalKey
from journal.schema import approvals
from journal.served import Served
from tests.journal.writers import KEY, opened, rows

pytestmark = pytest.mark.anyio

NOW = 1_796_000_000.25
MARK = "Zebulon"
MIRA = Served("s1", "customer", "C-1", server="the shop")
JONAS = Served("s2", "customer", "C-2", server="the shop")
STAFF = Served("s3", "staff", server="the shop")


def question(name: str = "one", **differs: Any) -> Pending:
    usual: dict[str, Any] = {
        "id": name,
        "tool": "refund",
        "title": "Refund an order",
        "arguments": {"order_id": "4471", "note": MARK},
        "effect": f"Refunds order 4471 for {MARK}.",
        "reversible": False,
        "digest": "",
        "expires_at": NOW + 900,
    }
    return Pending(sealed(ApprovalRequest(**(usual | differs))), "hash", "es", asked_at=NOW)


class Desk:
    """The open questions of anybody, in one database."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = open_engine(url)
        self.trail = Trail(self.engine, KEY)

    def of(self, served: Served) -> ApprovalsInSql:
        return ApprovalsInSql(self.trail, served)

    def row(self, digest: str) -> dict[str, Any]:
        with self.engine.connect() as connection:
            found = connection.execute(select(approvals).where(approvals.c.digest == digest)).mappings()
            return dict(found.one())

    def change(self, statement: str, **values: Any) -> None:
        with writing(self.engine) as connection:
            connection.execute(text(statement), values)


@pytest.fixture
def desk(kept_url: str) -> Iterator[Desk]:
    made = Desk(kept_url)
    yield made
    made.engine.dispose()


@pytest.fixture
def on_file(sqlite_url: str) -> Iterator[Desk]:
    """For what no database does in its own way."""
    made = Desk(sqlite_url)
    yield made
    made.engine.dispose()


NASTY = {
    "plain": {"order_id": "4471"},
    "what no database keeps": {"note": "a\x00b", "half": "\ud800", "\x00": "\udfff"},
    "any script": {"note": "\u202ecba \u0627\u0644\u0639 \u0939\u093f 😀"},
    "numbers": {"big": 10**30, "small": 5e-324, "minus": -0.0, "no": None, "yes": True},
    "deep": {"a": [{"b": [[], {}, [{"c": "d"}]]}]},
}


@pytest.mark.parametrize("arguments", NASTY.values(), ids=NASTY.keys())
async def test_a_question_comes_back_exactly_as_it_was_asked(desk: Desk, arguments: dict[str, Any]):
    asked = question(
        arguments=arguments,
        warnings=("One.", "Two."),
        asked_by="the assistant",
        schema={"type": "object", "properties": {"a": {"enum": [1, None]}}},
        always="",
        notice="Not so.",
    )
    await desk.of(MIRA).ask(asked)
    assert await desk.of(MIRA).open(NOW) == [asked]


async def test_questions_are_offered_in_the_order_of_asking(on_file: Desk):
    asked = [question(name) for name in ("b", "c", "a")]
    for each in asked:
        await on_file.of(MIRA).ask(each)
    assert await on_file.of(MIRA).open(NOW) == asked


async def test_each_is_offered_to_whoever_may_answer_it_and_to_nobody_else(desk: Desk):
    persons, waiting = question("mira"), question("for the staff", audience="staff")
    await desk.of(MIRA).ask(persons)
    await desk.of(MIRA).ask(waiting)
    assert await desk.of(MIRA).open(NOW) == [persons]
    assert await desk.of(STAFF).open(NOW) == [waiting]
    for other in (
        JONAS,
        replace(MIRA, server="another"),
        replace(STAFF, server="another"),
        Served("s1", server="the shop"),
        Served("s1", "guest", server="the shop"),
        Served("s1", "customer", server="the shop"),
    ):
        assert await desk.of(other).open(NOW) == []


async def test_another_spelling_of_an_address_is_the_same_person(on_file: Desk):
    await on_file.of(Served("s", "customer", "Mira@Example.com", server="x")).ask(question())
    assert len(await on_file.of(Served("s", "customer", " mira@example.COM ", server="x")).open(NOW)) == 1


async def test_what_the_staff_ask_in_their_own_chat_is_left_to_nobody(on_file: Desk):
    """Staff is no person: a colleague would answer, or close by a message, what somebody else is reading."""
    await on_file.of(STAFF).ask(question())
    assert await on_file.of(STAFF).open(NOW) == []


async def test_a_customer_can_neither_use_nor_close_what_is_for_the_staff(desk: Desk):
    waiting = question(audience="staff")
    await desk.of(MIRA).ask(waiting)
    assert not await desk.of(MIRA).redeem(waiting.request.digest, NOW)
    assert not await desk.of(MIRA).settle(waiting.request.digest, "declined")
    assert await desk.of(STAFF).redeem(waiting.request.digest, NOW)


# ---------------------------------------------------------------- once


async def test_a_yes_is_used_once_by_twenty_tasks(desk: Desk):
    asked = question()
    await desk.of(MIRA).ask(asked)
    told: list[bool] = []

    async def use() -> None:
        told.append(await desk.of(MIRA).redeem(asked.request.digest, NOW))

    async with anyio.create_task_group() as group:
        for _ in range(20):
            group.start_soon(use)
    assert sorted(told) == [*[False] * 19, True]


async def test_a_yes_is_used_once_by_twenty_threads_that_opened_the_database_each(desk: Desk):
    asked = question()
    await desk.of(MIRA).ask(asked)

    def use(_: int) -> bool:
        other = Desk(desk.url)
        try:
            return anyio.run(other.of(MIRA).redeem, asked.request.digest, NOW)
        finally:
            other.engine.dispose()

    with ThreadPoolExecutor(20) as pool:
        told = await anyio.to_thread.run_sync(lambda: list(pool.map(use, range(20))))
    assert sorted(told) == [*[False] * 19, True]


@pytest.mark.parametrize(("later_s", "used"), [(-0.001, True), (0, False), (0.001, False)])
async def test_at_the_moment_of_its_end_a_yes_is_too_late(desk: Desk, later_s: float, used: bool):
    asked = question()
    await desk.of(MIRA).ask(asked)
    at = asked.request.expires_at + later_s
    assert len(await desk.of(MIRA).open(at)) == used
    assert await desk.of(MIRA).redeem(asked.request.digest, at) is used


async def test_a_question_that_was_closed_cannot_be_asked_again(on_file: Desk):
    asked = question()
    theirs = on_file.of(MIRA)
    await theirs.ask(asked)
    assert await theirs.settle(asked.request.digest, "declined")
    await theirs.ask(asked)
    assert await theirs.open(NOW) == []
    assert not await theirs.redeem(asked.request.digest, NOW)
    assert not await theirs.settle(asked.request.digest, "approved")


async def test_what_was_used_is_closed_by_its_outcome_alone(desk: Desk):
    asked = question()
    theirs, digest = desk.of(MIRA), asked.request.digest
    await theirs.ask(asked)
    assert not await theirs.finish(digest)
    assert await theirs.redeem(digest, NOW)
    assert not await theirs.settle(digest, "declined")
    assert await theirs.open(NOW) == [replace(asked, started=True)]
    assert await theirs.finish(digest)
    assert not await theirs.finish(digest)
    assert (desk.row(digest)["state"], desk.row(digest)["outcome"]) == ("settled", "approved")


# ---------------------------------------------------------------- what is kept, and for how long


async def test_a_closed_question_says_nothing_any_more(desk: Desk):
    ends: list[Verdict] = ["declined", "superseded", "cancelled", "void", "changed", "not_possible"]
    for end in ends:
        asked = question(end)
        await desk.of(MIRA).ask(asked)
        assert MARK in desk.row(asked.request.digest)["request"]
        await desk.of(MIRA).settle(asked.request.digest, end)
        row = desk.row(asked.request.digest)
        assert (row["request"], row["outcome"]) == ("", end)
        assert MARK not in repr(row)


async def test_no_byte_of_a_closed_question_is_left_in_the_file(sqlite_url: str):
    desk = Desk(sqlite_url)
    for number in range(30):
        asked = question(str(number), effect=f"{MARK} " * 200)
        await desk.of(MIRA).ask(asked)
        await desk.of(MIRA).settle(asked.request.digest, "declined")
    desk.engine.dispose()
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert MARK.encode() not in b"".join(each.read_bytes() for each in file.parent.glob("shop.db*"))


async def test_of_whom_nobody_knows_only_a_digest_is_kept(on_file: Desk):
    nobody = on_file.of(Served("s1", "guest", server="the shop"))
    asked = question()
    await nobody.ask(asked)
    assert on_file.row(asked.request.digest)["request"] == ""
    assert await nobody.redeem(asked.request.digest, NOW)
    assert await nobody.finish(asked.request.digest)


async def test_whose_and_where_are_kept_as_digests(on_file: Desk):
    asked = question(audience="staff", arguments={}, effect="x")
    await on_file.of(replace(MIRA, customer_id=MARK, server=f"https://{MARK}/", session=MARK)).ask(asked)
    assert MARK not in repr(on_file.row(asked.request.digest))


async def test_what_nobody_answered_in_time_is_returned_once_and_closed(desk: Desk):
    late, young = question("late"), question("young", expires_at=NOW + 5_000)
    waited = question("waited", audience="staff")
    for each in (late, young, waited):
        await desk.of(MIRA).ask(each)
    at = late.request.expires_at
    assert await desk.of(JONAS).lapsed(at) == await desk.of(STAFF).lapsed(at) == []
    assert await desk.of(MIRA).lapsed(at) == [late, waited]
    assert await desk.of(MIRA).lapsed(at) == []
    assert desk.row(waited.request.digest)["outcome"] == "expired"
    assert await desk.of(MIRA).open(at) == [young]


async def test_what_nobody_comes_back_for_is_erased_by_whoever_opens_the_journal(desk: Desk):
    asked, used, young = question("a"), question("b"), question("c", expires_at=NOW + TOLD_WITHIN_S)
    for each in (asked, used, young):
        await desk.of(MIRA).ask(each)
    await desk.of(MIRA).redeem(used.request.digest, NOW)
    at = asked.request.expires_at + TOLD_WITHIN_S
    await desk.of(JONAS).lapsed(at - 1)
    assert len(await desk.of(MIRA).open(NOW)) == 3
    await desk.of(JONAS).lapsed(at)
    assert await desk.of(MIRA).open(NOW) == [young]


async def test_open_questions_are_counted_those_that_wait_for_the_staff_too(desk: Desk):
    for name, audience in (("a", "person"), ("b", "staff"), ("c", "person")):
        await desk.of(MIRA).ask(question(name, audience=audience))
    await desk.of(MIRA).settle(question("a").request.digest, "declined")
    counts = [await desk.of(each).count(NOW) for each in (MIRA, JONAS, STAFF)]
    assert (counts, await desk.of(MIRA).count(NOW + 900)) == ([2, 0, 0], 0)


# ---------------------------------------------------------------- proof

FORGED = {
    "another effect": "UPDATE approvals SET request = replace(request, 'Refunds', 'Shows')",
    "other arguments": "UPDATE approvals SET request = replace(request, '4471', '4472')",
    "a later end": "UPDATE approvals SET expires_at = expires_at + 1000",
    "another tool hash": "UPDATE approvals SET tool_hash = 'other'",
    "another time of asking": "UPDATE approvals SET asked_at = asked_at + 1",
    "another language": "UPDATE approvals SET language = 'en'",
    "no JSON": "UPDATE approvals SET request = '{'",
    "nothing": "UPDATE approvals SET request = ''",
    "another seal": "UPDATE approvals SET seal = digest",
}


@pytest.mark.parametrize("statement", FORGED.values(), ids=FORGED.keys())
async def test_a_row_that_was_altered_is_not_offered_but_closed_and_told_in_the_trail(
    on_file: Desk, statement: str, caplog: pytest.LogCaptureFixture
):
    asked = question()
    await on_file.of(MIRA).ask(asked)
    on_file.change(statement)
    assert await on_file.of(MIRA).open(NOW) == []
    told = [(row["gate"], row["decision"], row["reason"]) for row in rows(on_file.url)]
    assert told[-1] == ("permission", "void", "approval_not_proven")
    assert "not offered" not in caplog.text and "their seals do not prove" in caplog.text
    assert MARK not in caplog.text
    assert on_file.row(asked.request.digest)["state"] == "settled"
    assert not await on_file.of(MIRA).redeem(asked.request.digest, NOW)


async def test_a_question_is_not_moved_to_somebody_else(on_file: Desk):
    asked, other = question("a"), question("b", audience="staff")
    await on_file.of(MIRA).ask(asked)
    await on_file.of(JONAS).ask(other)
    on_file.change(
        "UPDATE approvals SET identity = :theirs WHERE digest = :digest",
        theirs=on_file.row(other.request.digest)["identity"],
        digest=asked.request.digest,
    )
    assert await on_file.of(JONAS).open(NOW) == []


async def test_a_card_that_waits_for_the_staff_is_not_made_the_customers(on_file: Desk):
    waiting = question(audience="staff")
    await on_file.of(MIRA).ask(waiting)
    on_file.change("UPDATE approvals SET audience = 'person'")
    assert await on_file.of(MIRA).open(NOW) == []


async def test_a_question_that_was_made_with_another_key_is_not_offered(on_file: Desk):
    """Whoever can write the table has all its digests, and not the key."""
    asked = question()
    await on_file.of(MIRA).ask(asked)
    row = on_file.row(asked.request.digest)
    planted = question("planted", audience="staff")
    other = Trail(on_file.engine, JournalKey(b"x" * 32))
    await ApprovalsInSql(other, MIRA).ask(planted)
    on_file.change(
        "UPDATE approvals SET identity = :identity, server = :server, key = :key WHERE digest = :digest",
        digest=planted.request.digest,
        **{name: row[name] for name in ("identity", "server", "key")},
    )
    assert await on_file.of(STAFF).open(NOW) == []
    assert await on_file.of(MIRA).open(NOW) == [asked]


# ---------------------------------------------------------------- a database that fails


async def test_every_method_says_that_nothing_is_done_where_the_database_fails(desk: Desk):
    asked = question()
    theirs, digest = desk.of(MIRA), asked.request.digest
    desk.change("ALTER TABLE approvals RENAME TO away")
    for attempt in (
        lambda: theirs.ask(asked),
        lambda: theirs.redeem(digest, NOW),
        lambda: theirs.settle(digest, "declined"),
        lambda: theirs.finish(digest),
        lambda: theirs.open(NOW),
        lambda: theirs.lapsed(NOW),
        lambda: theirs.count(NOW),
    ):
        with pytest.raises(QuestionsFailed, match="Nothing is done without them"):
            await attempt()


async def test_a_locked_database_is_waited_for_and_then_told(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("journal.approvals.CALL_WAIT_S", 0.05)
    desk = Desk(sqlite_url)
    asked = question()
    await desk.of(MIRA).ask(asked)
    other = Desk(sqlite_url)
    with writing(other.engine), pytest.raises(QuestionsFailed, match="database is locked"):
        await desk.of(MIRA).redeem(asked.request.digest, NOW)
    assert await desk.of(MIRA).redeem(asked.request.digest, NOW)
    for each in (desk, other):
        each.engine.dispose()


# ---------------------------------------------------------------- the trail and the command


@pytest.mark.parametrize(
    "verdict",
    [
        *("approved", "declined", "changed", "expired", "not_possible"),
        *("waiting", "cancelled", "superseded", "void", "used", "unknown"),
    ],
)
async def test_each_end_of_a_question_is_a_row_of_the_trail(sqlite_url: str, verdict: Verdict):
    with opened(sqlite_url) as engine:
        journal = TurnJournal(Trail(engine, KEY), MIRA)
        await journal.record(ApprovalAnswered(question().request, None, verdict))
    row = rows(sqlite_url)[-1]
    assert (row["gate"], row["decision"], row["tool"]) == ("permission", verdict, "refund")


def test_the_command_lists_what_is_open_and_not_what_it_says(on_file: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", on_file.url)
    monkeypatch.setenv("JOURNAL_KEY", "k" * 32)
    waiting, closed = question("a", audience="staff"), question("b")
    for each in (waiting, closed):
        anyio.run(on_file.of(MIRA).ask, each)
    anyio.run(on_file.of(MIRA).settle, closed.request.digest, "declined")
    ran = CliRunner().invoke(main, ["approvals"])
    assert ran.exit_code == 0, ran.output
    line = f"{waiting.request.digest[:8]}  2026-11-30 00:53:20  2026-11-30 01:08:20  staff  asked   refund"
    assert ran.stdout.splitlines() == [line]
    assert ran.stderr == "1 open question.\n"
