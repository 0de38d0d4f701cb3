"""One request to an endpoint: pieces, retries, and a sentence for each failure."""

import anyio
import httpx2
import pytest

from model import errors
from model.endpoint import Endpoint, Request, Target
from model.replies import Reply, Usage
from tests.model.stand_in import SAY_HELLO, StandIn, asked, collected, failure, text

pytestmark = pytest.mark.anyio


async def test_text_comes_in_pieces_and_the_last_item_is_the_whole_reply():
    stand_in = StandIn(text("Good ", "day."))
    items = await collected(stand_in.endpoint.stream(Request(SAY_HELLO)))
    assert items == ["Good ", "day.", Reply("Good day.", usage=Usage(7, 3))]


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


LOADING = failure(503, "unavailable_error", "Loading model")


async def test_a_model_that_is_being_loaded_is_waited_for_and_that_is_no_failed_attempt():
    stand_in = StandIn(*[LOADING] * 5, failure(500), failure(500), text("hi"))
    assert (await asked(stand_in)).content == "hi"
    assert stand_in.pauses == [2.0] * 5 + [0.5, 2.0]


async def test_a_model_that_is_loaded_for_too_long_is_said_to_be():
    stand_in = StandIn(LOADING)
    with pytest.raises(errors.StillLoading, match="is still being loaded"):
        await asked(stand_in)
    assert sum(stand_in.pauses) == 300


async def test_the_list_of_models_waits_for_one_that_is_being_loaded():
    listed = httpx2.Response(200, json={"object": "list", "data": [{"id": "m", "object": "model"}]})
    with anyio.fail_after(5):
        assert await StandIn(LOADING, listed).endpoint.models() == {"m"}


async def test_an_endpoint_without_a_list_of_models_has_none():
    with anyio.fail_after(5):
        assert await StandIn(failure(404)).endpoint.models() is None


@pytest.mark.parametrize("message", ["no user query found in messages", "model requires more system memory"])
async def test_what_will_not_pass_is_not_tried_again_whatever_the_status(message: str):
    stand_in = StandIn(failure(500, "", message))
    with pytest.raises(errors.ModelError):
        await asked(stand_in)
    assert len(stand_in.asked) == 1


async def test_tools_and_a_format_are_never_sent_in_one_request():
    stand_in = StandIn(text("hi"))
    await stand_in.endpoint.reply(
        Request(SAY_HELLO, tools=[{"a": 1}], response_format={"type": "json_object"})
    )
    assert "tools" not in stand_in.asked[0] and "tool_choice" not in stand_in.asked[0]


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
