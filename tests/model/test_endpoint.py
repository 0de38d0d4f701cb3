"""One request to an endpoint: pieces, retries, and a sentence for each failure."""

import anyio
import httpx2
import pytest

from model import errors
from model.endpoint import Endpoint, Request, Target
from model.replies import Reply, ToolCall, Usage
from tests.model.stand_in import SAY_HELLO, StandIn, asked, call, calls, collected, failure, text

pytestmark = pytest.mark.anyio


async def test_text_comes_in_pieces_and_the_last_item_is_the_whole_reply():
    stand_in = StandIn(text("Good ", "day."))
    items = await collected(stand_in.endpoint.stream(Request(SAY_HELLO)))
    assert items == ["Good ", "day.", Reply("Good day.", usage=Usage(7, 3))]


async def test_a_call_that_comes_in_pieces_is_put_together():
    stand_in = StandIn(
        calls(call("look_up", '{"id"'), {"index": 0, "id": None, "function": {"arguments": ': "4471"}'}})
    )
    reply = await asked(stand_in)
    assert reply.tool_calls == (ToolCall("c1", "look_up", '{"id": "4471"}'),)


async def test_two_calls_under_one_index_stay_two_calls():
    stand_in = StandIn(calls(call("one", "{}", id="a"), call("two", "{}", id="b")))
    reply = await asked(stand_in)
    assert [(c.id, c.name) for c in reply.tool_calls] == [("a", "one"), ("b", "two")]


async def test_a_call_without_arguments_has_an_empty_object():
    reply = await asked(StandIn(calls(call("one", ""))))
    assert reply.tool_calls[0].arguments == "{}"


@pytest.mark.parametrize("first", [failure(429), failure(500), failure(503), httpx2.ConnectError("refused")])
async def test_what_may_pass_is_tried_again(first: httpx2.Response | Exception):
    stand_in = StandIn(first, text("hi"))
    assert (await asked(stand_in)).content == "hi"
    assert len(stand_in.asked) == 2


async def test_retries_end_after_the_third_attempt():
    stand_in = StandIn(failure(500))
    with pytest.raises(errors.Overloaded, match="answered 500"):
        await asked(stand_in)
    assert len(stand_in.asked) == 3
    assert stand_in.pauses == [0.5, 2.0]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422])
async def test_a_refused_request_is_never_repeated(status: int):
    stand_in = StandIn(failure(status))
    with pytest.raises(errors.ModelError):
        await asked(stand_in)
    assert len(stand_in.asked) == 1


@pytest.mark.parametrize(
    ("answer", "kind", "sentence"),
    [
        (httpx2.ConnectError("refused"), errors.NotReachable, "cannot be reached, .* Run `start it`."),
        (httpx2.ReadTimeout("slow"), errors.TimedOut, "no answer within the time limit. Ask again"),
        (failure(404), errors.ModelMissing, "does not have the model 'test-model'.* Run `start it`."),
        (failure(401), errors.Refused, "401: it does not accept the key"),
        (failure(429), errors.Overloaded, "429.* Ask again in a moment"),
        (failure(400), errors.Refused, "status 400.*LLM_TOOL_MODE"),
        (failure(400, "exceed_context_size_error"), errors.ContextTooLong, "4096 tokens.*LLM_CONTEXT"),
        (
            failure(500, "", "no user query found in messages"),
            errors.ContextTooLong,
            "Start a new conversation",
        ),
    ],
)
async def test_each_failure_has_its_own_sentence(
    answer: httpx2.Response | Exception, kind: type[errors.ModelError], sentence: str
):
    with pytest.raises(kind, match=f"(?s)^test-model on Test .*{sentence}|{sentence}"):
        await asked(StandIn(answer))


async def test_a_timeout_is_not_tried_again():
    stand_in = StandIn(httpx2.ReadTimeout("slow"))
    with pytest.raises(errors.TimedOut):
        await asked(stand_in)
    assert len(stand_in.asked) == 1


async def test_an_error_repeats_neither_the_conversation_nor_the_key():
    stand_in = StandIn(failure(400, "bad", "key sk-secret, prompt: my mail is jane@example.com"))
    with pytest.raises(errors.Refused) as caught:
        await asked(stand_in)
    assert "jane" not in str(caught.value) and "sk-secret" not in str(caught.value)


async def test_an_answer_that_is_no_stream_is_said_to_be_none():
    page = httpx2.Response(200, headers={"content-type": "text/event-stream"}, text="data: <html>\n\n")
    with pytest.raises(errors.BrokenAnswer, match="/v1"):
        await asked(StandIn(page))


async def test_a_cancel_ends_a_slow_answer_at_once_and_closes_it():
    begun, closed = anyio.Event(), anyio.Event()

    class Slow(httpx2.AsyncByteStream):
        async def __aiter__(self):
            begun.set()
            await anyio.sleep_forever()
            yield b""

        async def aclose(self) -> None:
            closed.set()

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=Slow())

    endpoint = Endpoint(Target("x", "http://test.invalid/v1", "m"), httpx2.MockTransport(answer))
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(endpoint.reply, Request(SAY_HELLO))
            await begun.wait()
            group.cancel_scope.cancel()
        await closed.wait()


async def test_the_key_is_in_no_repr():
    assert "secret" not in repr(Target("x", "http://a/v1", "m", api_key="secret"))


async def test_a_slot_is_only_sent_to_a_server_that_has_slots():
    plain = StandIn(text("hi"))
    await plain.endpoint.reply(Request(SAY_HELLO, slot=1))
    assert "id_slot" not in plain.asked[0]
