"""guards/grounding.py and guards/mentions.py: an id is used only if somebody who may name it named it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.schema import MARK
from guards.grounding import Evidence, ground, noun
from guards.mentions import mentions

ORDER_ID = {"type": "string", "pattern": "^[0-9]{1,12}$", MARK: "order_id"}
LOOK_UP = {"type": "object", "properties": {"order_id": ORDER_ID}, "required": ["order_id"]}
FOREIGN = {"type": "object", "properties": {"order_id": {"type": "string"}}}


def heard(*messages: str) -> Evidence:
    evidence = Evidence()
    for message in messages:
        evidence.hear(message)
    return evidence


def refused(arguments: dict[str, Any], schema: dict[str, Any], evidence: Evidence) -> list[str]:
    return [problem.path for problem in ground(arguments, schema, evidence)[1]]


@pytest.mark.parametrize(
    "message",
    (
        "4471|#4471|order #4471.|order4471|order-4471|Order_4471|order no.4471|where is 4471?|(4471)|4471!"
        "|٤٤٧١|４４７１|४४७१|订单4471号|注文番号は4471です|طلب رقم ٤٤٧١؟|44 71|4 4 7 1|44\u200b71|4471's"
        "|4\u20604\u200d7\u00ad1|4471,4468|4468/4471|4468 4471|order 4471 $20 was charged twice"
        "|order 4471 2 items missing|order 4471 items missing|order 4471: 3 days late|4471-|order:4471"
        "|id=4471|pedido4471|№4471|order no 4471 EUR 20|4️⃣4️⃣7️⃣1️⃣|order 4471 may be late|**4471**|4471…"
        "|the lamp(4471)broke|order 4471, 14 September|my email is a@b.com and order 4471|@4471 hello"
        "|4\u03324\u03327\u03321\u0332"
    ).split("|"),
)
def test_an_order_number_that_a_customer_typed_may_be_used(message: str) -> None:
    assert ground({"order_id": "4471"}, LOOK_UP, heard(message)) == ({"order_id": "4471"}, [])


@pytest.mark.parametrize(
    "message",
    [
        "44710",
        "14471",
        "447",
        "4471.50",
        "$4471",
        "4471 USD",
        "€4471",
        "4,471.00",
        "a4471",
        "x4471@mail.com",
        "https://x.y/4471",
        "T-4471",
        "4471 euros",
        "44-71",
    ],
)
def test_a_part_of_something_else_is_no_order_number(message: str) -> None:
    assert refused({"order_id": "4471"}, LOOK_UP, heard(message)) == ["order_id"]


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("2 lamps for $1,499.00", "1499"),
        ("2 lamps for 49.99", "49"),
        ("2 lamps for 49.99", "99"),
        ("I bought 3 items", "3"),
        ("on 14 September 2026", "14"),
        ("on 14 September 2026", "2026"),
        ("Sep 14, 2026", "14"),
        ("2026/09/14", "2026"),
        ("14.09.2026", "14"),
        ("3 days ago", "3"),
        ("at 10:30", "10"),
        ("at 10 am", "10"),
        ("call +1 555 123 4567", "4567"),
        ("since 2024", "2024"),
        ("10% off", "10"),
    ],
)
def test_prices_dates_times_and_counts_are_no_order_numbers(message: str, number: str) -> None:
    assert refused({"order_id": number}, LOOK_UP, heard(message)) == ["order_id"]


@pytest.mark.parametrize(
    "written", ["4471", "#4471", " 4471 ", "# 4471", "４４７１", "44 71", "٤٤٧١", "44\u200b71", 4471]
)
def test_an_id_is_sent_in_the_form_it_was_named_in_however_the_model_writes_it(written: Any) -> None:
    assert ground({"order_id": written}, LOOK_UP, heard("4471"))[0] == {"order_id": "4471"}


@pytest.mark.parametrize(
    "written",
    [
        "447",
        "44710",
        "4471 4468",
        "4471,4468",
        "4471.0",
        4471.0,
        True,
        "",
        "#",
        "4471\u202e9",
        "order 4471",
        10**200,
        "9" * 500,
    ],
)
def test_what_is_not_the_whole_id_is_refused(written: Any) -> None:
    assert refused({"order_id": written}, LOOK_UP, heard("4471")) == ["order_id"]


DIGITS = ["0123456789", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "０１２３４５６７８９", "๐๑๒๓๔๕๖๗๘๙"]


@given(
    st.integers(1_000, 10**12 - 1),
    st.sampled_from(DIGITS),
    st.sampled_from(["", "#", "(", '"', "order ", "order: ", "№", "订单", "-> "]),
    st.sampled_from(["", ".", "?", "!", ")", '"', "…", " please", "号", "؟", ", thanks"]),
)
def test_an_id_in_any_digits_between_any_signs_is_grounded(
    id: int, digits: str, before: str, after: str
) -> None:
    typed = "".join(digits[int(digit)] for digit in str(id))
    message = f"hello {before}{typed}{after}"
    if str(id) not in mentions(f"hello {id} bye"):
        return
    assert not refused({"order_id": str(id)}, LOOK_UP, heard(message))


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_an_id_is_grounded_exactly_when_it_is_the_one_that_was_typed(typed: int, asked: int) -> None:
    assert bool(refused({"order_id": str(asked)}, LOOK_UP, heard(f"order {typed}"))) == (asked != typed)


@given(st.integers(10, 10**6))
def test_neither_a_part_of_an_id_nor_more_than_it_is_grounded(id: int) -> None:
    whole = str(id)
    for other in (whole[1:], whole[:-1], whole + "0", "1" + whole):
        assert refused({"order_id": other}, LOOK_UP, heard(f"order #{whole}")) == ["order_id"]


@given(st.lists(st.text(max_size=40), max_size=3), st.text(max_size=12) | st.integers())
def test_no_id_outside_the_evidence_ever_comes_back(messages: list[str], asked: Any) -> None:
    evidence = heard(*messages)
    arguments, problems = ground({"order_id": asked}, LOOK_UP, evidence)
    if not problems:
        assert arguments["order_id"] in evidence.allowed("order_id", ORDER_ID).values()


SEEN = {
    "type": "object",
    "properties": {
        "order_id": ORDER_ID,
        "gift_note": {"type": "string"},
        "orders": {"type": "array", "items": ORDER_ID},
    },
}


def seen(data: dict[str, Any], schema: dict[str, Any]) -> Evidence:
    evidence = Evidence()
    evidence.see(data, schema)
    return evidence


def test_a_marked_result_field_names_an_id_and_text_beside_it_names_none() -> None:
    evidence = seen({"order_id": "4471", "gift_note": "9999", "other": "order 8888"}, SEEN)
    assert list(evidence.allowed("order_id", ORDER_ID)) == ["4471"]


@pytest.mark.parametrize(
    ("data", "schema"),
    [
        ({"a": ["4471"]}, {"properties": {"a": {"items": ORDER_ID}}}),
        ({"a": [["4471"]]}, {"properties": {"a": {"items": {"items": ORDER_ID}}}}),
        ({"a": ["4471"]}, {"properties": {"a": {"prefixItems": [ORDER_ID]}}}),
        ({"a": {"x": "4471"}}, {"properties": {"a": {"additionalProperties": ORDER_ID}}}),
        ({"a": {"4471": 1}}, {"properties": {"a": {"propertyNames": ORDER_ID}}}),
        (
            {"a": {"b": "4471"}},
            {"properties": {"a": {"anyOf": [{"type": "null"}, {"properties": {"b": ORDER_ID}}]}}},
        ),
        ({"a": "4471"}, {"properties": {"a": {"anyOf": [ORDER_ID, {"type": "null"}]}}}),
        ({"a": 4471}, {"properties": {"a": {"type": "integer", MARK: "order_id"}}}),
    ],
)
def test_a_mark_counts_wherever_it_stands_in_an_output_schema(
    data: dict[str, Any], schema: dict[str, Any]
) -> None:
    assert ground({"order_id": "4471"}, LOOK_UP, seen(data, schema)) == ({"order_id": "4471"}, [])


def test_a_field_that_may_also_be_free_text_names_nothing() -> None:
    either = {"anyOf": [{"properties": {"a": ORDER_ID}}, {"properties": {"a": {"type": "string"}}}]}
    assert refused({"order_id": "4471"}, LOOK_UP, seen({"a": "4471"}, either)) == ["order_id"]


def test_another_kind_of_id_is_no_order_number() -> None:
    tickets = {"properties": {"t": {MARK: "ticket_id"}}}
    assert refused({"order_id": "4471"}, LOOK_UP, seen({"t": "4471"}, tickets)) == ["order_id"]


def test_an_unmarked_field_of_the_name_is_no_evidence_for_a_marked_argument() -> None:
    assert refused({"order_id": "4471"}, LOOK_UP, seen({"order_id": "4471"}, {})) == ["order_id"]


@pytest.mark.parametrize(
    ("arguments", "schema", "path"),
    [
        ({"order_id": "9"}, FOREIGN, "order_id"),
        ({"id": 9}, {}, "id"),
        ({"orderId": "9"}, {}, "orderId"),
        ({"ID": "9"}, {}, "ID"),
        ({"ORDER_ID": "9"}, {}, "ORDER_ID"),
        ({"order_Ids": ["9"]}, {}, "order_Ids[0]"),
        ({"ｏｒｄｅｒ_ｉｄ": "9"}, {}, "ｏｒｄｅｒ_ｉｄ"),
        ({"order-number": "9"}, {}, "order-number"),
        ({"ids": ["9"]}, {}, "ids[0]"),
        ({"ids": ["9"]}, {"properties": {"ids": {"type": "array"}}}, "ids[0]"),
        ({"ids": {"x": "9"}}, {}, "ids.x"),
        ({"ids": {"9": True}}, {}, "ids.a key"),
        ({"a": {"b": [{"item_id": "9"}]}}, {}, "a.b[0].item_id"),
        ({"x": [["9"]]}, {"properties": {"x": {"items": {"items": ORDER_ID}}}}, "x[0][0]"),
        ({"x": ["9"]}, {"properties": {"x": {"prefixItems": [ORDER_ID]}}}, "x[0]"),
        ({"x": {"y": "9"}}, {"properties": {"x": {"additionalProperties": ORDER_ID}}}, "x.y"),
        ({"x": {"9": 1}}, {"properties": {"x": {"propertyNames": ORDER_ID}}}, "x.a key"),
        ({"x": "9"}, {"patternProperties": {"^x": ORDER_ID}}, "x"),
        ({"x": "9"}, {"anyOf": [{"properties": {"x": {}}}, {"properties": {"x": ORDER_ID}}]}, "x"),
        ({"x": "9"}, {"if": {}, "then": {"properties": {"x": ORDER_ID}}}, "x"),
        ({"x": {"v": "9"}}, {"properties": {"x": {MARK: "order_id"}}}, "x.v"),
        ({"order_id": ["9"]}, LOOK_UP, "order_id[0]"),
        ({"order_id": {"$ne": "9"}}, LOOK_UP, "order_id.$ne"),
    ],
)
def test_an_id_that_nobody_named_is_refused_wherever_it_hides(
    arguments: dict[str, Any], schema: dict[str, Any], path: str
) -> None:
    assert path in refused(arguments, schema, heard("order 4471"))


def test_an_unmarked_server_takes_what_was_typed_or_stood_in_a_field_of_the_name() -> None:
    evidence = seen({"orders": [{"order_id": "88"}], "note_id": "77"}, {})
    evidence.hear("and 4471")
    assert not refused({"order_id": "88"}, FOREIGN, evidence)
    assert not refused({"order_ids": ["88", 4471]}, {}, evidence)
    assert refused({"order_id": "77"}, FOREIGN, evidence) == ["order_id"]


def test_a_number_that_was_seen_is_sent_in_the_type_that_the_argument_asks_for() -> None:
    evidence = seen({"order_id": 4471}, {})
    assert ground({"order_id": 4471}, FOREIGN, evidence) == ({"order_id": "4471"}, [])
    whole = {"properties": {"order_id": {"type": "integer"}}}
    assert ground({"order_id": "4471"}, whole, seen({"order_id": "4471"}, {})) == ({"order_id": 4471}, [])


@pytest.mark.parametrize(
    "broken",
    [{"type": "x"}, {"pattern": "("}, {"pattern": "(a+)+$"}, {"$ref": "http://x.test"}, {"minLength": "a"}],
)
def test_a_broken_schema_of_an_id_breaks_nothing(broken: dict[str, Any]) -> None:
    ground(
        {"order_id": "4471"},
        {"properties": {"order_id": {**broken, MARK: "order_id"}}},
        heard("4471", "a" * 60),
    )


@pytest.mark.parametrize("name", ["paid", "valid", "number", "note", "grid", "identity", "side"])
def test_an_ordinary_argument_is_no_id(name: str) -> None:
    assert not refused({name: "9"}, {}, Evidence())


def test_no_id_and_null_are_left_to_the_schema() -> None:
    assert not refused({"order_id": None, "note": "9999"}, LOOK_UP, Evidence())


def test_the_newest_mention_comes_first() -> None:
    evidence = heard("4471 and 4468", "4470", "4471")
    assert list(evidence.allowed("order_id", ORDER_ID)) == ["4471", "4470", "4468"]


@given(st.text(st.sampled_from("1a@, .-$#\n'\"/:"), max_size=300))
def test_any_message_is_read_and_each_mention_stands_in_it(text: str) -> None:
    for mention in mentions(text):
        assert mention in text.replace(" ", "")


@pytest.mark.parametrize(
    ("kind", "words"),
    [("order_id", "order number"), ("name:orderIds", "order number"), ("name:id", "number")],
)
def test_a_kind_of_id_has_a_name_that_customers_use(kind: str, words: str) -> None:
    assert noun(kind) == words


def test_the_parts_of_a_card_number_are_no_ids():
    evidence = Evidence()
    evidence.hear("my card is 4111 1111 1111 1111, order 4471")
    assert list(evidence.typed) == ["4471"]
