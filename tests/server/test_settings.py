"""Who is served, and what an order id looks like: read once, at start, and refused when it is unclear."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from common.settings import BadSettings, load
from serving import GUEST, Caller, ServingSettings, UnknownCustomer, caller_from
from store import Store, store_in_memory
from tests.server.shop import demo

ROOT = Path(__file__).resolve().parents[2]


def test_the_demo_customer_is_served_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch):
    for name in ("SHOPKART_ROLE", "SHOPKART_CUSTOMER"):
        monkeypatch.delenv(name, raising=False)
    settings = ServingSettings(_env_file=None)  # pyright: ignore[reportCallIssue]
    assert (settings.shopkart_role, settings.shopkart_customer) == ("customer", "")


def caller_of(store: Store, role: str = "customer", customer: str = "") -> Caller:
    return caller_from(
        ServingSettings.model_validate({"shopkart_role": role, "shopkart_customer": customer}), store
    )


def test_an_empty_customer_is_the_demos_in_the_demo_and_nobody_elsewhere():
    assert caller_of(demo()) == Caller("customer", "C-1001")
    assert caller_of(store_in_memory()) == GUEST


@pytest.mark.parametrize("who", ["C-1002", "jonas.adler@example.org", " Jonas.Adler@Example.org "])
def test_a_customer_is_named_by_id_or_by_e_mail_address(who: str):
    assert caller_of(demo(), customer=who) == Caller("customer", "C-1002")


def test_staff_and_a_guest_are_no_customer_whatever_else_is_set():
    assert caller_of(demo(), "staff", "C-1002") == Caller("staff")
    assert caller_of(demo(), "guest", "C-1002") == GUEST


def test_a_customer_that_nobody_knows_is_refused_without_repeating_an_address():
    with pytest.raises(UnknownCustomer, match="'C-9', and no customer"):
        caller_of(demo(), customer="C-9")
    with pytest.raises(UnknownCustomer) as caught:
        caller_of(demo(), customer="someone@example.com")
    assert "someone" not in str(caught.value)
    assert "SHOPKART_ROLE=guest" in str(caught.value)


@pytest.mark.parametrize("role", ["admin", "STAFF", "staff "])
def test_a_role_that_is_not_known_stops_the_start(monkeypatch: pytest.MonkeyPatch, role: str):
    monkeypatch.setenv("SHOPKART_ROLE", role)
    with pytest.raises(BadSettings, match="SHOPKART_ROLE"):
        load(ServingSettings)


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
from serving import Caller
from store import store_in_memory
from store.records import LineRecord, OrderRecord
from store.writing import write

async def main():
    store = store_in_memory()
    with store.writing() as connection:
        lines = (LineRecord("Lamp", 1, 100),)
        write(connection, OrderRecord("ORD-4471", None, "shipped", "paid", "EUR", 100, lines))
    server = build_server(store, Caller("staff"))
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
    done = _started({"ORDER_ID_PATTERN": r"^ORD-\d{4}$"}, _SHOW)
    assert json.loads(done.stdout) == [
        "^ORD-[0-9]{4}$",
        "^ORD-[0-9]{4}$",
        "ORD-4471",
        "The arguments do not fit: order_id must match the pattern ^ORD-[0-9]{4}$, as in ORD-1234.",
    ]


def test_bad_settings_stop_the_server_with_one_text_on_stderr():
    done = _started({"ORDER_ID_PATTERN": "[0-9]*", "SHOPKART_ROLE": "root"}, "import server")
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
        "- ORDER_ID_PATTERN: Value error, ends in the middle of a group, a class or an escape\n"
    )
