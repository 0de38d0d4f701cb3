"""The embedded engine: llama.cpp's server inside this process, on the loopback address.

Knows:    how the engine is told to keep to itself, and how it is stopped.
Does not: fetch the weights or speak to the server.   (weights.py, endpoint.py)
Because it lives in this process, nothing of it outlives us, also after kill -9.
"""

import gc
import importlib
import importlib.util
import os
import secrets
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio.to_thread

from model.advice import EMBEDDED
from model.errors import EngineFailed
from model.settings import calm_threads

SLOTS = 3
"""One for each prompt of the constrained dialect: in a single one they push each other out."""


INSTALL = "Run `python -m model setup` to install it, or install Ollama and run `ollama pull qwen2.5:7b`."


class Engine:
    """A running server; `base_url` and `api_key` are how to reach it."""

    def __init__(self, server: Any, api_key: str) -> None:
        self._server: Any = server
        self.api_key = api_key
        self.base_url: str = f"{server.listening_address}/v1"

    def stop(self) -> None:
        """Stop the server and give its memory back."""
        # The engine has no stop call: it stops in its destructor, joining its threads.
        self._server = None
        gc.collect()


async def start(weights: Path, context: int) -> Engine:
    """Start the engine on a model file; context is the window in tokens of each conversation.

    Raises: EngineFailed.
    """
    return await anyio.to_thread.run_sync(_start, weights, context)


def installed() -> bool:
    """Tell whether the engine's package can be found, without loading it."""
    return importlib.util.find_spec("xllamacpp") is not None


def _start(weights: Path, context: int) -> Engine:
    xllamacpp = _library()
    api_key = secrets.token_urlsafe(24)
    try:
        server = xllamacpp.Server(_parameters(xllamacpp, weights, context, api_key))
    except RuntimeError as error:
        raise EngineFailed(
            f"The embedded engine could not load {weights.name}: {error} It needs a GGUF file that is "
            "whole and about 2.5 GiB of free memory. Delete the file to have it fetched again. "
            f"{EMBEDDED['out_of_memory']}"
        ) from error
    return Engine(server, api_key)


def _library() -> ModuleType:
    calm_threads()
    try:
        return importlib.import_module("xllamacpp")
    except ImportError as error:
        raise EngineFailed(
            f"The embedded engine (xllamacpp) is not installed here: {error}. {INSTALL}"
        ) from error


def _parameters(xllamacpp: ModuleType, weights: Path, context: int, api_key: str) -> Any:
    """Return the settings: reachable from here with the key only, quiet, bounded."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [api_key]
    # Its default lets any web page read answers; the slots' page shows prompts.
    parameters.cors_origins = ""
    parameters.endpoint_slots = False
    parameters.ui = False
    parameters.verbosity = 0
    parameters.n_parallel = SLOTS
    parameters.n_ctx = context * SLOTS
    parameters.cache_ram_mib = 256
    # A cancel is seen between two batches: 256 tokens take 4 s on two cores, the default of 2048 35 s.
    parameters.n_batch = parameters.n_ubatch = 256
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = cores()
    return parameters


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
