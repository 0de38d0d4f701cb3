"""The tasks that ship, run by the engine on the demo shop: every function, its sentence, what stays hidden.

Knows: the demo over ASGI; the sentences are those that a person reads.
"""

import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from common.settings import ROOT
from contracts.catalog import Catalog
from contracts.credentials import Credential, Principal
from contracts.demo.api import ALL_SCOPES, BASE, Grant, demo_app
from contracts.engine import Engine
from contracts.failures import CallFailed
from contracts.folders import files_of
from contracts.reading import read_task
from contracts.stages import Stage
from contracts.telling import told
from contracts.upstreams import Auth, Upstream
from contracts.wire import Result

pytestmark = pytest.mark.anyio

CATALOG = Catalog(
    tuple(read_task(name, files_of(ROOT / "tasks" / name)) for name in ("categories", "orders"))
)
SHOP = "http://127.0.0.1:8788"
MERCHANT, OTHER = Principal("demo"), Principal("other")
LANGUAGES = {"en", "es", "ar", "hi", "ru"}


class Tokens:
    """A token for each merchant, by their names."""

    async def resolve(self, principal: Principal, upstream: Upstream) -> Credential:
        return Credential("Authorization", SecretStr(f"Bearer {principal.name}"))

    async def refused(self, principal: Principal, upstream: Upstream, credential: Credential) -> bool:
        return False


class Desk:
    """The engine on a fresh demo shop."""

    def __init__(self, engine: Engine, client: httpx2.AsyncClient) -> None:
        self.engine = engine
        self.client = client

    async def call(self, name: str, who: Principal = MERCHANT, /, **arguments: Any) -> Result:
        return await self.engine.call(CATALOG, name, arguments, who)

    async def says(self, name: str, language: str = "en", /, **arguments: Any) -> str:
        return told(CATALOG.functions[name], await self.call(name, **arguments))[language]

    async def fails(self, name: str, /, **arguments: Any) -> CallFailed:
        with pytest.raises(CallFailed) as failed:
            await self.call(name, **arguments)
        return failed.value

    async def fault(self, **said: Any) -> None:
        headers = {"Authorization": "Bearer demo"}
        answer = await self.client.post(f"{SHOP}{BASE}/_faults", json=said, headers=headers)
        assert answer.status_code == 200


@pytest.fixture
async def desk() -> AsyncGenerator[Desk]:
    app = demo_app({"demo": Grant(), "other": Grant("other")})
    client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app))
    row = Upstream(
        name="salla",
        base_url=f"{SHOP}{BASE}",
        auth=Auth(kind="bearer", token="SALLA_ACCESS_TOKEN"),
        scopes=tuple(sorted(ALL_SCOPES)),
    )
    async with Engine({"salla": row}, Tokens(), client=client) as engine:
        yield Desk(engine, client)


# ---------------------------------------------------------------- what a person reads

READS: list[tuple[str, dict[str, Any], str]] = [
    (
        "categories_list",
        {"status": "hidden"},
        "Categories (3): Clearance (number 1111, hidden); Ramadan offers عروض رمضان (number 1109, hidden); "
        "Wholesale (number 1110, hidden).",
    ),
    (
        "categories_search",
        {"keyword": "قهوة"},
        "Categories (1): Arabic coffee قهوة عربية (number 1103, active).",
    ),
    ("categories_search", {"keyword": "tea"}, "No category has such a name."),
    ("categories_get", {"category_id": 1101}, "Category Coffee (number 1101) is active."),
    (
        "categories_children",
        {"category_id": 1107},
        "Categories below it (2): Oud عود (number 1108); Clearance (number 1111).",
    ),
    ("categories_children", {"category_id": 1112}, "No category stands below it."),
    ("categories_products", {"category_id": 1104}, "Products in it (1): Brass coffee pot دلة نحاس."),
    (
        "orders_list",
        {"status": "shipped"},
        "Orders (2): 218402 (shipped, 180.5 SAR, 2026-11-20 10:30); "
        "218394 (shipped, 230 SAR, 2026-11-02 10:30).",
    ),
    ("orders_list", {"from_date": "2027-01-01"}, "There are no such orders."),
    (
        "orders_get",
        {"order_number": "218394"},
        "Order 218394 is shipped; total 230 SAR; ordered 2026-11-02 10:30.",
    ),
    ("orders_get", {"order_number": "999"}, "The shop has no order with this number."),
    (
        "orders_statuses",
        {},
        "The statuses of orders (9): payment_pending; under_review; in_progress; completed; delivering; "
        "delivered; shipped; canceled; restored.",
    ),
    (
        "orders_histories",
        {"order_number": "218398"},
        "What happened to the order: 2026-11-15 11:00 بإنتظار المراجعة (under_review).",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "sentence"), READS)
