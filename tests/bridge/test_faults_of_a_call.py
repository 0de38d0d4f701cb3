"""Whatever a server does in a call, the caller gets one result, and the session can be used again."""

import logging

import anyio
import pytest
from mcp.server import MCPServer

from common.settings import server_environment
from mcp_tools import Limits, connect
from tests.bridge.faults import SHORT, bridge_to, code, text

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("do", ["die", "half"])
@pytest.mark.parametrize(("tool", "expected"), [("read", "no_answer"), ("write", "unknown_outcome")])
async def test_a_server_that_ends_in_a_call_leaves_a_read_unanswered_and_a_write_unknown(tool, expected, do):
    async with bridge_to() as bridge:
        result = await bridge.call(tool, {"do": do})
        assert code(result) == expected
        assert "the server ended" in result.text
        assert await text(bridge, "read") == "done"


async def test_a_server_that_closes_its_output_and_stays_is_ended_and_started_again():
    async with bridge_to() as bridge:
        first = await text(bridge, "read", "pid")
        assert code(await bridge.call("write", {"do": "deaf"})) == "unknown_outcome"
        assert await text(bridge, "read", "pid") != first


@pytest.mark.parametrize(("tool", "expected"), [("read", "no_answer"), ("write", "unknown_outcome")])
async def test_a_server_that_hangs_is_given_up_and_the_next_call_starts_it_again(tool, expected):
    limits = Limits(connect_s=3, call_s=0.5)
    async with bridge_to(limits=limits) as bridge:
        first = await text(bridge, "read", "pid")
        result = await bridge.call(tool, {"do": "hang"})
        assert code(result) == expected
        assert "0.5 s" in result.text
        assert await text(bridge, "read", "pid") != first


@pytest.mark.parametrize("do", ["never", "pretty"])
async def test_a_server_that_misses_one_answer_and_serves_on_is_kept(do):
    async with bridge_to(limits=SHORT) as bridge:
        first = await text(bridge, "read", "pid")
        assert code(await bridge.call("read", {"do": do})) == "no_answer"
        assert await text(bridge, "read", "pid") == first


async def test_a_late_answer_is_not_taken_for_the_next_one():
    async with bridge_to(limits=Limits(connect_s=10, call_s=1)) as bridge:
        assert code(await bridge.call("write", {"do": "slow_then_back"})) == "unknown_outcome"
        assert await text(bridge, "read") == "done"


@pytest.mark.parametrize("do", ["die", "hang", "half", "never", "wrong_shape", "error_internal"])
async def test_a_write_is_never_sent_twice(tmp_path, do):
    log = tmp_path / "log"
    async with bridge_to("none", log, limits=Limits(connect_s=3, call_s=0.5)) as bridge:
        assert code(await bridge.call("write", {"do": do})) == "unknown_outcome"
        assert await text(bridge, "read") == "done"
    assert log.read_text(encoding="utf-8").splitlines() == ["written"]


async def test_lines_that_are_no_messages_are_left_out_and_never_logged(caplog):
    caplog.set_level(logging.DEBUG)
    async with bridge_to() as bridge:
        assert await text(bridge, "read", "junk") == "after the junk"
        assert await text(bridge, "read") == "done"
    assert "ann@example.org" not in caplog.text
    assert caplog.text.count("lines that are no messages") == 1


@pytest.mark.parametrize(
    ("tool", "do", "expected"),
    [
        ("read", "wrong_shape", "no_answer"),
        ("write", "wrong_shape", "unknown_outcome"),
        ("typed", "wrong_type", "no_answer"),
        ("typed_write", "wrong_type", "unknown_outcome"),
        ("typed", "picture", "no_answer"),
        ("remote", "", "no_answer"),
        ("bad_pattern", "wrong_type", "no_answer"),
        ("endless", "", "no_answer"),
    ],
)
async def test_an_answer_that_breaks_what_was_announced_is_not_passed_on(tool, do, expected):
    async with bridge_to() as bridge:
        result = await bridge.call(tool, {"do": do})
        assert code(result) == expected
        assert "did not fit" in result.text
        assert "no number" not in str(result)
        assert await text(bridge, "read") == "done"


