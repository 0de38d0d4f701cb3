"""What these tests look at: every span that was made, as a program that exports them would get it.

Knows:    OpenTelemetry's SDK.
Does not: know who makes a span.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult

from common import tracing


class _WhileWanted(Sampler):
    """Drops every span but those of the tests that look at them: the provider of a process stays for good."""

    wanted = False

    def should_sample(
        self,
        parent_context: Any,
        trace_id: int,
        name: str,
        kind: Any = None,
        attributes: Any = None,
        *more: Any,
        **most: Any,
    ) -> SamplingResult:
        return SamplingResult(Decision.RECORD_AND_SAMPLE if self.wanted else Decision.DROP, attributes)

    def get_description(self) -> str:
        return "while a test looks"


@dataclass
class Spans(SpanProcessor):
    """The spans that have ended, oldest first. broken: makes whatever exports them fail."""

    ended: list[ReadableSpan] = field(default_factory=list[ReadableSpan])
    broken: bool = False

    def on_start(self, span: Any, parent_context: Any = None) -> None:
        if self.broken:
            raise OSError("the collector is gone")

    def on_end(self, span: ReadableSpan) -> None:
        self.ended.append(span)
        if self.broken:
            raise OSError("the collector is gone")

    def named(self, beginning: str) -> list[ReadableSpan]:
        return [span for span in self.ended if span.name.startswith(beginning)]

    def the(self, name: str) -> ReadableSpan:
        (span,) = [span for span in self.ended if span.name == name]
        return span

    def text(self) -> str:
        """Return all that is told of all spans, but for times and random ids, which may hold any digits."""
        return "\n".join(map(told_of, self.ended))


_sampler, _spans = _WhileWanted(), Spans()


@contextmanager
def watched(*, content: bool = False) -> Iterator[Spans]:
    """Keep the spans that are made inside. content: as of TRACE_CONTENT."""
    if not isinstance(trace.get_tracer_provider(), TracerProvider):
        provider = TracerProvider(sampler=_sampler)
        provider.add_span_processor(_spans)
        trace.set_tracer_provider(provider)
    _spans.ended.clear()
    _spans.broken, _sampler.wanted = False, True
    tracing.shows_content.cache_clear()
    try:
        with _trace_content(content):
            yield _spans
    finally:
        _spans.broken, _sampler.wanted = False, False
        tracing.shows_content.cache_clear()


@contextmanager
def _trace_content(wanted: bool) -> Iterator[None]:
    import pytest

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACE_CONTENT", str(wanted).lower())
        yield


def told_of(span: ReadableSpan) -> str:
    events = [(event.name, dict(event.attributes or {})) for event in span.events]
    shown = {key: value for key, value in facts(span).items() if key != tracing.CONVERSATION_ID}
    return repr((span.name, shown, span.status.status_code, span.status.description, events))


def facts(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def gates(span: ReadableSpan) -> list[tuple[Any, ...]]:
    """Return the decisions that a span tells, in order."""
    return [
        tuple((event.attributes or {}).get(key, "") for key in (tracing.GATE, tracing.DECISION, tracing.CODE))
        for event in span.events
        if event.name == tracing.GATE_EVENT
    ]


def is_below(span: ReadableSpan, above: ReadableSpan, spans: Sequence[ReadableSpan]) -> bool:
    """Say whether a span stands below another, however far."""
    by_id = {each.context.span_id: each for each in spans if each.context}
    parent = span.parent
    while parent is not None:
        if above.context and parent.span_id == above.context.span_id:
            return True
        parent = by_id[parent.span_id].parent if parent.span_id in by_id else None
    return False
