"""Over HTTP a caller is who their token says, for every call anew, whatever else they send."""

import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import anyio
import jwt.api_jwt
import pytest
from mcp import MCPError
from mcp_types import PromptMessage, TextContent, TextResourceContents

from serving.http import http_app
from serving.identity import Caller
from serving.listening import place_of
from tests.serving.desk import BOUND_S, believed, browser, serving, signed_in, token, who, who_server

pytestmark = pytest.mark.anyio

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])
ALICE, BOB, STAFF = "customer:C-1001", "customer:C-2002", "staff:"
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "who", "arguments": {}}}
OPENING = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"},
    },
}
ACCEPTS = {"accept": "application/json, text/event-stream"}


# ---------------------------------------------------------------- each is who their token says


@ERAS
async def test_two_people_on_one_server_are_each_themselves_however_their_calls_are_mixed(mode: str):
    async with serving(tokens=believed()) as to:
        with anyio.fail_after(BOUND_S * 2):
            async with (
                signed_in(to, token("C-1001"), mode) as alice,
                signed_in(to, token("C-2002"), mode) as bob,
                signed_in(to, token(staff=True), mode) as staff,
            ):
                people = {ALICE: alice, BOB: bob, STAFF: staff}
                wrong: list[str] = []

                async def ask(name: str, tool: str) -> None:
                    seen = await who(people[name], tool)
                    wrong.extend(each for each in seen.split() if each != name)

                for tool in ("who", "who_in_a_thread"):
                    for name in people:
                        await ask(name, tool)
                async with anyio.create_task_group() as group:
                    for _ in range(8):
                        for name in people:
                            group.start_soon(ask, name, "who_after_others")
                            group.start_soon(ask, name, "who_in_a_thread")
                assert wrong == []


@ERAS
async def test_resources_and_prompts_know_the_caller_too(mode: str):
    async with serving(tokens=believed()) as to:
        with anyio.fail_after(BOUND_S):
            async with (
                signed_in(to, token("C-1001"), mode) as alice,
                signed_in(to, token("C-2002"), mode) as bob,
            ):
                for client, name in ((alice, ALICE), (bob, BOB), (alice, ALICE)):
                    [content] = (await client.read_resource("who://am-i")).contents
                    assert isinstance(content, TextResourceContents)
                    [message] = (await client.get_prompt("prompt")).messages
                    assert isinstance(message, PromptMessage)
                    assert isinstance(message.content, TextContent)
                    assert (content.text, message.content.text) == (name, name)


@ERAS
async def test_neither_arguments_nor_meta_nor_other_headers_change_who_calls(mode: str):
    other = {
        "X-Customer": "C-2002",
        "X-Forwarded-User": "C-2002",
        "X-Forwarded-For": "127.0.0.1",
        "Cookie": f"token={token('C-2002')}",
        "Proxy-Authorization": f"Bearer {token('C-2002')}",
        "X-Authorization": f"Bearer {token(staff=True)}",
        "Mcp-Param-Customer-Id": "C-2002",
    }
    async with serving(tokens=believed()) as to:
        with anyio.fail_after(BOUND_S):
            async with signed_in(to, token("C-1001"), mode, **other) as alice:
                seen = await who(alice, "who_after_others", customer_id="C-2002", principal="staff")
                assert set(seen.split()) == {ALICE}
                meta = {"customer_id": "C-2002", "principal": "staff", "authorization": token("C-2002")}
                result = await alice.call_tool("who", {}, meta=meta)  # type: ignore[arg-type]
                assert result.content == [TextContent(type="text", text=ALICE)]


@ERAS
async def test_without_tokens_everybody_is_the_caller_of_the_settings(mode: str):
    async with serving(Caller("customer", "C-1001"), tokens=None) as to:
        with anyio.fail_after(BOUND_S):
            async with signed_in(to, None, mode) as client:
                assert await who(client) == ALICE


# ---------------------------------------------------------------- sessions


async def test_a_session_of_one_person_cannot_be_used_by_another():
    async with serving(tokens=believed()) as to, browser(to) as http:
        with anyio.fail_after(BOUND_S):
            session = await opened(http, token("C-1001"))
            for other in (token("C-2002"), token(staff=True), token("C-1001", staff=True)):
                for method in ("POST", "GET", "DELETE"):
                    answer = await http.request(
                        method,
                        "/mcp",
                        json=CALL if method == "POST" else None,
                        headers=session | bearer(other),
                    )
                    assert (answer.status_code, "Session not found" in answer.text) == (404, True)
            again = await http.post("/mcp", json=CALL, headers=session | bearer(token("C-1001", ttl_s=900)))
            assert (again.status_code, ALICE in again.text) == (200, True)


async def test_a_session_is_no_token():
    async with serving(tokens=believed()) as to, browser(to) as http:
        with anyio.fail_after(BOUND_S):
            session = await opened(http, token("C-1001"))
            assert (await http.post("/mcp", json=CALL, headers=session)).status_code == 401


