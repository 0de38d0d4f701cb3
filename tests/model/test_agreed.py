"""The words that the agent writes and the constrained dialect looks for are the same ones."""

from typing import Any

import pytest

from agent.prompt import correction, system_prompt
from model import prompts, transcript
from server import build_server

pytestmark = pytest.mark.anyio


async def shown(**changes: Any) -> list[dict[str, Any]]:
    tools = await build_server().list_tools()
    withheld = {"create_ticket": ["order number"]}
    return [{"role": "system", "content": system_prompt(tools, withheld, **changes)}]


def test_a_correction_is_known_by_its_beginning():
    assert correction(["9 May"]).startswith(prompts.CORRECTION)


async def test_what_is_missing_is_found_in_the_agents_system_message():
    rules, tools, missing = transcript.split_system(await shown())
    assert missing == "order number"
    assert "- create_ticket(" in tools and "- create_ticket(" not in rules


async def test_what_is_wished_is_found_there_and_only_where_it_is():
    assert transcript.is_wished(await shown(wished=["create_ticket"]))
    assert not transcript.is_wished(await shown())
