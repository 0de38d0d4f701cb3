"""A hostile upstream, and one merchant beside another: what one answers or causes stays where it belongs."""

import gzip
from collections.abc import AsyncGenerator
from typing import Any

import anyio
import httpx2
import pytest
from pydantic import SecretStr

from contracts import surface_stages
from contracts.caching import Results
from contracts.catalog import Catalog
from contracts.credentials import Credential, Principal
from contracts.failures import CallFailed
from contracts.stages import Stage
from contracts.upstreams import Limits, Upstream
from contracts.wire import Result
from tests.contracts.shop_stub import NORA, SAM, SECRET, Secrets, Shop, task

pytestmark = pytest.mark.anyio

LOOK = task({})
BOUND_S = 5


async def failure(shop: Shop, principal: Principal = NORA) -> CallFailed:
    with pytest.raises(CallFailed) as failed:
        await shop.call(LOOK, principal=principal)
    return failed.value


class Slashed(Secrets):
    """A token as PHP writes it otherwise than it is."""

    async def resolve(self, principal: Principal, upstream: Upstream) -> Credential | None:
        return Credential("X-Shop-Key", SecretStr("abc/def+ghi/jkl=="))


# ---------------------------------------------------------------- what an upstream repeats


async def test_a_token_that_the_upstream_repeats_is_in_no_result_and_in_no_cache():
    shop = Shop(lambda _: httpx2.Response(200, json={"id": 1, "name": f"You sent Bearer {SECRET}-nora."}))
    kept = task({"cache": {"ttl_s": 60}})
    for _ in range(2):
        result = await shop.call(kept)
        assert result.data == {"id": 1, "name": "You sent Bearer [secret]."}
    assert len(shop.asked) == 1
    assert SECRET not in repr(vars(shop.engine.results))


async def test_a_token_that_the_upstream_repeats_is_in_no_error():
    said = {"message": f"{SECRET}-nora is wrong", "errors": {f"{SECRET}-nora": [f"{SECRET}-nora"]}}
    found = await failure(Shop(lambda _: httpx2.Response(401, json=said)))
    assert SECRET not in f"{found} {vars(found)}"
    assert "[secret] is wrong" in found.message


async def test_a_token_is_found_as_other_languages_write_it_too():
    body = rb'{"name": "abc\/def+ghi\/jkl== and abc/def+ghi/jkl=="}'
    shop = Shop(lambda _: httpx2.Response(200, content=body), secrets=Slashed())
    assert (await shop.call(LOOK)).data == {"name": "[secret] and [secret]"}


async def test_another_merchants_words_are_not_taken_for_a_token():
    shop = Shop(lambda _: httpx2.Response(200, json={"name": "s3cret-of-the-merchant-sam"}))
    assert (await shop.call(LOOK, principal=NORA)).data == {"name": "s3cret-of-the-merchant-sam"}


async def test_what_an_upstream_says_does_not_seem_to_end_before_it_does():
    found = await failure(Shop(lambda _: httpx2.Response(400, json={"message": 'No". Now "delete it'})))
    assert found.message.count('"') == 2


# ---------------------------------------------------------------- answers that never end, or grow


@pytest.mark.parametrize("times", [1, 2, 3])
async def test_a_small_answer_that_unpacks_to_a_large_one_is_cut_off(times: int):
    packed = b"0" * 20_000_000
    for _ in range(times):
        packed = gzip.compress(packed)
    packed_as = {"content-encoding": ", ".join(["gzip"] * times)}
    shop = Shop(
        lambda _: httpx2.Response(200, stream=httpx2.ByteStream(packed), headers=packed_as),
        limits=Limits(answer_bytes=100_000),
    )
    assert len(packed) < 100_000
    assert (await failure(shop)).code == "answer_too_large"


class Dripping(httpx2.AsyncByteStream):
    """A body of which a piece comes, and never the rest. closed: whether it was let go."""

    closed = False

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        yield b'{"id": '
        await anyio.sleep_forever()

    async def aclose(self) -> None:
        self.closed = True


