"""Every form: what its files give, record by record, and what each status stands for."""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from evals.settings import EvalSettings
from store.importing import FileRefused, Options
from store.importing.guess import NAMES
from store.importing.own_json import KEYS
from store.importing.taking import open_file
from store.model import Reach
from store.records import (
    AddressRecord,
    CustomerRecord,
    FulfilmentRecord,
    LineRecord,
    OrderRecord,
    PaymentRecord,
    ProductRecord,
    VariantRecord,
)
from tests.house.tree import ROOT
from tests.store.importing.files import (
    DATA,
    ORDER,
    RETAIL,
    ROW,
    SHOPIFY,
    brought,
    changed,
    counts,
    orders_of,
    problems_of,
    table,
    taken,
    written,
)

DOCS = ROOT / "docs" / "import"


def first(name: str, **how: Any) -> dict[str, Any]:
    """Return the one order of a Shopify or WooCommerce file, to be changed."""
    found = json.loads((DATA / name).read_text(encoding="utf-8"))
    return found.get("order", found)


def status_of(tmp_path: Path, order: dict[str, Any], options: Options | None = None) -> tuple[str, str]:
    (found,) = orders_of(written(tmp_path, order), options).values()
    return found.status, found.payment


# ---------------------------------------------------------------- the files as they are

WORKS = {
    "shopify_customer.json": "shopify-json",
    "shopify_order.json": "shopify-json",
    "shopify_product.json": "shopify-json",
    "shopify_orders_export.csv": "shopify-csv",
    "tau2_retail_sample.json": "retail-json",
    **{f"woocommerce_v3_order_example_{number}.json": "woocommerce-json" for number in range(1, 7)},
}
EXPLAINS = {
    "magento_sample_orders.csv": "Magento makes sample orders.*docs/import/template.csv",
    "shopify_draft_order.json": "a draft order of Shopify.*Complete the draft",
    "shopify_fulfillment.json": "a fulfilment of Shopify.*Give the order itself",
    "shopify_refund.json": "a refund of Shopify.*Give the order itself",
    "shopify_transaction.json": "a payment transaction of Shopify.*Give the order itself",
    "shopify_transactions.json": "a payment transaction of Shopify.*Give the order itself",
}


@pytest.mark.parametrize("name", [path.name for path in sorted(DATA.iterdir()) if path.suffix != ".md"])
def test_every_file_works_or_says_what_to_give_instead(name: str):
    options = RETAIL if name.startswith("tau2") else Options()
    if name in WORKS:
        records, problems = taken(DATA / name, options, wanted=WORKS[name])
        assert (problems, records != []) == ([], True)
        assert taken(DATA / name, options) == (records, [])
    elif name in EXPLAINS:
        with pytest.raises(FileRefused, match=EXPLAINS[name]):
            taken(DATA / name)
    else:  # the one order of this file is there without its items
        assert problems_of(DATA / "shopify_orders.json") == [
            "shopify_orders.json, orders[0] (line 3), line_items: nothing; expected the order's items; "
            "export the orders with all their fields, not with a few."
        ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"draft_orders": [{"id": 1, "line_items": [], "invoice_url": "x"}]}, "a draft order of Shopify"),
        (
            {"checkouts": [{"id": 1, "line_items": [], "abandoned_checkout_url": "x"}]},
            "nobody has ordered it",
        ),
        ({"fulfillments": [{"id": 1, "order_id": 2, "tracking_company": None}]}, "a fulfilment of Shopify"),
        ([{"id": 1, "displayFinancialStatus": "PAID"}], "Shopify's GraphQL"),
        ([{"id": 1, "refunded_by": 2, "line_items": [], "date_created": "x"}], "a refund of WooCommerce"),
        (
            [{"id": 1, "first_name": "x", "last_name": "y", "is_paying_customer": True}],
            "customer of WooCommerce",
        ),
        ([{"id": 1, "regular_price": "1", "permalink": "x"}], "a product of WooCommerce"),
        ({"items": [{"increment_id": "1"}], "search_criteria": {}}, "an answer of Magento"),
        ({"increment_id": "000000001", "items": []}, "an order of Magento"),
    ],
)
def test_what_holds_no_order_of_a_form_that_is_read_says_what_to_give(
    tmp_path: Path, content: Any, told: str
):
    with pytest.raises(FileRefused, match=f"{told}.*Give|{told}.*Complete"):
        taken(written(tmp_path, content))


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("ID,Purchase Point,Purchase Date,Bill-to Name,Ship-to Name", "the order list of Magento"),
        ("Handle,Title,Body (HTML),Vendor,Variant Price", "Shopify's product export"),
        ("First Name,Last Name,Email,Total Spent,Total Orders", "Shopify's customer export"),
    ],
)
def test_another_table_of_a_shop_system_says_what_it_is(tmp_path: Path, header: str, told: str):
    with pytest.raises(FileRefused, match=f"{told}.*Give"):
        taken(written(tmp_path, table("1,2,3,4,5", header=header)))


