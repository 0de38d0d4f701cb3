"""`python -m contracts tokens`, as whoever runs the server uses it: no token is shown, or taken from argv."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.fernet import Fernet

from contracts.__main__ import main
from contracts.credentials import Principal
from contracts.settings import ContractsSettings
from contracts.signing_in import credentials_of
from contracts.upstreams import Auth, Upstream

pytestmark = pytest.mark.anyio

SALLA = Upstream(name="salla", base_url="https://api.example", auth=Auth(kind="bearer"))
PAIR = json.dumps({"access_token": "of-nora", "refresh_token": "renews-nora", "expires_in": 3600})


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("CONTRACTS_TOKENS", "")
    monkeypatch.setenv("CONTRACTS_KEY", Fernet.generate_key().decode())
    monkeypatch.setenv("SALLA_ACCESS_TOKEN", "of-the-shop")


def tokens(*words: str, sent: str = "") -> Result:
    return CliRunner().invoke(main, ["tokens", *words], input=sent)


def test_what_is_put_is_listed_without_its_secrets_and_removed():
    assert tokens("put", "nora", "salla", sent=PAIR).output == "Kept the tokens of nora at salla.\n"
    listed = tokens("list").output
    assert listed.startswith("nora at salla: until 20")
    assert "of-nora" not in listed
    assert tokens("remove", "nora", "salla").output == "Removed the tokens of nora at salla.\n"
    assert tokens("list").output == "No tokens are kept.\n"
    gone = tokens("remove", "nora", "salla")
    assert (gone.exit_code, gone.output) == (1, "Error: No tokens of nora at salla are kept.\n")


async def test_a_kept_token_is_what_the_server_then_shows_and_others_keep_their_own():
    assert tokens("put", "nora", "salla", sent=PAIR).exit_code == 0
    found = credentials_of(ContractsSettings())
    kept = await found.resolve(Principal("nora"), SALLA)
    own = await found.resolve(
        Principal("shop"), SALLA.model_copy(update={"auth": Auth(kind="bearer", token="SALLA_ACCESS_TOKEN")})
    )
    assert kept is not None and own is not None
    assert kept.value.get_secret_value() == "Bearer of-nora"
    assert own.value.get_secret_value() == "Bearer of-the-shop"


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "of-nora",
        '["of-nora"]',
        '{"access_token": "of-nora", "more": 1}',
        '{"access_token": "of-nora", "expires_in": -1}',
        '{"access_token": "of-nora", "expires_in": 1e999}',
        '{"access_token": "of-nora and-more"}',
        '{"access_token": ""}',
    ],
)
def test_what_is_no_pair_is_refused_and_not_repeated(sent: str):
    refused = tokens("put", "nora", "salla", sent=sent)
    assert refused.exit_code == 1
    assert "of-nora" not in refused.output
    assert tokens("list").output == "No tokens are kept.\n"


def test_an_upstream_that_the_table_has_not_is_told_with_those_it_has():
    refused = tokens("put", "nora", "shop", sent=PAIR)
    assert (refused.exit_code, "it has: salla" in refused.output) == (1, True)


def test_without_a_key_the_command_that_makes_one_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CONTRACTS_KEY", "")
    refused = tokens("put", "nora", "salla", sent=PAIR)
    assert (refused.exit_code, "python -m contracts tokens key" in refused.output) == (1, True)
    made = tokens("key").output.strip()
    monkeypatch.setenv("CONTRACTS_KEY", made)
    assert tokens("put", "nora", "salla", sent=PAIR).exit_code == 0


def test_a_key_is_changed_by_sealing_anew(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CONTRACTS_KEY", old := tokens("key").output.strip())
    tokens("put", "nora", "salla", sent=PAIR)
    monkeypatch.setenv("CONTRACTS_KEY", f"{(new := tokens('key').output.strip())},{old}")
    assert tokens("reseal").output == "Sealed anew: 1.\n"
    monkeypatch.setenv("CONTRACTS_KEY", new)
    assert tokens("reseal").output == "Sealed anew: 1.\n"
    monkeypatch.setenv("CONTRACTS_KEY", old)
    assert tokens("reseal").exit_code == 1


def test_a_database_that_cannot_be_used_is_told_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CONTRACTS_TOKENS", f"sqlite:///{tmp_path}/no/such/folder.db")
    refused = tokens("list")
    assert refused.exit_code == 1
    assert "CONTRACTS_TOKENS" in refused.output