async def test_an_answer_that_is_no_object_does_not_end_the_session():
    async with bridge_to(limits=SHORT) as bridge:
        assert code(await bridge.call("read", {"do": "no_result"})) == "no_answer"
        assert await text(bridge, "read") == "done"


async def test_a_second_answer_to_one_call_is_ignored():
    async with bridge_to() as bridge:
        assert await text(bridge, "read", "twice") == "first"
        assert await text(bridge, "read") == "done"


@pytest.mark.parametrize(
    ("tool", "do", "expected"),
    [
        ("read", "error_params", "server_error"),
        ("write", "error_params", "server_error"),
        ("read", "error_internal", "server_error"),
        ("write", "error_internal", "unknown_outcome"),
    ],
)
async def test_a_protocol_error_is_a_result_without_the_servers_own_text(tool, do, expected):
    async with bridge_to() as bridge:
        result = await bridge.call(tool, {"do": do})
        assert code(result) == expected
        assert "example.org" not in str(result)


async def test_an_error_without_structure_is_given_code_message_and_next_step():
    async with bridge_to() as bridge:
        result = await bridge.call("read", {"do": "bare_error"})
        assert code(result) == "tool_error"
        assert result.data["message"] == result.text == "The printer is on fire."


@pytest.mark.parametrize("do", ["mute_error", "odd_error"])
async def test_an_error_that_says_nothing_usable_still_has_three_sentences(do):
    async with bridge_to() as bridge:
        result = await bridge.call("read", {"do": do})
        assert code(result) == "tool_error"


async def test_a_picture_is_named_and_not_swallowed():
    async with bridge_to() as bridge:
        assert await text(bridge, "read", "picture") == "[image: not shown as text]"


async def test_two_megabytes_of_result_arrive_whole():
    async with bridge_to() as bridge:
        assert len(await text(bridge, "read", "huge")) == 2_000_000


async def test_calls_at_once_get_their_own_answers_and_share_a_death():
    async with bridge_to() as bridge:
        results: dict[str, str] = {}

        async def ask(tool: str, do: str) -> None:
            result = await bridge.call(tool, {"do": do})
            results[f"{tool} {do}"] = result.data.get("error", result.text)

        async with anyio.create_task_group() as group:
            group.start_soon(ask, "read", "never")
            group.start_soon(ask, "write", "never")
            group.start_soon(ask, "read", "bare_error")
            await anyio.wait_all_tasks_blocked()
            group.start_soon(ask, "read", "die")
        assert results == {
            "read never": "no_answer",
            "write never": "unknown_outcome",
            "read bare_error": "tool_error",
            "read die": "no_answer",
        }
        assert await text(bridge, "read") == "done"


async def test_calls_at_once_after_a_death_start_one_server():
    async with bridge_to() as bridge:
        await bridge.call("read", {"do": "die"})
        pids: set[str] = set()

        async def ask() -> None:
            pids.add(await text(bridge, "read", "pid"))

        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(ask)
        assert len(pids) == 1


async def test_a_cancelled_call_leaves_the_session_usable():
    async with bridge_to() as bridge:
        first = await text(bridge, "read", "pid")
        with anyio.move_on_after(0.2) as scope:
            await bridge.call("read", {"do": "never"})
        assert scope.cancelled_caught
        assert await text(bridge, "read", "pid") == first


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_call_that_is_given_up_is_stopped_at_the_server(mode):
    server = MCPServer("slow", log_level="CRITICAL")
    stopped = anyio.Event()

    @server.tool()
    async def wait() -> str:
        try:
            await anyio.sleep_forever()
        finally:
            stopped.set()
        return "never"

    with anyio.fail_after(5):
        async with connect(server, limits=Limits(call_s=0.1), mode=mode) as bridge:
            assert code(await bridge.call("wait", {})) == "unknown_outcome"
            await stopped.wait()


async def test_a_server_is_given_nothing_of_our_environment_that_is_not_its_own(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2")
    monkeypatch.setenv("SHOPKART_ROLE", "staff")
    async with bridge_to() as bridge:
        assert not {"OPENAI_API_KEY", "SHOPKART_ROLE"} & set((await text(bridge, "read", "env")).split())
    assert server_environment()["SHOPKART_ROLE"] == "staff"
    assert "OPENAI_API_KEY" not in server_environment()
