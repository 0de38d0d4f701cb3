"""What to do now, for each way in which a model does not answer: a sentence with the command to run.

Knows:    the commands of Ollama, of the embedded engine and of any other endpoint.
Does not: know what went wrong.   (failures.py)
"""

from collections.abc import Mapping

from common.redaction import plain_address

SMALLER = "qwen2.5:3b"
SMALLEST = "qwen2.5-coder-0.5b"


def for_ollama(model: str) -> Mapping[str, str]:
    """Return the advice for a model on Ollama, by the error's code."""
    return {
        "not_reachable": (
            "Start Ollama with `ollama serve`, or set LLM_PROVIDER=embedded to run a small model in the chat."
        ),
        "model_missing": (
            f"Fetch it with `ollama pull {model}`, or set LLM_PROVIDER=embedded to use the embedded model."
        ),
        "out_of_memory": (
            "See with `ollama ps` what else is loaded and unload it with `ollama stop NAME`, or take a "
            f"smaller model: `ollama pull {SMALLER}` and OLLAMA_MODEL={SMALLER}."
        ),
        "timed_out": (
            "See with `ollama ps` where the model runs; on a processor alone it is slow, and a smaller one "
            f"is faster: `ollama pull {SMALLER}` and OLLAMA_MODEL={SMALLER}."
        ),
        "context_too_long": (
            "A larger one: `OLLAMA_CONTEXT_LENGTH=8192 ollama serve`, and LLM_CONTEXT=8192 here."
        ),
        "still_loading": (
            f"Ask again once `ollama ps` lists {model}; `OLLAMA_KEEP_ALIVE=1h ollama serve` keeps it loaded."
        ),
        "overloaded": "`ollama ps` shows what it is busy with.",
    }


EMBEDDED: Mapping[str, str] = {
    "not_reachable": "The embedded engine stopped: start the chat again with `make chat`.",
    "model_missing": "The embedded engine holds another one: start the chat again with `make chat`.",
    "out_of_memory": f"Close other programs, or take the small model: `EMBEDDED_MODEL={SMALLEST} make chat`.",
    "timed_out": (
        "See with `top` what keeps the processor busy, or take the small model: "
        f"`EMBEDDED_MODEL={SMALLEST} make chat`."
    ),
    "context_too_long": "A larger one: `LLM_CONTEXT=8192 make chat`.",
    "still_loading": "Ask again in a moment; if it goes on, start the chat again with `make chat`.",
    "overloaded": "If it goes on, start the chat again with `make chat`.",
}

_CHECK = "Check OPENAI_BASE_URL, OPENAI_MODEL and OPENAI_API_KEY"


def for_openai(base_url: str) -> Mapping[str, str]:
    """Return the advice for any other endpoint, by the error's code."""
    listed = f"`curl {plain_address(base_url).rstrip('/')}/models`"
    return {
        "not_reachable": f"{_CHECK}; {listed} shows whether anybody answers there.",
        "model_missing": f"{_CHECK}; {listed} lists the models that are there.",
        "out_of_memory": f"Set OPENAI_MODEL to a smaller one; {listed} lists what is there.",
        "timed_out": f"{listed} shows whether the endpoint answers at all.",
        "context_too_long": "As in: `LLM_CONTEXT=2048 make chat`.",
        "still_loading": f"Ask again in a moment; {listed} shows whether the endpoint is up.",
        "overloaded": f"{listed} shows whether the endpoint is up.",
        "refused": f"{_CHECK}.",
    }
