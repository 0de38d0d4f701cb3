"""Whatever a file holds, it is imported or refused in words; nothing else comes of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from store.database import store_in_memory
from store.importing import FileRefused, Options
from store.importing.guess import JSON_FORMATS, TABLE_FORMATS
from tests.store.importing.files import DATA, ORDER, brought, encoded, taken, written

MODEST = settings(
    max_examples=80,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["2026-03-02", "paid", "1001", "#1001", "EUR", "49.99", "a@example.com"])
    | st.sampled_from(["\x00", "\ud800", "", 10**40])
)
KEYS = st.sampled_from(
    (
        "id name email status payment items line_items orders order customer customers products variants "
        "price total currency number billing fulfillments refunds transactions order_id user_id options "
        "meta_data payment_history financial_status fulfillment_status variant_id quantity title kind "
        "amount addresses"
    ).split()
) | st.text(max_size=5)
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=25,
)
SOURCES: list[Any] = [
    ORDER,
    *(
        json.loads((DATA / name).read_text(encoding="utf-8"))
        for name in (
            "shopify_order.json",
            "shopify_product.json",
            "shopify_customer.json",
            "woocommerce_v3_order_example_3.json",
        )
    ),
]


def _as_json(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


def _into_a_store(path: Path, **how: Any) -> None:
    store = store_in_memory()
    try:
        brought(store.engine, path, **how)
    except FileRefused as refused:
        assert str(refused)
    finally:
        store.engine.dispose()


@MODEST
@given(value=ANY_JSON, form=st.sampled_from([None, *(each.name for each in JSON_FORMATS)]))
@example([[]], "shopify-json")
@example({"orders": {"": {}}}, "retail-json")
def test_any_json_is_imported_or_refused(tmp_path: Path, value: Any, form: str | None):
    _into_a_store(written(tmp_path, _as_json(value), "any.json"), format=form)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inner for place in _places(each, (*path, key)))]


def _replaced(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    if not path:
        return by
    head, *rest = path
    if isinstance(value, list):
        return [
            _replaced(each, tuple(rest), by) if index == head else each for index, each in enumerate(value)
        ]
    return {key: _replaced(each, tuple(rest), by) if key == head else each for key, each in value.items()}


@MODEST
@given(data=st.data(), source=st.sampled_from(SOURCES), by=ANY_JSON)
def test_an_order_with_anything_in_any_place_is_imported_or_told(
    tmp_path: Path, data: st.DataObject, source: Any, by: Any
):
    changed = _replaced(source, data.draw(st.sampled_from(_places(source))), by)
    _into_a_store(written(tmp_path, _as_json(changed), "changed.json"))


CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=10) | st.sampled_from(
    [
        "",
        "1001",
        "paid",
        "shipped",
        "EUR",
        "49.99",
        "2026-03-02",
        "03/04/2026",
        "=1",
        "'",
        '"',
        "a@example.com",
        "\x00",
    ]
)


@MODEST
@given(
    data=st.data(),
    form=st.sampled_from(TABLE_FORMATS),
    separator=st.sampled_from(",;\t|"),
    count=st.integers(0, 4),
)
def test_any_cells_under_known_columns_are_imported_or_told(
    tmp_path: Path, data: st.DataObject, form: Any, separator: str, count: int
):
    columns = sorted(form.needed) + data.draw(
        st.lists(st.sampled_from(sorted(form.columns - form.needed)), unique=True)
    )
    rows = [data.draw(st.lists(CELLS, min_size=len(columns), max_size=len(columns))) for _ in range(count)]
    text = "\n".join(separator.join(cells) for cells in [columns, *rows])
    _into_a_store(written(tmp_path, encoded(text, "utf-8"), "any.csv"))


@pytest.mark.parametrize("name", [path.name for path in sorted(DATA.iterdir()) if path.suffix != ".md"])
def test_a_file_that_was_cut_off_anywhere_is_imported_or_refused(tmp_path: Path, name: str):
    whole = (DATA / name).read_bytes()
    options = Options(pattern=r"^#?W?[0-9]{1,12}$")
    for end in range(0, len(whole), max(1, len(whole) // 60)):
        try:
            taken(written(tmp_path, whole[:end], "cut"), options)
        except FileRefused as refused:
            assert str(refused)
