"""The engine against hostile arguments, answers that readers differ on, and state that outlives a call."""

import json
from datetime import UTC, datetime
from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from contracts.catalog import Catalog
from contracts.credentials import Credential, Principal
from contracts.engine import Bounds
from contracts.failures import CallFailed
from contracts.responding import DROPPED, project
from contracts.sending import new_client, retry_after_s
from contracts.shapes import Shape
from contracts.telling import told
from contracts.upstreams import Limits, Upstream
from tests.contracts.shop_stub import NORA, SAM, WRITE, Secrets, Shop, task

pytestmark = pytest.mark.anyio

LISTED = {
    "response": {
        "data": "data",
        "fields": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}},
    }
}
NUMBERED = {"fields": {"type": "object", "properties": {"id": {"type": "number"}}}}


def with_params(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"params": {"type": "object", "properties": properties}, **more}


QUERY = task(
    with_params(
        {"word": {"type": "string"}, "n": {"type": "number"}, "i": {"type": "integer"}},
        request={"query": {"word": "word", "n": "n", "i": "i"}},
    )
)
BODY = task({**WRITE, **with_params({"it": {}}, request={"body": {"it": "it"}})})
PATH = task(
    {
        "path": "/things/{word}/parts",
        "params": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
    }
)


async def failure(shop: Shop, what: Any, arguments: Any = None, **more: Any) -> CallFailed:
    with pytest.raises(CallFailed) as failed:
        await shop.call(what, arguments, **more)
    return failed.value


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


# ---------------------------------------------------------------- arguments


@pytest.mark.parametrize("what", [QUERY, BODY])
@pytest.mark.parametrize(
    "value",
    ["\ud800", float("nan"), float("inf"), 10**5000, {"\udfff": 1}, [{"a": float("-inf")}], nested(5_000)],
    ids=["half a character", "nan", "inf", "huge", "key", "inner", "deep"],
)
async def test_what_no_json_can_hold_is_refused_before_anything_is_sent(what: Any, value: Any):
    name = next(iter(what.functions[0].contract.arguments)) if what is BODY else "n"
    shop = Shop()
    found = await failure(shop, what, {name: value})
    assert found.code == "invalid_arguments"
    assert shop.asked == []


async def test_an_address_that_would_be_too_long_is_refused():
    shop = Shop()
    assert (await failure(shop, QUERY, {"word": "x" * 90_000})).code == "invalid_arguments"
    assert shop.asked == []


async def test_a_whole_number_is_written_as_one():
    shop = Shop()
    await shop.call(QUERY, {"i": 5.0, "n": 0.5})
    assert shop.asked[0].url.query == b"n=0.5&i=5"


@pytest.mark.parametrize(
    "value",
    ["..;", "..;x", ";", " ..", ".. ", "...", "‥", "．．", "／", "a／..／b", "％2e", "a＼b", "＃", " "],
)
async def test_a_value_that_some_server_reads_as_the_way_up_is_refused(value: str):
    shop = Shop()
    assert (await failure(shop, PATH, {"word": value})).code == "invalid_arguments"
    assert shop.asked == []


@pytest.mark.parametrize("value", ["a;b", "a..b", ".a", "قهوة", "a b", "a:b", "١"])
async def test_a_value_that_leads_nowhere_else_stands_in_the_path(value: str):
    shop = Shop()
    await shop.call(PATH, {"word": value})
    assert shop.asked[0].url.path == f"/admin/v2/things/{value}/parts"


# ---------------------------------------------------------------- what outlives a call


async def test_a_cookie_of_one_principals_answer_never_goes_out_with_anothers_call():
    shop = Shop(lambda _: httpx2.Response(200, json={}, headers={"set-cookie": "sid=noras; Path=/"}))
    look = task({})
    await shop.call(look, principal=NORA)
    await shop.call(look, principal=SAM)
    assert [request.headers.get("cookie") for request in shop.asked] == [None, None]


async def test_the_engines_own_client_keeps_no_cookie_follows_nothing_and_reads_no_proxy():
    async with new_client() as client:
        answer = httpx2.Response(
            200, headers={"set-cookie": "sid=1"}, request=httpx2.Request("GET", "https://shop.example/")
        )
        client.cookies.extract_cookies(answer)
        assert not client.cookies
        assert (client.follow_redirects, client.trust_env) == (False, False)


async def test_after_a_change_whose_outcome_is_not_known_the_cache_is_asked_for_nothing():
    def handler(request: httpx2.Request) -> httpx2.Response:
        if request.method == "POST":
            raise httpx2.ReadTimeout("x")
        return httpx2.Response(200, json={"id": 1})

    shop = Shop(handler)
    both = task({"name": "look", "cache": {"ttl_s": 60}}, {**WRITE, "name": "change"})
    await shop.call(both, name="things_look")
    assert (await failure(shop, both, name="things_change")).code == "upstream_timeout"
    assert not (await shop.call(both, name="things_look")).cached


