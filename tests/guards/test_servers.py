"""guards/servers.py: a tool that says it reads, and whose name or title says that it changes something."""

import json
import re
from typing import Any

import pytest
import yaml
from mcp_types import Tool, ToolAnnotations

from evals.settings import EvalSettings
from guards.approval import is_reversible, needs_approval
from guards.servers import mismatch

READS = """
get_orders list_refunds order_status search_payments get_sent_messages order_details orderHistory
refund_status refund-history order_items order_tracking list_cancelled_orders cancel_reasons return_policy
payment_methods shop_get_order store.list orders.search order_by_id customer_orders recent_transfers
transfer_status refund_list charge_list purchase_history address_book ticket_list read_file search_policy
find_orders_to_cancel how_to_return_item shipment_tracking close_date account_close_date
payment_cancel_policy last_order my_order request_status post_by_id refundEligibility check_refund_status
preview_cancellation calculate_refund get_delete_policy exchange_rates place_details deposit_history
order_lines list_send_jobs lock_status start_date EmergencyDispatchSystemGetIncidents
FedExShipManagerSearchShipment SmartLockViewHistory GetObject fetchUpdates is_refundable can_cancel
download_receipt updates sent created_orders HTTPGetStatus
""".split()

CHANGES = """
delete_order removeItem cancel-order refund_order payInvoice charge_card send_email transfer_funds buy_item
order_pizza place_order placeOrder update_order write_file create_ticket close_ticket drop_table purge_cache
revoke_token shop_delete_order store.cancel store.refund crm/deleteContact mcp__shop__delete_order
order_cancel find_and_delete getOrCreateUser read_then_send GoogleSearchDeleteHistory order.update
order_update_status refund_order_by_id return_items return_delivered_order_items checkout_cart check_out
shop_send update_status delete_history issue_refund make_payment payment_refund card_charge bank_transfer
SetPassword UPDATE_ORDER DeleteUser2 admin_users_delete submitOrder share_file post_message reset_password
lock_account book_room forward_email close_account_by_id ＤＥＬＥＴＥ_order
""".split()

TITLES_THAT_READ = [
    "Look up an order",
    "Order status",
    "Your orders",
    "How to return an item",
    "Ask the staff for a refund",
    "Orders that were cancelled",
    "Estado del pedido",
    "Cancelaciones",
    "Pagos",
    "Envíos",
    "Lista de pedidos cancelados",
    "Статус заказа",
    "Отменённые заказы",
    "Отправленные сообщения",
    "Изменения",
    "Возвраты",
    "حالة الطلب",
    "الطلبات الملغاة",
    "المدفوعات",
    "ऑर्डर की स्थिति",
    "रद्द किए गए ऑर्डर",
    "भेजे गए संदेश देखें",
]

TITLES_THAT_CHANGE = [
    "Delete an order",
    "Shop: delete order",
    "Order a lamp",
    "Please send an e-mail",
    "Quietly remove a user",
    "Cancelar pedido",
    "Enviar mensaje",
    "Tienda: borrar pedido",
    "Pagar factura",
    "Reembolsar",
    "Отменить заказ",
    "Отмена заказа",
    "Удалить клиента",
    "Отправить письмо",
    "Оплатить счёт",
    "إلغاء الطلب",
    "حذف العميل",
    "إرسال رسالة",
    "دفع الفاتورة",
    "ऑर्डर रद्द करें",
    "ग्राहक हटाएं",
    "संदेश भेजें",
    "भुगतान करें",
]


def tool(name: str, title: str | None = None, **hints: bool | None) -> Any:
    return Tool(
        name=name,
        title=title,
        input_schema={"type": "object"},
        annotations=ToolAnnotations(**{"read_only_hint": True, **hints}),
    )


@pytest.mark.parametrize("name", READS)
def test_a_name_that_only_looks_something_up_is_taken_at_its_hint(name: str):
    assert mismatch(tool(name)) is None
    assert not needs_approval(tool(name))


@pytest.mark.parametrize("name", CHANGES)
def test_a_name_that_says_a_change_asks_though_its_hint_says_that_it_reads(name: str):
    assert (mismatch(tool(name)) or "").startswith("It says that it only reads, but its name says '")
    assert needs_approval(tool(name))


@pytest.mark.parametrize("title", TITLES_THAT_READ)
def test_a_title_that_only_looks_something_up_is_taken_at_its_hint(title: str):
    assert mismatch(tool("x1", title)) is None


