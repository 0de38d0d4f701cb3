"""Who is served, and what an order id looks like: read once, at start, and refused when it is unclear."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from common.settings import BadSettings, load
from serving import ServingSettings, caller_from

ROOT = Path(__file__).resolve().parents[2]


def pattern(text: str) -> str:
    return ServingSettings(order_id_pattern=text).order_id_pattern


def test_the_demo_customer_is_served_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch):
    for name in ("SHOPKART_ROLE", "SHOPKART_CUSTOMER", "ORDER_ID_PATTERN"):
        monkeypatch.delenv(name, raising=False)
    settings = ServingSettings(_env_file=None)  # pyright: ignore[reportCallIssue]
    assert (settings.shopkart_role, settings.shopkart_customer) == ("customer", "C-1001")
    assert settings.order_id_pattern == "^[0-9]{1,12}$"


def test_an_empty_customer_is_nobody_and_not_the_demo_customer(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHOPKART_CUSTOMER", "")
    monkeypatch.setenv("SHOPKART_ROLE", "customer")
    assert not caller_from(load(ServingSettings)).may_see("C-1001")


@pytest.mark.parametrize("role", ["", "admin", "STAFF", "staff "])
def test_a_role_that_is_not_known_stops_the_start(monkeypatch: pytest.MonkeyPatch, role: str):
    monkeypatch.setenv("SHOPKART_ROLE", role)
    with pytest.raises(BadSettings, match="SHOPKART_ROLE"):
        load(ServingSettings)


@pytest.mark.parametrize(
    "bad",
    [
        "", "[0-9]+", "^[0-9]+", "[0-9]+$", "^[0-9", "^[0-9$",
        "^\\d{4}$", "^\\w+$", "^ORD-\\d+$", "^[0-9]+\\$",
        "^(?=4)[0-9]+$", "^([0-9])\\1$", "^(?P<x>[0-9]+$", "^)[0-9](^$", "^a)|(b$",
    ],
)  # fmt: skip
def test_a_pattern_that_is_not_a_whole_plain_expression_is_refused(bad: str):
    with pytest.raises(ValidationError, match="order_id_pattern"):
        pattern(bad)


def test_an_alternative_is_anchored_on_both_sides():
    assert pattern("^A[0-9]{3}|B[0-9]{3}$") == "^(?:A[0-9]{3}|B[0-9]{3})$"


def test_a_pattern_of_the_shops_own_is_kept():
    assert pattern("^ORD-[0-9]{4,8}$") == "^ORD-[0-9]{4,8}$"


@given(st.text(max_size=20))
def test_an_accepted_pattern_is_anchored(text: str):
    try:
        accepted = pattern(f"^{text}$")
    except ValidationError:
        return
    assert accepted.startswith("^")
    assert accepted.endswith("$")
    re.compile(accepted)


def _started(extra: dict[str, str], code: str) -> subprocess.CompletedProcess[str]:
    env = {"SHOPKART_ROLE": "customer", "SHOPKART_CUSTOMER": "C-1001", "PYTHONPATH": str(ROOT)} | extra
    return subprocess.run(
        [sys.executable, "-c", code],
        env=env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


_SHOW = """
import anyio, json
from server import build_server
from store import Item, MemoryStore, Order
from datetime import date
from serving import Caller

async def main():
    order = Order("ORD-4471", "C-1001", "shipped", "paid", (Item("Lamp", 1, 100),), date(2026, 1, 2))
    server = build_server(MemoryStore([order], []), Caller("staff", ""))
    tool = (await server.list_tools())[0]
    found = await server.call_tool("get_order_status", {"order_id": "ORD-4471"})
    refused = await server.call_tool("get_order_status", {"order_id": "4471"})
    print(json.dumps([
        tool.input_schema["properties"]["order_id"]["pattern"],
        tool.output_schema["properties"]["order_id"]["pattern"],
        found.structured_content["order_id"],
        refused.structured_content["message"],
    ]))

anyio.run(main)
"""


def test_the_type_the_schema_and_the_message_follow_the_pattern():
    done = _started({"ORDER_ID_PATTERN": "^ORD-[0-9]{4}$"}, _SHOW)
    assert json.loads(done.stdout) == [
        "^ORD-[0-9]{4}$",
        "^ORD-[0-9]{4}$",
        "ORD-4471",
        "The arguments do not fit: order_id must match the pattern ^ORD-[0-9]{4}$.",
    ]


def test_bad_settings_stop_the_server_with_one_text_on_stderr():
    done = _started({"ORDER_ID_PATTERN": "[0-9]+", "SHOPKART_ROLE": "root"}, "import server")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert "ORDER_ID_PATTERN" in done.stderr
    assert "SHOPKART_ROLE" in done.stderr
    assert "root" not in done.stderr


def test_a_pattern_that_is_no_expression_is_named_and_explained():
    done = _started({"ORDER_ID_PATTERN": "["}, "import server")
    assert done.returncode == 2
    assert done.stderr == (
        "These settings cannot be used. Correct them in the environment, .env.local or .env:\n"
        "- ORDER_ID_PATTERN: Value error, must begin with ^ and end with $, as in ^[0-9]{1,12}$\n"
    )