@ERAS
async def test_a_token_that_expires_within_a_session_is_refused_on_the_next_call(
    mode: str, monkeypatch: pytest.MonkeyPatch
):
    async with serving(tokens=believed()) as to:
        with anyio.fail_after(BOUND_S):
            async with signed_in(to, token("C-1001", ttl_s=600), mode) as alice:
                assert await who(alice) == ALICE
                later(monkeypatch, 605)
                assert await who(alice) == ALICE  # within what two clocks may differ by
                later(monkeypatch, 611)
                with pytest.raises(MCPError):
                    await who(alice)


# ---------------------------------------------------------------- who is not let in


@pytest.mark.parametrize(
    ("header", "error"),
    [
        ({}, None),
        ({"authorization": ""}, "invalid_token"),
        ({"authorization": "Basic QzEwMDE6eA=="}, "invalid_token"),
        ({"authorization": "Bearer"}, "invalid_token"),
        ({"authorization": "Bearer "}, "invalid_token"),
        ({"authorization": "Bearer nonsense"}, "invalid_token"),
        ({b"authorization": "Bearer nons€nse".encode()}, "invalid_token"),
    ],
)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/", "/docs", "/.well-known/oauth-protected-resource/mcp"])
async def test_no_good_token_is_401_wherever_it_knocks(header: dict[Any, Any], error: str | None, path: str):
    async with serving(tokens=believed()) as to, browser(to, **ACCEPTS) as http:
        answer = await http.post(path, json=CALL, headers=header)
    challenge = answer.headers["www-authenticate"]
    assert answer.status_code == 401
    assert challenge.startswith("Bearer ")
    assert ('error="invalid_token"' in challenge) == (error is not None)
    assert answer.json()["message"]


async def test_an_expired_token_is_told_so():
    async with serving(tokens=believed()) as to, browser(to, token("C-1001", ttl_s=-60), **ACCEPTS) as http:
        answer = await http.post("/mcp", json=CALL)
    assert answer.status_code == 401
    assert 'error_description="The token has expired"' in answer.headers["www-authenticate"]


async def test_two_tokens_in_one_request_are_refused_whichever_is_good():
    async with serving(tokens=believed()) as to, browser(to) as http:
        for pair in ((token("C-1001"), "x"), ("x", token("C-1001")), (token("C-1001"), token(staff=True))):
            headers = [*ACCEPTS.items(), *(("authorization", f"Bearer {each}") for each in pair)]
            answer = await http.post("/mcp", json=CALL, headers=headers)
            assert answer.status_code == 401


@pytest.mark.parametrize("name", ["access_token", "token", "authorization", "bearer"])
async def test_a_token_in_the_url_or_the_body_is_not_read(name: str):
    good = token("C-1001")
    async with serving(tokens=believed()) as to, browser(to, **ACCEPTS) as http:
        assert (await http.post(f"/mcp?{name}={good}", json=CALL)).status_code == 401
        assert (await http.post("/mcp", json=CALL | {name: good})).status_code == 401
        assert (await http.post("/mcp", data={name: good})).status_code == 401


