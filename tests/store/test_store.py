"""What a store promises, the same in memory, in a SQLite file and on Postgres."""

import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.exc import IntegrityError, StatementError

from common.database import open_engine
from store import schema
from store.customers import guest_id
from store.database import Store
from store.model import Item, Policy, Reach
from store.records import CustomerRecord, LineRecord
from store.tickets import Wanted, read_history, read_tickets
from tests.databases import MEMORY
from tests.store.shop import JONAS, MIRA, NOW, STAFF, about, an_order, fill, hand_off

MIRAS = Reach("C-1")
BIGGEST = 2**63 - 1
WORDS = "مرحبا हिन्दी ‮𝔘 “quoted” '; DROP TABLE orders; -- \\ %s :x ? \t\n Zürich 🧺"


@pytest.fixture
def shop(store: Store) -> Store:
    """A store whose clock stands still, with three orders of Mira's and one of Jonas's."""
    stopped = Store(store.engine, lambda: NOW, waits=store.waits)
    fill(
        stopped,
        an_order("1001"),
        an_order("1002", placed_at=NOW + timedelta(days=1)),
        an_order("1003", placed_at=None),
        an_order("2001", JONAS, placed_at=NOW + timedelta(days=2)),
    )
    return stopped


# ---------------------------------------------------------------- orders


def test_an_order_is_read_whole(shop: Store):
    order = shop.get_order("1001", MIRAS)
    assert order is not None
    assert (order.id, order.customer_id, order.status, order.payment) == ("1001", "C-1", "shipped", "paid")
    assert order.items == (Item("Desk Lamp", 1, 4999), Item("Bulb", 2, 250))
    assert (order.placed_on, order.currency, order.total_minor) == (NOW.date(), "EUR", 5998)
    assert (order.carrier, order.tracking_number) == ("DHL", "JD014600001")
    assert order.gift_note == "Happy birthday, Paul!"


def test_an_order_out_of_reach_is_as_if_it_were_not_there(shop: Store):
    for reach in (Reach("C-2"), Reach("C-9"), Reach(), Reach("")):
        assert [shop.get_order(each, reach) for each in ("1001", "9999")] == [None, None], reach


def test_an_order_answers_to_its_exact_number_alone(shop: Store):
    asked = ["1001 ", " 1001", "01001", "1001\0", "", "１００１", "1%", "1___", "\ud800", "x" * 9999]
    assert [each for each in asked if shop.get_order(each, STAFF)] == []


def test_orders_come_newest_first_and_those_without_a_day_last(shop: Store):
    assert [order.id for order in shop.orders(STAFF, 9)] == ["2001", "1002", "1001", "1003"]
    assert [order.id for order in shop.orders(MIRAS, 9)] == ["1002", "1001", "1003"]
    assert [order.id for order in shop.orders(MIRAS, 1)] == ["1002"]
    assert shop.orders(Reach(), 9) == []


def test_orders_of_one_moment_come_in_one_order_every_time(shop: Store):
    fill(shop, *[an_order(f"3{number}", JONAS) for number in range(5)])
    assert [order.id for order in shop.orders(Reach("C-2"), 9)] == ["2001", "34", "33", "32", "31", "30"]


def test_an_order_of_nobody_is_seen_by_the_staff_alone(shop: Store):
    fill(shop, an_order("4001", None))
    assert shop.get_order("4001", STAFF) is not None
    assert [shop.get_order("4001", each) for each in (MIRAS, Reach(), Reach("None"))] == [None] * 3


def test_the_lines_of_many_orders_do_not_mix(shop: Store):
    fill(shop, *[an_order(f"5{n}", lines=(LineRecord(f"Thing {n}", n + 1, n),)) for n in range(30)])
    read = {order.id: order.items for order in shop.orders(MIRAS, 50)}
    assert all(read[f"5{n}"] == (Item(f"Thing {n}", n + 1, n),) for n in range(30))


def test_an_order_without_lines_or_parcels_is_read(shop: Store):
    fill(shop, an_order("6001", lines=(), fulfilments=(), payments=(), addresses=()))
    order = shop.get_order("6001", MIRAS)
    assert order is not None and (order.items, order.carrier, order.delivered_on) == ((), None, None)


def test_the_biggest_amount_comes_back_as_it_was(shop: Store):
    fill(shop, an_order("7001", total_minor=BIGGEST, lines=(LineRecord("Island", 1, BIGGEST),)))
    order = shop.get_order("7001", MIRAS)
    assert order is not None and order.total_minor == BIGGEST and order.items[0].price_minor == BIGGEST