async def test_each_read_says_what_was_found(
    desk: Desk, name: str, arguments: dict[str, Any], sentence: str
) -> None:
    assert await desk.says(name, **arguments) == sentence


async def test_an_order_is_told_in_arabic_with_the_shops_own_word_for_its_status(desk: Desk) -> None:
    assert await desk.says("orders_get", "ar", order_number="218394") == (
        "الطلب 218394: تم الشحن؛ الإجمالي 230 SAR؛ بتاريخ 2026-11-02 10:30."
    )


@pytest.mark.parametrize("name", CATALOG.functions)
def test_every_function_speaks_the_five_languages_of_the_house(name: str) -> None:
    function = CATALOG.functions[name].contract
    said = [function.response.told.one, function.response.told.some, function.approval]
    for each in (each for each in said if each is not None):
        assert isinstance(each, dict)
        assert set(each) == LANGUAGES


# ---------------------------------------------------------------- changes


async def test_a_category_is_made_hidden_and_deleted(desk: Desk) -> None:
    made = await desk.call("categories_create", name="حيوانات أليفة", parent_id=1101, page_title="Pets")
    number = made.data["id"]
    assert made.data == {"id": 1113, "name": "حيوانات أليفة", "status": "active", "parent_id": 1101}
    assert await desk.says("categories_update", category_id=number, status="hidden") == (
        "Category حيوانات أليفة (number 1113) was changed; it is hidden."
    )
    assert await desk.says("categories_delete", category_id=number) == "The category was deleted."
    assert (await desk.fails("categories_get", category_id=number)).message.startswith(
        "The shop has no category with this number."
    )


async def test_a_change_is_seen_by_the_next_read_though_reads_are_cached(desk: Desk) -> None:
    before = await desk.call("categories_list", status="hidden")
    assert (await desk.call("categories_list", status="hidden")).cached
    await desk.call("categories_update", category_id=1110, status="active")
    after = await desk.call("categories_list", status="hidden")
    assert len(after.data) == len(before.data) - 1


async def test_an_update_that_changes_nothing_is_not_sent(desk: Desk) -> None:
    assert (await desk.fails("categories_update", category_id=1110)).code == "invalid_arguments"


async def test_a_category_above_others_is_not_deleted_and_the_reason_is_said(desk: Desk) -> None:
    failed = await desk.fails("categories_delete", category_id=1101)
    assert failed.code == "status_409"
    assert failed.message == (
        'Other categories stand below this one. The shop\'s system says: "The category has sub-categories."'
    )


async def test_what_the_shop_says_of_a_field_is_passed_on(desk: Desk) -> None:
    failed = await desk.fails("categories_create", name="Pets", parent_id=77)
    assert failed.fields == {"parent_id": "There is no such category."}


# ---------------------------------------------------------------- words become numbers


@pytest.mark.parametrize("word", ["shipped", "Shipped", "تم الشحن"])
async def test_a_status_is_set_by_any_word_that_the_shop_has_for_it(desk: Desk, word: str) -> None:
    assert await desk.says("orders_update_status", order_number="218398", status=word, note="by post") == (
        "The order's status was changed."
    )
    (order,) = (await desk.call("orders_get", order_number="218398")).data
    assert order["status"] == {"name": "تم الشحن", "slug": "shipped"}


