"""The embedded engine's settings, with a library that stands in for it."""

import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from model import engine
from model.errors import EngineFailed

pytestmark = pytest.mark.anyio


class FakeServer:
    def __init__(self, parameters: Any) -> None:
        if parameters.model.path.endswith("broken.gguf"):
            raise RuntimeError("Failed to init server.")
        self.parameters = parameters
        self.listening_address = "http://127.0.0.1:4242"
        alive.append(self)

    def __del__(self) -> None:
        if hasattr(self, "listening_address"):
            stopped.append(self.parameters.api_keys[0])


alive: list[FakeServer] = []
stopped: list[str] = []


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    alive.clear()
    stopped.clear()
    fake = ModuleType("xllamacpp")
    fake.CommonParams = lambda: SimpleNamespace(  # type: ignore[attr-defined]
        model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace()
    )
    fake.Server = FakeServer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "xllamacpp", fake)


async def test_the_engine_can_be_reached_from_here_with_its_key_only(library: None):
    running = await engine.start(Path("m.gguf"), 4096)
    parameters = alive[0].parameters
    assert parameters.hostnames == ["127.0.0.1"] and parameters.port == 0
    assert parameters.api_keys == [running.api_key] and len(running.api_key) >= 32
    assert parameters.cors_origins == ""
    assert not parameters.ui and not parameters.endpoint_slots
    assert running.base_url == "http://127.0.0.1:4242/v1"


async def test_every_start_has_another_key(library: None):
    first, second = [await engine.start(Path("m.gguf"), 4096) for _ in range(2)]
    assert first.api_key != second.api_key


async def test_the_engine_is_quiet_and_bounded(library: None):
    await engine.start(Path("m.gguf"), 4096)
    parameters = alive[0].parameters
    assert parameters.verbosity == 0
    assert parameters.cache_ram_mib == 256
    assert parameters.n_ctx == parameters.n_parallel * 4096 == 3 * 4096
    assert parameters.cpuparams.n_threads == engine.cores()


async def test_its_threads_are_told_to_wait_passively_before_it_is_loaded(
    library: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    await engine.start(Path("m.gguf"), 4096)
    assert os.environ["OMP_WAIT_POLICY"] == "passive"


async def test_stopping_lets_the_server_go(library: None):
    running = await engine.start(Path("m.gguf"), 4096)
    alive.clear()
    assert running.api_key not in stopped
    running.stop()
    assert running.api_key in stopped


async def test_a_file_that_cannot_be_loaded_is_named(library: None):
    with pytest.raises(EngineFailed, match=r"could not load broken\.gguf: .*2\.5 GiB"):
        await engine.start(Path("broken.gguf"), 4096)


async def test_a_missing_engine_names_the_command(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(EngineFailed, match="python -m model setup"):
        await engine.start(Path("m.gguf"), 4096)