async def test_no_token_and_no_refusal_of_one_reaches_the_log(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    good, expired, foreign = token("C-1001"), token("C-1001", ttl_s=-60), token("C-1001")[:-4] + "AAAA"
    async with serving(tokens=believed()) as to:
        for shown in (good, expired, foreign):
            async with browser(to, shown, **ACCEPTS) as http:
                answer = await http.post("/mcp", json=OPENING)
                assert shown not in answer.text + str(answer.headers)
        async with signed_in(to, good) as client:
            await who(client)
    ours = [record for record in caplog.records if not record.name.startswith(("httpx2", "httpcore2"))]
    logged = "\n".join(record.getMessage() for record in ours)
    assert ours
    for shown in (good, expired, foreign):
        assert shown.rpartition(".")[2] not in logged


async def test_a_body_is_not_read_before_the_token():
    """Otherwise anybody could have the server hold what they send."""
    read: list[str] = []

    async def body() -> dict[str, object]:
        read.append("a piece")
        return {"type": "http.request", "body": b"x", "more_body": True}

    statuses: list[int] = []

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(int(str(message["status"])))

    app = http_app(who_server(), believed(), place_of("127.0.0.1", 8000))
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": [], "query_string": b""}
    await app(scope, body, send)  # type: ignore[arg-type]
    assert (statuses, read) == ([401], [])


# ---------------------------------------------------------------- without tokens


@pytest.mark.parametrize(
    "proxied",
    [
        "forwarded",
        "via",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-forwarded-server",
        "x-forwarded-user",
        "x-real-ip",
        "X-Forwarded-For",
        "CF-Connecting-IP",
        "cf-ray",
        "True-Client-IP",
        "x-cluster-client-ip",
        "fastly-client-ip",
        "x-original-url",
        "x-envoy-external-address",
        "x-azure-clientip",
        "fly-client-ip",
        "fly-region",
        "ngrok-auth-user-id",
        "cdn-loop",
        "x-proxyuser-ip",
    ],
)
async def test_without_tokens_what_came_through_a_proxy_is_refused(proxied: str):
    async with serving(Caller("customer", "C-1001"), tokens=None) as to, browser(to, **ACCEPTS) as http:
        answer = await http.post("/mcp", json=OPENING, headers={proxied: "203.0.113.7"})
        assert (answer.status_code, "SHOPKART_TOKEN_SECRET" in answer.text) == (403, True)
        assert (await http.post("/mcp", json=OPENING)).status_code == 200


async def test_without_tokens_the_headers_of_an_ordinary_client_are_no_proxys():
    ordinary = {
        "accept-language": "de",
        "user-agent": "a client",
        "x-request-id": "1",
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "mcp-protocol-version": "2025-11-25",
        "content-encoding": "identity",
        "x-client-version": "1",
    }
    async with serving(Caller("customer", "C-1001"), tokens=None) as to, browser(to, **ACCEPTS) as http:
        assert (await http.post("/mcp", json=OPENING, headers=ordinary)).status_code == 200


async def test_without_tokens_who_shows_one_is_not_served_as_somebody_else():
    async with serving(Caller("customer", "C-1001"), tokens=None) as to, browser(to, token("C-2002")) as http:
        answer = await http.post("/mcp", json=OPENING, headers=ACCEPTS)
        assert (answer.status_code, "checks none" in answer.text) == (403, True)


# ---------------------------------------------------------------- names, and health


@pytest.mark.parametrize("tokens", [True, False])
@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("host", "127.0.0.1:8000", 200),
        ("host", "localhost:1", 200),
        ("host", "[::1]:8000", 200),
        ("host", "evil.example", 421),
        ("host", "evil.example:8000", 421),
        ("host", "127.0.0.1.evil.example:8000", 421),
        ("origin", "http://localhost:3000", 200),
        ("origin", "https://evil.example", 403),
        ("origin", "http://127.0.0.1.evil.example:8000", 403),
        ("origin", "null", 403),
    ],
)
async def test_a_page_of_another_name_is_not_answered(tokens: bool, header: str, value: str, status: int):
    shown = token("C-1001") if tokens else None
    async with (
        serving(tokens=believed() if tokens else None) as to,
        browser(to, shown, **ACCEPTS) as http,
    ):
        answer = await http.post("/mcp", json=OPENING, headers={header: value})
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("support.shop.example", 200),
        ("support.shop.example:8443", 200),
        ("shop.example:8443", 200),
        ("shop.example", 421),
        ("shop.example:80", 421),
        ("evil.example", 421),
    ],
)
async def test_the_names_that_are_listed_are_answered(host: str, status: int):
    names = ("support.shop.example", "shop.example:8443")
    async with (
        serving(tokens=believed(), place=place_of("0.0.0.0", 8000), hosts=names) as to,
        browser(to, token("C-1001"), **ACCEPTS) as http,
    ):
        assert (await http.post("/mcp", json=OPENING, headers={"host": host})).status_code == status


@pytest.mark.parametrize("tokens", [True, False])
async def test_health_says_ok_to_everybody_and_nothing_else(tokens: bool):
    async with serving(tokens=believed() if tokens else None) as to, browser(to) as http:
        for headers in ({}, {"host": "10.0.0.7:8000"}, {"authorization": "Bearer x"}):
            answer = await http.get("/health", headers=headers)
            assert (answer.status_code, answer.text) == (200, "ok\n")
        assert (await http.post("/health", json=CALL)).status_code == (401 if tokens else 404)


async def test_no_address_is_redirected():
    """A redirect would name http:// behind a proxy that ends TLS, and a client might show its token there."""
    async with serving(tokens=believed()) as to, browser(to, token("C-1001"), **ACCEPTS) as http:
        assert (await http.post("/mcp/", json=OPENING)).status_code == 404


# ---------------------------------------------------------------- words


def bearer(shown: str) -> dict[str, str]:
    return {"authorization": f"Bearer {shown}"}


async def opened(http: object, shown: str) -> dict[str, str]:
    """Open a session of the handshake era, and return the headers of its later requests."""
    answer = await http.post("/mcp", json=OPENING, headers=ACCEPTS | bearer(shown))  # type: ignore[attr-defined]
    assert answer.status_code == 200, answer.text
    return {
        **ACCEPTS,
        "mcp-session-id": answer.headers["mcp-session-id"],
        "mcp-protocol-version": "2025-11-25",
    }


def later(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """Let the check of tokens see a later time."""

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.now(UTC) + timedelta(seconds=seconds)

    monkeypatch.setattr(jwt.api_jwt, "datetime", Later)
