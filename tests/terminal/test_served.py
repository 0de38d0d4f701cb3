"""Whom a chat serves: what the command line says, and what a server says of itself."""

from types import SimpleNamespace
from typing import Any

import pytest

from journal.key import JournalKey
from server import build_server
from serving import Caller
from store.demo import demo_store
from terminal.served import served_by

BRIDGE: Any = SimpleNamespace(conversation="s1")
CUSTOMER = "demo shop, signed in as customer C-1001"
STAFF = "demo shop, staff, who see every order"


@pytest.mark.parametrize(
    ("serve", "says", "role", "customer_id", "person"),
    [
        ("C-1001", CUSTOMER, "customer", "C-1001", "C-1001"),
        (None, CUSTOMER, "", "", "C-1001"),
        ("mira@example.com", CUSTOMER, "", "", "C-1001"),
        (None, "signed in as customer K 7", "", "", ""),
        ("guest", "nobody signed in: only the shop's rules can be asked about", "guest", "", ""),
        (None, "nobody signed in: only the shop's rules can be asked about", "", "", ""),
        ("staff", STAFF, "staff", "", ""),
        (None, STAFF, "staff", "", ""),
        (None, "", "", "", ""),
        (None, "not signed in as customer C-1001, by the way", "", "", ""),
        (None, "our shop, signed in as customer C-1001", "", "", ""),
    ],
)
def test_our_own_server_knows_who_is_signed_in_where_the_command_line_does_not(
    serve: str | None, says: str, role: str, customer_id: str, person: str
):
    served = served_by(None, serve, BRIDGE, says)
    assert (served.role, served.customer_id, served.person) == (role, customer_id, person)
    assert served.is_staff is (role == "staff")


def test_another_server_makes_nobody_staff_and_is_believed_for_its_own_questions_alone():
    ours = served_by(None, None, BRIDGE, CUSTOMER)
    for target in ("https://example.com/mcp", ["python", "theirs.py"]):
        assert not served_by(target, None, BRIDGE, STAFF).is_staff
        theirs = served_by(target, None, BRIDGE, CUSTOMER)
        assert (theirs.role, theirs.customer_id, theirs.person) == ("", "", "C-1001")
        key = JournalKey(b"k" * 32)
        assert theirs.at_server(key) != ours.at_server(key)


@pytest.mark.parametrize("caller", [Caller("customer", "C-1001"), Caller("staff"), Caller("guest")])
async def test_the_sentence_is_the_one_that_our_server_says(caller: Caller, anyio_backend: str):
    from mcp import Client

    async with Client(build_server(demo_store(), caller)) as client:
        read = await client.read_resource("shop://session")
    served = served_by(None, None, BRIDGE, read.contents[0].text)  # type: ignore[union-attr]
    assert (served.person, served.is_staff) == (caller.customer_id, caller.role == "staff")
