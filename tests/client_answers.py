"""What server.py shows of itself and answers, tried from outside; client_test.py runs these with its own.

Knows:    the demo shop's orders by number, as a customer would.
Does not: import any code of the server.
"""

import re
from datetime import UTC, datetime
from typing import Any, cast

from mcp import Client
from mcp_types import TextContent, TextResourceContents

from tests.checks import Checks
from tests.shop_client import (
    CUSTOMER,
    DRY_RUN,
    call,
    data,
    days_after,
    said,
    ticket,
)

ANSWERS = Checks()
check_as = ANSWERS.tried_as
check = check_as(CUSTOMER)


# ---------------------------------------------------------------- what the server shows of itself


def named(field: str, schema: Any) -> list[dict[str, Any]]:
    """Return the schema of every field of this name, at any depth, that is a text."""
    if isinstance(schema, list):
        return [each for item in cast(list[Any], schema) for each in named(field, item)]
    if not isinstance(schema, dict):
        return []
    own = cast(dict[str, Any], schema)
    found = [each for value in own.values() for each in named(field, value)]
    described = own.get(field)
    texts = cast(dict[str, Any], described).get("anyOf", [described]) if isinstance(described, dict) else []
    return found + [text for text in cast(list[Any], texts) if text.get("type") == "string"]


@check
async def seven_tools(shop: Client) -> None:
    """Surface: exactly seven tools, each with a title, a description and an output schema."""
    tools = (await shop.list_tools()).tools
    assert [tool.name for tool in tools] == [
        "get_order_status", "list_my_orders", "search_policy", "create_ticket", "get_ticket",
        "list_my_tickets", "contact_staff",
    ]  # fmt: skip
    assert all(tool.title and tool.description and tool.output_schema for tool in tools)


@check
async def annotations(shop: Client) -> None:
    """Surface: all four annotations on every tool; only the two that open tickets may change something."""
    hints = {tool.name: tool.annotations for tool in (await shop.list_tools()).tools}
    for name, hint in hints.items():
        assert hint is not None, name
        assert hint.read_only_hint is (name not in ("create_ticket", "contact_staff")), name
        assert (hint.destructive_hint, hint.idempotent_hint, hint.open_world_hint) == (False, True, False), (
            name
        )


@check
async def schemas(shop: Client) -> None:
    """Surface: schemas allow no other argument, and mark order ids wherever they stand."""
    tools = (await shop.list_tools()).tools
    for tool in tools:
        assert tool.input_schema["additionalProperties"] is False, tool.name
        assert tool.input_schema.get("required", []) == list(tool.input_schema["properties"]), tool.name
        for schema in (tool.input_schema, tool.output_schema or {}):
            for order_id in named("order_id", schema):
                assert order_id["x-grounding"] == "order_id", tool.name
                assert order_id["pattern"] == "^[0-9]{1,12}$", tool.name
    (listed,) = named("order_id", {tool.name: tool.output_schema for tool in tools}["list_my_orders"])
    assert listed["x-grounding"] == "order_id"


@check
async def preview_offered(shop: Client) -> None:
    """Surface: create_ticket says that it can be tried without effect."""
    metas = {tool.name: tool.meta or {} for tool in (await shop.list_tools()).tools}
    assert metas["create_ticket"].get("shopkart/preview") is True


@check
async def asked_for(shop: Client) -> None:
    """Surface: create_ticket lists the words by which customers ask for it, in five languages."""
    metas = {tool.name: tool.meta or {} for tool in (await shop.list_tools()).tools}
    listed = metas["create_ticket"]["shopkart/asked-for"]
    assert set(listed) == {"en", "ar", "es", "hi", "ru"}
    assert "ticket" in listed["en"]
    assert all(words and all(isinstance(word, str) for word in words) for words in listed.values())


@check
async def resources(shop: Client) -> None:
    """Surface: seven policies can be read as Markdown resources."""
    listed = [each for each in (await shop.list_resources()).resources if str(each.uri).startswith("policy")]
    assert len(listed) == 7
    for resource in listed:
        assert resource.mime_type == "text/markdown"
        (content,) = (await shop.read_resource(resource.uri)).contents
        assert isinstance(content, TextResourceContents)
        assert content.text.startswith("# "), resource.uri