async def test_under_review_is_found_however_it_is_spaced(desk: Desk) -> None:
    found = await desk.call("orders_list", status="under review")
    assert [order["reference_id"] for order in found.data] == [218407, 218405, 218399, 218398]


async def test_a_word_that_the_shop_has_not_is_refused_with_those_that_it_has(desk: Desk) -> None:
    failed = await desk.fails("orders_update_status", order_number="218398", status="lost")
    assert failed.code == "word_not_known"
    assert "payment_pending, under_review" in failed.message


async def test_an_order_that_is_not_there_is_not_changed(desk: Desk) -> None:
    assert (await desk.fails("orders_update_status", order_number="1", status="shipped")).code == (
        "word_not_known"
    )


async def test_a_person_is_asked_about_the_order_by_the_number_that_they_know(desk: Desk) -> None:
    arguments = {"order_number": "218398", "status": "delivered"}
    preview = await desk.engine.preview(CATALOG, "orders_update_status", arguments, MERCHANT)
    assert preview.sentence == "Set order 218398 to “delivered”"
    assert preview.line.startswith("POST ")
    assert preview.line.endswith("/admin/v2/orders/900109/status")
    (order,) = (await desk.call("orders_get", order_number="218398")).data
    assert order["status"]["slug"] == "under_review"


# ---------------------------------------------------------------- what does not pass


async def test_no_customers_address_or_number_reaches_the_model(desk: Desk) -> None:
    shown = [
        (await desk.call("orders_get", order_number="218394")).data,
        (await desk.call("orders_list")).data,
        (await desk.engine.fetch_all(CATALOG, "orders_list", {}, MERCHANT)).data,
    ]
    assert "Noura" in json.dumps(shown)
    assert "mail.example" not in json.dumps(shown)
    assert "5500001" not in json.dumps(shown)


async def test_a_field_that_nobody_declared_does_not_pass(desk: Desk) -> None:
    await desk.fault(kind="unknown_field", times=2)
    shown = [
        (await desk.call("categories_get", category_id=1101)).data,
        (await desk.call("orders_get", order_number="218394")).data,
    ]
    assert "not for you" not in json.dumps(shown)


async def test_merchants_get_their_own_shop_also_from_the_cache(desk: Desk) -> None:
    mine = await desk.call("categories_list")
    theirs = await desk.call("categories_list", OTHER)
    assert not {each["id"] for each in mine.data} & {each["id"] for each in theirs.data}
    assert not theirs.cached
    assert (await desk.call("orders_get", OTHER, order_number="218394")).data == []


async def test_all_pages_of_orders_are_fetched(desk: Desk) -> None:
    whole = await desk.engine.fetch_all(CATALOG, "orders_list", {}, MERCHANT)
    assert (whole.count, whole.pages) == (18, 2)
    assert len({order["reference_id"] for order in whole.data}) == 18


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize("kind", ["garbage", "redirect", "huge"])
async def test_a_broken_answer_is_a_failure_that_shows_nothing_of_it(desk: Desk, kind: str) -> None:
    await desk.fault(kind=kind, to="http://elsewhere.example/secret")
    failed = await desk.fails("categories_list")
    assert "elsewhere" not in str(failed)
    assert "html" not in str(failed)
    assert (await desk.call("categories_list")).data


async def test_a_shop_that_is_busy_once_is_asked_again(desk: Desk) -> None:
    await desk.fault(kind="status", status=503, retry_after="0")
    heard: list[Stage] = []

    async def hear(stage: Stage) -> None:
        heard.append(stage)

    result = await desk.engine.call(CATALOG, "orders_statuses", {}, MERCHANT, hear)
    assert len(result.data) == 9
    assert [stage.attempt for stage in heard if stage.name == "sent"] == [1, 2]


async def test_a_write_that_met_a_busy_shop_is_not_made_twice(desk: Desk) -> None:
    await desk.fault(kind="status", status=503, retry_after="0")
    assert (await desk.fails("categories_create", name="Pets")).status == 503
    assert await desk.says("categories_search", keyword="Pets") == "No category has such a name."
