"""Which error a failed request is, and the sentence that a person reads.

Knows:    how llama.cpp, Ollama and the client say what went wrong.
Does not: say again what an endpoint said: it may quote the conversation or a key. What to do: advice.py.
Source:   the wordings of llama.cpp and Ollama, as quoted in their public threads (docs/models.md).
"""

from typing import cast

import httpx2
import openai

from common.redaction import plain_address
from model import errors
from model.target import Target

TOO_LONG = (
    *("exceed_context", "context_length_exceeded", "exceeds the available context", "no user query found"),
    *("context length", "maximum context"),
)
NO_MEMORY = (
    *("more system memory", "out of memory", "unable to allocate", "failed to allocate", "cudamalloc"),
    *("insufficient memory", "signal: killed"),
)
LOADING = ("loading model", "model is loading", "waiting for llama runner to start")
WANTS_CONTENT = ("invalid message content type", "content is required", "missing field `content`")


def sentence(error: Exception, target: Target) -> errors.ModelError:
    """Return the error that says what happened, where, and what to do."""
    if isinstance(error, (openai.APITimeoutError, httpx2.TimeoutException)):
        return _told(errors.TimedOut, target, "gave no answer within the time limit. Ask again.")
    if isinstance(error, openai.APIStatusError):
        return _known(error, target) or _by_status(error, target)
    if isinstance(error, (openai.APIConnectionError, httpx2.TransportError)):
        return _told(errors.NotReachable, target, "cannot be reached, or broke the connection.")
    known = _known(error, target) if isinstance(error, openai.APIError) else None
    return known or _no_completion(target)


def worth_a_retry(error: openai.OpenAIError) -> bool:
    """Tell whether the same request may succeed in a moment."""
    if isinstance(error, openai.APITimeoutError):
        return False
    if isinstance(error, openai.APIStatusError):
        passing = error.status_code == 429 or error.status_code >= 500
        return passing and not says(error, (*TOO_LONG, *NO_MEMORY, *LOADING))
    return isinstance(error, openai.APIConnectionError)


def is_loading(error: openai.OpenAIError) -> bool:
    """Tell whether the endpoint is up and its model is not yet; no failure, but a reason to wait."""
    # Only llama.cpp says so at once. Ollama holds the request open, and what it says then is final.
    return isinstance(error, openai.APIStatusError) and error.status_code == 503 and says(error, LOADING)


def wants_content(error: openai.OpenAIError) -> bool:
    """Tell whether the endpoint refused a message because it has no content beside its calls."""
    return (
        isinstance(error, openai.APIStatusError)
        and error.status_code in (400, 422)
        and says(error, WANTS_CONTENT)
    )


def says(error: openai.APIError, signs: tuple[str, ...]) -> bool:
    """Tell whether the endpoint's own words hold one of the signs."""
    words = f"{error.code} {error.type} {error.message}".lower()
    return any(sign in words for sign in signs)


def missing(target: Target) -> errors.ModelMissing:
    """Return the error of a model that the endpoint does not have."""
    text = (
        f"{_where(target)} is not there: the endpoint answers and does not have the model {target.model!r}."
    )
    return errors.ModelMissing(_advised(text, "model_missing", target), target.pullable)


def endless(target: Target, limit: int) -> errors.BrokenAnswer:
    """Return the error of an answer that does not end."""
    return errors.BrokenAnswer(
        f"{_where(target)} sent more than {limit} characters in one answer; the rest was not read. "
        "Ask again, or choose another model."
    )


def _known(error: openai.APIError, target: Target) -> errors.ModelError | None:
    """Return the error that the endpoint's words name, whatever the status."""
    if says(error, TOO_LONG):
        return _told(
            errors.ContextTooLong,
            target,
            f"was sent more than its window holds, which was taken for {target.context} tokens. Start a new "
            "conversation, or set LLM_CONTEXT to the window that it has.",
        )
    if says(error, NO_MEMORY):
        return _told(errors.OutOfMemory, target, "does not fit into the memory of the machine that runs it.")
    if says(error, LOADING):
        return _told(errors.StillLoading, target, "is still being loaded.")
    return None


def _by_status(error: openai.APIStatusError, target: Target) -> errors.ModelError:
    status = error.status_code
    if status == 404:
        # An Ollama or llama.cpp that was asked at the wrong address answers with a page, not with JSON.
        return missing(target) if isinstance(cast(object, error.body), dict) else _no_completion(target)
    if status in (401, 403):
        return _told(errors.Refused, target, f"answered {status}: it does not accept the key.")
    if status == 429 or status >= 500:
        return _told(
            errors.Overloaded,
            target,
            f"answered {status}: it is too busy or has a fault. Ask again in a moment.",
        )
    return errors.Refused(
        f"{_where(target)} refused the request with status {status}. It may not know a part of it: "
        "set LLM_TOOL_MODE to native or constrained."
    )


def _no_completion(target: Target) -> errors.BrokenAnswer:
    return errors.BrokenAnswer(
        f"{_where(target)} answered with something that is no chat completion. Check the address: it must be "
        "the OpenAI-compatible one, which usually ends in /v1."
    )


def _told(kind: type[errors.ModelError], target: Target, happened: str) -> errors.ModelError:
    return kind(_advised(f"{_where(target)} {happened}", kind.code, target))


def _advised(text: str, code: str, target: Target) -> str:
    return f"{text} {target.advice.get(code, target.remedy)}".strip()


def _where(target: Target) -> str:
    return f"{target.name} ({plain_address(target.base_url)})"
