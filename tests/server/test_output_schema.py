"""Every answer fits the output schema that the tool announces, a refusal too: some clients check both."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client

from server import build_server

pytestmark = pytest.mark.anyio

ANSWERS = [
    ("get_order_status", {"order_id": "4471"}, False),
    ("get_order_status", {"order_id": "999999"}, True),
    ("get_order_status", {"order_id": 4471}, True),
    ("search_policy", {"query": "return window"}, False),
    ("search_policy", {"query": "x"}, True),
    ("create_ticket", {"order_id": "4468", "category": "delivery", "summary": "It is late."}, True),
    ("create_ticket", {"order_id": "4468", "category": "damaged", "summary": "It is broken."}, False),
]


@pytest.mark.parametrize(("tool", "arguments", "is_error"), ANSWERS)
async def test_an_answer_and_a_refusal_fit_the_announced_schema(
    tool: str, arguments: dict[str, Any], is_error: bool
):
    async with Client(build_server()) as client:
        schemas = {each.name: each.output_schema or {} for each in (await client.list_tools()).tools}
        result = await client.call_tool(tool, arguments)
    assert result.is_error is is_error
    Draft202012Validator(schemas[tool]).validate(result.structured_content)


async def test_a_result_that_is_neither_fits_no_schema():
    async with Client(build_server()) as client:
        schemas = [each.output_schema or {} for each in (await client.list_tools()).tools]
    assert all(not Draft202012Validator(schema).is_valid({"order_id": "4471"}) for schema in schemas)
