"""The demo shop on a port: there before anybody asks, for this machine alone, and gone afterwards.

Knows: real sockets of this machine.
"""

import socket
import threading
from urllib.parse import urlsplit

import httpx2
import pytest

from contracts.demo.running import demo_shop
from serving.listening import CannotListen


def _threads() -> set[str]:
    return {each.name for each in threading.enumerate()}


def test_it_answers_its_token_and_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with demo_shop() as (url, token):
        answer = httpx2.get(f"{url}/orders/900105", headers={"Authorization": f"Bearer {token}"})
        assert answer.json()["data"]["reference_id"] == 218394
        assert httpx2.get(f"{url}/orders").status_code == 401
    assert capfd.readouterr() == ("", "")


def test_it_ends_with_whoever_needed_it() -> None:
    with pytest.raises(RuntimeError), demo_shop() as (url, _):
        assert "demo shop" in _threads()
        raise RuntimeError
    assert "demo shop" not in _threads()
    with socket.socket() as probe, pytest.raises(ConnectionRefusedError):
        probe.connect(("127.0.0.1", urlsplit(url).port or 0))


def test_it_can_end_before_anybody_has_asked() -> None:
    with demo_shop():
        pass
    assert "demo shop" not in _threads()


def test_two_demos_have_ports_and_tokens_of_their_own() -> None:
    with demo_shop() as (one, first), demo_shop() as (two, second):
        assert one != two
        assert first != second
        assert httpx2.get(f"{two}/orders", headers={"Authorization": f"Bearer {first}"}).status_code == 401


def test_a_port_that_is_taken_is_said() -> None:
    with demo_shop() as (url, _), pytest.raises(CannotListen), demo_shop(urlsplit(url).port or 0):
        pass
