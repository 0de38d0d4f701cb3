"""What the server shows of itself before any call."""

from typing import Any, get_args

import jsonschema
import pytest
from mcp import Client

from common.language import LANGUAGES
from common.schema import inline, mark_of
from common.version import VERSION
from store import Category
from tests.server.shop import ask, data, ticket

pytestmark = pytest.mark.anyio


async def tools(shop: Client) -> dict[str, Any]:
    return {tool.name: tool for tool in (await shop.list_tools()).tools}


async def test_the_server_names_itself(shop: Client):
    assert shop.server_info is not None
    assert (shop.server_info.name, shop.server_info.version) == ("shopkart", VERSION)


async def test_a_read_is_marked_as_a_read_and_the_write_as_a_write(shop: Client):
    hints = {name: tool.annotations for name, tool in (await tools(shop)).items()}
    for name in ("get_order_status", "search_policy"):
        assert hints[name].model_dump(exclude_none=True) == {
            "read_only_hint": True,
            "destructive_hint": False,
            "idempotent_hint": True,
            "open_world_hint": False,
        }
    assert hints["create_ticket"].model_dump(exclude_none=True) == {
        "read_only_hint": False,
        "destructive_hint": False,
        "idempotent_hint": True,
        "open_world_hint": False,
    }


async def test_every_id_carries_its_mark_going_in_and_coming_out(shop: Client):
    listed = await tools(shop)
    for name in ("get_order_status", "create_ticket"):
        for schema in (listed[name].input_schema, listed[name].output_schema):
            assert mark_of(inline(schema)["properties"]["order_id"]) == "order_id"
    assert mark_of(inline(listed["create_ticket"].output_schema)["properties"]["ticket_id"]) == "ticket_id"


async def test_no_other_field_is_marked(shop: Client):
    for tool in (await tools(shop)).values():
        marked = [name for name, field in tool.output_schema["properties"].items() if mark_of(field)]
        assert set(marked) <= {"order_id", "ticket_id"}


async def test_every_tool_is_described_briefly(shop: Client):
    for tool in (await tools(shop)).values():
        assert tool.title
        assert tool.description.startswith("Use this when")
        assert len(tool.description) < 400
        for field in tool.input_schema["properties"].values():
            assert field["description"]


async def test_no_schema_uses_a_class_that_matches_other_digits(shop: Client):
    for tool in (await tools(shop)).values():
        assert "\\d" not in str(tool.input_schema)
        assert "\\w" not in str(tool.input_schema)


async def test_every_answer_fits_the_schema_that_was_shown(shop: Client):
    listed = await tools(shop)
    answers = {
        "get_order_status": await ask(shop, "get_order_status", order_id="4465"),
        "search_policy": await ask(shop, "search_policy", query="return to Nepal"),
        "create_ticket": await ticket(shop, "4468", "other", {"shopkart/dry_run": True}),
    }
    for name, answer in answers.items():
        jsonschema.validate(data(answer), listed[name].output_schema)
        answered, refused = listed[name].output_schema["anyOf"]
        assert set(data(answer)) == set(answered["required"])
        assert set(refused["required"]) == {"error", "message", "next"}


async def test_only_the_write_offers_a_preview(shop: Client):
    metas = {name: tool.meta for name, tool in (await tools(shop)).items()}
    assert metas["get_order_status"] is metas["search_policy"] is None
    assert metas["create_ticket"]["shopkart/preview"] is True


async def test_the_write_says_how_long_it_lasts_and_by_which_words_it_is_asked_for(shop: Client):
    meta = (await tools(shop))["create_ticket"].meta
    assert set(meta) == {"shopkart/preview", "shopkart/kept", "shopkart/asked-for", "shopkart/shown-by"}
    assert set(meta["shopkart/shown-by"]) == {"category"}
    assert set(meta["shopkart/shown-by"]["category"]) == set(get_args(Category))
    assert meta["shopkart/kept"] == "Tickets are kept in memory only: they are gone when the server stops."
    assert set(meta["shopkart/asked-for"]) == set(LANGUAGES)