def test_an_order_of_shopify_is_read_whole():
    home = AddressRecord(
        "home",
        line1="Chestnut Street 92",
        city="Louisville",
        region="Kentucky",
        postal_code="40202",
        country="United States",
    )
    addresses = tuple(
        AddressRecord(
            kind,
            "Bob Norman",
            "Chestnut Street 92",
            city="Louisville",
            region="Kentucky",
            postal_code="40202",
            country="United States",
        )
        for kind in ("billing", "shipping")
    )
    assert orders_of(DATA / "shopify_order.json", SHOPIFY)["#1001"] == OrderRecord(
        id="#1001",
        customer=CustomerRecord(
            "207119551",
            "Bob Norman",
            "bob.norman@hostmail.com",
            "555-625-1199",
            (home,),
            contact_email="bob.norman@hostmail.com",
        ),
        status="processing",
        payment="unpaid",
        currency="USD",
        total_minor=40994,
        lines=(
            LineRecord("IPod Nano - 8gb (green)", 1, 19900, "IPOD2008GREEN", "39072856"),
            LineRecord("IPod Nano - 8gb (red)", 1, 19900, "IPOD2008RED", "49148385"),
            LineRecord("IPod Nano - 8gb (black)", 1, 19900, "IPOD2008BLACK", "457924702"),
        ),
        placed_at=datetime(2008, 1, 10, 16, tzinfo=UTC),
        source_id="450789469",
        shipping_minor=0,
        discount_minor=0,
        tax_minor=1194,
        addresses=addresses,
        fulfilments=(),  # the one there is has failed
        payments=(),
    )


def test_a_customer_and_a_product_of_shopify_are_read():
    (customer,) = taken(DATA / "shopify_customer.json")[0]
    assert isinstance(customer, CustomerRecord)
    assert (customer.id, customer.name, customer.email) == (
        "207119551",
        "Bob Norman",
        "bob.norman@hostmail.com",
    )
    (product,) = taken(DATA / "shopify_product.json", Options(currency="USD"))[0]
    assert isinstance(product, ProductRecord)
    assert (product.id, product.title, len(product.variants)) == ("632910392", "IPod Nano - 8GB", 4)
    assert product.variants[0] == VariantRecord("808950810", "Pink", 19900, "USD", "IPOD2008PINK", True)


