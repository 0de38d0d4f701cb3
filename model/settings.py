"""The settings of the model: which endpoint, which dialect, how much context.

Knows:    the names and defaults; the one variable that the engine's threads read.
Does not: decide between providers.   (provider.py)
"""

import os
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from common.settings import Settings

Provider = Literal["auto", "ollama", "embedded", "openai"]
ToolMode = Literal["auto", "native", "constrained"]


class ModelSettings(Settings):
    """Where the model is and how it is spoken to."""

    llm_provider: Provider = "auto"
    llm_tool_mode: ToolMode = "auto"
    llm_context: int = Field(default=4096, ge=2048, le=131072)
    ollama_base_url: str = "http://localhost:11434/v1"
    ollama_model: str = "qwen2.5:7b"
    openai_base_url: str = "https://api.openai.com/v1"
    openai_api_key: SecretStr = SecretStr("")
    openai_model: str = ""
    embedded_model: str = "qwen2.5-coder-1.5b"

    @field_validator("ollama_base_url", "openai_base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an http or https address, as in http://localhost:11434/v1")
        return value


def cache_folder() -> Path:
    """Return the user's cache folder for this project; XDG_CACHE_HOME or ~/.cache holds it."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG rule: a relative path there is to be ignored.
    root = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"
    return root / "shopkart"


def calm_threads() -> None:
    """Let the engine's idle threads sleep instead of spin; to be called before the engine is imported.

    Spinning threads on two busy cores cost more than half of the speed; sleeping costs 15 % on idle ones.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
