"""What the chat is put together from."""

import pytest

from mcp_tools import connect
from model.settings import ModelSettings
from server import build_server
from terminal.about_model import about_model
from terminal.start import KEPT, tool_box
from terminal.toolbox import ToolBox

pytestmark = pytest.mark.anyio


async def shop_tools() -> ToolBox:
    async with connect(build_server()) as bridge:
        return tool_box(bridge)


async def test_the_shop_s_tools_are_described_with_what_they_do_and_which_ask():
    tools = await shop_tools()
    lines = tools.described()
    assert [line.split(": ")[0] for line in lines] == [
        "  get_order_status (only reads)",
        "  list_my_orders (only reads)",
        "  search_policy (only reads)",
        "  create_ticket (asks you first)",
        "  get_ticket (only reads)",
        "  list_my_tickets (only reads)",
        "  contact_staff (asks you first)",
    ]
    assert tools.doing("get_order_status") == "Looking up an order"
    assert tools.checked == {"create_ticket", "contact_staff"}


async def test_the_server_says_how_long_a_ticket_is_kept():
    assert KEPT == "shopkart/kept"
    assert (await shop_tools()).kept("create_ticket").startswith("Tickets are kept in memory only")


def test_a_tool_that_is_not_known_counts_as_one_that_changes_something():
    assert ToolBox().changes("anything")
    assert ToolBox().described() == ["This server offers no tools."]


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("qwen2.5-coder-1.5b (embedded)", "EMBEDDED_MODEL"),
        ("qwen2.5:7b on Ollama", "OLLAMA_MODEL"),
        ("gpt at example.org", "OPENAI_MODEL"),
    ],
)
def test_model_says_which_one_answers_and_how_to_choose_another(name: str, setting: str):
    settings = ModelSettings(_env_file=None, llm_provider="auto", llm_tool_mode="native", llm_context=8192)  # type: ignore[call-arg]
    assert about_model(name, "", settings) == [
        name,
        "  provider: auto (Ollama where it answers, else the embedded model)",
        "  tool calls: native (the model's own tool calls)",
        "  context: 8192 tokens",
        f"Another one is chosen at the start: {setting}=NAME, in the environment or .env.local.",
    ]
    assert about_model(name, "other\x1b", settings)[-1] == (
        f"To use other\\u001b, leave and start the chat with {setting}=other\\u001b."
    )