def test_any_script_comes_back_as_it_was(shop: Store):
    fill(shop, an_order("7002", gift_note=WORDS, lines=(LineRecord(WORDS, 1, 1),)))
    order = shop.get_order("7002", MIRAS)
    assert order is not None and (order.gift_note, order.items[0].name) == (WORDS, WORDS)


def test_what_no_database_of_ours_can_hold_is_kept_visibly_and_alike(shop: Store):
    for kept, read in {"a\0b": "a�b", "a\ud800b": "a?b"}.items():
        fill(shop, an_order("7003", gift_note=kept))
        order = shop.get_order("7003", MIRAS)
        assert order is not None and order.gift_note == read


def test_a_moment_is_kept_in_utc_whatever_its_zone(shop: Store):
    tokyo = datetime(2026, 3, 15, 0, 30, 0, 123456, tzinfo=timezone(timedelta(hours=9)))
    fill(shop, an_order("7004", placed_at=tokyo))
    order = shop.get_order("7004", MIRAS)
    assert order is not None and order.placed_on is not None and order.placed_on.isoformat() == "2026-03-14"
    with shop.engine.connect() as connection:
        kept = connection.scalar(select(schema.orders.c.placed_at).where(schema.orders.c.id == "7004"))
    assert kept is not None and kept == tokyo and kept.tzinfo is UTC


def test_a_time_without_a_zone_is_refused(shop: Store):
    with pytest.raises(StatementError, match="without a zone"):
        fill(shop, an_order("7005", placed_at=datetime(2026, 3, 14)))
    assert shop.get_order("7005", STAFF) is None


# ---------------------------------------------------------------- customers


def test_a_customer_is_known_by_id_or_by_e_mail_in_any_case(shop: Store):
    hers = ["C-1", "mira.holm@example.com", "MIRA.HOLM@EXAMPLE.COM", " Mira.Holm@Example.com "]
    assert {shop.customer_id(who) for who in hers} == {"C-1"}


def test_anybody_else_is_nobody(shop: Store):
    others = ["", "c-1", "C-9", "mira", "%@example.com", "C-1\0", "mira.holm@example.com\0"]
    assert [who for who in others if shop.customer_id(who)] == []


def test_an_id_wins_over_an_e_mail_address_of_another(shop: Store):
    fill(shop, CustomerRecord("C-3", email="C-1"))
    assert shop.customer_id("C-1") == "C-1"


def test_an_account_wins_over_a_guest_of_the_same_address(shop: Store):
    fill(
        shop, CustomerRecord(None, email="MIRA.HOLM@example.com"), CustomerRecord(None, email="g@example.com")
    )
    assert shop.customer_id("mira.holm@example.com") == "C-1"
    assert shop.customer_id("G@example.com") == guest_id("g@example.com")
    assert shop.customer_id(guest_id("mira.holm@example.com")) == guest_id("mira.holm@example.com")


def test_a_guest_who_held_the_address_gives_it_up_to_an_account(shop: Store):
    held = {"id": guest_id("g@example.com"), "email": "g@example.com", "email_key": "g@example.com"}
    with shop.writing() as connection:
        connection.execute(insert(schema.customers).values(held | {"digest": "d"}))
    fill(shop, CustomerRecord("C-7", email="g@example.com"))
    assert shop.customer_id("g@example.com") == "C-7"


def test_no_two_customers_have_one_e_mail_address(shop: Store):
    row = {"id": "C-8", "email": "x", "email_key": "mira.holm@example.com", "digest": "d"}
    with pytest.raises(IntegrityError), shop.writing() as connection:
        connection.execute(insert(schema.customers).values(row))


# ---------------------------------------------------------------- tickets


def test_the_first_ticket_is_the_thousand_and_first(shop: Store):
    opened = shop.open_ticket(about("1001"), limit=3)
    assert opened.outcome == "created" and opened.ticket is not None
    assert (opened.ticket.id, opened.ticket.status, opened.ticket.opened_at) == ("T-1001", "open", NOW)
    assert (opened.ticket.order_id, opened.ticket.customer_id) == ("1001", "C-1")


def test_the_same_ticket_is_opened_once(shop: Store):
    first = shop.open_ticket(about("1001", summary="Late."), limit=3)
    again = shop.open_ticket(about("1001", summary="Where is it?"), limit=3)
    assert (again.outcome, again.ticket) == ("existing", first.ticket)
    assert len(shop.open_tickets("1001")) == 1


def test_an_order_has_so_many_open_tickets_and_no_more(shop: Store):
    made = [
        shop.open_ticket(about("1001", each), limit=2).outcome for each in ("delivery", "other", "refund")
    ]
    assert made == ["created", "created", "too_many"]
    assert shop.open_ticket(about("1001", "other"), limit=2).outcome == "existing"
    assert shop.open_ticket(about("1002", "refund"), limit=2).outcome == "created"


