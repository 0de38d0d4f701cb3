"""Which endpoint the settings mean, and what is stopped with it."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import anyio
import httpx2
import pytest

import llm
from model import provider
from model.__main__ import prepare
from model.constrained import Constrained
from model.engine import Engine
from model.errors import ModelMissing, NotConfigured, NotReachable
from model.native import Native
from model.settings import ModelSettings, cache_folder

pytestmark = pytest.mark.anyio

NOBODY = "http://127.0.0.1:9/v1"


@pytest.fixture
def ollama() -> Iterator[str]:
    """A loopback server that lists one model and knows nothing else."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"object": "list", "data": [{"id": "qwen2.5:7b", "object": "model"}]}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: the output belongs to the tests."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def settings(**given: object) -> ModelSettings:
    return ModelSettings(_env_file=None, **given)  # type: ignore[call-arg]


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The embedded engine without an engine; the list says what happened to it."""
    happened: list[str] = []

    class FakeEngine(Engine):
        def __init__(self) -> None:
            self.base_url, self.api_key = NOBODY, "k"

        def stop(self) -> None:
            happened.append("stopped")

    async def start(path: Path, context: int) -> Engine:
        happened.append(f"started {path.name} {context}")
        return FakeEngine()

    async def ready(name: str, progress: object) -> Path:
        return Path(f"{name}.gguf")

    monkeypatch.setattr(provider, "start", start)
    monkeypatch.setattr(provider.weights, "ready", ready)
    return happened


async def test_auto_takes_ollama_when_it_answers(ollama: str):
    chosen = await provider.choose(settings(llm_provider="auto", ollama_base_url=ollama))
    assert (chosen.target.name, chosen.constrained) == ("qwen2.5:7b on Ollama", False)


async def test_auto_takes_the_embedded_model_when_nobody_answers(embedded: list[str]):
    chosen = await provider.choose(settings(llm_provider="auto", ollama_base_url=NOBODY))
    assert chosen.constrained and chosen.target.slots
    assert chosen.target.name == "qwen2.5-coder-1.5b (embedded)"
    assert embedded == ["started qwen2.5-coder-1.5b.gguf 4096"]


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(500),
        httpx2.Response(200, text="<html>"),
        httpx2.Response(200, json=[]),
        httpx2.ReadTimeout(""),
    ],
)
async def test_what_lists_no_models_is_no_ollama(answer: httpx2.Response | Exception):
    def transport(_: httpx2.Request) -> httpx2.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert not await provider.ollama_answers(settings(), httpx2.MockTransport(transport))


async def test_a_model_that_is_not_listed_names_the_command(ollama: str):
    with pytest.raises(ModelMissing, match=r"'qwen2.5:14b'.*ollama pull qwen2.5:14b"):
        await provider.choose(
            settings(llm_provider="ollama", ollama_base_url=ollama, ollama_model="qwen2.5:14b")
        )


async def test_an_ollama_that_was_asked_for_and_does_not_answer_is_an_error():
    with pytest.raises(NotReachable, match=r"ollama serve.*LLM_PROVIDER=embedded"):
        await provider.choose(settings(llm_provider="ollama", ollama_base_url=NOBODY))


async def test_openai_without_a_model_name_is_said():
    with pytest.raises(NotConfigured, match="OPENAI_MODEL is empty"):
        await provider.choose(settings(llm_provider="openai", openai_model=""))


@pytest.mark.parametrize(
    ("mode", "dialect"), [("auto", Native), ("native", Native), ("constrained", Constrained)]
)
async def test_the_dialect_can_be_set(ollama: str, mode: str, dialect: type):
    chosen = await provider.choose(settings(ollama_base_url=ollama, llm_tool_mode=mode))
    assert isinstance(chosen.chat()._dialect, dialect)  # pyright: ignore[reportPrivateUsage]


async def test_the_engine_stops_with_the_chat(embedded: list[str]):
    async with provider.opened(settings(llm_provider="embedded")):
        pass
    assert embedded[-1] == "stopped"


async def test_the_engine_stops_when_the_chat_is_cancelled(embedded: list[str]):
    with anyio.move_on_after(5) as scope:
        async with provider.opened(settings(llm_provider="embedded")):
            scope.cancel()
            await anyio.sleep_forever()
    assert embedded[-1] == "stopped"


async def test_setup_does_nothing_where_ollama_answers(
    ollama: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("OLLAMA_BASE_URL", ollama)
    monkeypatch.setenv("LLM_PROVIDER", "auto")
    await prepare()
    assert capsys.readouterr() == ("", "")


def test_importing_llm_loads_neither_the_client_nor_the_engine():
    code = "import sys, llm; print({'openai', 'xllamacpp', 'httpx2'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd=provider_root(),
    )
    assert done.stdout.strip() == "set()"


def provider_root() -> Path:
    return Path(llm.__file__).parent


async def test_the_configured_model_is_opened_at_first_use_and_once(
    ollama: str, monkeypatch: pytest.MonkeyPatch
):
    opened: list[str] = []

    async def choose(given: ModelSettings) -> provider.Chosen:
        opened.append(given.llm_provider)
        raise NotConfigured("stop here")

    monkeypatch.setattr(provider, "choose", choose)
    configured = llm.ConfiguredModel()
    assert opened == []
    with pytest.raises(NotConfigured):
        await configured([], [])
    assert len(opened) == 1


def test_the_cache_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "shopkart"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == Path.home() / ".cache" / "shopkart"
