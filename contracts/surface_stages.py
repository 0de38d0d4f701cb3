"""The stages of a call, as a client and a trace are told of them.

Knows:    the words of a stage, MCP's progress, and the span of a call.
Does not: make stages.   (engine.py)
Rule:     a trace holds names, counts, statuses and codes; where a request went may hold an id, so only the
          client that sent the id is told.
"""

import logging
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Any

import anyio
from mcp.server.mcpserver import Context
from opentelemetry.trace import SpanKind

from common import tracing
from contracts.stages import Stage

log = logging.getLogger(__name__)

_WORDS = {
    "resolved": "words resolved to ids",
    "validated": "arguments checked",
    "cache_hit": "answered from the cache",
    "built": "request built",
    "sent": "request sent",
    "received": "answer received",
    "projected": "answer reduced to the declared fields",
    "failed": "failed",
}

STAGE_EVENT = "shopkart.contract.stage"
_SAFE_DETAIL = frozenset({"received", "failed"})
"""Stages whose detail is a status or a code."""


_TELL_S = 2
"""Seconds that a client may take to read of a stage; one that takes longer hears of no more."""


class Stages(AbstractContextManager["Stages"]):
    """Hears the stages of one call, inside the call's span."""

    def __init__(self, function: str, context: Context[Any, Any] | None) -> None:
        self._function = function
        self._context = context
        self._heard = 0
        self._stack = ExitStack()
        self._span = tracing.Traced()

    def __enter__(self) -> "Stages":
        attributes = {tracing.OPERATION: "execute_tool", tracing.TOOL_NAME: self._function}
        span = tracing.traced(f"contract {self._function}", SpanKind.INTERNAL, attributes)
        self._span = self._stack.enter_context(span)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, at)

    async def hear(self, stage: Stage) -> None:
        """Tell of a stage, in the order in which they come."""
        self._heard += 1
        detail = stage.detail if stage.name in _SAFE_DETAIL else ""
        self._span.note(
            STAGE_EVENT, {"name": stage.name, "attempt": stage.attempt, "page": stage.page, "detail": detail}
        )
        if self._context is None:
            return
        try:
            with anyio.move_on_after(_TELL_S) as telling:
                await self._context.report_progress(self._heard, None, _told(stage))
            if telling.cancelled_caught:
                self._context = None
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            log.info("a client was gone before a stage could be told", extra={"stage": stage.name})


def _told(stage: Stage) -> str:
    told = f"{stage.function}: {_WORDS[stage.name]}"
    if stage.page:
        told += f", page {stage.page}"
    if stage.attempt > 1:
        told += f", attempt {stage.attempt}"
    return f"{told} ({stage.detail})" if stage.detail else told
