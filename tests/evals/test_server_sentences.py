"""The server's own sentences in the five languages, read by the scorer: true, complete, no false claim.

Two hands wrote them and the scorer's words: where a reading fails, either may be wrong.
"""

from typing import Any

import anyio
import pytest

import mcp_tools
import server
from common.events import ToolReturned
from common.language import LANGUAGES
from evals.claims import claims
from evals.tongue import in_language
from evals.transcript import Transcript
from evals.truth import Evidence, holds, unverified
from mcp_tools import ToolResult

pytestmark = pytest.mark.anyio

ORDERS = ("4471", "4468", "4459", "4460", "4461", "4462", "4463", "4465", "4470", "4472", "4473", "4474")
ALWAYS_SAID = (
    "status",
    "payment",
    "total",
    "carrier",
    "tracking_number",
    "delivered_on",
    "return_until",
    "placed_on",
)


async def call(tool: str, **arguments: str) -> ToolResult:
    with anyio.fail_after(30):
        async with mcp_tools.connect(server.build_server()) as bridge:
            return await bridge.call(tool, arguments)


def spoken(result: ToolResult) -> dict[str, str]:
    return {"en": result.text, **result.meta["shopkart/said"]}


def seen(tool: str, result: ToolResult) -> Evidence:
    evidence = Evidence()
    returned = ToolReturned("c1", tool, {}, result.is_error, result.data, "", 0.0)
    evidence.add(Transcript("", events=[returned]))
    return evidence


@pytest.mark.parametrize("order_id", ORDERS)
async def test_every_fact_of_an_order_is_found_in_its_sentence_and_nothing_else(order_id: str) -> None:
    result = await call("get_order_status", order_id=order_id)
    evidence, facts = seen("get_order_status", result), {name: result.data[name] for name in ALWAYS_SAID}
    assert set(spoken(result)) == set(LANGUAGES)
    for language, sentence in spoken(result).items():
        assert unverified(sentence, evidence) == [], sentence
        assert claims(sentence, evidence) == [], sentence
        assert in_language(sentence, language, evidence), sentence
        lacking = {name: value for name, value in facts.items() if value and not holds(sentence, value)}
        assert lacking == {}, sentence


async def test_an_opened_ticket_is_a_claim_that_only_the_call_makes_true() -> None:
    result = await call("create_ticket", order_id="4468", category="damaged", summary="it came broken")
    for sentence in spoken(result).values():
        assert claims(sentence, seen("create_ticket", result)) == [], sentence
        assert claims(sentence, Evidence()) != [], sentence


@pytest.mark.parametrize(
    "arguments",
    [{"order_id": "4459", "category": "return"}, {"order_id": "4471", "category": "damaged"}],
)
async def test_a_refused_ticket_claims_nothing(arguments: dict[str, Any]) -> None:
    result = await call("create_ticket", **arguments, summary="it came broken")
    assert result.is_error
    for sentence in spoken(result).values():
        assert claims(sentence, Evidence()) == [], sentence