async def test_what_was_read_while_something_changed_is_not_kept():
    both = task({"name": "look", "cache": {"ttl_s": 60}}, {**WRITE, "name": "change"})

    async def change() -> None:
        await shop.call(both, name="things_change")

    async def handler(request: httpx2.Request) -> httpx2.Response:
        shop.asked.append(request)
        if len(shop.asked) == 1:  # between the read and its answer
            async with anyio.create_task_group() as others:
                others.start_soon(change)
        return httpx2.Response(200, json={"id": 1})

    shop = Shop()
    shop.engine.sender.client = httpx2.AsyncClient(transport=httpx2.MockTransport(handler))
    await shop.call(both, name="things_look")
    assert not (await shop.call(both, name="things_look")).cached
    assert (await shop.call(both, name="things_look")).cached


@pytest.mark.parametrize("value", ["Bearer sécret", "Bearer a\r\nX-Evil: 1", "Bearer a\n", "", "Bearer \x7f"])
async def test_a_credential_that_no_header_may_hold_is_told_without_it(value: str):
    class Broken(Secrets):
        async def resolve(self, principal: Principal, upstream: Upstream) -> Credential:
            return Credential("Authorization", SecretStr(value))

    shop = Shop(secrets=Broken())
    found = await failure(shop, task({}))
    assert found.code == "no_credential"
    assert not value or value not in f"{found} {vars(found)}"
    assert shop.asked == []


async def test_a_contract_that_writes_the_header_of_the_credential_does_not_run():
    class Keyed(Secrets):
        async def resolve(self, principal: Principal, upstream: Upstream) -> Credential:
            return Credential("X-Mine", SecretStr("abc"))

    shop = Shop(secrets=Keyed())
    writes = task(with_params({"a": {"type": "string"}}, request={"headers": {"x-mine": "a"}}))
    assert (await failure(shop, writes, {"a": "mine"})).code == "not_runnable"
    assert shop.asked == []


async def test_an_unknown_name_is_in_no_stage():
    shop = Shop()
    await failure(shop, task({}), name="nora@example.com " * 50)
    assert [(stage.name, stage.function) for stage in shop.stages] == [("failed", "")]


async def test_redirects_and_answers_that_cannot_be_read_do_not_rest_an_upstream():
    shop = Shop(
        lambda _: httpx2.Response(302, headers={"location": "https://evil.example/"}),
        limits=Limits(breaker_failures=1),
    )
    for _ in range(3):
        assert (await failure(shop, task({}))).code == "redirected"


async def test_a_read_may_take_as_long_as_the_table_says():
    shop = Shop(limits=Limits(timeout_s=60))
    await shop.call(task({}))
    assert shop.asked[0].extensions["timeout"]["read"] is None
    assert shop.asked[0].extensions["timeout"]["connect"] == 5


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize(
    "body",
    [
        b'{"id": NaN}',
        b'{"id": 1, "x": -Infinity}',
        b'{"id": 1e999}',
        b'{"id": "\xed\xa0\x80"}',
        b"[" * 99_999,
    ],
)
async def test_an_answer_that_is_no_json_to_others_is_not_read(body: bytes):
    shop = Shop(lambda _: httpx2.Response(200, content=body))
    assert (await failure(shop, task({"response": NUMBERED}))).code == "answer_unreadable"


async def test_half_a_character_of_an_answer_is_replaced_and_a_whole_one_stays():
    shop = Shop(lambda _: httpx2.Response(200, content=b'{"id": 1, "name": "\\ud800x \\ud83d\\ude00"}'))
    assert (await shop.call(task({}))).data == {"id": 1, "name": "\ufffdx 😀"}


@pytest.mark.parametrize("status", [200, 201, 204])
async def test_a_change_that_is_answered_with_nothing_was_made(status: int):
    assert (await Shop(lambda _: httpx2.Response(status)).call(task(WRITE))).data is None


async def test_a_change_that_is_answered_in_another_form_is_told_as_made():
    found = await failure(Shop(lambda _: httpx2.Response(201, json=[1])), task(WRITE))
    assert found.code == "answer_unexpected"
    assert found.message.startswith("The shop's system did it, but")
    assert found.next.endswith("Do not repeat it.")


async def test_a_wait_that_is_too_long_is_said():
    shop = Shop(lambda _: httpx2.Response(429, headers={"retry-after": "3000"}))
    found = await failure(shop, task({}))
    assert "It asks to be left alone for 3000 seconds." in found.message
    assert (found.retry, shop.slept) == (True, [])


