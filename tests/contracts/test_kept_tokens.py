"""Merchants' tokens: sealed, each for its own merchant, renewed by one at a time, and never shown."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import anyio
import httpx2
import pytest
from cryptography.fernet import Fernet
from pydantic import SecretStr
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from common.database import open_engine
from contracts.credentials import Principal
from contracts.env_credentials import EnvCredentials
from contracts.failures import CallFailed
from contracts.kept_credentials import KeptCredentials
from contracts.kept_tokens import LEASE_S, Kept, KeptTokens, TokensUnusable
from contracts.upstreams import Auth, Upstream

pytestmark = pytest.mark.anyio

KEY = SecretStr(Fernet.generate_key().decode())
NORA, SAM, SHOP = Principal("nora"), Principal("sam"), Principal("shop")
BEARER = Upstream(
    name="salla", base_url="https://api.example", auth=Auth(kind="bearer", token="SALLA_ACCESS_TOKEN")
)
OAUTH = Upstream(
    name="salla",
    base_url="https://api.example",
    auth=Auth(kind="oauth", token_url="https://id.example/token"),
)
NOW = 1_000_000.0


class SignIn:
    """A sign-in server whose refresh tokens are good once."""

    def __init__(self) -> None:
        self.good = {"refresh-0"}
        self.asked: list[httpx2.Request] = []
        self.answer: Callable[[], httpx2.Response] | None = None

    def client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=httpx2.MockTransport(self._handle))

    async def _handle(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        await anyio.lowlevel.checkpoint()
        if self.answer is not None:
            answer = self.answer()
            await anyio.lowlevel.checkpoint()
            return answer
        form = parse_qs(request.content.decode())
        used = form["refresh_token"][0]
        if used not in self.good:
            return httpx2.Response(400, json={"error": "invalid_grant", "error_description": "secret-words"})
        self.good.remove(used)
        number = len(self.asked)
        self.good.add(f"refresh-{number}")
        return httpx2.Response(
            200,
            json={
                "access_token": f"access-{number}",
                "refresh_token": f"refresh-{number}",
                "expires_in": 3600,
            },
        )


def kept_in(path: Path, key: SecretStr = KEY) -> KeptTokens:
    return KeptTokens(f"sqlite:///{path / 'tokens.db'}", key)


def credentials(path: Path, sign_in: SignIn, now: float = NOW) -> KeptCredentials:
    return KeptCredentials(kept_in(path), EnvCredentials(SHOP), lambda: now, sign_in.client)


def put_pair(path: Path, expires_at: float | None = NOW) -> None:
    kept_in(path).put(NORA, "salla", Kept(SecretStr("access-0"), SecretStr("refresh-0"), expires_at))


async def shown(found: KeptCredentials, principal: Principal = NORA, upstream: Upstream = OAUTH) -> str:
    credential = await found.resolve(principal, upstream)
    assert credential is not None
    return credential.value.get_secret_value()


# ---------------------------------------------------------------- whose it is


async def test_a_kept_token_is_shown_for_its_own_merchant_alone(tmp_path: Path):
    kept_in(tmp_path).put(NORA, "salla", Kept(SecretStr("of-nora")))
    found = credentials(tmp_path, SignIn())
    assert await shown(found, NORA, BEARER) == "Bearer of-nora"
    with pytest.raises(CallFailed, match="no sign-in") as failed:
        await found.resolve(SAM, BEARER)
    assert failed.value.code == "no_credential"


async def test_the_environments_token_is_shown_for_the_process_own_merchant_alone(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("SALLA_ACCESS_TOKEN", "of-the-shop")
    found = EnvCredentials(SHOP)
    credential = await found.resolve(SHOP, BEARER)
    assert credential is not None
    assert credential.value.get_secret_value() == "Bearer of-the-shop"
    with pytest.raises(CallFailed, match="no sign-in"):
        await found.resolve(Principal("a-customer"), BEARER)


async def test_a_row_that_is_copied_to_another_merchant_opens_for_nobody(tmp_path: Path):
    kept_in(tmp_path).put(NORA, "salla", Kept(SecretStr("of-nora")))
    with open_engine(f"sqlite:///{tmp_path / 'tokens.db'}").begin() as connection:
        connection.execute(
            text(
                "INSERT INTO contract_tokens "
                "SELECT 'sam', upstream, sealed, expires_at, version, lease, lease_until FROM contract_tokens"
            )
        )
    with pytest.raises(TokensUnusable, match="sam at salla do not open"):
        kept_in(tmp_path).get(SAM, "salla", NOW)


async def test_a_row_that_was_altered_does_not_open(tmp_path: Path):
    kept_in(tmp_path).put(NORA, "salla", Kept(SecretStr("of-nora")))
    with open_engine(f"sqlite:///{tmp_path / 'tokens.db'}").begin() as connection:
        connection.execute(text("UPDATE contract_tokens SET sealed = substr(sealed, 1, 40)"))
    with pytest.raises(CallFailed, match="do not open"):
        await credentials(tmp_path, SignIn()).resolve(NORA, BEARER)


# ---------------------------------------------------------------- the key


def test_without_a_key_nothing_is_kept_and_the_command_that_makes_one_is_told(tmp_path: Path):
    with pytest.raises(TokensUnusable, match="tokens key"):
        kept_in(tmp_path, SecretStr(""))
    with pytest.raises(TokensUnusable, match="no key"):
        kept_in(tmp_path, SecretStr("short"))


def test_a_new_key_before_the_old_one_opens_what_the_old_one_sealed(tmp_path: Path):
    kept_in(tmp_path).put(NORA, "salla", Kept(SecretStr("a")))
    both = SecretStr(f"{Fernet.generate_key().decode()},{KEY.get_secret_value()}")
    row = kept_in(tmp_path, both).get(NORA, "salla", NOW)
    assert row is not None
    assert row.kept.access.get_secret_value() == "a"


def test_what_was_sealed_anew_opens_without_the_old_key(tmp_path: Path):
    put_pair(tmp_path)
    new = Fernet.generate_key().decode()
    assert kept_in(tmp_path, SecretStr(f"{new},{KEY.get_secret_value()}")).reseal() == 1
    row = kept_in(tmp_path, SecretStr(new)).get(NORA, "salla", NOW)
    assert row is not None
    assert (row.kept.access, row.kept.refresh) == (SecretStr("access-0"), SecretStr("refresh-0"))
    with pytest.raises(TokensUnusable):
        kept_in(tmp_path).get(NORA, "salla", NOW)


def test_another_key_opens_nothing(tmp_path: Path):
    kept_in(tmp_path).put(NORA, "salla", Kept(SecretStr("a")))
    with pytest.raises(TokensUnusable, match="another one"):
        kept_in(tmp_path, SecretStr(Fernet.generate_key().decode())).get(NORA, "salla", NOW)


# ---------------------------------------------------------------- renewing


async def test_a_token_is_renewed_before_it_expires_and_the_new_pair_is_kept(tmp_path: Path):
    put_pair(tmp_path, NOW + 30)
    sign_in = SignIn()
    assert await shown(credentials(tmp_path, sign_in)) == "Bearer access-1"
    row = kept_in(tmp_path).get(NORA, "salla", NOW)
    assert row is not None
    assert (row.kept.refresh, row.kept.expires_at) == (SecretStr("refresh-1"), NOW + 3600)
    assert str(sign_in.asked[0].url) == "https://id.example/token"


async def test_a_token_that_is_good_is_not_renewed(tmp_path: Path):
    put_pair(tmp_path, NOW + 3600)
    sign_in = SignIn()
    assert await shown(credentials(tmp_path, sign_in)) == "Bearer access-0"
    assert sign_in.asked == []


async def test_ten_at_once_renew_once(tmp_path: Path):
    put_pair(tmp_path)
    sign_in = SignIn()
    found = credentials(tmp_path, sign_in)
    got: list[str] = []

    async def ask() -> None:
        got.append(await shown(found))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(ask)
    assert got == ["Bearer access-1"] * 10
    assert len(sign_in.asked) == 1


async def test_two_processes_at_once_use_the_refresh_token_once(tmp_path: Path):
    put_pair(tmp_path)
    sign_in = SignIn()
    each = [credentials(tmp_path, sign_in), credentials(tmp_path, sign_in)]
    got: list[str] = []

    async def ask(found: KeptCredentials) -> None:
        got.append(await shown(found))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            for found in each:
                tasks.start_soon(ask, found)
    assert got == ["Bearer access-1"] * 2
    assert len(sign_in.asked) == 1


async def test_the_lease_of_a_process_that_died_ends(tmp_path: Path):
    put_pair(tmp_path)
    assert kept_in(tmp_path).lease(NORA, "salla", 1, "dead", NOW - 100)
    sign_in = SignIn()
    assert await shown(credentials(tmp_path, sign_in)) == "Bearer access-1"


async def test_a_401_renews_once_and_says_whether_that_helped(tmp_path: Path):
    put_pair(tmp_path, NOW + 3600)
    sign_in = SignIn()
    found = credentials(tmp_path, sign_in)
    before = await found.resolve(NORA, OAUTH)
    assert before is not None
    assert await found.refused(NORA, OAUTH, before) is True
    assert await shown(found) == "Bearer access-1"
    sign_in.good.clear()
    after = await found.resolve(NORA, OAUTH)
    assert after is not None
    assert await found.refused(NORA, OAUTH, after) is False


@pytest.mark.parametrize(
    "answer",
    [
        lambda: httpx2.Response(
            400, json={"error": "invalid_grant", "error_description": "refresh-0 is bad"}
        ),
        lambda: httpx2.Response(500, text="refresh-0"),
        lambda: httpx2.Response(302, headers={"location": "https://evil.example/refresh-0"}),
        lambda: httpx2.Response(200, json={"access_token": ""}),
        lambda: httpx2.Response(200, json=["refresh-0"]),
        lambda: httpx2.Response(200, text="no json refresh-0"),
    ],
)
async def test_a_renewal_that_fails_keeps_the_old_pair_and_tells_no_secret(
    tmp_path: Path, answer: Callable[[], httpx2.Response], caplog: pytest.LogCaptureFixture
):
    put_pair(tmp_path)
    sign_in = SignIn()
    sign_in.answer = answer
    with caplog.at_level(logging.DEBUG), pytest.raises(CallFailed, match="has expired") as failed:
        await credentials(tmp_path, sign_in).resolve(NORA, OAUTH)
    row = kept_in(tmp_path).get(NORA, "salla", NOW)
    assert row is not None
    assert row.kept.refresh == SecretStr("refresh-0")
    assert not row.leased
    for said in (caplog.text, str(failed.value), repr(failed.value.__dict__)):
        assert "refresh-0" not in said
        assert "access-0" not in said


async def test_the_new_pair_is_kept_although_whoever_asked_has_gone(tmp_path: Path):
    put_pair(tmp_path)
    sign_in = SignIn()
    found = credentials(tmp_path, sign_in)
    with anyio.CancelScope() as scope:

        def answered() -> httpx2.Response:
            scope.cancel()
            return httpx2.Response(200, json={"access_token": "access-9", "refresh_token": "refresh-9"})

        sign_in.answer = answered
        await found.resolve(NORA, OAUTH)
    row = kept_in(tmp_path).get(NORA, "salla", NOW)
    assert row is not None
    assert row.kept.access == SecretStr("access-9")


async def test_a_pair_that_was_lost_between_the_answer_and_the_disk_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    put_pair(tmp_path)
    sign_in = SignIn()
    found = credentials(tmp_path, sign_in)

    def failing(*_: object) -> bool:
        raise OperationalError("UPDATE", None, Exception("disk is full"))

    found.tokens.renew = failing  # type: ignore[method-assign]
    with pytest.raises(CallFailed, match="cannot be used"):
        await found.resolve(NORA, OAUTH)
    assert "could not be kept, and the old one is used up" in caplog.text
    later = credentials(tmp_path, sign_in, NOW + LEASE_S + 1)  # as after a crash at that moment
    with pytest.raises(CallFailed, match="has expired"):
        await later.resolve(NORA, OAUTH)
    assert "answered 400 (invalid_grant). Connect the merchant anew" in caplog.text
    assert "secret-words" not in caplog.text


@pytest.mark.parametrize("lives_s", [float("inf"), float("nan"), 1e300, -5, 0, True, "3600"])
async def test_a_life_that_cannot_be_is_not_believed(tmp_path: Path, lives_s: object):
    put_pair(tmp_path)
    sign_in = SignIn()
    said = json.dumps({"access_token": "access-1", "expires_in": lives_s})
    sign_in.answer = lambda: httpx2.Response(200, text=said)
    assert await shown(credentials(tmp_path, sign_in)) == "Bearer access-1"
    assert str(kept_in(tmp_path).list()[0]) == "nora at salla: does not expire"


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "caf\u00e9"])
async def test_what_is_no_token_is_never_sent_nor_told(tmp_path: Path, token: str):
    kept_in(tmp_path).put(NORA, "salla", Kept(SecretStr(token)))
    with pytest.raises(CallFailed, match="no spaces") as failed:
        await credentials(tmp_path, SignIn()).resolve(NORA, BEARER)
    assert not token or token not in str(failed.value)


# ---------------------------------------------------------------- nothing is shown


def test_what_is_on_disk_and_in_reprs_shows_no_secret(tmp_path: Path):
    put_pair(tmp_path)
    tokens = kept_in(tmp_path)
    on_disk = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    row = tokens.get(NORA, "salla", NOW)
    assert row is not None
    for said in (on_disk.decode("latin-1"), repr(row), repr(tokens.list()), str(tokens.list()[0])):
        assert "access-0" not in said
        assert "refresh-0" not in said
    assert (tmp_path / "tokens.db").stat().st_mode & 0o077 == 0


def test_a_removed_row_is_gone(tmp_path: Path):
    put_pair(tmp_path)
    tokens: Any = kept_in(tmp_path)
    assert tokens.remove(NORA, "salla") is True
    assert tokens.remove(NORA, "salla") is False
    assert tokens.get(NORA, "salla", NOW) is None