def test_the_order_export_of_shopify_is_read_whole():
    found = orders_of(DATA / "shopify_orders_export.csv", SHOPIFY)
    told = {order.id: (order.status, order.payment, order.total_minor) for order in found.values()}
    assert told == {
        "#1001": ("shipped", "paid", 8880),
        "#1002": ("pending", "unpaid", 2400),
        "#1003": ("shipped", "partially_refunded", 12000),
        "#1004": ("cancelled", "refunded", 1550),
        "#1005": ("partially_shipped", "paid", 6100),
    }
    order = found["#1001"]
    assert order.customer == CustomerRecord(None, "Mira Holm", "mira.holm@example.com", "+49 30 5550 1101")
    assert order.lines == (
        LineRecord("Desk Lamp - white", 1, 4990, "LAMP-W"),
        LineRecord('Bulb, "warm" 470 lm', 2, 1700, "BULB-470"),
    )
    assert order.placed_at == datetime(2026, 3, 2, 8, 15, 4, tzinfo=UTC)
    assert (order.source_id, order.shipping_minor, order.tax_minor) == ("5551000000001", 490, 1418)
    assert order.addresses[1].postal_code == "10115"  # the export has it as '10115
    assert order.fulfilments == (FulfilmentRecord(shipped_at=datetime(2026, 3, 3, 13, 2, 51, tzinfo=UTC)),)
    assert found["#1003"].payments[1] == PaymentRecord("refund", 4000, "Shopify Payments")
    assert found["#1004"].lines[0].name == "=Formula Mug"
    assert order.gift_note is None  # notes are not read: staff write them too


def test_an_order_of_woocommerce_is_read_whole():
    order = orders_of(DATA / "woocommerce_v3_order_example_1.json")["727"]
    assert (order.status, order.payment, order.total_minor, order.currency) == (
        "processing",
        "paid",
        2935,
        "USD",
    )
    assert order.customer == CustomerRecord(None, "John Doe", "john.doe@example.com", "(555) 555-5555")
    assert order.lines == (
        LineRecord("Woo Single #1", 2, 300, None, "93"),
        LineRecord("Ship Your Idea (black, M Test)", 1, 1200, "Bar3", "23"),
    )
    assert order.placed_at == datetime(
        2017, 3, 22, 19, 28, 2, tzinfo=UTC
    )  # the field in UTC, not the local one
    assert order.payments == (
        PaymentRecord("payment", 2935, "Direct Bank Transfer", datetime(2017, 3, 22, 19, 28, 8, tzinfo=UTC)),
    )


def test_refunds_and_customers_of_woocommerce_are_read():
    order = orders_of(DATA / "woocommerce_v3_order_example_3.json")["723"]
    assert order.customer is not None
    assert (order.customer.id, order.customer.name) == ("26", "João Silva")
    assert order.payment == "partially_refunded"
    assert [(each.kind, each.amount_minor) for each in order.payments] == [
        ("payment", 3900),
        ("refund", 1000),
        ("refund", 900),
    ]


def test_what_the_shop_has_deleted_is_left_out_and_told():
    opened = open_file(DATA / "woocommerce_v3_order_example_6.json", Options())
    ids = [record.id for each in opened.take(lambda _: None) for record in each.records]
    assert ids == ["728", "729", "727"]
    assert opened.reading.left_out == {"orders that the shop has deleted": 1}


def test_an_order_of_the_retail_data_is_read_whole():
    order = orders_of(DATA / "tau2_retail_sample.json", RETAIL)["#W2611340"]
    assert order.customer == CustomerRecord("james_li_5688")
    assert (order.status, order.payment, order.currency, order.total_minor) == (
        "shipped",
        "paid",
        "USD",
        53665,
    )
    assert [line.name for line in order.lines] == [
        "Water Bottle (1000ml, glass, blue)",
        "Office Chair (fabric, black, fixed, standard)",
    ]
    boots = orders_of(DATA / "tau2_retail_sample.json", RETAIL)["#W4817420"].lines[-1]
    assert boots.name == "Hiking Boots (size 7, leather, waterproof yes)"
    assert order.fulfilments == (FulfilmentRecord(tracking_number="357962501027"),)
    assert order.payments == (PaymentRecord("payment", 53665, "gift card", None, "gift_card_1725971"),)
    assert order.placed_at is None


