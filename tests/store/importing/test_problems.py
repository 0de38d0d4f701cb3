"""Bad rows: each kind with the words it is told in, and nothing private among them."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.importing import Options
from store.importing.fields import proposed_pattern
from store.importing.problems import shown
from tests.store.importing.files import DATA, ORDER, ROW, changed, problems_of, table, written

COLUMNS = "order_id,status,payment,currency,total,placed_at,customer_email,item,quantity,price".split(",")


def row(**cells: str) -> str:
    values = dict(zip(COLUMNS, ROW.split(","), strict=True)) | cells
    return ",".join(values.values())


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({"quantity": "two"}, "quantity: 'two'; expected a whole number, at most 1000000."),
        ({"quantity": "1.5"}, "quantity: '1.5'; expected a whole number, at most 1000000."),
        ({"price": "free"}, "price: 'free'; expected an amount such as 49.99."),
        ({"price": ""}, "price: nothing; expected an amount such as 49.99."),
        ({"price": "-5.00"}, "price: '-5.00'; expected an amount that is not below 0."),
        ({"total": "49.999"}, "total: '49.999'; expected an amount with at most 2 decimals, as EUR has."),
        (
            {"total": "1.234"},
            "total: '1.234'; expected an amount with at most 2 decimals, as EUR has.",
        ),
        (
            {"total": '"1,234"'},
            "total: '1,234'; expected an amount with one meaning: write 1234.00 or 1.23.",
        ),
        (
            {"total": "$ 5", "currency": "XYZ"},
            "currency: 'XYZ'; expected a currency of three letters, such as EUR.",
        ),
        (
            {"total": "5.50", "currency": "JPY", "price": "5"},
            "total: '5.50'; expected an amount without decimals, since JPY has none.",
        ),
        (
            {"status": "sent"},
            "status: 'sent'; expected one of pending, processing, partially_shipped, shipped, "
            "out_for_delivery, delivered, cancelled, returned.",
        ),
        ({"payment": ""}, "payment: nothing; expected one of unpaid, paid, partially_refunded, refunded."),
        (
            {"placed_at": "last week"},
            "placed_at: 'last week'; expected a date, with or without a time, such as 2026-03-22 or "
            "2026-03-22T16:28:02+01:00.",
        ),
        ({"placed_at": "1850-01-01"}, "placed_at: '1850-01-01'; expected a date of the years 1990 to 2100."),
        (
            {"customer_email": "mira.holm"},
            "customer_email: an e-mail address of 9 characters without @; expected an e-mail address, or "
            "nothing.",
        ),
        (
            {"customer_email": "mira holm@example.com"},
            "customer_email: an e-mail address of 21 characters with 1 @ and a space; expected an e-mail "
            "address, or nothing.",
        ),
        ({"item": ""}, "item: nothing; expected a text."),
        (
            {"order_id": "#W2611340"},
            "order_id: '#W2611340'; expected an order number of the shape ORDER_ID_PATTERN=^[0-9]{1,12}$; "
            "one that would fit: ORDER_ID_PATTERN=^#W[0-9]{1,12}$.",
        ),
        ({"order_id": ""}, "order_id: nothing; expected the order number, in every row."),
        (
            {"order_id": "1.00E+03"},
            "order_id: '1.00E+03'; expected an order number of the shape ORDER_ID_PATTERN=^[0-9]{1,12}$",
        ),
    ],
)
def test_a_bad_cell_is_told_with_its_line_column_value_and_what_was_expected(
    tmp_path: Path, cells: dict[str, str], told: str
):
    path = written(tmp_path, table(ROW.replace("1001", "1000"), row(**cells)))
    (problem,) = problems_of(path)
    assert problem.startswith(f"orders.csv, line 3, {told}")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"items": []}, "items: nothing; expected at least one item of which there is a piece."),
        ({"items": "Lamp"}, "items: 'Lamp'; expected a list."),
        ({"items": [7]}, "items[0]: 7; expected an object."),
        ({"items": [{"price": "1.00"}]}, "name: nothing; expected a text."),
        ({"items": [{"name": ["x"], "price": "1.00"}]}, "name: a list; expected a text."),
        (
            {"customer": "mira@example.com"},
            "customer: a text of 16 characters that looks personal; expected an object",
        ),
        ({"total": True}, "total: true; expected an amount such as 49.99."),
        ({"total": {}}, "total: an object; expected an amount such as 49.99."),
        ({"placed_at": 1774196882}, "placed_at: 1774196882; expected a date as text, such as 2026-03-22."),
        ({"id": None}, "id: nothing; expected an order number, as it is printed on the invoice."),
        (
            {"id": "10\u202e01"},
            "id: '10\\u202e01'; expected an order number, as it is printed on the invoice.",
        ),
        ({"gift_note": 1.5e300}, ""),
    ],
)
def test_a_bad_value_is_told_with_its_path(tmp_path: Path, change: dict[str, Any], told: str):
    orders = [ORDER, changed(ORDER, id="1002"), changed(ORDER, **change)]
    problems = problems_of(written(tmp_path, {"orders": orders}))
    if told:
        assert problems[0].startswith("orders.json, orders[2]")
        assert told in problems[0]


def test_a_value_inside_an_order_is_told_with_its_whole_path_and_line(tmp_path: Path):
    text = (
        '{"orders": [\n'
        + '{"id": "1", "status": "shipped", "payment": "paid", "total": "1.00",\n'
        + ('"items": [{"name": "x", "price": "1.00"}, {"name": "y", "price": "much"}]}]}')
    )
    assert problems_of(written(tmp_path, text.encode(), "o.json")) == [
        "o.json, orders[0].items[1] (line 2), price: 'much'; expected an amount such as 49.99."
    ]


def test_every_problem_of_a_row_is_told_at_once(tmp_path: Path):
    path = written(tmp_path, table(row(quantity="x", price="y", status="z")))
    assert [problem.split(", ")[2].split(":")[0] for problem in problems_of(path)] == [
        "status",
        "quantity",
        "price",
    ]


def test_rows_of_one_order_that_differ_or_stand_apart_are_told(tmp_path: Path):
    differing = written(tmp_path, table(ROW, row(total="50.00", item="Mug")))
    assert problems_of(differing) == [
        "orders.csv, line 3, total: '50.00'; expected nothing, or the same as in the order's first row."
    ]
    apart = written(tmp_path, table(ROW, row(order_id="1002"), "1001,,,,,,,Mug,1,1.00"))
    found = (
        "order_id: '1001', also elsewhere; expected the rows of an order below one another; sort the file by "
    )
    assert problems_of(apart) == [f"orders.csv, line {line}, {found}this column." for line in (2, 4)]


def test_an_order_number_missing_in_one_row_takes_the_order_above_with_it(tmp_path: Path):
    path = written(tmp_path, table(ROW, ",,,,,,,Mug,1,1.00", row(order_id="1002")))
    assert problems_of(path) == [
        "orders.csv, line 3, order_id: nothing; expected the order number, in every row."
    ]


PRIVATE = ["mira.holm", "example.com", "5550", "1101", "Lindengasse", "Mira", "Holm", "10115"]


@pytest.mark.parametrize(
    "customer",
    [
        {"email": "mira.holm at example.com"},
        {"email": ["mira.holm@example.com"]},
        {"id": "C-1", "phone": {"number": "+49 30 5550 1101"}},
        {"id": "C-1", "phone": "+49 30 5550 1101 " * 20},
        {"id": "C-1", "name": ["Mira", "Holm"]},
        {"id": "C-1", "name": True},
        {"id": "C-1", "addresses": [{"line1": ["14 Lindengasse"]}]},
        {"id": "C-1", "addresses": [{"postal_code": "10115" * 30}]},
        {"id": "C-1", "addresses": {"line1": "14 Lindengasse"}},
    ],
)
def test_what_is_private_is_not_told_whatever_is_wrong_with_it(tmp_path: Path, customer: dict[str, Any]):
    problems = problems_of(written(tmp_path, changed(ORDER, customer=customer)))
    assert problems
    assert [part for part in PRIVATE if any(part in problem for problem in problems)] == []


@pytest.mark.parametrize("column", [name for name in COLUMNS if name not in ("customer_email", "item")])
@pytest.mark.parametrize("value", ["mira.holm@example.com", "+49 30 5550 1101", "(030) 5550 1101"])
def test_what_is_private_is_not_told_where_columns_have_slipped(tmp_path: Path, column: str, value: str):
    problems = problems_of(written(tmp_path, table(row(**{column: value}))))
    assert problems
    assert [part for part in PRIVATE if any(part in problem for problem in problems)] == []


def test_what_is_private_is_not_told_as_a_key(tmp_path: Path):
    (problem,) = problems_of(written(tmp_path, changed(ORDER, **{"mira.holm@example.com": 1})))
    assert problem.startswith("orders.json, line 1, …: 1; expected one of the keys")


@settings(deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda each: st.lists(each)))
def test_a_value_is_told_on_one_short_line(value: Any):
    told = shown(value)
    assert len(told) < 90
    assert told.isprintable()


@pytest.mark.parametrize(
    ("number", "pattern"),
    [
        ("#1001", "^#[0-9]{1,12}$"),
        ("#W2611340", "^#W[0-9]{1,12}$"),
        ("AB-1234-567", "^AB-[0-9]{1,12}-[0-9]{1,12}$"),
        ("1234567890123456", "^[0-9]{1,16}$"),
        ("R.7/3", r"^R\.[0-9]{1,12}/[0-9]{1,12}$"),
    ],
)
def test_a_proposed_pattern_is_one_that_can_be_set(number: str, pattern: str, tmp_path: Path):
    from common.order_ids import form_that_matches, whole_match

    assert proposed_pattern(number) == pattern
    assert form_that_matches(number, whole_match(pattern)) == number


@pytest.mark.parametrize("text", ["", "order", "a b 1", "x" * 50 + "1", "ق١٢", "mira1@example.com"])
def test_what_is_no_number_proposes_no_pattern(text: str):
    assert proposed_pattern(text) is None


def test_a_pattern_that_no_number_has_is_told_once_for_each_order():
    problems = problems_of(DATA / "tau2_retail_sample.json", Options())
    assert len(problems) == 8
    assert all("one that would fit: ORDER_ID_PATTERN=^#W[0-9]{1,12}$" in problem for problem in problems)
