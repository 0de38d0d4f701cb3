"""Files made to harm: each is refused or told as a bad record, with work that grows with its size alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from store.database import Store
from store.importing import FileRefused, Options
from store.importing.json_stream import first_twice
from store.importing.tables import LONGEST_ROW
from store.importing.taking import MOST_ROWS
from store.money import MOST
from tests.store.importing.files import HEADER, ORDER, ROW, brought, changed, problems_of, table, written

MUCH = "9999999999999.99"
"""The largest amount that is one: a sum of a thousand fits no database's number."""


class Counted(str):
    """A key that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)


def test_a_key_that_stands_twice_among_very_many_is_found_in_one_pass():
    Counted.compared = 0
    keys = [Counted(f"k{number}") for number in range(20_000)]
    assert first_twice([*keys, Counted("k19999")]) == "k19999"
    assert first_twice(keys) is None
    assert Counted.compared < 1_000  # of equal hashes alone; one key after the other takes millions


def test_an_object_of_very_many_keys_tells_the_one_that_stands_twice(tmp_path: Path):
    many = "".join(f',"k{number}":1' for number in range(200_000))
    text = f'[{json.dumps(ORDER)[:-1]}{many},"k199999":1}}]'
    told = problems_of(written(tmp_path, text.encode(), "orders.json"))
    assert told[0] == "orders.json, [0] (line 1), k199999: the key stands there twice; expected it once."


SHOPIFY_ORDER: dict[str, Any] = {
    "id": 1,
    "name": "11",
    "order_number": 11,
    "financial_status": "paid",
    "currency": "EUR",
    "total_price": "5.00",
    "created_at": "2026-03-02T10:00:00Z",
    "line_items": [{"title": "Lamp", "quantity": 1, "price": "5.00"}],
}
RETAIL_ORDER: dict[str, Any] = {
    "order_id": "1",
    "user_id": "u",
    "status": "pending",
    "payment_history": [],
    "items": [{"name": f"Lamp {number}", "item_id": str(number), "price": MUCH} for number in range(900)],
}


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (changed(SHOPIFY_ORDER, shipping_lines=[{"price": MUCH}] * 10_000), "shipping: 9999999999999990000"),
        (changed(SHOPIFY_ORDER, shipping_lines=[{"price": MUCH}] * 2), "shipping: 1999999999999998"),
        (RETAIL_ORDER, "total: 899999999999999100"),
    ],
)
def test_a_sum_that_is_no_price_is_a_bad_record(store: Store, tmp_path: Path, order: Any, told: str):
    report = brought(store.engine, written(tmp_path, [order]))
    assert (report.bad, report.written) == (1, {})
    assert str(report.problems[-1]) == (
        f"orders.json, [0] (line 1), {told}; expected a sum that a shop could charge."
    )


def test_the_largest_sum_is_taken(store: Store, tmp_path: Path):
    order = changed(SHOPIFY_ORDER, shipping_lines=[{"price": MUCH}])
    assert brought(store.engine, written(tmp_path, [order])).bad == 0
    assert f"{MOST}" == MUCH.replace(".", "")


ENDLESS = [
    pytest.param(f'{HEADER}\n1001,"' + "x\n" * LONGEST_ROW, 2, id="a quote that is never closed"),
    pytest.param(f"{HEADER}\n{ROW}\n1002,{'x' * LONGEST_ROW}", 3, id="a cell"),
    pytest.param(f"{HEADER}\n{ROW}\n1002{',x' * LONGEST_ROW}\n", 3, id="a row"),
    pytest.param("N" * LONGEST_ROW * 2, 1, id="a header"),
]


@pytest.mark.parametrize("skip_bad", [False, True])
@pytest.mark.parametrize(("text", "line"), ENDLESS)
def test_a_row_that_does_not_end_is_not_read_to_its_end(
    store: Store, tmp_path: Path, text: str, line: int, skip_bad: bool
):
    path = written(tmp_path, text)
    with pytest.raises(FileRefused, match=rf"^orders\.csv, line {line}: a row or a cell that does not end\."):
        brought(store.engine, path, skip_bad=skip_bad)


@pytest.mark.parametrize("row", ["x", '1,"a@b.example', ROW])
def test_rows_without_end_for_one_order_are_not_held(tmp_path: Path, row: str):
    path = written(tmp_path, table(ROW, *[row] * (MOST_ROWS * 2)))
    with pytest.raises(FileRefused, match=f"more than {MOST_ROWS} rows of one order, or without an order"):
        problems_of(path, Options())


def test_a_long_text_in_quotes_is_no_row_without_end(tmp_path: Path):
    long = f'"{"word, " * 15_000}"'
    assert problems_of(written(tmp_path, table(ROW.replace("Desk Lamp", long)))) == []
