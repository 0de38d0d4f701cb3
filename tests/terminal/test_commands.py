"""Every command: what it says and does."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import anyio
import pytest

from common.approval import Approver
from common.events import ModelStarted
from terminal import Agent, Exit, Session
from terminal.commands import COMMANDS, help_rows, unknown_text
from terminal.session import NoMemory
from tests.terminal.desk import TOOLS, Notes, OnEvent, Outcome, meta, play, small_talk, status, ticket
from tests.terminal.typed import Typed, screen_on

pytestmark = pytest.mark.anyio


class Gone(Exception):
    pass


async def gone(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
    on_event(ModelStarted(1))
    raise Gone("The model does not answer. Start it: `ollama serve`.")


async def remembered(*lines: str, played: Callable = small_talk) -> tuple[str, Notes]:
    """Hold a session at a keyboard; return the page and the conversation as it was left."""
    notes, page = Notes(), StringIO()

    async def run(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
        notes.messages.append(message)
        return await played(message, approver, on_event)

    with anyio.fail_after(5):
        agent = Agent(
            run, TOOLS, notes, unreachable=(Gone,), about_model=lambda wanted: [f"a model {wanted}"]
        )
        assert await Session(agent, screen_on(page), Typed(*lines)).chat() is Exit.DONE
    return page.getvalue(), notes


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("/tools",), "  create_ticket (asks you first): Open a ticket. Open a ticket about one order.\n"),
        (("/tools",), "  get_order_status (only reads): Look up an order. Say where an order is.\n"),
        (
            ("/new",),
            "A new conversation. What was said before is forgotten; what was done on the server stays.\n",
        ),
        (("/undo",), "There is nothing to take back.\n"),
        (("hi", "/undo"), "Taken back: hi\nNothing was changed.\n"),
        (("/retry",), "There is no message to ask again.\n"),
        (("hi", "/retry"), "Asked again: hi\nYou said: hi\n"),
        (("/model",), "a model \n"),
        (("/model qwen2.5:14b",), "a model qwen2.5:14b\n"),
        (("/export",), "Name a file that ends in .md, to read it, or .json, to go on from it later: "),
        (
            ("/export chat.txt",),
            "Name a file that ends in .md, to read it, or .json, to go on from it later: ",
        ),
        (("/cost",), "0 turns · 0 in · 0 out · 0.0 s · 0 tools · 0 model calls\n"),
        (("hi", "hi", "/cost"), "2 turns · 180 in · 14 out · 0.0 s · 0 tools · 2 model calls\n"),
        (("/trace",), "No turn has run yet.\n"),
        (("hi", "/trace"), '{"at_s": 0.0, "type": "model_started", "step": 1}\n'),
        (("/quit", "never said"), ""),
        (("/HELP",), "Commands:\n"),
        (("/hepl",), "There is no command /hepl. Did you mean /help? /help lists them.\n"),
        (("/ex chat.md",), "There is no command /ex. Did you mean /export? /help lists them.\n"),
        (("/4471",), "There is no command /4471. /help lists them.\n"),
    ],
)
async def test_each_command_says_what_it_did(lines: tuple[str, ...], told: str):
    page, _ = await remembered(*lines)
    assert told in page


def test_the_help_names_every_command_and_every_key():
    text = "\n".join(line for line, _ in help_rows(keys=True))
    assert [command.name for command in COMMANDS if command.name not in text] == []
    for key in ("Alt-Enter", "Ctrl-G", "Ctrl-R", "Tab", "Ctrl-C", "Escape", "Ctrl-D"):
        assert key in text


async def test_no_command_of_the_list_is_without_its_action():
    for command in COMMANDS:
        page, _ = await remembered("hi", f"{command.name} x.md" if command.name != "/export" else "/export")
        assert "There is no command" not in page


def test_a_hostile_command_is_shortened_and_cannot_move_the_cursor():
    text = unknown_text("/\x1b[2J" + "x" * 1_000_000)
    assert "\x1b" not in text
    assert len(text) < 200


async def test_undo_takes_back_the_last_exchange_and_only_that():
    _, notes = await remembered("one", "two", "/undo")
    assert notes.messages == ["one"]
    _, notes = await remembered("one", "two", "/undo", "/undo", "/undo")
    assert notes.messages == []


async def test_undo_says_that_what_was_done_on_the_server_stays():
    page, notes = await remembered("open a ticket", "y", "/undo", played=ticket)
    assert notes.messages == []
    assert page.endswith(
        'Already done: create_ticket {"order_id": "4468", "category": "damaged", "summary": "The…. '
        "That stays: it is not taken back on the server.\n"
    )


async def test_retry_asks_the_last_message_again_without_saying_it_twice():
    _, notes = await remembered("one", "two", "/retry")
    assert notes.messages == ["one", "two"]


async def test_a_message_whose_turn_failed_is_kept_and_can_be_asked_again():
    page, notes = await remembered("one", "/retry", played=gone)
    assert notes.messages == ["one"]
    failure = (
        "error: The model does not answer. Start it: `ollama serve`.\n"
        "Your message is kept: /retry asks it again.\n"
    )
    assert page == f"{failure}Asked again: one\n{failure}"


async def test_new_forgets_the_conversation_and_what_could_be_taken_back():
    page, notes = await remembered("one", "/new", "/undo", "/retry")
    assert notes.messages == []
    assert "There is nothing to take back.\nThere is no message to ask again.\n" in page


async def test_the_cost_names_the_turns_that_it_cannot_count_and_no_price():
    async def first_fails(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
        return await (gone if message == "one" else status)(message, approver, on_event)

    page, _ = await remembered("one", "two", "/cost", played=first_fails)
    assert page.endswith(
        "1 turn · 812 in · 54 out · 0.0 s · 1 tool · 2 model calls; "
        "not counted: 1 turn that did not end with an answer\n"
    )


async def test_the_sums_of_a_long_session_stay_short():
    async def dear(message: str, approver: Approver, on_event: OnEvent) -> Outcome:
        return Outcome("Hello.", meta(tokens=(48_210, 999)))

    page, _ = await remembered("one", "two", "/cost", played=dear)
    assert "48k in · 999 out · " in page
    assert "2 turns · 96k in · 2.0k out · " in page


async def test_export_writes_a_file_for_its_owner_and_never_over_another(tmp_path: Path):
    target = tmp_path / "chat.md"
    page, _ = await remembered("hello", f"/export {target}", f"/export {target}")
    assert target.read_text("utf-8") == "hello"
    assert target.stat().st_mode & 0o777 == 0o600
    assert f"Written to {target}; only you can read it.\n" in page
    assert f"{target} is there already and is left as it is. Try {tmp_path / 'chat-2.md'}\n" in page


async def test_an_export_as_json_says_how_to_go_on_from_it(tmp_path: Path):
    target = tmp_path / "chat.json"
    page, _ = await remembered("hello", f"/export {target}")
    assert f"Go on from it: --load {target}\n" in page


async def test_an_export_that_cannot_be_written_says_why(tmp_path: Path):
    page, _ = await remembered("hello", f"/export {tmp_path / 'nowhere' / 'chat.md'}", "/export \0.md")
    assert "cannot be written (No such file or directory). Name another file.\n" in page
    assert "cannot be written (embedded null byte). Name another file.\n" in page


async def test_a_session_without_a_memory_has_nothing_to_export():
    page = StringIO()
    await Session(Agent(small_talk), screen_on(page), Typed("hi", "/export x.md", "/undo", "/new")).chat()
    assert NoMemory().text(".md") is None
    assert "Name a file that ends in" in page.getvalue()


async def test_commands_work_in_a_pipe_too():
    page = await play("hi\n/retry\n/cost\n", small_talk, small_talk)
    assert page.answers == "You said: hi\nYou said: hi\n"
    assert "2 turns · 180 in" in page.text