def test_all_orders_of_the_retail_data_answer_under_their_printed_number(store):
    path = EvalSettings().exams / "tau2-retail" / "db.json"
    if not path.is_file():
        pytest.skip(f"{path.name} is not there; SHOPKART_EXAMS names the folder")
    report = brought(store.engine, path, options=RETAIL)
    assert (counts(report, "orders"), counts(report, "customers")) == ((1000, 0, 0), (500, 0, 0))
    expected = json.loads(path.read_text(encoding="utf-8"))["orders"]
    for order_id, raw in expected.items():
        order = store.get_order(order_id, Reach(raw["user_id"]))
        assert order is not None
        assert order.total_minor == sum(round(item["price"] * 100) for item in raw["items"])
        assert sum(item.quantity for item in order.items) == len(raw["items"])
    assert counts(brought(store.engine, path, options=RETAIL), "orders") == (0, 0, 1000)


# ---------------------------------------------------------------- what a status stands for


@pytest.mark.parametrize(
    ("financial", "fulfilment", "moved", "expected"),
    [
        ("pending", None, [], ("pending", "unpaid")),
        ("authorized", None, [], ("processing", "unpaid")),
        ("partially_paid", None, [], ("pending", "unpaid")),
        ("paid", None, [], ("processing", "paid")),
        ("paid", "unfulfilled", [], ("processing", "paid")),
        ("paid", "partial", ["delivered"], ("partially_shipped", "paid")),
        ("paid", "fulfilled", [], ("shipped", "paid")),
        ("paid", "fulfilled", ["in_transit"], ("shipped", "paid")),
        ("paid", "fulfilled", ["out_for_delivery"], ("out_for_delivery", "paid")),
        ("paid", "fulfilled", ["delivered"], ("delivered", "paid")),
        ("paid", "fulfilled", ["delivered", "in_transit"], ("shipped", "paid")),
        ("partially_refunded", "fulfilled", [], ("shipped", "partially_refunded")),
        ("refunded", "restocked", [], ("cancelled", "refunded")),
        ("voided", None, [], ("pending", "unpaid")),
        ("PAID", "FULFILLED", [], ("shipped", "paid")),
        (None, None, [], ("pending", "unpaid")),
    ],
)
def test_shopifys_statuses(tmp_path: Path, financial, fulfilment, moved, expected):
    parcels = [{"status": "success", "shipment_status": each, "tracking_number": "1Z"} for each in moved]
    order = changed(
        first("shopify_order.json"),
        financial_status=financial,
        fulfillment_status=fulfilment,
        fulfillments=parcels,
    )
    assert status_of(tmp_path, order) == expected
    cancelled = changed(order, cancelled_at="2026-01-01T00:00:00Z")
    assert status_of(tmp_path, cancelled) == ("cancelled", expected[1])


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"status": "pending", "date_paid": None, "date_paid_gmt": None}, ("pending", "unpaid")),
        ({"status": "on-hold", "date_paid": None, "date_paid_gmt": None}, ("pending", "unpaid")),
        ({"status": "failed", "date_paid": None, "date_paid_gmt": None}, ("pending", "unpaid")),
        ({"status": "processing"}, ("processing", "paid")),
        (
            {"status": "processing", "payment_method": "cod", "date_paid": None, "date_paid_gmt": None},
            ("processing", "unpaid"),
        ),
        ({"status": "completed"}, ("shipped", "paid")),
        ({"status": "wc-completed", "date_paid": None, "date_paid_gmt": None}, ("shipped", "paid")),
        ({"status": "cancelled", "date_paid": None, "date_paid_gmt": None}, ("cancelled", "unpaid")),
        ({"status": "refunded"}, ("cancelled", "refunded")),
        ({"status": "refunded", "date_completed": "2017-04-01T00:00:00"}, ("returned", "refunded")),
        ({"status": "processing", "refunds": [{"total": "-29.35"}]}, ("processing", "refunded")),
        ({"status": "processing", "refunds": [{"total": "-1.00"}]}, ("processing", "partially_refunded")),
    ],
)
def test_woocommerces_statuses(tmp_path: Path, changes: dict[str, Any], expected: tuple[str, str]):
    order = changed(first("woocommerce_v3_order_example_1.json"), **changes)
    assert status_of(tmp_path, order) == expected


