"""The demo shop's API: each merchant its own shop, within limits, each change once, faults where asked for.

Knows: the API over ASGI, with a clock that stands until it is moved.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest

from contracts.demo.api import BASE, Grant, Surroundings, demo_app
from contracts.upstreams import Limits

pytestmark = pytest.mark.anyio

TOKEN, OTHERS, READER = "token-of-demo", "token-of-other", "token-that-reads"


@dataclass
class Clock:
    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@dataclass
class Demo:
    client: httpx2.AsyncClient
    clock: Clock

    async def ask(self, method: str, path: str, token: str = TOKEN, **more: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {token}", **more.pop("headers", {})}
        return await self.client.request(method, f"http://demo{BASE}{path}", headers=headers, **more)

    async def data(self, path: str, token: str = TOKEN) -> Any:
        answer = await self.ask("GET", path, token)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    async def fault(self, **said: Any) -> None:
        assert (await self.ask("POST", "/_faults", json=said)).status_code == 200


@asynccontextmanager
async def a_demo(per_minute: int = 300, came_from: str = "127.0.0.1") -> AsyncGenerator[Demo]:
    clock = Clock()
    grants = {
        TOKEN: Grant(),
        OTHERS: Grant("other"),
        READER: Grant("demo", frozenset({"categories.read"})),
    }
    app = demo_app(grants, Surroundings(per_minute, clock, sleep=clock.sleep))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app, client=(came_from, 1))) as client:
        yield Demo(client, clock)


@pytest.fixture
async def demo() -> AsyncGenerator[Demo]:
    async with a_demo() as opened:
        yield opened


# ---------------------------------------------------------------- who may ask


@pytest.mark.parametrize("shown", [None, "", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN} x"])
async def test_without_a_good_token_nothing_is_told(demo: Demo, shown: str | None) -> None:
    headers = {} if shown is None else {"Authorization": shown}
    answer = await demo.client.get(f"http://demo{BASE}/categories", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")


async def test_a_token_without_the_scope_is_refused_and_the_scope_is_named(demo: Demo) -> None:
    assert (await demo.ask("GET", "/categories", READER)).status_code == 200
    refused = await demo.ask("POST", "/categories", READER, json={"name": "Pets"})
    assert refused.status_code == 403
    assert refused.json()["error"]["message"] == "The token lacks categories.read_write."


@pytest.mark.parametrize("kind", ["categories", "products", "orders", "customers", "pages"])
async def test_two_merchants_never_see_each_others(demo: Demo, kind: str) -> None:
    mine = {each["id"] for each in await demo.data(f"/{kind}?per_page=60")}
    theirs = {each["id"] for each in await demo.data(f"/{kind}?per_page=60", OTHERS)}
    assert mine
    assert theirs
    assert not mine & theirs
    for number in mine:
        assert (await demo.ask("GET", f"/{kind}/{number}", OTHERS)).status_code == 404


async def test_what_one_merchant_changes_does_not_change_for_the_other(demo: Demo) -> None:
    before = await demo.data("/categories", OTHERS)
    assert (await demo.ask("POST", "/categories", json={"name": "Pets"})).status_code == 201
    assert (await demo.ask("DELETE", "/categories/1501")).status_code == 404
    assert await demo.data("/categories", OTHERS) == before


async def test_a_path_and_a_method_that_are_not_there_are_refused_in_the_same_form(demo: Demo) -> None:
    unknown = await demo.ask("GET", "/coupons")
    assert (unknown.status_code, unknown.json()["success"]) == (404, False)
    wrong = await demo.ask("PATCH", "/categories/1101")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (405, "method_not_allowed")
    assert set(wrong.headers["allow"].split(", ")) >= {"GET", "PUT", "DELETE"}


# ---------------------------------------------------------------- categories


async def test_hidden_categories_are_those_that_the_filter_finds(demo: Demo) -> None:
    found = await demo.data("/categories?status=hidden")
    assert [each["id"] for each in found] == [1111, 1109, 1110]


async def test_a_category_is_made_found_changed_and_deleted(demo: Demo) -> None:
    made = (await demo.ask("POST", "/categories", json={"name": "حيوانات أليفة", "parent_id": 1101})).json()
    number = made["data"]["id"]
    assert (made["status"], made["data"]["parent_id"]) == (201, 1101)
    assert number in [each["id"] for each in await demo.data("/categories/1101/children")]
    changed = await demo.ask("PUT", f"/categories/{number}", json={"status": "hidden"})
    assert (changed.json()["data"]["name"], changed.json()["data"]["status"]) == ("حيوانات أليفة", "hidden")
    assert (await demo.ask("DELETE", f"/categories/{number}")).json()["data"]["code"] == 200
    assert (await demo.ask("GET", f"/categories/{number}")).status_code == 404


async def test_a_category_with_others_below_it_is_not_deleted(demo: Demo) -> None:
    refused = await demo.ask("DELETE", "/categories/1101")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "has_children")


async def test_products_name_their_category_as_it_is_now(demo: Demo) -> None:
    await demo.ask("PUT", "/categories/1108", json={"name": "Oud and bakhoor"})
    assert (await demo.data("/products/2106"))["categories"] == [{"id": 1108, "name": "Oud and bakhoor"}]
    await demo.ask("DELETE", "/categories/1108")
    assert (await demo.data("/products/2106"))["categories"] == []


async def test_no_category_is_moved_below_itself(demo: Demo) -> None:
    assert (await demo.ask("PUT", "/categories/1107", json={"parent_id": 1108})).json()["error"][
        "fields"
    ] == {"parent_id": ["A category cannot stand below itself."]}


async def test_wrong_fields_are_all_named_and_their_values_are_not_repeated(demo: Demo) -> None:
    refused = await demo.ask("POST", "/categories", json={"status": "secret-value", "colour": "red"})
    assert refused.status_code == 422
    error = refused.json()["error"]
    assert (error["code"], set(error["fields"])) == ("validation_failed", {"name", "status", "body"})
    assert "secret-value" not in refused.text


@pytest.mark.parametrize("query", ["?status=open", "?page=0", "?page=x", "?page=1&page=2", "?colour=red"])
async def test_a_parameter_that_is_not_described_is_refused(demo: Demo, query: str) -> None:
    assert (await demo.ask("GET", f"/categories{query}")).status_code == 422


@pytest.mark.parametrize("body", [b"{", b'{"name": NaN}', b'{"name": "\\ud800"}', b"[" * 50_000])
async def test_a_body_that_is_no_json_is_refused(demo: Demo, body: bytes) -> None:
    refused = await demo.ask(
        "POST", "/categories", content=body, headers={"Content-Type": "application/json"}
    )
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_json")


async def test_a_body_that_is_too_long_is_refused(demo: Demo) -> None:
    assert (await demo.ask("POST", "/categories", json={"name": "a" * 70_000})).status_code == 413


# ---------------------------------------------------------------- orders


async def test_pages_hold_every_order_once_newest_first(demo: Demo) -> None:
    one, two = [(await demo.ask("GET", f"/orders?page={page}")).json() for page in (1, 2)]
    numbers = [each["reference_id"] for each in (*one["data"], *two["data"])]
    assert numbers == sorted(set(numbers), reverse=True)
    assert one["pagination"] == {
        "count": 15, "total": 18, "perPage": 15, "currentPage": 1, "totalPages": 2, "links": {}
    }  # fmt: skip
    assert two["pagination"]["count"] == 3


async def test_orders_are_found_by_number_status_customer_and_day(demo: Demo) -> None:
    async def numbers(query: str) -> list[int]:
        return [each["reference_id"] for each in await demo.data(f"/orders?{query}")]

    assert await numbers("reference_id=218394") == [218394]
    assert await numbers("status[]=814202285&status[]=525144736") == [218402, 218394, 218392]
    assert await numbers("customer_id=3105&from_date=2026-11-01") == [218400, 218395]
    assert await numbers("from_date=2026-11-02&to_date=2026-11-05") == [218395, 218394]
    assert await numbers("keyword=khan") == [218402, 218398, 218393]


async def test_a_new_status_stands_in_the_order_and_on_top_of_its_history(demo: Demo) -> None:
    set_to = await demo.ask("POST", "/orders/900109/status", json={"status_id": 814202285, "note": "by post"})
    assert set_to.json()["data"]["code"] == 200
    assert (await demo.data("/orders/900109"))["status"]["slug"] == "shipped"
    latest = (await demo.data("/orders/900109/histories"))[0]
    assert (latest["customized"]["slug"], latest["note"]) == ("shipped", "by post")


async def test_a_cancelled_order_stays_cancelled(demo: Demo) -> None:
    assert (await demo.ask("POST", "/orders/900103/status", json={"slug": "shipped"})).status_code == 409


# ---------------------------------------------------------------- limits and keys


async def test_more_requests_than_allowed_wait_for_the_rest_of_the_minute() -> None:
    async with a_demo(per_minute=2) as demo:
        first = await demo.ask("GET", "/pages")
        assert (first.headers["x-ratelimit-limit"], first.headers["x-ratelimit-remaining"]) == ("2", "1")
        demo.clock.now = 20.5
        await demo.ask("GET", "/pages")
        refused = await demo.ask("GET", "/pages")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "40")
        assert (await demo.ask("GET", "/pages", OTHERS)).status_code == 200
        demo.clock.now = 60
        assert (await demo.ask("GET", "/pages")).status_code == 200


async def test_the_same_key_with_the_same_request_is_one_change_and_one_answer(demo: Demo) -> None:
    answers = [
        await demo.ask("POST", "/categories", json={"name": "Pets"}, headers={"Idempotency-Key": "k1"})
        for _ in range(2)
    ]
    assert answers[0].content == answers[1].content
    assert len(await demo.data("/categories?keyword=pets")) == 1


async def test_the_same_key_with_another_request_is_refused(demo: Demo) -> None:
    key = {"Idempotency-Key": "k1"}
    await demo.ask("POST", "/categories", json={"name": "Pets"}, headers=key)
    refused = await demo.ask("POST", "/categories", json={"name": "Cats"}, headers=key)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "idempotency_key_reused")
    assert await demo.data("/categories?keyword=cats") == []


async def test_a_key_is_the_merchants_own(demo: Demo) -> None:
    key = {"Idempotency-Key": "k1"}
    await demo.ask("POST", "/categories", json={"name": "Pets"}, headers=key)
    assert (
        await demo.ask("POST", "/categories", OTHERS, json={"name": "Cats"}, headers=key)
    ).status_code == 201


async def test_a_refused_change_does_not_use_up_its_key(demo: Demo) -> None:
    key = {"Idempotency-Key": "k1"}
    assert (await demo.ask("POST", "/categories", json={}, headers=key)).status_code == 422
    assert (await demo.ask("POST", "/categories", json={"name": "Pets"}, headers=key)).status_code == 201


# ---------------------------------------------------------------- faults


async def test_a_fault_comes_as_often_as_asked_and_to_that_merchant_alone(demo: Demo) -> None:
    await demo.fault(kind="status", status=503, times=2, retry_after="7")
    assert (await demo.ask("GET", "/pages", OTHERS)).status_code == 200
    answers = [await demo.ask("GET", "/pages") for _ in range(3)]
    assert [each.status_code for each in answers] == [503, 503, 200]
    assert answers[0].headers["retry-after"] == "7"


async def test_a_write_that_meets_a_fault_was_not_made(demo: Demo) -> None:
    await demo.fault(kind="status", status=500)
    assert (await demo.ask("POST", "/categories", json={"name": "Pets"})).status_code == 500
    assert await demo.data("/categories?keyword=pets") == []


async def test_each_kind_of_fault_is_what_its_name_says(demo: Demo) -> None:
    await demo.fault(kind="slow", seconds=9)
    await demo.ask("GET", "/pages")
    assert demo.clock.slept == [9]
    await demo.fault(kind="redirect", to="http://elsewhere.example/x")
    assert (await demo.ask("GET", "/pages")).headers["location"] == "http://elsewhere.example/x"
    await demo.fault(kind="garbage")
    with pytest.raises(ValueError):
        (await demo.ask("GET", "/pages")).json()
    await demo.fault(kind="huge")
    assert len((await demo.ask("GET", "/pages")).content) > Limits().answer_bytes
    await demo.fault(kind="unknown_field")
    assert (await demo.data("/pages"))[0]["internal_note"] == "not for you"
    assert "internal_note" not in (await demo.data("/pages"))[0]


async def test_faults_can_be_taken_back(demo: Demo) -> None:
    await demo.fault(kind="status", times=5)
    assert (await demo.ask("DELETE", "/_faults")).status_code == 200
    assert (await demo.ask("GET", "/pages")).status_code == 200


async def test_no_fault_is_set_from_elsewhere_or_without_a_token() -> None:
    async with a_demo(came_from="192.0.2.7") as demo:
        assert (await demo.ask("POST", "/_faults", json={"kind": "garbage"})).status_code == 403
    async with a_demo() as demo:
        assert (await demo.ask("POST", "/_faults", "wrong", json={"kind": "garbage"})).status_code == 401
        assert (await demo.ask("POST", "/_faults", json={"kind": "fire"})).status_code == 422
        assert (await demo.ask("GET", "/pages")).status_code == 200
