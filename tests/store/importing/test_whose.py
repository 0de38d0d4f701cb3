"""Whose an imported order is: an address that was typed with an order makes nobody's orders somebody's."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from store import schema
from store.customers import guest_id
from store.database import Store
from store.importing import Report
from store.model import Reach
from store.tickets import Wanted as TicketWanted
from store.tickets import read_history
from store.writing import ANOTHERS
from tests.store.importing.files import ORDER, brought, changed, counts, problems_of, table, written

THEIRS = "victim@example.com"


def own(number: int, **customer: Any) -> dict[str, Any]:
    return changed(ORDER, id=str(number), customer=customer)


def woo(number: int, account: int, address: str) -> dict[str, Any]:
    line = {"id": 1, "name": "Desk Lamp", "quantity": 1, "subtotal": "49.99"}
    return {
        "id": number,
        "number": str(number),
        "status": "completed",
        "currency": "EUR",
        "date_created": "2026-03-02T10:00:00",
        "total": "49.99",
        "customer_id": account,
        "billing": {"first_name": "Eve", "email": address},
        "line_items": [line],
    }


def shopify(number: int, customer: dict[str, Any] | None, address: str, key: str = "email") -> dict[str, Any]:
    return {
        "id": number,
        "name": str(number),
        "order_number": number,
        key: address,
        "financial_status": "paid",
        "currency": "EUR",
        "total_price": "5.00",
        "created_at": "2026-03-02T10:00:00Z",
        "customer": customer,
        "line_items": [{"title": "Desk Lamp", "quantity": 1, "price": "5.00"}],
    }


def own_csv(number: int, account: str, address: str) -> str:
    header = "order_id,status,payment,total,item,price,customer_id,customer_email"
    return table(f"{number},shipped,paid,5.00,Lamp,5.00,{account},{address}", header=header)


GUESTS: list[Any] = [
    ([woo(1, 0, THEIRS)], [woo(2, 7, THEIRS)]),
    ([own(1, email=THEIRS)], [own(2, id="7", email=THEIRS)]),
    ([shopify(1, None, THEIRS)], [shopify(2, {"id": 7, "email": None, "phone": "+4917"}, THEIRS)]),
    ([shopify(1, None, THEIRS)], [shopify(2, {"id": 7}, THEIRS, "contact_email")]),
    (own_csv(1, "", THEIRS), own_csv(2, "7", THEIRS)),
]
"""What a guest ordered, and then an account that typed the same address."""


def bring(store: Store, folder: Path, *contents: Any, **how: Any) -> Report:
    paths = [written(folder, content, f"file{index}") for index, content in enumerate(contents)]
    return brought(store.engine, *paths, **how)


def seen(store: Store, who: str) -> set[str]:
    return {order.id for order in store.orders(Reach(who), 50)}


@pytest.mark.parametrize("join_guests", [False, True])
@pytest.mark.parametrize("account_first", [False, True])
@pytest.mark.parametrize(("guest", "account"), GUESTS)
def test_an_account_that_types_an_address_gets_nothing_of_whoever_has_it(
    store: Store, tmp_path: Path, guest: Any, account: Any, account_first: bool, join_guests: bool
):
    for content in (account, guest, account) if account_first else (guest, account, guest):
        bring(store, tmp_path, content, join_guests=join_guests)
    assert seen(store, "7") == {"2"}
    assert store.customer_id(THEIRS) == guest_id(THEIRS)
    assert seen(store, guest_id(THEIRS)) == {"1"}


def test_a_customer_who_types_another_address_once_lets_go_of_nothing(store: Store, tmp_path: Path):
    bring(store, tmp_path, {"customers": [{"id": "8", "email": THEIRS}]})
    bring(store, tmp_path, [own(1, id="8", email="work@example.com"), own(2, id="7", email=THEIRS)])
    assert store.customer_id(THEIRS) == "8"
    assert store.customer_id("work@example.com") is None
    assert (seen(store, "8"), seen(store, "7")) == ({"1"}, {"2"})


def test_an_account_is_found_by_what_its_own_record_states(store: Store, tmp_path: Path):
    bring(store, tmp_path, [shopify(1, {"id": 8, "email": THEIRS}, "typed@example.com")])
    assert (store.customer_id(THEIRS), store.customer_id("typed@example.com")) == ("8", None)
    bring(store, tmp_path, {"customers": [{"id": "C-9", "email": "mira@example.com"}]})
    assert store.customer_id("MIRA@example.com") == "C-9"


def address_kept(store: Store, who: str) -> str | None:
    with store.engine.begin() as connection:
        return connection.scalar(select(schema.customers.c.email).where(schema.customers.c.id == who))


def test_a_typed_address_is_kept_to_write_to_and_never_instead_of_the_own(store: Store, tmp_path: Path):
    bring(store, tmp_path, [woo(1, 7, "a@example.com")])
    assert address_kept(store, "7") == "a@example.com"
    bring(store, tmp_path, [woo(2, 7, "b@example.com")])
    assert address_kept(store, "7") == "b@example.com"
    bring(store, tmp_path, {"customers": [{"id": "7", "email": "own@example.com"}]})
    bring(store, tmp_path, [woo(3, 7, "c@example.com")])
    assert address_kept(store, "7") == "own@example.com"


# ---------------------------------------------------------------- guests and accounts of one address

ACCOUNT = {"customers": [{"id": "C-9", "email": "Mira@example.com", "name": "Mira Holm"}]}
GUEST = [own(1, email="mira@example.com", name="Mallory")]


@pytest.mark.parametrize("guest_first", [True, False])
def test_a_guests_orders_stay_apart_from_the_account_of_the_same_address(
    store: Store, tmp_path: Path, guest_first: bool
):
    for content in (GUEST, ACCOUNT, GUEST) if guest_first else (ACCOUNT, GUEST):
        report = bring(store, tmp_path, content)
    assert report.told == [
        "1 guests ordered with an e-mail address that an account has. Their orders stay apart from it, since "
        "anybody can type an address. If your shop has proven those of its accounts, --join-guests gives "
        "them to the account."
    ]
    assert store.customer_id("mira@example.com") == "C-9"
    assert (seen(store, "C-9"), seen(store, guest_id("mira@example.com"))) == (set(), {"1"})


@pytest.mark.parametrize("guest_first", [True, False])
def test_a_shop_that_has_proven_its_addresses_may_join_guests_to_accounts(
    store: Store, tmp_path: Path, guest_first: bool
):
    for content in (GUEST, ACCOUNT) if guest_first else (ACCOUNT, GUEST):
        bring(store, tmp_path, content, join_guests=True)
    assert seen(store, "C-9") == {"1"}
    assert store.customer_id(guest_id("mira@example.com")) is None
    bring(store, tmp_path, ACCOUNT, GUEST, join_guests=True)
    again = bring(store, tmp_path, ACCOUNT, GUEST, join_guests=True)
    assert (counts(again, "orders"), counts(again, "customers")) == ((0, 0, 1), (0, 0, 2))
    with store.engine.begin() as connection:
        assert connection.scalars(select(schema.customers.c.name)).all() == ["Mira Holm"]


def test_a_guests_tickets_are_joined_with_the_orders(store: Store, tmp_path: Path):
    bring(store, tmp_path, GUEST)
    guest = store.customer_id("mira@example.com")
    store.open_ticket(TicketWanted("other", "Please call me", order_id="1", customer_id=guest), limit=3)
    bring(store, tmp_path, ACCOUNT, GUEST, join_guests=True)
    (ticket,) = store.open_tickets("1")
    assert ticket.customer_id == "C-9"
    # Without the option they part again, and what the account said stays the account's.
    bring(store, tmp_path, ACCOUNT, GUEST)
    assert (seen(store, "C-9"), seen(store, guest_id("mira@example.com"))) == (set(), {"1"})
    assert store.open_tickets("1") == []
    assert store.get_ticket(ticket.id, Reach("C-9")) is not None


def test_of_two_accounts_with_one_address_the_first_signs_in_and_both_keep_their_orders(
    store: Store, tmp_path: Path
):
    def people(one: str, other: str) -> dict[str, Any]:
        orders = [own(1, id="C-1"), own(2, id="C-2")]
        return {"customers": [{"id": "C-1", "email": one}, {"id": "C-2", "email": other}], "orders": orders}

    both = people("both@example.com", "Both@example.com")
    report = bring(store, tmp_path, both)
    assert [told.split(":")[0] for told in report.told] == [
        "1 customers have an e-mail address that another customer had first"
    ]
    assert "both@example.com" not in "".join(report.told)
    assert store.customer_id("both@example.com") == "C-1"
    assert (seen(store, "C-1"), seen(store, "C-2")) == ({"1"}, {"2"})
    assert counts(bring(store, tmp_path, both), "customers") == (0, 0, 2)
    # The first has another address now: who is left with the old one signs in with it.
    bring(store, tmp_path, people("new@example.com", "both@example.com"))
    assert store.customer_id("both@example.com") == "C-2"


# ---------------------------------------------------------------- an order that changes hands


def test_an_order_that_changes_hands_leaves_its_tickets_with_who_opened_them(store: Store, tmp_path: Path):
    bring(store, tmp_path, [own(1, id="8"), own(2, id="8")])
    for number in ("1", "2"):
        store.open_ticket(TicketWanted("other", "My diagnosis", order_id=number, customer_id="8"), limit=3)
    report = bring(store, tmp_path, [own(1, id="7"), own(2, id="8")])
    assert report.told == [
        "Closed, since their order belongs to another customer now: T-1001. They stay with who opened them."
    ]
    assert store.get_ticket("T-1001", Reach("7")) is None
    first = store.get_ticket("T-1001", Reach("8"))
    assert first is not None and (first.status, first.summary) == ("closed", "My diagnosis")
    with store.engine.begin() as connection:
        assert read_history(connection, 1001)[-1][1:] == ("closed", ANOTHERS)
    opened = store.open_ticket(TicketWanted("other", "My lamp", order_id="1", customer_id="7"), limit=3)
    assert opened.outcome == "created"
    assert [ticket.id for ticket in store.open_tickets("2")] == ["T-1002"]


# ---------------------------------------------------------------- ids that look alike


@pytest.mark.parametrize("written_id", ["C\u200b-50", "C\0-50", "C-50\u00ad", "C  50", "C\t50", "\u200b"])
def test_an_id_that_would_have_to_be_cleaned_is_refused(tmp_path: Path, written_id: str):
    told = "an id without invisible characters and runs of spaces"
    products = [{"id": written_id, "title": "Lamp", "variants": [{"id": written_id, "price": "1.00"}]}]
    content = {"orders": [own(1, id=written_id)], "products": products}
    problems = problems_of(written(tmp_path, content))
    assert len(problems) == 3 and all(problem.endswith(f"expected {told}.") for problem in problems)


def test_what_a_spreadsheet_adds_goes_in_a_table_alone(store: Store, tmp_path: Path):
    bring(store, tmp_path, [own(1, id="'C-50"), own(2, id='="C-50"'), own(3, id="C-50")])
    assert seen(store, "C-50") == {"3"}
    bring(store, tmp_path, own_csv(4, "'C-50", ""), own_csv(5, '"=""C-50"""', ""))
    assert seen(store, "C-50") == {"3", "4", "5"}


def test_an_id_that_stands_for_a_guests_address_is_refused(tmp_path: Path):
    (problem,) = problems_of(written(tmp_path, [own(1, id=guest_id(THEIRS))]))
    assert "which stands for a guest's address" in problem


def test_an_address_with_an_invisible_character_is_not_cleaned_into_anothers(tmp_path: Path):
    (problem,) = problems_of(written(tmp_path, [own(1, email="vic\u200btim@example.com")]))
    assert "an e-mail address of 19 characters" in problem and "vic" not in problem
