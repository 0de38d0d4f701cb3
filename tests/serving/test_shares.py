"""One person over HTTP holds so much of the server and no more, and the others are served meanwhile."""

import anyio
import httpx2
import pytest
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.types import Message, Receive, Scope, Send

from serving.identity import Caller
from serving.shares import IDLE_S, Shares
from tests.serving.desk import BOUND_S, believed, browser, serving, token
from tests.serving.test_http import ACCEPTS, CALL, OPENING, bearer, opened

pytestmark = pytest.mark.anyio


async def status_in(http: httpx2.AsyncClient, session: dict[str, str], shown: str) -> int:
    return (await http.post("/mcp", json=CALL, headers=session | bearer(shown))).status_code


async def test_for_one_session_more_a_persons_own_ends_that_was_unused_for_longest():
    alice, bob = token("C-1001"), token("C-2002")
    async with serving(tokens=believed(), most_sessions=3) as to, browser(to) as http:
        with anyio.fail_after(BOUND_S):
            bobs = await opened(http, bob)
            first, second, third = [await opened(http, alice) for _ in range(3)]
            assert await status_in(http, first, alice) == 200  # so the second is now the oldest in use
            fourth = await opened(http, alice)
            assert [await status_in(http, each, alice) for each in (first, second, third, fourth)] == [
                200, 404, 200, 200,
            ]  # fmt: skip
            assert await status_in(http, bobs, bob) == 200


async def test_hundreds_of_sessions_of_one_person_leave_the_server_with_their_share():
    alice = token("C-1001")
    async with serving(tokens=believed(), most_sessions=2) as to, browser(to) as http:
        with anyio.fail_after(BOUND_S * 4):
            sessions = [await opened(http, alice) for _ in range(200)]
            answered = [await status_in(http, each, alice) for each in sessions]
    assert answered == [404] * 198 + [200] * 2


async def test_a_session_that_was_ended_by_its_client_takes_no_place():
    alice = token("C-1001")
    async with serving(tokens=believed(), most_sessions=2) as to, browser(to) as http:
        with anyio.fail_after(BOUND_S):
            first, second = await opened(http, alice), await opened(http, alice)
            assert (await http.delete("/mcp", headers=second | bearer(alice))).status_code == 200
            third = await opened(http, alice)
            assert [await status_in(http, each, alice) for each in (first, third)] == [200, 200]


async def test_an_opening_that_is_refused_ends_nobodys_session():
    alice = token("C-1001")
    async with serving(tokens=believed(), most_sessions=1) as to, browser(to) as http:
        with anyio.fail_after(BOUND_S):
            kept = await opened(http, alice)
            for refused in ({"host": "evil.example"}, {"accept": "text/plain"}):
                answer = await http.post("/mcp", json=OPENING, headers=ACCEPTS | bearer(alice) | refused)
                assert answer.status_code >= 400
            assert (await http.post("/mcp", json=CALL, headers=ACCEPTS | bearer(alice))).status_code >= 400
            assert await status_in(http, kept, alice) == 200


async def test_without_tokens_many_visitors_may_come_as_one_caller():
    async with serving(Caller("guest"), tokens=None, most_sessions=1) as to, browser(to) as http:
        with anyio.fail_after(BOUND_S):
            sessions: list[dict[str, str]] = []
            for _ in range(5):
                answer = await http.post("/mcp", json=OPENING, headers=ACCEPTS)
                sessions.append(ACCEPTS | {"mcp-session-id": answer.headers["mcp-session-id"]})
            for session in sessions:
                assert (await http.post("/mcp", json=CALL, headers=session)).status_code == 200


async def test_a_body_longer_than_any_call_is_not_read_to_its_end():
    arguments = {f"k{number}": 1 for number in range(10_000)}
    call = CALL | {"params": {"name": "who", "arguments": arguments}}
    async with serving(tokens=believed()) as to, browser(to, **ACCEPTS, **bearer(token("C-1001"))) as http:
        assert (await http.post("/mcp", json=call)).status_code == 413


# ---------------------------------------------------------------- around an application of these tests


class Desk:
    """An application that answers when it is let, and names a new session where none is asked for."""

    def __init__(self) -> None:
        self.free = anyio.Event()
        self.ended: list[str] = []
        self._opened = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        if scope["method"] == "DELETE":
            self.ended.append(headers[b"mcp-session-id"].decode())
        elif b"waits" in headers:
            await self.free.wait()
        if b"mcp-session-id" not in headers:
            self._opened += 1
            headers[b"mcp-session-id"] = str(self._opened).encode()
        named = [(b"mcp-session-id", headers[b"mcp-session-id"])]
        await send({"type": "http.response.start", "status": 200, "headers": named})
        await send({"type": "http.response.body", "body": b""})


async def asked(
    shares: Shares, who: str, session: str = "", *, waits: bool = False, method: str = "POST"
) -> int:
    headers = [(b"mcp-session-id", session.encode())] * bool(session) + [(b"waits", b"1")] * waits
    user = AuthenticatedUser(AccessToken(token="", client_id=who, scopes=[]))
    statuses: list[int] = []

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    await shares({"type": "http", "method": method, "headers": headers, "user": user}, receive, send)
    return statuses[0]


async def test_a_person_has_so_many_requests_that_wait_and_others_are_answered():
    desk = Desk()
    shares = Shares(desk, 50)
    with anyio.fail_after(BOUND_S):
        async with anyio.create_task_group() as group:
            for _ in range(32):
                group.start_soon(_ask_and_wait, shares)
            await anyio.wait_all_tasks_blocked()
            assert await asked(shares, "alice") == 429
            assert await asked(shares, "bob") == 200
            desk.free.set()
        assert await asked(shares, "alice") == 200


async def _ask_and_wait(shares: Shares) -> None:
    assert await asked(shares, "alice", waits=True) == 200


async def test_a_session_that_is_answering_is_not_ended_for_a_new_one():
    desk = Desk()
    shares = Shares(desk, 2)
    with anyio.fail_after(BOUND_S):
        await asked(shares, "alice")
        await asked(shares, "alice")
        async with anyio.create_task_group() as group:
            group.start_soon(_ask_in_the_first, shares)
            await anyio.wait_all_tasks_blocked()
            await asked(shares, "alice")
            desk.free.set()
    assert desk.ended == ["2"]


async def _ask_in_the_first(shares: Shares) -> None:
    assert await asked(shares, "alice", "1", waits=True) == 200


async def test_a_person_whose_sessions_have_ended_by_themselves_is_not_kept():
    now = [0.0]
    shares = Shares(Desk(), 20, lambda: now[0])
    for number in range(100):
        await asked(shares, str(number))
    assert len(shares) == 100
    now[0] = IDLE_S / 2
    await asked(shares, "7", "8")  # the session that was the eighth to be opened, and is theirs
    now[0] = IDLE_S + 1
    await asked(shares, "new")
    assert len(shares) == 2
