"""The spans of the house: a turn, a model call, a tool call, under OpenTelemetry's names for generative AI.

Knows:    every name and attribute that this project puts into a trace, and that content is not among them
          unless TRACE_CONTENT is true, and then redacted.
Does not: choose where traces go: without an OpenTelemetry SDK that somebody has set up, a span is nothing.
Rule:     tracing never decides how a turn ends: what a tracer, a sampler or an exporter raises is logged.
Source:   OpenTelemetry semantic conventions 1.41.0, docs/gen-ai (status: Development), the last release
          before they moved to a repository of their own.
"""

import logging
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from opentelemetry import context as otel
from opentelemetry.propagate import extract
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanKind,
    StatusCode,
    get_current_span,
    get_tracer,
    set_span_in_context,
)
from opentelemetry.trace.span import INVALID_SPAN_CONTEXT

from common.approval import canonical
from common.events import ApprovalAnswered, Event, GateDecision, ReplyChecked
from common.redaction import redact
from common.settings import Settings, load
from common.version import VERSION

log = logging.getLogger(__name__)

AGENT = "shopkart"
UNKNOWN_PROVIDER = "_OTHER"

# The names of the conventions.
OPERATION = "gen_ai.operation.name"
PROVIDER = "gen_ai.provider.name"
AGENT_NAME = "gen_ai.agent.name"
AGENT_VERSION = "gen_ai.agent.version"
CONVERSATION_ID = "gen_ai.conversation.id"
REQUEST_MODEL = "gen_ai.request.model"
REQUEST_MAX_TOKENS = "gen_ai.request.max_tokens"
REQUEST_TEMPERATURE = "gen_ai.request.temperature"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
TOOL_NAME = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
TOOL_CALL_ID = "gen_ai.tool.call.id"
INPUT_MESSAGES = "gen_ai.input.messages"
OUTPUT_MESSAGES = "gen_ai.output.messages"
TOOL_ARGUMENTS = "gen_ai.tool.call.arguments"
TOOL_RESULT = "gen_ai.tool.call.result"
ERROR_TYPE = "error.type"
MCP_METHOD = "mcp.method.name"
MCP_VERSION = "mcp.protocol.version"

# Ours, where the conventions have none.
GATE_EVENT = "shopkart.gate"
GATE = "shopkart.gate.name"
DECISION = "shopkart.gate.decision"
CODE = "shopkart.gate.code"
STEPS = "shopkart.turn.steps"
BLOCKED = "shopkart.turn.blocked"

LONGEST_CONTENT = 16_000
"""Characters of one attribute with content; collectors drop spans that are too large."""

_WORD = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9_.-]{1,64}", re.ASCII)
"""What an id or a code may look like in a trace; anything else could be a text, or a number of somebody."""

_SCHEMA = "https://opentelemetry.io/schemas/1.41.0"

_tracer = get_tracer("shopkart", VERSION, schema_url=_SCHEMA)

T = TypeVar("T")


class TracingSettings(Settings):
    """trace_content: whether traces hold messages, arguments and results, redacted."""

    trace_content: bool = False


class Traced:
    """A span that is being made. Nothing that is done with it can fail."""

    def __init__(self, span: Span | None = None) -> None:
        self.span = span or NonRecordingSpan(INVALID_SPAN_CONTEXT)
        self._on = _tried(self.span.is_recording) is True

    def set(self, key: str, value: str | int | float | bool | None) -> None:
        """Add a fact; None and "" add none."""
        if self._on and value not in (None, ""):
            _tried(lambda: self.span.set_attribute(key, value))

    def note(self, event: str, facts: Mapping[str, str | int]) -> None:
        """Add an event with facts, none of them content; empty ones and zeros are left out."""
        if self._on:
            _tried(lambda: self.span.add_event(event, {key: value for key, value in facts.items() if value}))

    def show(self, key: str, content: Callable[[], Any]) -> None:
        """Add content, redacted, where TRACE_CONTENT is true; content is made then only."""
        if self._on and shows_content():
            self.set(key, shown(content()))

    def count(self, input_tokens: int, output_tokens: int) -> None:
        """Add what a model call took."""
        self.set(INPUT_TOKENS, input_tokens)
        self.set(OUTPUT_TOKENS, output_tokens)

    def fail(self, error: BaseException | str) -> None:
        """Say that it failed, and of which kind: a word, never the text of an error."""
        if self._on and not isinstance(error, GeneratorExit):  # whoever reads a stream may stop
            self.set(ERROR_TYPE, error if isinstance(error, str) else kind_of(error))
            _tried(lambda: self.span.set_status(StatusCode.ERROR))

    def end(self) -> None:
        """End it."""
        _tried(self.span.end)


def begun(
    name: str, kind: SpanKind, attributes: Mapping[str, Any], parent: otel.Context | None = None
) -> Traced:
    """Begin a span below the current one, without becoming the current one: whoever calls ends it.

    parent: below which it stands instead.
    """
    given = {key: value for key, value in attributes.items() if value not in (None, "")}
    return Traced(_tried(lambda: _tracer.start_span(name, parent, kind=kind, attributes=given)))


@contextmanager
def traced(
    name: str, kind: SpanKind, attributes: Mapping[str, Any], parent: otel.Context | None = None
) -> Generator[Traced]:
    """Make a span of what runs inside; it is the current one meanwhile."""
    span = begun(name, kind, attributes, parent)
    current = _tried(lambda: otel.attach(set_span_in_context(span.span)))
    try:
        yield span
    except BaseException as error:  # a cancel too ends a span; its text stays out of it
        span.fail(error)
        raise
    finally:
        if current is not None:
            _tried(lambda: otel.detach(current))
        span.end()


