"""An ejected module sends what the engine sends, and holds no secret."""

import contextlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import given, settings

from common.settings import ROOT
from contracts.ejecting import ejected
from contracts.example import example_arguments
from contracts.failures import CallFailed
from contracts.sets import tasks_of
from contracts.task import Offered
from contracts.upstreams import Auth, Upstream
from contracts.validating import problems_of
from tests.contracts.generated import functions
from tests.contracts.shop_stub import BASE, Shop

ROW = Upstream(name="shop", base_url=BASE, auth=Auth(kind="bearer", token="SHOP_TOKEN"))
ALL = [each for task in tasks_of(ROOT / "tasks").values() for each in task.functions]


def module_of(offered: Offered) -> Any:
    module = ModuleType("ejected")
    exec(
        compile(ejected(offered, ROW), "ejected.py", "exec"), module.__dict__
    )  # what is ejected is to be run
    return module


def sent_by_the_engine(offered: Offered, arguments: dict[str, Any]) -> httpx2.Request | None:
    shop = Shop()

    async def call() -> None:
        await shop.call(offered, arguments)

    with contextlib.suppress(CallFailed):
        anyio.run(call)
    return shop.asked[0] if shop.asked else None


def facts(request: httpx2.Request) -> Any:
    own = {
        name: value
        for name, value in request.headers.items()
        if name
        not in ("authorization", "user-agent", "accept-encoding", "connection", "accept", "idempotency-key")
    }
    return request.method, str(request.url), request.read(), own


@settings(max_examples=80, deadline=None)
@given(functions())
def test_it_sends_what_the_engine_sends(made: tuple[Offered, dict[str, Any]]):
    offered, arguments = made
    expected = sent_by_the_engine(offered, arguments)
    module = module_of(offered)
    if expected is None:
        with pytest.raises(ValueError, match=r"stand|comma"):
            module.build(arguments)
    else:
        assert facts(module.build(arguments)) == facts(expected)


@pytest.mark.parametrize("offered", ALL, ids=lambda each: each.name)
def test_every_function_that_ships_is_ejected_the_same_each_time(offered: Offered):
    assert ejected(offered, ROW) == ejected(offered, ROW)
    module = module_of(offered)
    arguments = example_arguments(offered.contract)
    assert problems_of(offered, arguments) == []
    assert str(module.build(arguments).url).startswith(f"{BASE}/")
    assert module.TOKEN_VARIABLE == "SHOP_TOKEN"


def test_the_linter_finds_nothing_in_it(tmp_path: Path):
    for offered in ALL:
        (tmp_path / f"{offered.name}.py").write_text(ejected(offered, ROW), encoding="utf-8")
    (tmp_path / "ruff.toml").write_text(
        '[lint]\nselect = ["E", "F", "I", "B", "UP", "C4"]\n', encoding="utf-8"
    )
    found = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert found.stdout == "All checks passed!\n"


def test_the_token_is_read_when_it_is_called(monkeypatch: pytest.MonkeyPatch):
    module = module_of(ALL[0])
    seen: list[str] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.headers["authorization"])
        return httpx2.Response(200, json={"data": []})

    class Client(httpx2.Client):
        def __init__(self, **more: Any) -> None:
            super().__init__(transport=httpx2.MockTransport(handler), **more)

    monkeypatch.setenv("SHOP_TOKEN", "from-the-environment")
    monkeypatch.setattr(module.httpx2, "Client", Client)
    assert module.call({}) == {"data": []}
    assert seen == ["Bearer from-the-environment"]
