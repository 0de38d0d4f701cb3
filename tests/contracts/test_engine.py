"""The engine against upstreams that fail, redirect, ask to wait, or answer something else than was agreed."""

import logging
from typing import Any

import anyio
import httpx2
import pytest

from contracts.breaker import Breaker
from contracts.catalog import Catalog
from contracts.credentials import Principal
from contracts.engine import Bounds
from contracts.failures import CallFailed
from contracts.upstreams import Limits
from tests.contracts.shop_stub import BASE, NORA, SAM, SECRET, WRITE, Secrets, Shop, task

pytestmark = pytest.mark.anyio

LOOK = task({})
CHANGE = task(WRITE)
CHANGE_ONCE = task({**WRITE, "idempotency": {}})


def in_turn(*answers: Any):
    """Answer each request with the next answer, the last one for ever; an exception is raised."""
    left = list(answers)

    def handler(_: httpx2.Request) -> httpx2.Response:
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx2.Response) else httpx2.Response(answer, json={"id": 1})

    return handler


async def failure(shop: Shop, what: Any, arguments: Any = None, **more: Any) -> CallFailed:
    with pytest.raises(CallFailed) as failed:
        await shop.call(what, arguments, **more)
    assert SECRET not in f"{failed.value!r} {vars(failed.value)}"
    return failed.value


# ---------------------------------------------------------------- trying again


@pytest.mark.parametrize("first", [503, 502, 504, 429, httpx2.ConnectError("x"), httpx2.ReadError("x")])
async def test_a_read_is_tried_again_after_what_passes(first: Any):
    shop = Shop(in_turn(first, 200))
    assert (await shop.call(LOOK)).data == {"id": 1}
    assert len(shop.asked) == 2
    assert shop.slept == [0.2]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500])
async def test_what_does_not_pass_is_not_tried_again(status: int):
    shop = Shop(in_turn(status))
    assert (await failure(shop, LOOK)).status == status
    assert len(shop.asked) == 1


@pytest.mark.parametrize("first", [503, 429, httpx2.ReadError("x")])
async def test_a_change_is_sent_once_where_nothing_keeps_it_from_being_made_twice(first: Any):
    shop = Shop(in_turn(first, 200))
    await failure(shop, CHANGE)
    assert len(shop.asked) == 1


async def test_a_change_that_never_left_is_tried_again():
    shop = Shop(in_turn(httpx2.ConnectError("x"), 200))
    await shop.call(CHANGE)
    assert len(shop.asked) == 2


async def test_a_change_with_a_key_is_tried_again_with_the_same_key_and_the_next_call_has_another():
    shop = Shop(in_turn(503, 200))
    await shop.call(CHANGE_ONCE)
    await shop.call(CHANGE_ONCE)
    keys = [request.headers["idempotency-key"] for request in shop.asked]
    assert keys[0] == keys[1]
    assert keys[2] != keys[0]


async def test_a_change_that_was_sent_and_not_answered_is_told_as_not_known():
    shop = Shop(in_turn(httpx2.ReadError("x")))
    found = await failure(shop, CHANGE)
    assert "Whether the change was made is not known." in found.message
    assert found.next.startswith("Do not repeat it.")
    assert (found.sent, found.retry) == (True, False)


@pytest.mark.parametrize(
    ("said", "waits"), [("3", 3.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0), ("soon", 0.2)]
)
async def test_an_upstream_that_asks_to_wait_is_waited_for(said: str, waits: float):
    busy = httpx2.Response(429, headers={"retry-after": said})
    shop = Shop(in_turn(busy, 200))
    await shop.call(LOOK)
    assert shop.slept == [waits]


async def test_an_upstream_that_asks_to_wait_for_long_is_not_waited_for():
    shop = Shop(in_turn(httpx2.Response(429, headers={"retry-after": "3600"})))
    await failure(shop, LOOK)
    assert shop.slept == []


