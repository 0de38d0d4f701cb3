"""The names in common/tracing.py are those of OpenTelemetry's conventions."""

import re

from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.semconv.attributes import error_attributes
from opentelemetry.trace import get_tracer_provider

from common import tracing

OF_MCP = {tracing.MCP_METHOD, tracing.MCP_VERSION}
"""The Python package of the conventions has no constants for these."""


def test_every_name_is_one_of_the_conventions_or_begins_with_our_own():
    known = {
        value
        for module in (gen_ai_attributes, error_attributes)
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, str)
    }
    names = {
        value
        for name, value in vars(tracing).items()
        if name.isupper() and isinstance(value, str) and re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", value)
    }
    assert len(names) > 20
    assert {name for name in names - OF_MCP if not name.startswith("shopkart.")} <= known


def test_the_operations_are_those_of_the_conventions():
    known = {each.value for each in gen_ai_attributes.GenAiOperationNameValues}
    assert {"invoke_agent", "chat", "execute_tool"} <= known


def test_no_name_of_a_convention_is_written_anywhere_else():
    from tests.house.tree import ROOT, is_test, python_files, read, shown

    elsewhere = [
        shown(path)
        for path in python_files()
        if not is_test(path) and path != ROOT / "common/tracing.py" and re.search(r'"gen_ai\.', read(path))
    ]
    assert elsewhere == []


def test_importing_the_house_sets_up_no_exporter():
    assert get_tracer_provider().__class__.__module__.startswith(("opentelemetry.trace", "opentelemetry.sdk"))
