"""The author of a hostile contract: what would make its request another than the one that was reviewed."""

from pathlib import Path
from typing import Any

import httpx2
import pytest
from cryptography.fernet import Fernet
from pydantic import SecretStr

from contracts.credentials import Principal
from contracts.env_credentials import EnvCredentials
from contracts.kept_credentials import KeptCredentials
from contracts.kept_tokens import Kept, KeptTokens
from contracts.oauth import RefreshFailed, refreshed
from contracts.problems import BadContracts, Problem
from contracts.reading import read_task
from contracts.upstreams import Auth, Upstream
from tests.contracts.task_files import GOOD, with_change

pytestmark = pytest.mark.anyio

OAUTH = Auth(kind="oauth", token_url="https://id.example/token")
LIST_PATH = "path: /brands\n"


def problems_of(old: str, new: str) -> tuple[Problem, ...]:
    files = with_change("functions.yaml", old, new)
    assert files["functions.yaml"] != GOOD["functions.yaml"]
    with pytest.raises(BadContracts) as refused:
        read_task("brands", files)
    return refused.value.problems


@pytest.mark.parametrize("path", ["/brands/..;/admin", "/..;x/admin", "/brands/.;"])
def test_a_path_that_leads_upwards_before_a_semicolon_is_refused(path: str):
    told = problems_of(LIST_PATH, f"path: {path}\n")
    assert any("leads upwards" in problem.rule for problem in told)


@pytest.mark.parametrize("header", ["On-Behalf-Of", "X-Impersonate-User", "Sudo"])
def test_a_header_that_has_somebody_else_act_is_refused(header: str):
    told = problems_of("X-Channel: shop", f"X-Channel: shop, {header}: {{value: nora}}")
    assert [problem.field for problem in told] == [f"functions[2].request.headers.{header}"]


@pytest.mark.parametrize("name", ["_method", "X-HTTP-Method-Override", "x-method-override"])
def test_a_parameter_that_makes_another_method_of_it_is_refused(name: str):
    told = problems_of("value: true}", f"value: true}}, {name}: {{value: DELETE}}")
    assert any("another method" in problem.rule for problem in told)


@pytest.mark.parametrize("name", ["token", "KEY", "sig", "apikey"])
def test_a_key_that_the_contract_itself_sends_is_refused_however_short(name: str):
    told = problems_of("value: true}", f"value: true}}, {name}: {{value: a1}}")
    assert any("name of a credential" in problem.rule for problem in told)


# ---------------------------------------------------------------- a hostile sign-in server


def said(body: bytes, status: int = 200) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.MockTransport(lambda _: httpx2.Response(status, content=body)))


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"access_token": "abc", "more": "' + b"x" * 200_000 + b'"}',
        b'{"access_token": "abc"}' + b" " * 10_000_000,
        b"\xff\xfe",
        b'{"access_token": ["abc"]}',
        b'{"access_token": "a\\u00e9"}',
    ],
    ids=["deep", "long", "padded", "no text", "a list", "no ASCII"],
)
@pytest.mark.parametrize("status", [200, 500])
async def test_an_odd_answer_of_the_sign_in_server_is_no_token_and_no_crash(body: bytes, status: int):
    kept: Any = Kept(SecretStr("old"), SecretStr("refresh"))
    async with said(body, status) as client:
        with pytest.raises(RefreshFailed) as failed:
            await refreshed(client, OAUTH, kept, lambda: 0.0)
    assert not failed.value.final
    assert len(failed.value.why) < 100


async def test_an_address_that_always_answers_401_does_not_have_every_call_renew_the_token(tmp_path: Path):
    now, asked = [1_000.0], list[str]()

    def handler(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.content.decode())
        return httpx2.Response(200, json={"access_token": f"new-{len(asked)}", "refresh_token": "next"})

    def client() -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=httpx2.MockTransport(handler))

    nora, row = Principal("nora"), Upstream(name="shop", base_url="https://shop.example", auth=OAUTH)
    tokens = KeptTokens(f"sqlite:///{tmp_path / 'tokens.db'}", SecretStr(Fernet.generate_key().decode()))
    tokens.put(nora, "shop", Kept(SecretStr("old"), SecretStr("refresh")))
    kept = KeptCredentials(tokens, EnvCredentials(Principal("shop")), lambda: now[0], client)
    helped: list[bool] = []
    for passed in (0, 1, 1, 60):
        now[0] += passed
        credential = await kept.resolve(nora, row)
        assert credential
        helped.append(await kept.refused(nora, row, credential))
    assert helped == [True, False, False, True]
    assert len(asked) == 2
