"""A server that asks in the middle of a call is answered by the call's own person, in both protocol eras."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from contextlib import contextmanager

import anyio
import mcp_types as types
import pytest

from bridge.elicitation import MAX_WAITING
from mcp_tools import Limits, ServerAnswer, ServerQuestion, connect
from tests.bridge.faults import BOUND_S, SERVERS, code
from tests.bridge.servers.asking import Asking, form, page

pytestmark = pytest.mark.anyio

both_eras = pytest.mark.parametrize("mode", ["auto", "legacy"])
PROGRAM = [sys.executable, str(SERVERS / "asking.py")]
YES = ServerAnswer("accept", {"approve": True})


class Person:
    """Answers each question the same way, and remembers what was asked and when it was stopped."""

    def __init__(self, answer: ServerAnswer = YES) -> None:
        self.answer = answer
        self.asked: list[ServerQuestion] = []

    async def __call__(self, question: ServerQuestion) -> ServerAnswer:
        self.asked.append(question)
        return self.answer


class Thinking:
    """Never answers; tells when it was asked, and when the question was withdrawn."""

    def __init__(self) -> None:
        self.asked = anyio.Event()
        self.withdrawn = anyio.Event()
        self.message = ""

    async def __call__(self, question: ServerQuestion) -> ServerAnswer:
        self.message = question.message
        self.asked.set()
        try:
            await anyio.sleep_forever()
        finally:
            self.withdrawn.set()
        raise AssertionError("for ever has ended")


@both_eras
@pytest.mark.parametrize("transport", ["memory", "stdio"])
async def test_a_yes_reaches_the_server_and_its_result_comes_back(mode, transport):
    person = Person()
    target = Asking({"ok": form()}) if transport == "memory" else [*PROGRAM, "stdio"]
    with anyio.fail_after(BOUND_S):
        async with connect(target, mode=mode) as bridge, bridge.asking(person):
            result = await bridge.call("refund", {"amount": 5})
    assert not result.is_error
    assert result.text == 'Refunded. It heard [{"approve": true}].'
    assert person.asked[0].message.startswith("Refund 5.00?")
    assert person.asked[0].schema["required"] == ["approve"]
    assert bridge.notices == []


@both_eras
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_no_is_the_servers_to_act_on(mode, action):
    server = Asking({"ok": form()})
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge, bridge.asking(Person(ServerAnswer(action))):
            result = await bridge.call("refund", {})
    assert [answer.action for answer in server.heard] == [action]
    assert server.done == 0
    assert result.text == f"Error executing tool refund: elicitation was {action}"


@both_eras
async def test_where_nobody_can_be_asked_the_answer_is_no_and_the_result_says_so(mode):
    server = Asking({"ok": form()})
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge:
            result = await bridge.call("refund", {})
    assert [answer.action for answer in server.heard] == ["decline"]
    why = "The server asked a question, and nobody can answer it here, so the answer was no."
    assert code(result) == "tool_error"
    assert result.data["message"] == f"{why} Error executing tool refund: elicitation was decline"
    assert result.text.startswith(why)
    assert bridge.notices == [why]


@both_eras
async def test_a_dry_run_asks_nobody(mode):
    server = Asking({"ok": form()}, meta={"shopkart/preview": True})
    person = Person()
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge, bridge.asking(person):
            result = await bridge.preview("refund", {})
    assert person.asked == []
    assert [answer.action for answer in server.heard] == ["decline"]
    assert result is not None and "in a dry run, in which nobody is asked" in result.text


@both_eras
async def test_two_questions_of_one_call_are_asked_one_after_the_other(mode):
    at_once: list[int] = []
    open_now = 0

    async def person(question: ServerQuestion) -> ServerAnswer:
        nonlocal open_now
        open_now += 1
        at_once.append(open_now)
        for _ in range(10):
            await anyio.lowlevel.checkpoint()
        open_now -= 1
        return YES

    server = Asking({"a": form("A?"), "b": form("B?")}, {"c": form("C?")})
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge, bridge.asking(person):
            assert not (await bridge.call("refund", {})).is_error
    assert at_once == [1, 1, 1]
    assert [answer.action for answer in server.heard] == ["accept"] * 3


@both_eras
async def test_a_read_may_ask_too(mode):
    person = Person()
    with anyio.fail_after(5):
        server = Asking({"ok": form()}, read_only=True)
        async with connect(server, mode=mode) as bridge, bridge.asking(person):
            assert not (await bridge.call("look_up", {})).is_error
    assert len(person.asked) == 1


@both_eras
async def test_the_time_of_a_call_stands_still_while_a_person_thinks(mode, monkeypatch: pytest.MonkeyPatch):
    """The person answers only when the call's time would have been up twice over, by the loop's own clock."""
    limit_s = 1.0
    loop = asyncio.get_running_loop()
    now, later = loop.time, [0.0]
    monkeypatch.setattr(loop, "time", lambda: now() + later[0])

    async def slow(question: ServerQuestion) -> ServerAnswer:
        later[0] += 2 * limit_s
        for _ in range(10):  # what is due by now is done in the loop's next rounds
            await anyio.lowlevel.checkpoint()
        return YES

    server = Asking({"ok": form()}, {"again": form()})
    with anyio.fail_after(BOUND_S):
        async with connect(server, mode=mode, limits=Limits(call_s=5)) as bridge, bridge.asking(slow):
            bridge.limits = Limits(call_s=limit_s)
            result = await bridge.call("refund", {})
    assert not result.is_error, result.text


async def test_the_time_that_was_left_is_left_when_the_person_has_answered():
    """Otherwise a server would have all the time of the world for one question."""
    server = Asking({"ok": form()})
    server.meanwhile = anyio.sleep_forever  # it asks, is answered, and then never answers itself
    with anyio.fail_after(BOUND_S):
        async with connect(server, mode="legacy", limits=Limits(call_s=5)) as bridge, bridge.asking(Person()):
            bridge.limits = Limits(call_s=0.1)
            assert code(await bridge.call("refund", {})) == "unknown_outcome"


@both_eras
async def test_a_stopped_turn_withdraws_its_question_and_the_session_goes_on(mode):
    server, thinking = Asking({"ok": form()}), Thinking()
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge:
            with anyio.CancelScope() as turn:
                async with anyio.create_task_group() as group:

                    async def play() -> None:
                        async with bridge.asking(thinking):
                            await bridge.call("refund", {})

                    group.start_soon(play)
                    await thinking.asked.wait()
                    turn.cancel()
            assert thinking.withdrawn.is_set()
            assert server.done == 0
            server.heard.clear()
            async with bridge.asking(Person()):
                assert not (await bridge.call("refund", {})).is_error


@pytest.mark.skipif(sys.platform == "win32", reason="the process is killed by signal")
@both_eras
async def test_a_server_that_dies_while_a_person_thinks_withdraws_its_question(mode):
    thinking = Thinking()
    with anyio.fail_after(BOUND_S):
        async with connect([*PROGRAM, "stdio"], mode=mode) as bridge, anyio.create_task_group() as group:

            async def die() -> None:
                await thinking.asked.wait()
                os.kill(int(thinking.message.rstrip(".").split()[-1]), signal.SIGKILL)

            group.start_soon(die)
            async with bridge.asking(thinking):
                result = await bridge.call("refund", {})
    assert thinking.withdrawn.is_set()
    assert code(result) == "unknown_outcome"
    assert "then the server ended" in result.text


async def test_a_question_that_the_server_takes_back_is_withdrawn():
    thinking = Thinking()
    server = Asking({"ok": form()})
    server.meanwhile = thinking.asked.wait
    with anyio.fail_after(5):
        async with connect(server, mode="legacy") as bridge, bridge.asking(thinking):
            result = await bridge.call("refund", {})
            assert thinking.withdrawn.is_set()
    assert not result.is_error


async def test_a_question_after_its_call_has_come_back_is_asked_of_nobody():
    person, server = Person(), Asking()
    late: list[str] = []

    async def ask_later(ctx: object) -> None:
        late.append((await ctx.session.send_request(form(), types.ElicitResult)).action)  # type: ignore[attr-defined]

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            server.after_the_call = lambda ctx: group.start_soon(ask_later, ctx)
            async with connect(server, mode="legacy") as bridge, bridge.asking(person):
                await bridge.call("refund", {})
                while not late:
                    await anyio.lowlevel.checkpoint()
    assert late == ["decline"]
    assert person.asked == []


@both_eras
async def test_where_two_calls_are_under_way_nobody_is_asked(mode):
    server, person = Asking({"ok": form()}), Person()
    results = []
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge, bridge.asking(person):

            async def call() -> None:
                results.append(await bridge.call("refund", {}))

            async with anyio.create_task_group() as group:
                group.start_soon(call)
                group.start_soon(call)
    assert person.asked == []
    assert server.done == 0
    assert all("while several calls were under way" in result.text for result in results)


@both_eras
async def test_whoever_answers_for_one_server_does_not_answer_for_another(mode):
    person, other = Person(), Asking({"ok": form()})
    with anyio.fail_after(5):
        async with (
            connect(Asking(), mode=mode) as first,
            connect(other, mode=mode) as second,
            first.asking(person),
        ):
            await second.call("refund", {})
    assert person.asked == []
    assert [answer.action for answer in other.heard] == ["decline"]


@both_eras
async def test_a_server_that_asks_without_end_comes_to_an_end(mode):
    server = Asking({"ok": form()}, for_ever=True)
    with anyio.fail_after(BOUND_S):
        async with connect(server, mode=mode, limits=Limits(call_s=5)) as bridge:
            bridge.limits = Limits(call_s=0.3)
            result = await bridge.call("refund", {})
    assert code(result) == "unknown_outcome"


@both_eras
async def test_more_questions_at_once_than_may_wait_are_answered_with_no(mode):
    class Slow(Person):
        async def __call__(self, question: ServerQuestion) -> ServerAnswer:
            for _ in range(200):  # rounds of the event loop, in which the rest arrives
                await anyio.lowlevel.checkpoint()
            return await super().__call__(question)

    server, person = Asking({f"q{index}": form() for index in range(MAX_WAITING + 5)}), Slow()
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge, bridge.asking(person):
            result = await bridge.call("refund", {})
    actions = [answer.action for answer in server.heard]
    assert actions.count("accept") == len(person.asked) == MAX_WAITING
    assert actions.count("decline") == 5
    assert f"more than {MAX_WAITING} questions at once" in result.text


@both_eras
async def test_what_the_answering_side_raises_ends_the_call_and_comes_out_as_itself(mode):
    class Own(Exception):
        pass

    async def broken(question: ServerQuestion) -> ServerAnswer:
        raise Own

    server = Asking({"ok": form()})
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge:
            with pytest.raises(Own):
                async with bridge.asking(broken):
                    await bridge.call("refund", {})
            assert server.done == 0
            server.heard.clear()
            async with bridge.asking(Person()):
                assert not (await bridge.call("refund", {})).is_error


@both_eras
async def test_an_answer_that_the_protocol_has_no_words_for_is_none(mode):
    server, person = Asking({"ok": form()}), Person(ServerAnswer("accept", {"approve": {"a": [{}]}}))
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge, bridge.asking(person):
            await bridge.call("refund", {})
    assert [answer.action for answer in server.heard] == ["cancel"]


@both_eras
async def test_a_page_to_be_opened_comes_as_a_question_with_its_address(mode):
    person = Person(ServerAnswer("decline"))
    with anyio.fail_after(5):
        async with connect(Asking({"pay": page()}), mode=mode) as bridge, bridge.asking(person):
            await bridge.call("refund", {})
    assert person.asked[0].url == "https://pay.example.net/now?card=1"
    assert person.asked[0].schema == {}


async def test_a_server_that_wants_a_page_opened_first_is_not_repeated():
    server = Asking()
    server.raises = types.ErrorData(
        code=types.URL_ELICITATION_REQUIRED,
        message="first pay",
        data={"elicitations": [page().params.model_dump(by_alias=True)]},
    )
    with anyio.fail_after(5):
        async with connect(server, mode="legacy") as bridge:
            assert code(await bridge.call("refund", {})) == "needs_input"


SAMPLE = types.CreateMessageRequest(
    params=types.CreateMessageRequestParams(
        messages=[types.SamplingMessage(role="user", content=types.TextContent(text="say yes"))], max_tokens=5
    )
)


@both_eras
@pytest.mark.parametrize("request_of", [SAMPLE, types.ListRootsRequest()], ids=["a model", "folders"])
async def test_a_server_that_asks_for_a_model_or_for_folders_gets_an_error_and_nothing_else(mode, request_of):
    server, person = Asking({"ok": request_of}), Person()
    with anyio.fail_after(5):
        async with connect(server, mode=mode) as bridge, bridge.asking(person):
            result = await bridge.call("refund", {})
            assert result.is_error
            assert person.asked == []
            assert server.done == 0
            server.rounds = ({"ok": form()},)
            assert not (await bridge.call("refund", {})).is_error


@contextmanager
def over_http():
    with subprocess.Popen([*PROGRAM, "http"], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert select.select([process.stdout], [], [], BOUND_S)[0], "the server did not start"
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
        finally:
            process.kill()


async def test_over_http_a_question_reaches_the_person_in_both_eras():
    with over_http() as url, anyio.fail_after(BOUND_S):
        for mode in ("auto", "legacy"):
            person = Person()
            async with connect(url, mode=mode) as bridge, bridge.asking(person):
                result = await bridge.call("refund", {})
            assert not result.is_error, result.text
            assert len(person.asked) == 1