def test_a_completed_order_is_delivered_where_the_shop_says_so():
    path = DATA / "woocommerce_v3_order_example_4.json"
    sent = orders_of(path)["727"]
    assert (sent.status, sent.fulfilments[0].delivered_on) == ("shipped", None)
    assert sent.fulfilments[0].shipped_at == datetime(2017, 3, 22, 19, 30, 35, tzinfo=UTC)
    arrived = orders_of(path, Options(completed="delivered"))["727"]
    assert (arrived.status, arrived.fulfilments[0].delivered_on) == ("delivered", date(2017, 3, 22))


def test_an_unknown_status_names_those_that_are_known(tmp_path: Path):
    order = changed(first("woocommerce_v3_order_example_1.json"), status="awaiting-pickup")
    (problem,) = problems_of(written(tmp_path, order))
    assert problem.startswith(
        "orders.json, line 1, status: 'awaiting-pickup'; expected one of pending, on-hold"
    )


def test_drafts_and_the_bin_of_woocommerce_are_left_out(tmp_path: Path):
    order = first("woocommerce_v3_order_example_1.json")
    path = written(
        tmp_path, [changed(order, status=each) for each in ("trash", "auto-draft", "checkout-draft")]
    )
    assert taken(path) == ([], [])


def test_parcels_of_woocommerces_tracking_extension_are_read(tmp_path: Path):
    tracked = {
        "key": "_wc_shipment_tracking_items",
        "value": [{"tracking_provider": "DHL", "tracking_number": "JD01", "date_shipped": "1490227200"}],
    }
    order = changed(first("woocommerce_v3_order_example_1.json"), meta_data=[tracked])
    (found,) = orders_of(written(tmp_path, order)).values()
    assert found.fulfilments == (FulfilmentRecord("DHL", "JD01", datetime(2017, 3, 23, tzinfo=UTC)),)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("pending", "pending"),
        ("pending (item modified)", "pending"),
        ("pending (items modified)", "pending"),
        ("processed", "shipped"),
        ("delivered", "delivered"),
        ("return requested", "delivered"),
        ("exchange requested", "delivered"),
        ("cancelled", "cancelled"),
    ],
)
def test_the_retail_datas_statuses(tmp_path: Path, status: str, expected: str):
    orders = json.loads((DATA / "tau2_retail_sample.json").read_text(encoding="utf-8"))["orders"]
    path = written(tmp_path, {"orders": {"#W2611340": changed(orders["#W2611340"], status=status)}})
    assert orders_of(path, RETAIL)["#W2611340"].status == expected


def test_an_order_of_the_retail_data_that_is_packed_without_a_number_is_not_sent(tmp_path: Path):
    orders = json.loads((DATA / "tau2_retail_sample.json").read_text(encoding="utf-8"))["orders"]
    path = written(tmp_path, [changed(orders["#W2611340"], fulfillments=[])])
    assert orders_of(path, RETAIL)["#W2611340"].status == "processing"


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ([], "unpaid"),
        ([("payment", 536.65)], "paid"),
        ([("payment", 536.65), ("refund", 536.65)], "refunded"),
        ([("payment", 536.65), ("refund", 36.65)], "partially_refunded"),
        # another way of paying: the new payment, and the old one back
        ([("payment", 536.65), ("payment", 536.65), ("refund", 536.65)], "paid"),
        # a dearer item was changed for one that costs 10 less
        ([("payment", 546.65), ("refund", 10.00)], "paid"),
    ],
)
def test_what_was_paid_in_the_retail_data_is_what_is_left(tmp_path: Path, history, expected: str):
    orders = json.loads((DATA / "tau2_retail_sample.json").read_text(encoding="utf-8"))["orders"]
    moved = [
        {"transaction_type": kind, "amount": amount, "payment_method_id": "paypal_1"}
        for kind, amount in history
    ]
    path = written(tmp_path, [changed(orders["#W2611340"], payment_history=moved)])
    assert orders_of(path, RETAIL)["#W2611340"].payment == expected