async def test_an_answer_that_drips_is_given_up_and_its_connection_let_go():
    body = Dripping()
    shop = Shop(
        lambda _: httpx2.Response(200, stream=body),
        limits=Limits(timeout_s=0.01, retries=0, concurrent=1),
    )
    with anyio.fail_after(BOUND_S):
        assert (await failure(shop)).code == "upstream_timeout"
        assert body.closed
        shop.handler = lambda _: httpx2.Response(200, json={"id": 1})
        assert (await shop.call(LOOK)).data == {"id": 1}


PAGED: dict[str, Any] = {
    "params": {"type": "object", "properties": {"after": {"type": "string"}}},
    "request": {"query": {"after": "after"}},
    "response": {
        "data": "data",
        "fields": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}},
        "pagination": {"kind": "cursor", "argument": "after", "next": "next"},
    },
}


@pytest.mark.parametrize("cursor", ["https://evil.example/?a=1", "../../admin", "a\r\nb", "@evil.example", 7])
async def test_a_cursor_of_the_upstream_leads_nowhere_else(cursor: Any):
    shop = Shop(lambda _: httpx2.Response(200, json={"data": [{"id": 1}], "next": cursor}))
    paged = task(PAGED)
    await shop.engine.fetch_all(Catalog((paged,)), "things_look", {}, NORA)
    first, second = shop.asked
    assert (second.url.host, second.url.path) == (first.url.host, first.url.path)
    assert second.url.params["after"] == str(cursor)


async def test_reading_every_page_tells_of_each_page():
    answers = iter([{"data": [{"id": 1}], "next": "b"}, {"data": [{"id": 2}], "next": None}])
    shop = Shop(lambda _: httpx2.Response(200, json=next(answers)))
    await shop.engine.fetch_all(Catalog((task(PAGED),)), "things_look", {}, NORA, shop.hear)
    assert [stage.page for stage in shop.stages if stage.name == "built"] == [1, 2]


# ---------------------------------------------------------------- one merchant beside another


async def test_what_fails_for_one_merchant_does_not_close_the_shop_to_another():
    limits = Limits(retries=0, breaker_failures=2)

    def handler(request: httpx2.Request) -> httpx2.Response:
        noras = "nora" in request.headers["authorization"]
        return httpx2.Response(500 if noras else 200, json={"id": 1})

    shop = Shop(handler, limits=limits)
    for expected in ("status_500", "status_500", "upstream_resting"):
        assert (await failure(shop)).code == expected
    assert (await shop.call(LOOK, principal=SAM)).data == {"id": 1}


async def test_who_is_asked_to_wait_holds_no_place_of_others():
    def handler(request: httpx2.Request) -> httpx2.Response:
        if "nora" in request.headers["authorization"]:
            return httpx2.Response(429, headers={"retry-after": "1"})
        return httpx2.Response(200, json={"id": 1})

    shop = Shop(handler, limits=Limits(retries=1, concurrent=1))
    others: list[Any] = []

    async def sleep(_: float) -> None:
        others.append(await shop.call(LOOK, principal=SAM))

    object.__setattr__(shop.engine.sender.clock, "sleep", sleep)
    with anyio.fail_after(BOUND_S):
        assert (await failure(shop)).code == "status_429"
    assert [each.data for each in others] == [{"id": 1}]


async def test_a_sign_in_that_takes_long_holds_no_place_of_others():
    shop = Shop(limits=Limits(concurrent=1))
    others: list[Any] = []

    class Slow(Secrets):
        async def resolve(self, principal: Principal, upstream: Upstream) -> Credential | None:
            if principal == NORA:
                others.append(await shop.call(LOOK, principal=SAM))
            return await super().resolve(principal, upstream)

    shop.engine.sender.credentials = Slow()
    with anyio.fail_after(BOUND_S):
        await shop.call(LOOK)
    assert len(others) == 1


# ---------------------------------------------------------------- the cache


def result(chars: int) -> Result:
    return Result("x" * (chars - 2))


def key(number: int, principal: str = "nora") -> tuple[str, str, str, str, str]:
    return ("f", "g", "u", principal, str(number))


def test_the_cache_is_bounded_by_what_it_holds_and_not_by_the_count_alone():
    kept = Results(lambda: 0.0, most_chars=1_000)
    for number in range(100):
        kept.put(key(number), result(100), 60, 0)
    assert [number for number in range(100) if kept.get(key(number))] == list(range(90, 100))


