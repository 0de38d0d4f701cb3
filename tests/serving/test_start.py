"""What a server over HTTP refuses to start as, and the command that signs tokens."""

import base64
import json
import logging
import socket
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from serving.__main__ import main
from serving.http import serve_http
from serving.identity import Caller
from serving.listening import Place, place_of
from tests.serving.desk import SECRET, who_server

WITH_TOKENS = {"SHOPKART_TOKEN_SECRET": SECRET}
Refused = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TOKEN_SECRET", "TOKEN_PUBLIC_KEY", "TOKEN_AUDIENCE", "TOKEN_ISSUER", "HTTP_HOSTS"):
        monkeypatch.delenv(f"SHOPKART_{name}", raising=False)


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Refused:
    """Start a server that must not start; returns its exit code and what it says."""

    def start(host: str = "127.0.0.1", port: int = 0, **more: str) -> tuple[int, str]:
        for name, value in more.items():
            monkeypatch.setenv(name, value)
        handlers = list(logging.getLogger().handlers)
        with pytest.raises(SystemExit) as end:
            serve_http(who_server, lambda: Caller("customer", "C-1001"), host=host, port=port)
        assert logging.getLogger().handlers == handlers
        printed, said = capfd.readouterr()
        assert printed == ""
        assert isinstance(end.value.code, int)
        return end.value.code, said

    return start


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_no_other_machine_is_served_without_tokens(host: str, refused: Refused):
    code, said = refused(host)
    assert code == 2
    assert "Set SHOPKART_TOKEN_SECRET or SHOPKART_TOKEN_PUBLIC_KEY" in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_every_address_is_served_only_under_names_that_are_listed(host: str, refused: Refused):
    code, said = refused(host, **WITH_TOKENS)
    assert (code, "Set SHOPKART_HTTP_HOSTS" in said) == (2, True)


def test_a_port_in_use_is_told_in_one_sentence(refused: Refused):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = refused(port=port)
    assert code == 1
    assert said.startswith(f"Port {port} of 127.0.0.1 is in use.")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("host", ["", " ", "no.such.host.invalid", "\ud800"])
def test_a_host_that_is_none_is_told(host: str, refused: Refused):
    code, said = refused(host)
    assert (code, "names no address" in said) == (2, True)


@pytest.mark.parametrize("port", [-1, 65536, 10**30])
def test_a_port_that_is_none_is_told(port: int, refused: Refused):
    code, said = refused(port=port)
    assert (code, f"--port {port} is no port" in said) == (2, True)


def test_an_address_of_another_machine_is_told(refused: Refused):
    code, said = refused("192.0.2.1", **WITH_TOKENS)
    assert (code, "is no address of this machine" in said) == (2, True)


def test_bad_settings_are_told_together_and_hold_no_secret(refused: Refused):
    code, said = refused(SHOPKART_TOKEN_SECRET="tooshortasecret", SHOPKART_HTTP_HOSTS="*")
    assert code == 2
    assert "SHOPKART_TOKEN_SECRET" in said
    assert "SHOPKART_HTTP_HOSTS" in said
    assert "tooshortasecret" not in said


def test_a_key_that_is_not_there_is_told(refused: Refused):
    code, said = refused(SHOPKART_TOKEN_PUBLIC_KEY="no-such-key.pem")
    assert (code, "no-such-key.pem, which cannot be read" in said) == (2, True)


@pytest.mark.parametrize(
    ("host", "is_loopback", "name"),
    [
        ("127.0.0.1", True, "127.0.0.1"),
        ("127.8.9.1", True, "127.8.9.1"),
        ("::1", True, "[::1]"),
        ("0.0.0.0", False, "0.0.0.0"),
        ("::", False, "[::]"),
        ("192.0.2.1", False, "192.0.2.1"),
        ("::ffff:192.0.2.1", False, "[::ffff:192.0.2.1]"),
    ],
)
def test_an_address_is_only_this_machines_where_no_other_can_reach_it(
    host: str, is_loopback: bool, name: str
):
    place = place_of(host, 8000)
    assert (place.is_loopback, place.name) == (is_loopback, name)


def test_a_name_is_what_it_stands_for():
    """`localhost` may be anything in a hosts file: what is bound is what was looked at."""
    place = place_of("localhost", 8000)
    assert place in (Place(socket.AF_INET, "127.0.0.1", 8000), Place(socket.AF_INET6, "::1", 8000))


# ---------------------------------------------------------------- python -m serving token


def printed(*options: str, **more: str) -> Result:
    return CliRunner(env=more).invoke(main, ["token", *options])


def held(result: Result) -> dict[str, Any]:
    assert (result.exit_code, result.stderr) == (0, "")
    [line] = result.stdout.splitlines()
    return json.loads(base64.urlsafe_b64decode(line.split(".")[1] + "=="))


def test_a_customers_token_holds_what_was_asked_for_and_what_the_server_checks():
    more = {"SHOPKART_TOKEN_AUDIENCE": "shopkart", "SHOPKART_TOKEN_ISSUER": "shop.example"}
    claims = held(printed("--customer", "C-1001", "--ttl", "60", **WITH_TOKENS, **more))
    assert claims.pop("exp") - claims.pop("iat") == 60
    assert claims == {"sub": "C-1001", "aud": "shopkart", "iss": "shop.example"}


def test_a_staff_token_has_the_scope_and_lasts_an_hour():
    claims = held(printed("--staff", **WITH_TOKENS))
    assert claims.pop("exp") - claims.pop("iat") == 3600
    assert claims == {"scope": "staff"}


@pytest.mark.parametrize(
    ("options", "more", "told"),
    [
        (["--customer", "C-1001"], {}, "no secret to sign with"),
        ([], WITH_TOKENS, "--customer ID"),
        (["--customer", " "], WITH_TOKENS, "--customer ID"),
        (["--staff", "--ttl", "0"], WITH_TOKENS, "--ttl"),
        (["--staff"], {"SHOPKART_TOKEN_SECRET": "tooshortasecret"}, "32 bytes"),
    ],
)
def test_no_token_is_printed_where_it_would_be_none(options: list[str], more: dict[str, str], told: str):
    done = printed(*options, **more)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
    assert "tooshortasecret" not in done.stderr