# ---------------------------------------------------------------- our own


def test_the_template_in_csv_reads_whole():
    found = orders_of(DOCS / "template.csv")
    assert list(found) == ["1001", "1002"]
    order = found["1001"]
    assert order.lines == (
        LineRecord("Desk Lamp (white)", 1, 4990, "LAMP-W"),
        LineRecord("Bulb (470 lm)", 2, 1700, "BULB-470"),
    )
    assert order.fulfilments[0].delivered_on == date(2026, 3, 5)
    assert order.gift_note == "Happy birthday, Paul!"
    assert found["1002"].customer == CustomerRecord(None, "Jonas Adler", "jonas.adler@example.org")


def test_the_template_in_json_reads_whole_and_fits_the_schema():
    from jsonschema import Draft202012Validator

    template = json.loads((DOCS / "template.json").read_text(encoding="utf-8"))
    schema = json.loads((DOCS / "orders.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert list(Draft202012Validator(schema).iter_errors(template)) == []
    records, problems = taken(DOCS / "template.json")
    assert (problems, len(records)) == ([], 4)


def test_the_schema_has_the_keys_and_words_that_are_read():
    from typing import get_args

    from store.model import OrderStatus, Payment

    schema = json.loads((DOCS / "orders.schema.json").read_text(encoding="utf-8"))["$defs"]
    assert {kind: set(schema[kind]["properties"]) for kind in KEYS} == {
        kind: set(keys) for kind, keys in KEYS.items()
    }
    assert schema["order"]["properties"]["status"]["enum"] == list(get_args(OrderStatus))
    assert schema["order"]["properties"]["payment"]["enum"] == list(get_args(Payment))


def test_the_documented_columns_are_those_that_are_read():
    from store.importing.own_csv import FORMAT
    from store.importing.tables import column_key

    columns = (DOCS / "template.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    optional = {"source id", "variant id"}
    assert {column_key(name) for name in columns} == FORMAT.columns - optional
    page = (ROOT / "docs" / "import.md").read_text(encoding="utf-8")
    assert [name for name in FORMAT.columns if f"`{name.replace(' ', '_')}`" not in page] == []
    assert [name for name in NAMES if f"`{name}`" not in page] == []


def test_a_misspelt_key_is_told_with_the_one_that_was_meant(tmp_path: Path):
    (problem,) = problems_of(written(tmp_path, changed(ORDER, parcel=[])))
    assert "parcel: a list; expected 'parcels', perhaps: one of the keys id, customer" in problem


def test_rows_of_an_order_stand_for_its_items(tmp_path: Path):
    path = written(tmp_path, table(ROW, "1001,,,,,,,Mug,3,5.00", ROW.replace("1001", "1002")))
    found = orders_of(path)
    assert [(line.name, line.quantity) for line in found["1001"].lines] == [("Desk Lamp", 1), ("Mug", 3)]
    assert len(found["1002"].lines) == 1


def test_an_order_of_nobody_belongs_to_nobody(tmp_path: Path):
    path = written(tmp_path, table(ROW.replace("mira@example.com", "")))
    assert orders_of(path)["1001"].customer is None


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(("number", "pattern"), [("#1001", r"^[0-9]{1,12}$"), ("1001", r"^#[0-9]+$")])
def test_the_printed_number_takes_the_form_of_the_pattern(tmp_path: Path, number: str, pattern: str):
    expected = "1001" if pattern.startswith("^[") else "#1001"
    assert list(orders_of(written(tmp_path, changed(ORDER, id=number)), Options(pattern=pattern))) == [
        expected
    ]


def test_times_without_a_zone_are_those_of_the_named_one(tmp_path: Path):
    path = written(tmp_path, table(ROW.replace("2026-03-02", "2026-03-02 09:15")))
    berlin = Options(timezone=ZoneInfo("Europe/Berlin"))
    assert orders_of(path)["1001"].placed_at == datetime(2026, 3, 2, 9, 15, tzinfo=UTC)
    assert orders_of(path, berlin)["1001"].placed_at == datetime(2026, 3, 2, 8, 15, tzinfo=UTC)


def test_one_date_of_a_column_settles_the_others(tmp_path: Path):
    rows = [
        ROW.replace("2026-03-02", "03/04/2026"),
        ROW.replace("1001", "1002").replace("2026-03-02", "25/04/2026"),
    ]
    found = orders_of(written(tmp_path, table(*rows)))
    assert [order.placed_at.date() for order in found.values() if order.placed_at] == [
        date(2026, 4, 3),
        date(2026, 4, 25),
    ]


@pytest.mark.parametrize("others", [[], ["25/04/2026", "04/25/2026"]])
def test_dates_that_nothing_settles_are_refused_unless_the_option_does(tmp_path: Path, others: list[str]):
    rows = [
        ROW.replace("1001", str(number)).replace("2026-03-02", day)
        for number, day in enumerate(["03/04/2026", *others], 1)
    ]
    path = written(tmp_path, table(*rows))
    (problem,) = problems_of(path)
    assert problem.startswith("orders.csv, line 2, placed_at: '03/04/2026'; expected a date with one meaning")
    assert "--dates dmy or --dates mdy" in problem
    if not others:
        (order,) = orders_of(path, Options(dates="mdy")).values()
        assert order.placed_at == datetime(2026, 3, 4, 12, tzinfo=UTC)


def test_a_form_that_is_named_is_taken_or_refused(tmp_path: Path):
    assert len(orders_of(DATA / "woocommerce_v3_order_example_1.json", wanted="woocommerce-json")) == 1
    with pytest.raises(FileRefused, match=r"is JSON, and --format shopkart-csv is not\. For this"):
        taken(DATA / "woocommerce_v3_order_example_1.json", wanted="shopkart-csv")
    with pytest.raises(FileRefused, match=r"was taken for Shopify's order export, CSV, and has no column"):
        taken(written(tmp_path, table(ROW)), wanted="shopify-csv")


def test_the_currency_of_files_that_name_none_can_be_said(tmp_path: Path):
    order = {key: value for key, value in ORDER.items() if key != "currency"}
    path = written(tmp_path, order)
    found = [orders_of(path, Options(currency=each))["1001"].currency for each in (None, "CHF")]
    assert found == ["EUR", "CHF"]
    yen = orders_of(
        written(tmp_path, changed(ORDER, currency="jpy", total="1500", items=[{"name": "x", "price": 1}]))
    )
    assert (yen["1001"].currency, yen["1001"].total_minor) == ("JPY", 1500)


def test_names_are_one_line_without_what_cannot_be_seen_and_not_endless(tmp_path: Path):
    name = "Desk\u202e Lamp\x00\n\u200bwhite \ud800" + "e\u0301" * 300
    found = orders_of(written(tmp_path, changed(ORDER, items=[{"name": name, "price": "1.00"}])))
    assert found["1001"].lines[0].name == ("Desk Lamp white " + "é" * 300)[:200]


def test_two_variants_of_a_long_name_can_still_be_told_apart(tmp_path: Path):
    items = [{"name": "x" * 300, "variant": each, "price": "1.00"} for each in ("red", "blue")]
    names = [line.name for line in orders_of(written(tmp_path, changed(ORDER, items=items)))["1001"].lines]
    assert [name[-7:] for name in names] == ["x (red)", " (blue)"]
    assert {len(name) for name in names} == {200}