def test_a_closed_ticket_makes_room_and_its_number_is_never_given_again(shop: Store):
    first = shop.open_ticket(about("1001"), limit=1).ticket
    assert first is not None and shop.close_ticket(first.id, "Found it at the neighbour's.")
    second = shop.open_ticket(about("1001"), limit=1)
    assert second.outcome == "created" and second.ticket is not None and second.ticket.id == "T-1002"
    closed = shop.get_ticket(first.id, MIRAS)
    assert closed is not None and (closed.status, closed.closed_at) == ("closed", NOW)


def test_a_number_is_not_given_again_after_the_last_ticket_is_deleted(shop: Store):
    shop.open_ticket(about("1001"), limit=3)
    with shop.writing() as connection:
        connection.execute(delete(schema.tickets))
    again = shop.open_ticket(about("1001"), limit=3).ticket
    assert again is not None and again.id == "T-1002"


def test_a_ticket_is_closed_once(shop: Store):
    shop.open_ticket(about("1001"), limit=3)
    assert [shop.close_ticket("T-1001", None), shop.close_ticket("T-1001", None)] == [True, False]
    assert shop.open_tickets("1001") == []


def test_a_ticket_answers_to_its_exact_id_alone(shop: Store):
    shop.open_ticket(about("1001"), limit=3)
    others = (
        "T-9999 1001 t-1001 T- T--1001 T-1001\0 T-١٠٠١ T-01001 T-1e3 T-2147483648 T-999999999999999".split(
            " "
        )
    )
    for ticket_id in (*others, "T-1001 ", "", "T-" + "9" * 40):
        assert shop.get_ticket(ticket_id, STAFF) is None, ticket_id
        assert shop.close_ticket(ticket_id, None) is False, ticket_id


def test_a_ticket_is_seen_by_its_customer_and_the_staff(shop: Store):
    shop.open_ticket(about("1001"), limit=3)
    assert [shop.get_ticket("T-1001", each) is not None for each in (MIRAS, STAFF)] == [True, True]
    assert [shop.get_ticket("T-1001", each) for each in (Reach("C-2"), Reach())] == [None, None]


def test_a_hand_off_is_one_for_each_conversation(shop: Store):
    outcomes = [shop.open_ticket(hand_off(each), limit=3).outcome for each in ("a", "a", "b")]
    assert outcomes == ["created", "existing", "created"]
    assert shop.close_ticket("T-1001", None)
    assert shop.open_ticket(hand_off("a"), limit=3).outcome == "created"


def of_mira(conversation: str) -> Wanted:
    return Wanted("other", "Please call me.", None, "C-1", conversation)


def test_a_customer_has_so_many_open_hand_offs_and_no_more(shop: Store):
    outcomes = [shop.open_ticket(of_mira(each), limit=2).outcome for each in ("a", "b", "c", "a")]
    assert outcomes == ["created", "created", "too_many", "existing"]
    assert shop.open_ticket(about("1001"), limit=2).outcome == "created"


def test_hand_offs_of_one_customer_that_come_at_once_do_not_pass_the_limit_together(shop: Store):
    with ThreadPoolExecutor(8) as pool:
        names = [f"conversation {number}" for number in range(24)]
        opened = list(pool.map(lambda name: shop.open_ticket(of_mira(name), limit=3).outcome, names))
    assert sorted(opened) == ["created"] * 3 + ["too_many"] * 21


def test_tickets_of_orders_do_not_count_for_their_conversation(shop: Store):
    for order, category in (("1001", "delivery"), ("1001", "other"), ("1002", "other")):
        wanted = Wanted(category, "x", order, "C-1", "one conversation")  # type: ignore[arg-type]
        assert shop.open_ticket(wanted, limit=3).outcome == "created"
    assert shop.open_ticket(hand_off("one conversation"), limit=3).outcome == "created"


def test_a_ticket_of_no_order_that_there_is_is_refused_by_the_database(shop: Store):
    with pytest.raises(IntegrityError):
        shop.open_ticket(about("9999"), limit=3)
    with pytest.raises(IntegrityError):
        shop.open_ticket(about("1001", by="C-9"), limit=3)
    assert shop.open_ticket(about("1001"), limit=3).outcome == "created"


def test_any_words_can_be_a_summary(shop: Store):
    ticket = shop.open_ticket(about("1001", summary=WORDS + "\0"), limit=3).ticket
    assert ticket is not None and ticket.summary == WORDS + "�"


