"""A server that cannot be reached is said to be so, in bounded time and in words that help."""

import sys

import anyio
import pytest
from mcp.server import MCPServer

from bridge import label
from common.leash import leashed
from mcp_tools import ConnectError, Limits, connect
from tests.bridge.faults import BOUND_S, bridge_to, faulty, text

pytestmark = pytest.mark.anyio


async def refusal(target, limits=None) -> str:
    """Return the words of a connection that must fail."""
    with anyio.fail_after(BOUND_S), pytest.raises(ConnectError) as caught:
        async with connect(target, limits=limits):
            raise AssertionError("it was opened")
    assert str(caught.value).endswith(".")
    return str(caught.value)


async def test_a_command_that_is_not_there_is_named():
    assert "no-such-command-9" in await refusal(["no-such-command-9", "--key", "hunter2"])
    assert "not found" in await refusal([])


async def test_a_text_that_is_no_url_is_refused_without_repeating_it():
    words = await refusal("file://hunter2@host")
    assert "http://" in words
    assert "hunter2" not in words


async def test_a_server_that_exits_at_once_is_told_to_be_started_by_hand():
    assert "ended at once" in await refusal(faulty("exits"))


async def test_a_server_that_never_answers_is_given_up_in_time():
    assert "did not answer within 1 s" in await refusal(faulty("silent"), Limits(connect_s=1))


async def test_a_server_that_prints_no_messages_is_told_to_do_so():
    words = await refusal(faulty("babbles"), Limits(connect_s=1))
    assert "lines that are no MCP messages" in words


async def test_a_server_without_a_list_of_tools_is_refused():
    assert "no usable list of tools" in await refusal(faulty("list_fails"))


async def test_nothing_listens_at_the_url():
    words = await refusal("http://ann:hunter2@127.0.0.1:9/mcp?token=hunter2")
    assert "http://127.0.0.1:9/mcp" in words
    assert "hunter2" not in words


async def test_a_server_that_dies_of_the_newer_protocol_is_asked_as_of_old():
    async with bridge_to("dies_of_discover") as bridge:
        assert await text(bridge, "read") == "done"


async def test_a_cancelled_opening_ends_the_process_and_passes_the_cancel_on():
    with anyio.fail_after(BOUND_S), anyio.move_on_after(0.3) as scope:
        async with connect(faulty("silent")):
            raise AssertionError("it was opened")
    assert scope.cancelled_caught


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (None, "server.py"),
        (["/usr/bin/node", "shop.js", "--key=hunter2"], "node shop.js"),
        (["shop", "--key=hunter2"], "shop"),
        (["shop", "KEY=hunter2"], "shop"),
        ("https://ann:hunter2@shop.example:8443/mcp?token=hunter2#x", "https://shop.example:8443/mcp"),
        ("http://[bad", "a bad URL"),
        (MCPServer("lab"), "lab"),
    ],
)
async def test_a_label_names_the_server_and_holds_no_secret(target, expected):
    assert label(target) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="the leash is Linux's parent-death signal")
async def test_a_leashed_command_keeps_its_arguments_and_its_exit_code():
    program = "import sys; print(sys.argv[1:]); sys.exit(7)"
    words = ["a b", "", "-x", "ü"]
    ran = await anyio.run_process(leashed([sys.executable, "-c", program, *words]), check=False)
    assert ran.returncode == 7
    assert ran.stdout.decode().strip() == str(words)