# ---------------------------------------------------------------- the spans


@contextmanager
def turn(question: str, model: object) -> Generator[Traced]:
    """Make the span of one customer message and all that it leads to. model: the function that answers."""
    attributes = {
        OPERATION: "invoke_agent",
        PROVIDER: _said(model, "provider") or UNKNOWN_PROVIDER,
        REQUEST_MODEL: _said(model, "model"),
        AGENT_NAME: AGENT,
        AGENT_VERSION: VERSION,
    }
    with traced(f"invoke_agent {AGENT}", SpanKind.INTERNAL, attributes) as span:
        span.show(INPUT_MESSAGES, lambda: messages_told([{"role": "user", "content": question}]))
        yield span


@contextmanager
def round_of(model: object) -> Generator[Traced]:
    """Make the span of one round of a model function that makes none of its requests itself.

    The house's own chat does (its `traces_requests` is True): a round of it may take three requests, or none.
    """
    if getattr(model, "traces_requests", False) is True:
        yield Traced()
        return
    name = _said(model, "model")
    attributes = chat_attributes(_said(model, "provider"), name)
    with traced(f"chat {name}".strip(), SpanKind.CLIENT, attributes) as span:
        yield span


def chat_attributes(provider: str, model: str) -> dict[str, Any]:
    """Return what is known of a model call before it is made."""
    return {OPERATION: "chat", PROVIDER: provider or UNKNOWN_PROVIDER, REQUEST_MODEL: model}


@contextmanager
def tool_call(name: str, call_id: str, arguments: str) -> Generator[Traced]:
    """Make the span of a call that passed every gate, until its result is there.

    The SDK's client makes the span of the request below it, and hands the trace on in `_meta` (SEP-414).
    """
    attributes = {
        OPERATION: "execute_tool",
        TOOL_NAME: name,
        TOOL_TYPE: "function",
        TOOL_CALL_ID: call_id if _WORD.fullmatch(call_id) else "",  # a model may write anything there
    }
    with traced(f"execute_tool {name}", SpanKind.INTERNAL, attributes) as span:
        span.show(TOOL_ARGUMENTS, lambda: arguments)
        yield span


def parent_of(meta: Mapping[str, Any] | None) -> otel.Context | None:
    """Return what a request's `_meta` says of the trace that it belongs to; None where it names none."""
    found = _tried(lambda: extract(meta)) if meta else None
    return found if found is not None and get_current_span(found).get_span_context().is_valid else None


def note(event: Event, kept: Callable[[str], str]) -> None:
    """Add a gate's decision to the current span, as an event of it.

    kept: returns the code as it may be kept; a refusal of another house's server could hold anything as one.
    """
    span = _tried(get_current_span)
    if span is None or _tried(span.is_recording) is not True:
        return
    match event:
        case GateDecision():
            _add_gate(span, event.gate, "allowed" if event.allowed else "refused", kept(event.code))
        case ApprovalAnswered():
            _add_gate(span, "permission", event.outcome, "", event.request.tool)
        case ReplyChecked():
            _add_gate(span, "output", "allowed" if event.ok else "refused", "")
        case _:
            pass


def _add_gate(span: Span, gate: str, decision: str, code: str, tool: str = "") -> None:
    # Of a refused call the tool's name is left out: where there is no such tool, a model wrote it.
    facts = {GATE: gate, DECISION: decision, CODE: code, TOOL_NAME: tool}
    given = {key: value for key, value in facts.items() if value}
    _tried(lambda: span.add_event(GATE_EVENT, given))


# ---------------------------------------------------------------- content


@cache
def shows_content() -> bool:
    """Say whether the settings want content in traces."""
    return load(TracingSettings).trace_content


def shown(content: Any) -> str:
    """Return content as it may stand in a trace: as text, redacted before it is cut."""
    text = redact(content if isinstance(content, str) else canonical(content))
    return text if len(text) <= LONGEST_CONTENT else f"{text[:LONGEST_CONTENT]}…"


def messages_told(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return messages of the OpenAI form in the conventions' form."""
    return [{"role": message.get("role", ""), "parts": _parts(message)} for message in messages]


def _parts(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content") or ""
    if message.get("role") == "tool":
        return [{"type": "tool_call_response", "id": message.get("tool_call_id"), "response": content}]
    calls: Sequence[Mapping[str, Any]] = message.get("tool_calls") or ()
    said = [{"type": "text", "content": content}] if content else []
    return said + [
        {
            "type": "tool_call",
            "id": call["id"],
            "name": call["function"]["name"],
            "arguments": call["function"]["arguments"],
        }
        for call in calls
    ]


# ---------------------------------------------------------------- what cannot fail


def kind_of(error: BaseException) -> str:
    """Return the kind of an error: its code where it has one that is a word, else its class."""
    code = getattr(error, "code", None)
    return code if isinstance(code, str) and _WORD.fullmatch(code) else type(error).__qualname__


def _said(model: object, what: str) -> str:
    said = getattr(model, what, "")
    return said if isinstance(said, str) else ""


def _tried(step: Callable[[], T]) -> T | None:
    """Return what a step of tracing gives; None where it fails, which ends nothing but this trace."""
    try:
        return step()
    except Exception as error:  # noqa: BLE001  the boundary to whatever the operator has set up to trace with
        log.warning("tracing failed", extra={"cause": type(error).__name__})
        return None
