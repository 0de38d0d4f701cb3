"""Whether the endpoint read all that it was sent.

Knows:    what a prompt should come to in tokens, what was counted, and the window sizes that Ollama takes.
Does not: send or repeat anything.   (endpoint.py)
Source:   a prompt that is longer than the window is cut from its front by Ollama, with status 200: the rules
          and the tools go first. With its window full it keeps the whole of it, or half.
"""

from model.replies import Usage
from model.target import Target

WINDOWS = (2048, 4096, 8192, 16_384, 32_768)
SURELY_LESS = 0.4
"""Share of the estimate below which something is missing; in 27 texts it was 0.44 and more."""

CLEARLY_LESS, LESS = 0.7, 0.9
"""Against the share that was counted the last time: a conversation grows slowly, a cut is sudden."""

SMALLEST = 512
"""Tokens that every window holds; a smaller count is no cut, but an endpoint that does not count."""


class Watch:
    """Compares what an endpoint counts with what it was sent, request after request."""

    def __init__(self) -> None:
        self._last: tuple[object, float] | None = None

    def is_cut(self, beginning: object, estimated: int, usage: Usage | None, context: int) -> bool:
        """Tell whether the endpoint read clearly less than it was sent.

        beginning: equal for requests that begin alike. estimated: about how many tokens were sent, rather
        too many. A count that is small says nothing: some endpoints leave out what their cache held.
        """
        if usage is None or min(usage.prompt_tokens, estimated) < SMALLEST:
            return False
        share = usage.prompt_tokens / estimated
        usual = self._last[1] if self._last and self._last[0] == beginning else None
        full = _fills_a_window(usage, context) and share < 1 and (usual is None or share < LESS * usual)
        if full or share < SURELY_LESS or (usual is not None and share < CLEARLY_LESS * usual):
            return True
        self._last = (beginning, share)
        return False


def _fills_a_window(usage: Usage, context: int) -> bool:
    counted = {usage.prompt_tokens, usage.prompt_tokens + usage.completion_tokens}
    return bool(counted & {size for window in (*WINDOWS, context) for size in (window, window // 2)})


def notice(estimated: int, usage: Usage, target: Target) -> str:
    """Return what a person is told of it, with what to do."""
    advice = (
        f"Restart Ollama with `OLLAMA_CONTEXT_LENGTH={target.context} ollama serve`, or set LLM_CONTEXT here "
        "to the window that it has"
        if target.pullable
        else "Set LLM_CONTEXT to the window that the endpoint really has"
    )
    return (
        f"{target.name} read {usage.prompt_tokens} tokens of about {estimated} that it was sent: it cut off "
        f"the beginning, where the rules and the tools stand. Its window is smaller than LLM_CONTEXT "
        f"({target.context}). {advice}."
    )