@pytest.mark.parametrize(("more", "asked"), [({}, 2), (WRITE, 1), ({**WRITE, "idempotency": {}}, 2)])
async def test_a_status_that_the_contract_calls_passing_is_tried_again_where_that_is_safe(
    more: Any, asked: int
):
    shop = Shop(lambda _: httpx2.Response(409), limits=Limits(retries=1))
    await failure(shop, task({**more, "failures": {409: {"say": "It is locked.", "retry": True}}}))
    assert len(shop.asked) == asked


@given(st.text(max_size=40) | st.dates().map(lambda day: f"{day:%a, %d %b %Y} 00:00:00 GMT"))
def test_any_words_on_waiting_are_read_or_left(said: str):
    waits = retry_after_s({"retry-after": said}, datetime(2026, 11, 2, tzinfo=UTC))
    assert waits is None or waits >= 0


async def test_of_pages_only_what_counts_them_is_kept():
    pages = {
        "total": 3,
        "currentPage": 1,
        "next": "abc=",
        "owner": 966501234567,
        "tokens": "x",
        "links": {"a": 1},
    }
    shop = Shop(lambda _: httpx2.Response(200, json={"data": [], "pagination": pages}))
    kept = {"kind": "page", "argument": "page", "kept": "pagination"}
    listed = task(
        with_params({"page": {"type": "integer"}}, request={"query": {"page": "page"}})
        | {"response": {**LISTED["response"], "pagination": kept}}
    )
    assert (await shop.call(listed)).pagination == {"total": 3, "currentPage": 1, "next": "abc="}


async def test_the_sentence_counts_what_there_is_and_not_what_is_shown():
    shop = Shop(
        lambda _: httpx2.Response(200, json={"data": [{"id": at} for at in range(1000)]}),
        bounds=Bounds(result_chars=1_000),
    )
    listed = task(LISTED)
    result = await shop.call(listed)
    said = told(listed.functions[0], result)["en"]
    assert said.startswith("Found 1000: ")
    assert "; and 980 more" in said
    assert said.endswith(f"({len(result.data)} of 1000 items are shown.)")


async def test_items_that_do_not_pass_count_for_the_place_of_the_next_page():
    rows: list[Any] = [{"id": 1}, "odd", {"id": 3}, {"id": 4}]

    def handler(request: httpx2.Request) -> httpx2.Response:
        start = int(request.url.params["from"])
        return httpx2.Response(200, json={"data": rows[start : start + 2]})

    shop = Shop(handler)
    listed = task(
        with_params({"start": {"type": "integer"}}, request={"query": {"from": "start"}})
        | {"response": {**LISTED["response"], "pagination": {"kind": "offset", "argument": "start"}}}
    )
    catalog_result = await fetched(shop, listed)
    assert [item["id"] for item in catalog_result.data] == [1, 3, 4]
    assert [request.url.params["from"] for request in shop.asked] == ["0", "2", "4"]


async def fetched(shop: Shop, what: Any) -> Any:
    return await shop.engine.fetch_all(Catalog((what,)), what.functions[0].name, {}, NORA)


async def test_a_word_is_searched_in_the_whole_list_though_a_result_is_cut():
    def handler(request: httpx2.Request) -> httpx2.Response:
        rows = [{"id": at, "name": f"status {at}"} for at in range(500)]
        return httpx2.Response(200, json={"data": rows} if request.method == "GET" else {"id": 1})

    items = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
    shop = Shop(handler, bounds=Bounds(result_chars=1_000))
    both = task(
        {"name": "states", "response": {"data": "data", "fields": {"type": "array", "items": items}}},
        {
            **WRITE,
            "name": "set",
            **with_params({"status": {"type": "string"}}, request={"body": {"status_id": "status"}}),
            "resolve": {"status": {"function": "states", "match": ["name"], "value": "id"}},
        },
    )
    await shop.call(both, {"status": "Status 499"}, name="things_set")
    assert json.loads(shop.asked[-1].content) == {"status_id": 499}


def test_a_branch_shows_only_a_value_of_its_own_kind():
    shape = Shape.model_validate(
        {
            "anyOf": [
                {"type": "object", "properties": {"kind": {"const": "shop"}, "name": {"type": "string"}}},
                {"type": "object", "properties": {"kind": {"enum": ["staff"]}, "phone": {"type": "string"}}},
            ]
        }
    )
    assert project({"kind": "shop", "name": "n", "phone": "p"}, shape) == {"name": "n"}
    assert project({"kind": "guest", "name": "n", "phone": "p"}, shape) is DROPPED
