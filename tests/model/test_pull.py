"""Ollama fetches a model: how far it is, and why it could not."""

import json
from typing import Any

import anyio
import httpx2
import pytest

import llm
from model.errors import ModelError, NotReachable, PullFailed, TimedOut
from model.pull import pull
from tests.model.ollama import Ollama

pytestmark = pytest.mark.anyio
BASE = "http://test.invalid:11434/v1"

LINES: list[dict[str, Any]] = [
    {"status": "pulling manifest"},
    {"status": "pulling aa", "digest": "sha256:aa", "total": 100},
    {"status": "pulling aa", "digest": "sha256:aa", "total": 100, "completed": 60},
    {"status": "pulling aa", "digest": "sha256:aa", "total": 100, "completed": 100},
    {"status": "pulling bb", "digest": "sha256:bb", "total": 20, "completed": 20},
    {"status": "verifying sha256 digest"},
    {"status": "writing manifest"},
    {"status": "success"},
]


async def pulled(*lines: dict[str, Any], status: int = 200) -> tuple[list[tuple[str, int, int]], list[Any]]:
    asked: list[Any] = []
    steps: list[tuple[str, int, int]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append((str(request.url), json.loads(request.content)))
        return httpx2.Response(status, text="".join(json.dumps(line) + "\n" for line in lines))

    with anyio.fail_after(5):
        await pull("qwen2.5:7b", BASE, lambda *step: steps.append(step), httpx2.MockTransport(answer))
    return steps, asked


async def test_progress_is_told_over_all_layers():
    steps, asked = await pulled(*LINES)
    assert asked == [("http://test.invalid:11434/api/pull", {"model": "qwen2.5:7b", "stream": True})]
    assert steps == [
        ("pulling qwen2.5:7b", 0, 0),
        ("pulling qwen2.5:7b", 0, 100),
        ("pulling qwen2.5:7b", 60, 100),
        ("pulling qwen2.5:7b", 100, 100),
        ("pulling qwen2.5:7b", 120, 120),
        ("verifying sha256 digest", 120, 120),
        ("writing manifest", 120, 120),
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("pull model manifest: file does not exist", "no model of that name. Correct OLLAMA_MODEL"),
        ("write /data/blobs/x: no space left on device", "the disk is full.*ollama pull qwen2.5:7b"),
        ("dial tcp: lookup registry.ollama.ai: no such host", "cannot reach its library.*network"),
        ("pull model manifest: 412: requires a newer version of Ollama", "a newer Ollama"),
        ("something else", "did not finish. Run `ollama pull qwen2.5:7b` to see its reason"),
    ],
)
async def test_each_reason_why_it_failed_has_its_sentence(words: str, told: str):
    for status in (200, 500):
        with pytest.raises(PullFailed, match=f"^Ollama could not fetch qwen2.5:7b: .*{told}") as caught:
            await pulled(LINES[0], {"error": words}, status=status)
        assert "/data" not in str(caught.value) and "registry" not in str(caught.value)


async def test_a_pull_that_ends_before_it_is_done_has_failed():
    with pytest.raises(PullFailed, match="did not finish"):
        await pulled(*LINES[:3])


async def test_an_answer_that_is_no_json_has_failed():
    with pytest.raises(PullFailed, match="did not finish"):
        with anyio.fail_after(5):
            await pull(
                "m", BASE, transport=httpx2.MockTransport(lambda _: httpx2.Response(404, text="404 page"))
            )


@pytest.mark.parametrize(
    ("error", "kind"), [(httpx2.ConnectError("no"), NotReachable), (httpx2.ReadTimeout("slow"), TimedOut)]
)
async def test_an_ollama_that_does_not_answer_names_the_command(error: Exception, kind: type[ModelError]):
    def answer(_: httpx2.Request) -> httpx2.Response:
        raise error

    with pytest.raises(kind, match="`ollama pull m`"):
        await pull("m", BASE, transport=httpx2.MockTransport(answer))


async def test_the_configured_ollama_is_the_one_that_pulls(monkeypatch: pytest.MonkeyPatch):
    with Ollama() as ollama:
        ollama.lines = LINES
        monkeypatch.setenv("OLLAMA_BASE_URL", ollama.base_url)
        steps: list[str] = []
        with anyio.fail_after(10):
            await llm.pull_model("qwen2.5:7b", lambda label, done, total: steps.append(label))
    assert steps[-1] == "writing manifest"
    assert ollama.asked == [("/api/pull", {"model": "qwen2.5:7b", "stream": True})]