async def test_it_gives_up_after_the_retries_of_the_table():
    shop = Shop(in_turn(503), limits=Limits(retries=2))
    await failure(shop, LOOK)
    assert len(shop.asked) == 3


async def test_an_upstream_that_does_not_answer_in_time_is_told_so():
    shop = Shop(limits=Limits(timeout_s=0.01, retries=0))

    async def never(_: httpx2.Request) -> httpx2.Response:
        await anyio.sleep_forever()
        raise AssertionError

    shop.engine.sender.client = httpx2.AsyncClient(transport=httpx2.MockTransport(never))
    with anyio.fail_after(5):
        found = await failure(shop, LOOK)
    assert found.code == "upstream_timeout"


# ---------------------------------------------------------------- the breaker


async def test_an_upstream_that_fails_on_and_on_is_left_alone_and_tried_once_after():
    shop = Shop(in_turn(500), limits=Limits(retries=0, breaker_failures=3, breaker_s=30))
    for _ in range(3):
        assert (await failure(shop, LOOK)).code == "status_500"
    assert (await failure(shop, LOOK)).code == "upstream_resting"
    assert len(shop.asked) == 3
    shop.time = 31
    assert (await failure(shop, LOOK)).code == "status_500"
    assert (await failure(shop, LOOK)).code == "upstream_resting"
    shop.time = 62
    shop.handler = in_turn(200)
    await shop.call(LOOK)
    await shop.call(LOOK)
    assert len(shop.asked) == 6


def test_of_many_at_once_one_tries_whether_an_upstream_is_back():
    breaker = Breaker(1, 10, lambda: now[0])
    now = [0.0]
    assert breaker.allows()
    breaker.failed()
    assert not breaker.allows()
    now[0] = 10
    assert [breaker.allows() for _ in range(3)] == [True, False, False]
    breaker.left()
    assert breaker.allows()
    breaker.succeeded()
    assert all(breaker.allows() for _ in range(3))


# ---------------------------------------------------------------- where a token goes


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_is_not_followed(status: int):
    away = httpx2.Response(status, headers={"location": "https://evil.example/"})
    shop = Shop(in_turn(away))
    assert (await failure(shop, LOOK)).code == "redirected"
    assert {request.url.host for request in shop.asked} == {"shop.example"}


@pytest.mark.parametrize(
    "value",
    ["..", ".", "", "a/b", "%2e%2e", "a%2fb", "a\\b", "a?b", "a#b", "evil@x", "a\nb", "a\x00b", "\ud800"],
)
async def test_a_value_that_would_lead_elsewhere_is_refused_before_anything_is_sent(value: str):
    params = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    shop = Shop()
    found = await failure(shop, task({"path": "/things/{id}", "params": params}), {"id": value})
    assert found.code == "invalid_arguments"
    assert shop.asked == []


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\x00", "ä", " a", "a ", ""])
async def test_a_header_that_would_be_two_is_refused(value: str):
    params = {"type": "object", "properties": {"h": {"type": "string"}}}
    shop = Shop()
    found = await failure(shop, task({"params": params, "request": {"headers": {"X-H": "h"}}}), {"h": value})
    assert found.code == "invalid_arguments"
    assert shop.asked == []


@pytest.mark.parametrize("name", ["principal", "upstream", "base_url", "headers", "authorization", "token"])
async def test_an_argument_that_names_who_or_where_changes_nothing(name: str):
    shop = Shop()
    assert (await failure(shop, LOOK, {name: "sam"})).code == "invalid_arguments"
    params = {"type": "object", "properties": {name: {"type": "string"}}}
    declared = task({"params": params, "request": {"query": {"q": name}}})
    await shop.call(declared, {name: "sam"})
    assert shop.asked[0].headers["authorization"] == f"Bearer {SECRET}-nora"
    assert str(shop.asked[0].url) == f"{BASE}/things?q=sam"