def test_what_happened_to_a_ticket_is_kept_in_its_order(shop: Store):
    shop.open_ticket(about("1001"), limit=3)
    shop.close_ticket("T-1001", "Delivered after all.")
    with shop.engine.begin() as connection:
        assert read_history(connection, 1001) == [
            (NOW, "opened", None),
            (NOW, "closed", "Delivered after all."),
        ]


def test_tickets_are_listed_oldest_first_and_by_status(shop: Store):
    for order in ("1002", "1001"):
        shop.open_ticket(about(order), limit=3)
    shop.close_ticket("T-1001", None)
    with shop.engine.begin() as connection:
        assert [ticket.id for ticket in read_tickets(connection)] == ["T-1001", "T-1002"]
        assert [ticket.id for ticket in read_tickets(connection, status="open")] == ["T-1002"]


# ---------------------------------------------------------------- policies


def test_policies_are_put_as_a_whole_and_each_time_makes_another_revision(shop: Store):
    returns = Policy("returns", "Returns", "# Returns\n\n" + WORDS)
    spanish = Policy("returns", "Devoluciones", "# Devoluciones", "es")
    assert (shop.policies(), shop.policy_revision()) == ([], 0)
    shop.put_policies([spanish, returns])
    assert (shop.policies(), shop.policy_revision()) == ([returns, spanish], 1)
    shop.put_policies([spanish])
    assert (shop.policies(), shop.policy_revision()) == ([spanish], 2)
    shop.put_policies([])
    assert (shop.policies(), shop.policy_revision()) == ([], 3)


def test_policies_that_cannot_be_put_leave_those_that_were_there(shop: Store):
    twice = Policy("returns", "Returns", "# Returns")
    shop.put_policies([twice])
    with pytest.raises(IntegrityError):
        shop.put_policies([twice, twice])
    assert (shop.policies(), shop.policy_revision()) == ([twice], 1)


# ---------------------------------------------------------------- what the database itself holds


def _count(store: Store, table: str) -> int:
    with store.engine.connect() as connection:
        return connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()


def test_an_order_that_goes_takes_its_parts_along_and_leaves_its_tickets(shop: Store):
    shop.open_ticket(about("1001"), limit=3)
    with shop.writing() as connection:
        connection.execute(delete(schema.orders).where(schema.orders.c.id == "1001"))
    assert {name: _count(shop, name) for name in ("order_lines", "payments", "fulfilments", "tickets")} == {
        "order_lines": 6,
        "payments": 3,
        "fulfilments": 3,
        "tickets": 1,
    }


def test_a_customer_that_goes_leaves_orders_of_nobody(shop: Store):
    with shop.writing() as connection:
        connection.execute(delete(schema.customers).where(schema.customers.c.id == "C-1"))
    assert shop.orders(MIRAS, 9) == []
    order = shop.get_order("1001", STAFF)
    assert order is not None and order.customer_id is None


def test_the_database_refuses_what_makes_no_sense(shop: Store):
    shop.open_ticket(about("1001"), limit=3)
    for broken in (
        update(schema.tickets).values(status="open", closed_at=NOW),
        update(schema.tickets).values(status="closed"),
        update(schema.tickets).values(status="lost"),
        update(schema.payments).values(amount_minor=-1),
        update(schema.payments).values(kind="gift"),
        update(schema.addresses).values(customer_id="C-1", order_id="1001"),
        update(schema.orders).values(customer_id="C-9"),
        update(schema.ticket_events).values(kind="read"),
    ):
        with pytest.raises(IntegrityError), shop.writing() as connection:
            connection.execute(broken)


def test_an_error_of_the_database_repeats_no_value_of_a_customer(shop: Store):
    row = {"id": "C-8", "email": "x", "email_key": "mira.holm@example.com", "digest": "d"}
    with pytest.raises(IntegrityError) as refused, shop.writing() as connection:
        connection.execute(insert(schema.customers).values(row))
    told = "".join(traceback.format_exception(refused.value))
    assert "mira.holm" not in told and "C-8" not in told and "constraint" in told.lower()


def test_a_transaction_that_fails_leaves_nothing(shop: Store):
    with pytest.raises(RuntimeError), shop.writing() as connection:
        connection.execute(delete(schema.tickets))
        connection.execute(update(schema.orders).values(status="cancelled"))
        raise RuntimeError
    assert {order.status for order in shop.orders(STAFF, 9)} == {"shipped"}


def test_what_was_written_is_there_for_the_next_process(database_url: str):
    if database_url == MEMORY:
        pytest.skip("what is in memory is gone with its process: that is what it is for")
    for _ in range(2):
        store = Store(open_engine(database_url), lambda: NOW)
        fill(store, MIRA, an_order("1001"))
        opened = store.open_ticket(about("1001"), limit=3)
        store.engine.dispose()
    assert opened.outcome == "existing"
