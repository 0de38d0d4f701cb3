"""What /model says: which model answers, and how another is chosen.

Knows:    the model's settings.
Does not: change them while the chat runs: a model is chosen when it starts.   (llm.py)
"""

from collections.abc import Sequence

from common.text import visible
from model.settings import ModelSettings

_PROVIDERS = {
    "auto": "Ollama where it answers, else the embedded model",
    "ollama": "Ollama",
    "embedded": "inside the chat",
    "openai": "an OpenAI-compatible endpoint",
}
_MODES = {
    "auto": "constrained for the embedded model, native for any other",
    "native": "the model's own tool calls",
    "constrained": "one JSON object held to a schema",
}


def about_model(name: str, wanted: str, settings: ModelSettings) -> Sequence[str]:
    """Return the lines that answer /model. name: the model that answers. wanted: what was typed after it."""
    provider, mode = settings.llm_provider, settings.llm_tool_mode
    lines = [
        visible(name),
        f"  provider: {provider} ({_PROVIDERS[provider]})",
        f"  tool calls: {mode} ({_MODES[mode]})",
        f"  context: {settings.llm_context} tokens",
    ]
    setting = _setting_of(name)
    if wanted:
        return [
            *lines,
            f"To use {visible(wanted)}, leave and start the chat with {setting}={visible(wanted)}.",
        ]
    return [*lines, f"Another one is chosen at the start: {setting}=NAME, in the environment or .env.local."]


def _setting_of(name: str) -> str:
    if name.endswith("(embedded)"):
        return "EMBEDDED_MODEL"
    return "OLLAMA_MODEL" if name.endswith("on Ollama") else "OPENAI_MODEL"