async def test_a_401_is_tried_once_with_a_renewed_token():
    shop = Shop(in_turn(401, 200), secrets=Secrets(renews=True))
    await shop.call(CHANGE)
    shown = [request.headers["authorization"] for request in shop.asked]
    assert shown == [f"Bearer {SECRET}-nora", f"Bearer {SECRET}-nora-renewed"]
    again = Shop(in_turn(401), secrets=Secrets(renews=True))
    await failure(again, CHANGE)
    assert len(again.asked) == 2


async def test_no_secret_is_logged(caplog: pytest.LogCaptureFixture):
    shop = Shop(in_turn(503, 500))
    with caplog.at_level(logging.DEBUG):
        await failure(shop, LOOK)
    assert SECRET not in caplog.text


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (httpx2.Response(200, text="<html>"), "answer_unreadable"),
        (httpx2.Response(200, json=[1]), "answer_unexpected"),
        (httpx2.Response(200, text=""), "answer_unexpected"),
        (httpx2.Response(200, text="x" * 2_000), "answer_too_large"),
    ],
)
async def test_an_answer_of_another_form_is_told_and_not_passed_on(answer: httpx2.Response, code: str):
    shop = Shop(in_turn(answer), limits=Limits(answer_bytes=1_024, retries=0))
    found = await failure(shop, LOOK)
    assert found.code == code
    assert "html" not in str(found)


async def test_a_failure_is_the_contracts_sentence_with_the_upstreams_words_and_fields():
    what = task(
        {"failures": {422: {"say": {"en": "It does not fit.", "ar": "لا يصلح."}, "next": "Ask again."}}}
    )
    said = {"error": {"message": "Bad\nthing‮", "fields": {"name": ["is short", "is odd"]}}}
    shop = Shop(in_turn(httpx2.Response(422, json=said)))
    found = await failure(shop, what)
    assert found.message == 'It does not fit. The shop\'s system says: "Bad thing".'
    assert (found.next, found.said) == ("Ask again.", {"ar": "لا يصلح."})
    assert found.fields == {"name": "is short; is odd"}


async def test_a_status_that_the_contract_does_not_explain_is_told_as_such():
    shop = Shop(
        in_turn(httpx2.Response(418, json={"message": "mail a@b.example, token sk_live_abcdefgh12345"}))
    )
    found = await failure(shop, LOOK)
    assert "418, which the contract does not explain" in found.message
    assert "a@b.example" not in found.message
    assert "sk_live" not in found.message


@pytest.mark.parametrize(
    "said",
    [
        {"errors": {"name": ["bad"]}},
        {"errors": [{"field": "name", "message": "bad"}]},
        {"error": {"details": {"name": "bad"}}},
        {"fields": {"name": "bad"}},
    ],
)
async def test_words_on_single_fields_are_kept_in_the_common_forms(said: Any):
    shop = Shop(in_turn(httpx2.Response(422, json=said)))
    assert (await failure(shop, LOOK)).fields == {"name": "bad"}


async def test_what_is_too_long_is_cut_and_said():
    fields = {"type": "array", "items": {"type": "string"}}
    shop = Shop(in_turn(httpx2.Response(200, json=["x" * 50] * 100)), bounds=Bounds(result_chars=1_000))
    result = await shop.call(task({"response": {"fields": fields}}))
    assert result.clipped == f"({len(result.data)} of 100 items are shown.)"
    assert result.count == 100
    assert 10 < len(result.data) < 20


# ---------------------------------------------------------------- stages


async def test_the_stages_that_ran_are_told_in_order_and_no_others():
    what = task({"cache": {"ttl_s": 60}})
    shop = Shop(in_turn(200))
    await shop.call(what)
    assert shop.told == ["validated", "built", "sent", "received", "projected"]
    shop.stages.clear()
    await shop.call(what)
    assert shop.told == ["validated", "cache_hit"]
    shop.stages.clear()
    await failure(shop, what, {"x": 1})
    assert shop.told == ["failed"]


