"""An endpoint and the model on it, as the settings name them.

Knows:    where it is, what a person calls it, what its window is, and what helps when it does not answer.
Does not: ask it anything.   (endpoint.py)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Target:
    """One model at one address.

    name: how a person calls it, as in "qwen2.5:7b on Ollama". provider: the word for it in a trace.
    remedy: what helps when it does not answer; advice: the same for each code of an error, where it differs.
    slots: the server keeps prompts apart by `id_slot` (llama.cpp).
    pullable: the name under which Ollama can fetch the model, "" elsewhere.
    """

    name: str
    base_url: str
    model: str
    api_key: str = field(default="none", repr=False)
    remedy: str = ""
    context: int = 4096
    slots: bool = False
    advice: Mapping[str, str] = field(default_factory=dict[str, str])
    pullable: str = ""
    provider: str = ""
