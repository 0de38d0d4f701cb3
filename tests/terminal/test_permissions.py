"""What is done without asking: listed, taken back, kept for later chats of the same person and no other."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import anyio
import pytest
from mcp.server import MCPServer

from agent.permission import hash_of
from agent_mcp import Conversation, run
from common.events import ApprovalAsked
from guards.grants import Grant, Grants
from journal.served import Served
from mcp_tools import connect
from server import build_server
from terminal import Agent, Session
from terminal.approver import TerminalApprover
from terminal.kept import KEPT_DAYS, Kept, who_is
from terminal.permissions import Permissions
from terminal.start import kept_permissions
from tests.agent.scripted import Scripted, calls, says
from tests.terminal.desk import TOOLS, Notes, small_talk
from tests.terminal.typed import Typed, screen_on

pytestmark = pytest.mark.anyio

GRANT = Grant(
    "server.py", "create_ticket", "a" * 64, '{"order_id":"4468"}', "Open a ticket for order number 4468"
)
OTHER = replace(GRANT, ids='{"order_id":"4471"}', words="Open a ticket for order number 4471")
KIM, LEE = "1" * 64, "2" * 64
TOOL_HASHES = {"create_ticket": "a" * 64}
DAY = 86_400.0


def kept(path: Path, who: str = KIM, now: float = 0.0) -> Kept:
    return Kept(path / "state" / "permissions.json", who, lambda: now)


async def said(permissions: Permissions, *lines: str) -> str:
    """Hold a session at a keyboard with these permissions; return the page."""
    page = StringIO()
    agent = Agent(small_talk, TOOLS, Notes(), permissions=permissions)
    with anyio.fail_after(5):
        await Session(agent, screen_on(page), Typed(*lines)).chat()
    return page.getvalue()


async def test_permissions_are_listed_by_number_with_their_words_their_tool_and_their_server(tmp_path: Path):
    permissions = Permissions(Grants([GRANT, OTHER]), kept(tmp_path), (OTHER,))
    assert await said(permissions, "/permissions") == (
        "Done without asking:\n"
        "  1  Open a ticket for order number 4468 · create_ticket at server.py · for this conversation\n"
        "  2  Open a ticket for order number 4471 · create_ticket at server.py · saved for 30 days\n"
        "/permissions revoke NUMBER takes one back; /permissions save NUMBER keeps it for your next chats.\n"
    )


async def test_a_chat_without_any_says_where_one_comes_from():
    assert (await said(Permissions(Grants()), "/permissions")).startswith(
        "There is no yes to all in this chat."
    )


async def test_one_that_is_taken_back_is_asked_about_again_in_later_chats_too(tmp_path: Path):
    file = kept(tmp_path)
    file.add(GRANT)
    permissions = Permissions(Grants([GRANT, OTHER]), file, (GRANT,))
    assert await said(permissions, "/permissions revoke 1") == (
        "Taken back; it is asked about again: Open a ticket for order number 4468.\n"
    )
    assert permissions.grants.given == [OTHER]
    assert kept(tmp_path).load(TOOL_HASHES).grants == ()


@pytest.mark.parametrize(
    "wish", ["revoke", "revoke 0", "revoke 3", "revoke x", "save ٢", "save -1", "revoke 1 2"]
)
async def test_a_number_that_is_not_there_takes_nothing_back(wish: str):
    permissions = Permissions(Grants([GRANT, OTHER]))
    assert "Which one? There is 2 permissions here" in await said(permissions, f"/permissions {wish}")
    assert permissions.grants.given == [GRANT, OTHER]


async def test_a_wish_that_is_none_says_how():
    assert "There is no /permissions forget. /permissions revoke" in await said(
        Permissions(Grants([GRANT])), "/permissions forget 1"
    )


async def test_what_is_saved_is_there_in_the_next_chat_of_the_same_person_and_no_other(tmp_path: Path):
    permissions = Permissions(Grants([GRANT]), kept(tmp_path))
    page = await said(permissions, "/permissions save 1")
    assert page == (
        "Saved for your next chats at this server, for 30 days: Open a ticket for order number 4468.\n"
    )
    assert kept(tmp_path).load(TOOL_HASHES).grants == (GRANT,)
    assert kept(tmp_path, LEE).load(TOOL_HASHES).grants == ()
    assert kept(tmp_path, "").load(TOOL_HASHES).grants == ()
    path = kept(tmp_path).path
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir() if each.suffix == ".json"] == ["permissions.json"]
    kept(tmp_path, LEE).add(OTHER)
    kept(tmp_path).remove(GRANT)
    assert kept(tmp_path, LEE).load(TOOL_HASHES).grants == (OTHER,)


async def test_where_nobody_knows_who_is_served_nothing_is_saved(tmp_path: Path):
    permissions = Permissions(Grants([GRANT]), kept(tmp_path, ""))
    page = await said(permissions, "/permissions save 1")
    assert page.startswith("It cannot be saved: this server does not say whom it serves")
    assert not kept(tmp_path).path.exists()


@pytest.mark.parametrize(
    ("served", "is_somebody"),
    [
        (Served("s", "customer", "C-1", "null"), True),
        (Served("s", "", "", "null", signed_in="C-1"), True),
        (Served("s", "staff", "", "null"), True),
        (Served("s", "guest", "", "null"), False),
        (Served("s", "", "", '"http://x/"'), False),
    ],
)
def test_only_a_customer_or_the_staff_are_somebody(served: Served, is_somebody: bool):
    assert bool(who_is(served, "demo shop")) is is_somebody


def test_another_customer_another_server_and_another_shop_are_another():
    first = Served("s", "customer", "C-1", "null")
    names = {
        who_is(first, "demo shop"),
        who_is(replace(first, customer_id="C-2"), "demo shop"),
        who_is(replace(first, server='"http://x/"'), "demo shop"),
        who_is(first, "a shop"),
        who_is(Served("s", "staff", "", "null"), "demo shop"),
        who_is(Served("s", "customer", "staff", "null"), "demo shop"),
    }
    assert len(names) == 6
    assert who_is(replace(first, session="t"), "demo shop") in names


def test_what_has_run_out_and_what_is_another_tool_now_is_gone_and_said(tmp_path: Path):
    kept(tmp_path).add(GRANT)
    kept(tmp_path, now=DAY).add(OTHER)
    late = kept(tmp_path, now=KEPT_DAYS * DAY).load(TOOL_HASHES)
    assert late.grants == (OTHER,)
    assert late.notices == (
        "A saved permission has run out after 30 days: Open a ticket for order number 4468.",
    )
    changed = kept(tmp_path, now=DAY).load({"create_ticket": "b" * 64})
    assert changed.grants == ()
    assert changed.notices == (
        "A saved permission is gone, because its tool has changed: Open a ticket for order number 4471.",
    )
    assert kept(tmp_path, now=DAY).load(TOOL_HASHES) == type(changed)()


def test_a_tool_that_the_server_does_not_list_today_is_no_reason_to_forget(tmp_path: Path):
    kept(tmp_path).add(GRANT)
    assert kept(tmp_path).load({}).grants == ()
    assert kept(tmp_path).load(TOOL_HASHES).grants == (GRANT,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        '{"schema": "shopkart/permissions/2", "permissions": []}',
        '{"schema": "shopkart/permissions/1", "permissions": [{"who": "x"}]}',
        '{"schema": "shopkart/permissions/1", "permissions": [], "more": 1}',
        "\x00" * 1_000_001,
    ],
)
def test_a_file_that_cannot_be_read_is_no_yes_is_said_and_is_not_written_over(tmp_path: Path, text: str):
    file = kept(tmp_path)
    file.path.parent.mkdir()
    file.path.write_text(text)
    file.path.chmod(0o600)
    loaded = file.load(TOOL_HASHES)
    assert loaded.grants == ()
    assert loaded.notices[0].startswith("No saved permission is used. ")
    assert "Mend it, or delete it and save anew." in loaded.notices[0]
    permissions = Permissions(Grants([GRANT]), file)
    assert permissions.carry_out("save 1")[0].startswith("It is not saved. ")
    assert file.path.read_text() == text


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_no_yes(tmp_path: Path, mode: int):
    file = kept(tmp_path)
    file.add(GRANT)
    file.path.chmod(mode)
    loaded = file.load(TOOL_HASHES)
    assert (loaded.grants, len(loaded.notices)) == ((), 1)
    assert "others can write it" in loaded.notices[0]


def test_one_that_cannot_be_taken_out_of_the_file_is_taken_back_in_this_chat_all_the_same(tmp_path: Path):
    file = kept(tmp_path)
    file.add(GRANT)
    permissions = Permissions(Grants([GRANT]), file, (GRANT,))
    file.path.write_text("nonsense")
    assert permissions.carry_out("revoke 1")[0].startswith("Taken back in this chat alone. ")
    assert permissions.grants.given == []


async def test_twenty_chats_that_save_at_once_lose_none(tmp_path: Path):
    grants = [replace(GRANT, ids=f'{{"order_id":"{number}"}}') for number in range(20)]
    async with anyio.create_task_group() as group:
        for grant in grants:
            group.start_soon(anyio.to_thread.run_sync, kept(tmp_path).add, grant)
    assert set(kept(tmp_path).load(TOOL_HASHES).grants) == set(grants)
    assert sorted(path.name for path in kept(tmp_path).path.parent.iterdir()) == [
        "permissions.json",
        "permissions.lock",
    ]


async def test_a_new_conversation_ends_every_yes_that_was_not_saved(tmp_path: Path):
    permissions = Permissions(Grants([GRANT, OTHER]), kept(tmp_path), (OTHER,))
    page = await said(permissions, "/new", "/new")
    assert page.count("Taken back with it: 1 yes to all.\n") == 1
    assert permissions.grants.given == [OTHER]


ADDS = ("create_ticket", {"order_id": "4468", "category": "damaged", "summary": "The lamp is broken."})


async def test_a_saved_yes_spares_the_question_in_the_next_chat_and_a_revoked_one_asks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    served = Served("s", "customer", "C-1001", "null")

    async def asked(*wishes: str) -> int:
        """Open a new chat, ask for a ticket, then wish; return how often a person was asked."""
        questions = 0

        def see(event: object) -> None:
            nonlocal questions
            questions += isinstance(event, ApprovalAsked)

        async with connect(build_server()) as bridge:
            talk = Conversation()
            permissions, _ = kept_permissions(talk, bridge, who_is(served, "demo shop"))
            approver = TerminalApprover(screen_on(), Typed("a"), lambda: None)
            model = Scripted(calls(ADDS), says("I have opened a ticket."))
            message = "the lamp in order 4468 arrived broken, please open a ticket"
            await run(message, model, approver, bridge=bridge, conversation=talk, on_event=see)
            for wish in wishes:
                permissions.carry_out(wish)
        return questions

    assert await asked("save 1") == 1
    assert await asked() == 0
    assert await asked("revoke 1") == 0
    assert await asked() == 1


async def test_a_planted_yes_to_a_tool_that_may_destroy_spares_no_question():
    server = MCPServer("other")

    @server.tool(title="Wipe everything")
    def wipe() -> str:
        """Wipe everything."""
        pytest.fail("it was wiped")

    async with connect(server) as bridge:
        talk = Conversation()
        tool = bridge.tools[0]
        planted = Grant(bridge.label, tool.name, hash_of(tool), "{}", "anything")
        talk.grants.give(planted)
        seen: list[object] = []
        model = Scripted(calls((tool.name, {})), says("Nothing was done."))
        await run("please wipe everything", model, bridge=bridge, conversation=talk, on_event=seen.append)
    assert any(isinstance(event, ApprovalAsked) for event in seen)


def test_the_file_says_nothing_of_the_person_in_clear(tmp_path: Path):
    who = who_is(
        Served("s", "customer", "C-1001", "null", signed_in="C-1001"), "signed in as customer C-1001"
    )
    kept(tmp_path, who).add(GRANT)
    text = kept(tmp_path).path.read_text()
    assert "C-1001" not in text
    assert json.loads(text)["permissions"][0]["words"] == GRANT.words