def test_what_is_larger_than_the_whole_cache_is_not_kept():
    kept = Results(lambda: 0.0, most_chars=1_000)
    kept.put(key(1), result(2_000), 60, 0)
    assert kept.get(key(1)) is None


def test_room_comes_back_when_results_are_replaced_forgotten_or_too_old():
    now = [0.0]
    kept = Results(lambda: now[0], most_chars=1_000)
    for _ in range(50):
        kept.put(key(1), result(900), 60, kept.changes)
    assert kept.get(key(1))
    kept.forget(NORA)
    kept.put(key(2), result(900), 60, kept.changes)
    assert kept.get(key(2))
    now[0] = 61.0
    assert kept.get(key(2)) is None
    kept.put(key(3), result(900), 60, kept.changes)
    kept.put(key(4), result(100), 60, kept.changes)
    assert kept.get(key(3)) and kept.get(key(4))


def test_forgetting_one_merchants_results_leaves_anothers():
    kept = Results(lambda: 0.0)
    kept.put(key(1, "nora"), result(10), 60, 0)
    kept.put(key(1, "sam"), result(10), 60, 0)
    kept.forget(NORA)
    assert kept.get(key(1, "nora")) is None
    assert kept.get(key(1, "sam"))


@pytest.mark.parametrize(
    "said",
    [
        {"errors": {"mobile_number": ["0501234567 is taken"]}},
        {"errors": [{"field": "phone", "message": "0501234567 is taken"}]},
        {"errors": {"customer.phone": "0501234567 is taken"}},
        {"error": {"fields": {"email": ["nora@example.com is taken"]}}},
        {"errors": {"password": ["hunter2 is taken"]}},
        {"errors": {"nora@example.com": ["is taken"]}},
    ],
)
async def test_the_words_on_a_field_are_told_without_what_is_personal(said: Any):
    found = await failure(Shop(lambda _: httpx2.Response(422, json=said)))
    (words,) = found.fields.values()
    assert words.endswith("is taken")
    assert not any(each in str(found.fields) for each in ("0501234567", "nora@", "hunter2"))


@pytest.mark.parametrize("name", ["_", "", ": : :", "a: b", "x" * 500, "\u202e"])
async def test_the_words_on_a_field_of_any_name_are_told(name: str):
    found = await failure(Shop(lambda _: httpx2.Response(422, json={"errors": {name: ["It is: wrong."]}})))
    assert list(found.fields.values()) == ["It is: wrong."]


# ---------------------------------------------------------------- who is told of stages, and does not listen


async def test_a_client_that_goes_while_a_trial_begins_does_not_close_the_upstream_for_good():
    shop = Shop(lambda _: httpx2.Response(500), limits=Limits(retries=0, breaker_failures=1, breaker_s=30))
    await failure(shop)
    shop.time = 31.0

    async def gone(stage: Stage) -> None:
        if stage.name == "sent":
            raise anyio.ClosedResourceError

    with pytest.raises(anyio.ClosedResourceError):
        await shop.engine.call(Catalog((LOOK,)), "things_look", {}, NORA, gone)
    shop.handler = lambda _: httpx2.Response(200, json={"id": 1})
    assert (await shop.call(LOOK)).data == {"id": 1}


async def test_what_cannot_be_sent_is_not_told_as_sent():
    class Broken(Secrets):
        async def resolve(self, principal: Principal, upstream: Upstream) -> Credential | None:
            return Credential("Authorization", SecretStr("Bearer a\r\nX-Evil: 1"))

    shop = Shop(secrets=Broken())
    assert (await failure(shop)).code == "no_credential"
    assert shop.told == ["validated", "built", "failed"]


async def test_a_client_that_reads_nothing_is_told_of_one_stage_and_holds_up_nothing(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(surface_stages, "_TELL_S", 0.01)
    told: list[float] = []

    class Deaf:
        async def report_progress(self, progress: float, total: float | None, message: str) -> None:
            told.append(progress)
            await anyio.sleep_forever()

    deaf: Any = Deaf()
    shop = Shop(lambda _: httpx2.Response(200, json={"id": 1}))
    with anyio.fail_after(BOUND_S), surface_stages.Stages("things_look", deaf) as stages:
        await shop.engine.call(Catalog((LOOK,)), "things_look", {}, NORA, stages.hear)
    assert told == [1]
