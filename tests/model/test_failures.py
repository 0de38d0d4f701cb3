"""Each way in which a model does not answer has its own sentence, with the command that helps."""

import httpx2
import pytest

from model import errors
from model.provider import targets
from model.settings import ModelSettings
from model.target import Target
from tests.model.stand_in import TARGET, StandIn, asked, failure

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("answer", "kind", "sentence"),
    [
        (httpx2.ConnectError("refused"), errors.NotReachable, "cannot be reached, .* Run `start it`."),
        (httpx2.ReadTimeout("slow"), errors.TimedOut, "no answer within the time limit. Ask again"),
        (failure(404), errors.ModelMissing, "does not have the model 'test-model'.* Run `start it`."),
        (httpx2.Response(404, text="404 page not found"), errors.BrokenAnswer, "ends in /v1"),
        (failure(401), errors.Refused, "401: it does not accept the key"),
        (failure(429), errors.Overloaded, "429.* Ask again in a moment"),
        (failure(503, "", "server busy, maximum pending requests exceeded"), errors.Overloaded, "503"),
        (failure(400), errors.Refused, "status 400.*LLM_TOOL_MODE"),
        (failure(400, "exceed_context_size_error"), errors.ContextTooLong, "4096 tokens.*LLM_CONTEXT"),
        (failure(500, "exceed_context_size_error"), errors.ContextTooLong, "4096 tokens.*LLM_CONTEXT"),
        (failure(500, "", "no user query found in messages"), errors.ContextTooLong, "a new conversation"),
        (
            failure(500, "", "model requires more system memory (5.6 GiB) than is available (3.1 GiB)"),
            errors.OutOfMemory,
            "memory of the machine",
        ),
        (failure(500, "", "cudaMalloc failed: out of memory"), errors.OutOfMemory, "memory of the machine"),
        (
            failure(500, "", "timed out waiting for llama runner to start"),
            errors.StillLoading,
            "still being loaded",
        ),
    ],
)
async def test_each_failure_has_its_own_sentence(
    answer: httpx2.Response | Exception, kind: type[errors.ModelError], sentence: str
):
    with pytest.raises(kind, match=f"(?s)^test-model on Test .*{sentence}"):
        await asked(StandIn(answer))


SIX = {
    "not_reachable": (httpx2.ConnectError("refused"), "ollama serve"),
    "model_missing": (failure(404, "", 'model "qwen2.5:7b" not found'), "ollama pull qwen2.5:7b"),
    "out_of_memory": (failure(500, "", "model requires more system memory"), "ollama stop"),
    "timed_out": (httpx2.ReadTimeout("slow"), "ollama ps"),
    "context_too_long": (
        failure(400, "exceed_context_size_error"),
        "OLLAMA_CONTEXT_LENGTH=8192 ollama serve",
    ),
    "still_loading": (failure(503, "", "Loading model"), "OLLAMA_KEEP_ALIVE=1h ollama serve"),
}


def every_target() -> list[Target]:
    settings = ModelSettings(_env_file=None, openai_model="gpt")  # type: ignore[call-arg]
    return [*targets(settings)]


async def told(target: Target, answer: httpx2.Response | Exception) -> errors.ModelError:
    with pytest.raises(errors.ModelError) as caught:
        await asked(StandIn(answer, target=target))
    return caught.value


@pytest.mark.parametrize("target", every_target(), ids=lambda target: target.name)
async def test_six_failures_have_six_messages_each_with_a_command(target: Target):
    told_of = {code: await told(target, answer) for code, (answer, _) in SIX.items()}
    assert {code: error.code for code, error in told_of.items()} == {code: code for code in SIX}
    texts = [str(error) for error in told_of.values()]
    assert len(set(texts)) == 6
    assert all(target.name in text for text in texts)
    assert [text for text in texts if "`" not in text] == []


@pytest.mark.parametrize("code", SIX)
async def test_on_ollama_each_names_the_command_of_ollama(code: str):
    answer, command = SIX[code]
    assert command in str(await told(every_target()[0], answer))


async def test_a_model_that_ollama_does_not_have_can_be_pulled_and_one_elsewhere_cannot():
    ollama, _, other = every_target()
    names: list[str] = []
    for target in (ollama, other):
        missing = await told(target, SIX["model_missing"][0])
        assert isinstance(missing, errors.ModelMissing)
        names.append(missing.name)
    assert names == ["qwen2.5:7b", ""]


async def test_a_failure_in_the_middle_of_an_answer_is_told_by_its_words():
    line = 'data: {"error": {"message": "CUDA error: out of memory"}}\n\n'
    broken = httpx2.Response(200, headers={"content-type": "text/event-stream"}, text=line)
    with pytest.raises(errors.OutOfMemory):
        await asked(StandIn(broken))


async def test_no_sentence_repeats_what_the_endpoint_said():
    for status in (400, 401, 404, 429, 500, 503):
        error = await told(TARGET, failure(status, "x", "key sk-secret, my mail is jane@example.com"))
        assert "jane" not in str(error) and "sk-secret" not in str(error)