@check
async def session(shop: Client) -> None:
    """Surface: a resource says whom the session serves."""
    (content,) = (await shop.read_resource("shop://session")).contents
    assert isinstance(content, TextResourceContents)
    assert content.text == "demo shop, signed in as customer C-1001"


@check
async def prompt(shop: Client) -> None:
    """Surface: one prompt, support-reply, which takes the customer's question."""
    (listed,) = (await shop.list_prompts()).prompts
    assert listed.name == "support-reply"
    got = await shop.get_prompt("support-reply", {"question": "Where is my parcel?"})
    (message,) = got.messages
    assert isinstance(message.content, TextContent)
    assert "Where is my parcel?" in message.content.text


# ---------------------------------------------------------------- answers


@check
async def shipped(shop: Client) -> None:
    """Answer: order 4471 is shipped, paid, and says what, how much and when."""
    result = await call(shop, "get_order_status", order_id="4471")
    order = data(result)
    assert (order["status"], order["payment"], order["total"]) == ("shipped", "paid", "49.99")
    assert order["items"] == [{"name": "Wireless Earbuds", "quantity": 1, "price": "49.99"}]
    assert days_after(order["placed_on"], order["estimated_delivery"]) == 5
    assert order["delivered_on"] is None
    assert order["return_until"] is None
    assert "has been shipped" in said(result)


@check
async def delivered(shop: Client) -> None:
    """Answer: order 4468 was delivered four days ago and can be returned for 30 days."""
    order = data(await call(shop, "get_order_status", order_id="4468"))
    assert order["status"] == "delivered"
    # The server's clock may have passed midnight since it started.
    assert days_after(order["delivered_on"], datetime.now(UTC).date().isoformat()) in (4, 5)
    assert days_after(order["delivered_on"], order["return_until"]) == 30


@check
async def gift_note(shop: Client) -> None:
    """Answer: the sentence about an order does not repeat its gift note, the data does."""
    result = await call(shop, "get_order_status", order_id="4465")
    assert "4480" in data(result)["gift_note"]
    assert "4480" not in said(result)


@check
async def return_window(shop: Client) -> None:
    """Answer: the policies say how long a return may take."""
    result = await call(shop, "search_policy", query="how many days do I have to return something?")
    assert data(result)["passages"][0]["uri"] == "policy://returns"
    assert data(result)["answer_status"] == "stated"
    assert "30 days" in said(result)


@check
async def not_mentioned(shop: Client) -> None:
    """Answer: what no policy mentions is named, not glossed over, and then nothing counts as stated."""
    result = await call(shop, "search_policy", query="do you ship to Nepal?")
    assert data(result)["unmatched"] == ["Nepal"]
    assert data(result)["answer_status"] == "not_stated"
    assert data(result)["passages"][0]["id"].startswith("shipping#")
    assert '"Nepal"' in said(result)
    nothing = await call(shop, "search_policy", query="loyalty program")
    assert data(nothing)["found"] is False
    assert "do not say" in said(nothing)


@check
async def languages(shop: Client) -> None:
    """Answer: each answer, refusal and dry run is also told in Arabic, Spanish, Hindi and Russian."""
    results = {
        "4471": await call(shop, "get_order_status", order_id="4471"),
        "999999": await call(shop, "get_order_status", order_id="999999"),
        "4468": await ticket(shop, "4468", "other", DRY_RUN),
    }
    for order_id, result in results.items():
        told = (result.meta or {})["shopkart/said"]
        assert set(told) == {"ar", "es", "hi", "ru"}
        for language, script in {"ar": "[ء-ي]", "es": "pedido", "hi": "[क-ह]", "ru": "[а-я]"}.items():
            assert re.search(script, told[language]), language
            assert order_id in told[language], language


@check
async def spanish_rule(shop: Client) -> None:
    """Answer: a question in Spanish finds the Spanish text of the rule, and its resource holds it."""
    result = await call(shop, "search_policy", query="cuantos dias tengo para devolver algo?")
    best = data(result)["passages"][0]
    assert best["uri"] == "policy://es/returns"
    assert "30 días" in best["text"]
    assert "30 days" in said(result)
    (content,) = (await shop.read_resource(best["uri"])).contents
    assert isinstance(content, TextResourceContents)
    assert best["text"] in " ".join(content.text.split())