@pytest.mark.parametrize("title", TITLES_THAT_CHANGE)
def test_a_title_that_says_a_change_asks_in_each_language(title: str):
    assert (mismatch(tool("x1", title)) or "").startswith("It says that it only reads, but its title says '")
    in_annotations = tool("x1")
    in_annotations.annotations.title = title
    assert needs_approval(in_annotations)


def test_a_hint_that_does_not_say_reads_is_no_mismatch():
    assert mismatch(tool("delete_order", read_only_hint=False)) is None
    assert mismatch(Tool(name="delete_order", input_schema={"type": "object"})) is None


def test_the_sentence_names_the_verb():
    assert mismatch(tool("shop_delete_order")) == "It says that it only reads, but its name says 'delete'."


@pytest.mark.anyio
async def test_no_tool_of_the_house_trips():
    from server import build_server

    assert [each.name for each in await build_server().list_tools() if mismatch(each)] == []


EXAMS = EvalSettings().exams
needs_exams = pytest.mark.skipif(not EXAMS.is_dir(), reason="SHOPKART_EXAMS is not there")


def spoken(names: dict[str, bool], *, as_title: bool = False) -> tuple[list[str], list[str]]:
    """Return the reads that trip and the changes that do not. names: whether each changes something."""
    trips = {name: mismatch(tool("x1", name) if as_title else tool(name)) is not None for name in names}
    return (
        [name for name, changes in names.items() if trips[name] and not changes],
        [name for name, changes in names.items() if changes and not trips[name]],
    )


@needs_exams
def test_no_operation_of_a_pet_shop_that_reads_trips_and_each_that_changes_does():
    text = (EXAMS / "openapi/petstore.yaml").read_text("utf-8")
    found = re.findall(
        r"^    (get|post|put|delete):\n(?:(?!^    \w).*\n)*?      operationId: (\w+)", text, re.MULTILINE
    )
    assert len(found) == 19
    assert spoken({name: method != "get" for method, name in found}) == ([], [])


@needs_exams
def test_no_operation_of_a_real_shops_api_that_reads_trips_and_most_that_change_do():
    paths = yaml.load(
        (EXAMS / "openapi/spree_store.yaml").read_text("utf-8"),
        Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader),
    )["paths"]
    titles = {
        operation["summary"]: method != "get"
        for path in paths.values()
        for method, operation in path.items()
        if method in ("get", "post", "put", "patch", "delete")
    }
    wrongly, missed = spoken(titles, as_title=True)
    assert wrongly == []
    assert len(missed) <= 0.2 * sum(titles.values()), missed


@needs_exams
def test_no_tool_of_the_retail_desk_that_reads_trips_and_each_that_changes_does():
    rows = re.findall(r"^\| (\w+) \|.*\| (.+) \|$", (EXAMS / "tau2-retail/TOOLS.md").read_text("utf-8"), re.M)
    names = {name: effect != "–" for name, effect in rows if name != "tool"}
    assert len(names) == 16
    assert spoken(names) == ([], [])


@needs_exams
def test_no_tool_that_reads_trips_among_those_that_were_made_for_attacks():
    lines = (EXAMS / "injection/injecagent_handout.jsonl").read_text("utf-8").splitlines()
    names = {
        name
        for line in lines
        for name in [json.loads(line)["User Tool"], *json.loads(line)["Attacker Tools"]]
    }
    reading = re.compile(r"Get|View|Search|List|Download|AccessUserInfo|GoToRoom|GenerateAudio")
    wrongly, missed = spoken({name: not reading.search(name) for name in names})
    assert wrongly == []
    assert missed == ["NortonIdentitySafeAutoFillPersonalInfo"] or missed == []


@pytest.mark.parametrize(
    "name", ["delete_order", "cancelOrder", "shop-clear-cart", "overwrite_address", "purge"]
)
def test_a_name_that_says_that_something_is_lost_is_odd_where_the_hint_says_that_it_only_adds(name: str):
    said = mismatch(tool(name, read_only_hint=False, destructive_hint=False))
    assert said is not None and said.startswith("It says that it only adds, but its name says ")
    assert not is_reversible(tool(name, read_only_hint=False, destructive_hint=False))
    assert mismatch(tool(name, read_only_hint=False, destructive_hint=True)) is None


@pytest.mark.parametrize("name", ["create_ticket", "add_note", "refund_order", "cancel_reasons", "send_mail"])
def test_a_name_that_adds_is_taken_at_its_hint(name: str):
    assert mismatch(tool(name, read_only_hint=False, destructive_hint=False)) is None
    assert is_reversible(tool(name, read_only_hint=False, destructive_hint=False))