async def test_a_preview_builds_and_sends_nothing():
    shop = Shop()
    catalog = Catalog((CHANGE,))
    preview = await shop.engine.preview(catalog, "things_look", {}, NORA, shop.hear)
    assert (preview.sentence, preview.line) == ("Do it", "POST shop.example/admin/v2/things")
    assert shop.asked == []
    assert shop.told == ["validated", "built"]


# ---------------------------------------------------------------- the cache

CACHED = task(
    {
        "cache": {"ttl_s": 60},
        "params": {"type": "object", "properties": {"q": {"type": "string"}}},
        "request": {"query": {"q": "q"}},
    }
)


async def test_two_principals_never_share_a_result():
    shop = Shop(lambda request: httpx2.Response(200, json={"name": request.headers["authorization"][-4:]}))
    assert (await shop.call(CACHED, principal=NORA)).data == {"name": "nora"}
    assert (await shop.call(CACHED, principal=SAM)).data == {"name": "-sam"}
    assert (await shop.call(CACHED, principal=NORA)).cached
    assert len(shop.asked) == 2


async def test_a_changed_contract_never_answers_from_its_predecessor():
    shop = Shop(in_turn(200))
    await shop.call(CACHED)
    changed = task(
        {
            **CACHED.functions[0].contract.model_dump(mode="json", by_alias=True, exclude_unset=True),
            "response": {"fields": {"type": "object", "properties": {"id": {"type": "integer"}}}},
        }
    )
    assert not (await shop.call(changed)).cached


async def test_other_arguments_another_time_and_a_change_ask_anew():
    shop = Shop(in_turn(200))
    await shop.call(CACHED, {"q": "a"})
    assert not (await shop.call(CACHED, {"q": "b"})).cached
    assert (await shop.call(CACHED, {"q": "a"})).cached
    shop.time = 61
    assert not (await shop.call(CACHED, {"q": "a"})).cached
    await shop.call(CHANGE)
    assert not (await shop.call(CACHED, {"q": "a"})).cached


async def test_a_result_that_somebody_alters_is_not_altered_in_the_cache():
    shop = Shop(in_turn(200))
    (await shop.call(CACHED)).data["id"] = 9
    again = await shop.call(CACHED)
    again.data["id"] = 8
    assert (await shop.call(CACHED)).data == {"id": 1}


async def test_the_cache_holds_so_many_results_and_no_more():
    shop = Shop(in_turn(200))
    shop.engine.results.most = 3
    for letter in "abcd":
        await shop.call(CACHED, {"q": letter})
    assert not (await shop.call(CACHED, {"q": "a"})).cached
    assert (await shop.call(CACHED, {"q": "d"})).cached


async def test_a_failure_is_not_kept():
    shop = Shop(in_turn(404, 200))
    await failure(shop, CACHED)
    assert (await shop.call(CACHED)).data == {"id": 1}


# ---------------------------------------------------------------- words and pages

STATUSES = {
    "name": "statuses",
    "path": "/statuses",
    "response": {
        "fields": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "name": {"type": "string"},
                    "slug": {"type": "string"},
                },
            },
        }
    },
}
BY_STATUS = {
    "name": "by_status",
    "params": {"type": "object", "properties": {"status": {"type": "string"}}},
    "request": {"query": {"status_id": "status"}},
    "resolve": {"status": {"function": "statuses", "match": ["name", "slug"], "value": "id"}},
}


def statuses(request: httpx2.Request) -> httpx2.Response:
    known = [
        {"id": 7, "name": "تم الشحن", "slug": "shipped"},
        {"id": 8, "name": "Delivered", "slug": "delivered"},
        {"id": 9, "name": "Delivered", "slug": "handed-over"},
    ]
    return httpx2.Response(200, json=known if request.url.path.endswith("statuses") else {"id": 1})


