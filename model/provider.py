"""Which endpoint the settings mean, checked before anything is asked of it.

Knows:    the order of `auto` (Ollama when it answers, else embedded) and each provider's remedy.
Does not: speak a dialect, or fetch weights by itself unless the embedded engine was chosen.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx2

from common.redaction import plain_address
from model import advice, failures, weights
from model.catalogue import CATALOGUE
from model.chat import Chat
from model.constrained import Constrained
from model.endpoint import Endpoint
from model.engine import Engine, start
from model.errors import NotConfigured
from model.native import Native
from model.settings import ModelSettings
from model.target import Target
from model.weights import Progress, quiet

PROBE_S = 1.0


@dataclass(frozen=True)
class Chosen:
    """A provider in use; engine is what has to be stopped in the end."""

    target: Target
    constrained: bool
    engine: Engine | None = None

    def chat(self) -> Chat:
        """Return a chat on it."""
        endpoint = Endpoint(self.target)
        dialect = Constrained(endpoint) if self.constrained else Native(endpoint)
        return Chat(endpoint, dialect)

    def stop(self) -> None:
        """Stop the engine, where there is one."""
        if self.engine is not None:
            self.engine.stop()


@asynccontextmanager
async def opened(settings: ModelSettings, progress: Progress = quiet) -> AsyncGenerator[Chat]:
    """Give the chat of the settings' provider, and stop what was started for it.

    Raises: ModelError.
    """
    chosen = await choose(settings, progress)
    try:
        chat = chosen.chat()
        try:
            yield chat
        finally:
            await chat.aclose()
    finally:
        chosen.stop()


async def choose(settings: ModelSettings, progress: Progress = quiet) -> Chosen:
    """Return the provider, checked and, if it is the embedded one, started.

    Raises: ModelError.
    """
    provider = settings.llm_provider
    if provider == "auto":
        provider = "ollama" if await ollama_answers(settings) else "embedded"
    constrained = settings.llm_tool_mode == "constrained"
    if provider == "embedded":
        return await _embedded(settings, progress)
    target = _ollama(settings) if provider == "ollama" else _openai(settings)
    await _check(target)
    return Chosen(target, constrained)


async def ollama_answers(settings: ModelSettings, transport: httpx2.AsyncBaseTransport | None = None) -> bool:
    """Tell within about a second whether something that lists models answers at OLLAMA_BASE_URL."""
    try:
        async with httpx2.AsyncClient(timeout=PROBE_S, transport=transport, trust_env=False) as client:
            answer = await client.get(f"{settings.ollama_base_url.rstrip('/')}/models")
            return answer.is_success and "data" in answer.json()
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, TypeError):
        return False


def targets(settings: ModelSettings) -> tuple[Target, Target, Target]:
    """Return what the settings call Ollama, the embedded model and the other endpoint, none of them asked."""
    return _ollama(settings), _inside(settings, Path(settings.embedded_model)), _openai(settings)


async def _embedded(settings: ModelSettings, progress: Progress) -> Chosen:
    path = await weights.ready(settings.embedded_model, progress)
    running = await start(path, settings.llm_context)
    target = replace(_inside(settings, path), base_url=running.base_url, api_key=running.api_key)
    return Chosen(target, settings.llm_tool_mode != "native", running)


def _inside(settings: ModelSettings, path: Path) -> Target:
    name = settings.embedded_model if settings.embedded_model in CATALOGUE else path.name
    return Target(
        name=f"{name} (embedded)",
        base_url="http://127.0.0.1/v1",
        model=path.stem,
        advice=advice.EMBEDDED,
        context=settings.llm_context,
        slots=True,
        provider="llama.cpp",
    )


def _ollama(settings: ModelSettings) -> Target:
    return Target(
        name=f"{settings.ollama_model} on Ollama",
        base_url=settings.ollama_base_url,
        model=settings.ollama_model,
        api_key="ollama",
        advice=advice.for_ollama(settings.ollama_model),
        context=settings.llm_context,
        pullable=settings.ollama_model,
        provider="ollama",
    )


def _openai(settings: ModelSettings) -> Target:
    if not settings.openai_model:
        raise NotConfigured(
            "LLM_PROVIDER is openai, and OPENAI_MODEL is empty. Set OPENAI_MODEL to the model's name at "
            f"{plain_address(settings.openai_base_url)}, and OPENAI_API_KEY in .env.local if it wants a key."
        )
    return Target(
        name=f"{settings.openai_model} at {httpx2.URL(settings.openai_base_url).host}",
        base_url=settings.openai_base_url,
        model=settings.openai_model,
        api_key=settings.openai_api_key.get_secret_value() or "none",
        advice=advice.for_openai(settings.openai_base_url),
        context=settings.llm_context,
        provider="openai",
    )


async def _check(target: Target) -> None:
    endpoint = Endpoint(target)
    try:
        listed = await endpoint.models()
    finally:
        await endpoint.aclose()
    # An Ollama without any model lists none; other endpoints that list none may serve one all the same.
    known = listed is not None and (listed or target.pullable)
    if known and not {target.model, f"{target.model}:latest"} & (listed or set()):
        raise failures.missing(target)