@pytest.mark.parametrize(
    ("word", "value"), [("shipped", "7"), (" Shipped ", "7"), ("تَم الشحن", "7"), ("handed over", "9")]
)
async def test_a_persons_word_becomes_the_upstreams_id(word: str, value: str):
    shop = Shop(statuses)
    await shop.call(task(STATUSES, BY_STATUS), {"status": word}, name="things_by_status")
    assert str(shop.asked[-1].url) == f"{BASE}/things?status_id={value}"
    assert "resolved" in shop.told


@pytest.mark.parametrize(("word", "told"), [("lost", "is none of them"), ("delivered", "stands for several")])
async def test_a_word_that_is_none_or_several_is_refused_with_those_there_are(word: str, told: str):
    shop = Shop(statuses)
    found = await failure(shop, task(STATUSES, BY_STATUS), {"status": word}, name="things_by_status")
    assert found.code == "word_not_known"
    assert told in found.message
    assert "Delivered" in found.message
    assert [request.url.path for request in shop.asked] == ["/admin/v2/statuses"]


LIST = {"type": "array", "items": {"type": "integer"}}


def paged(kind: str, **more: Any):
    return task(
        {
            "params": {
                "type": "object",
                "properties": {"p": {"type": "string" if kind == "cursor" else "integer"}},
            },
            "request": {"query": {"p": "p"}},
            "response": {
                "data": "data",
                "fields": LIST,
                "pagination": {"kind": kind, "argument": "p", **more},
            },
        }
    )


async def all_of(shop: Shop, what: Any) -> Any:
    return await shop.engine.fetch_all(Catalog((what,)), "things_look", {}, NORA, shop.hear)


async def test_pages_are_read_until_the_upstream_says_that_it_was_the_last():
    shop = Shop(
        lambda request: httpx2.Response(
            200, json={"data": [int(request.url.params["p"])], "meta": {"pages": 3}}
        )
    )
    result = await all_of(shop, paged("page", more="meta.pages"))
    assert (result.data, result.pages, result.clipped) == ([1, 2, 3], 3, "")
    assert [stage.page for stage in shop.stages if stage.name == "built"] == [1, 2, 3]


async def test_pages_without_a_count_end_at_an_empty_one():
    shop = Shop(
        lambda request: httpx2.Response(
            200, json={"data": [1, 2] if int(request.url.params["p"]) < 4 else []}
        )
    )
    assert (await all_of(shop, paged("offset"))).data == [1, 2, 1, 2]


async def test_a_cursor_that_comes_again_ends_the_walk():
    shop = Shop(lambda _: httpx2.Response(200, json={"data": [1], "next": "same"}))
    assert (await all_of(shop, paged("cursor", next="next"))).data == [1, 1]


async def test_pages_without_an_end_are_cut_at_the_bound_and_that_is_said():
    shop = Shop(lambda _: httpx2.Response(200, json={"data": [1]}), bounds=Bounds(pages=5))
    result = await all_of(shop, paged("page"))
    assert (len(result.data), result.clipped) == (5, "(Only the first 5 pages were read.)")


async def test_a_function_that_needs_an_unknown_upstream_or_scope_does_not_run():
    shop = Shop()
    assert (await failure(shop, task({"upstream": "other"}))).code == "not_runnable"
    assert (await failure(shop, task({"scopes": ["b.read"]}))).code == "not_runnable"
    assert shop.asked == []


async def test_an_unknown_name_is_told_without_being_repeated():
    found = await failure(Shop(), LOOK, name="things_nothing")
    assert found.code == "unknown_function"
    assert "things_nothing" not in str(found)


async def test_no_principal_but_the_one_that_is_given_is_ever_asked_for():
    shop = Shop()
    await shop.call(LOOK, principal=Principal("zed"))
    assert shop.asked[0].headers["authorization"].endswith("-zed")
