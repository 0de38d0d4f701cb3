"""`python -m contracts serve`: what it serves as the settings say, and how it starts and ends."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import anyio
import httpx2
import pytest
from cryptography.fernet import Fernet
from mcp import Client, StdioServerParameters
from pydantic import SecretStr

from common.settings import ROOT
from contracts.credentials import Principal
from contracts.failures import CallFailed
from contracts.hosting import Hosting, admin_of, built_or_exit, hosting
from contracts.pinning import build
from contracts.problems import ContractsError
from contracts.settings import ContractsSettings
from serving.http import http_app
from serving.listening import place_of
from tests.contracts.surfacing import HERE, data, files, session, text

pytestmark = pytest.mark.anyio

BOUND_S = 20
"""Seconds that a process may take on a busy machine; never a promise."""

UPSTREAMS = """
upstreams:
  - name: shop
    base_url: https://shop.example/v1
    scopes: [pets.read_write, stock.read_write, birds.read_write]
"""


def put(folder: Path, *names: str) -> None:
    """Write tasks as a partner would."""
    for name in names:
        for path, content in files(name).items():
            place = folder / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


@pytest.fixture
def pinned(tmp_path: Path) -> Path:
    """Return a folder with two pinned tasks and a table of upstreams."""
    put(tmp_path / "tasks", "pets", "stock")
    build(tmp_path / "tasks", tmp_path / "registry")
    (tmp_path / "upstreams.yaml").write_text(UPSTREAMS, encoding="utf-8")
    return tmp_path


def settings(folder: Path, **more: object) -> ContractsSettings:
    given = {
        "contracts_registry": str(folder / "registry"),
        "contracts_upstreams": str(folder / "upstreams.yaml"),
        "contracts_poll_s": 0.05,
    }
    return ContractsSettings(_env_file=None, **{**given, **more})  # type: ignore[call-arg]


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("CONTRACTS_", "SALLA_"))
    }
    given = {
        "CONTRACTS_REGISTRY": str(folder / "registry"),
        "CONTRACTS_UPSTREAMS": str(folder / "upstreams.yaml"),
        "CONTRACTS_POLL_S": "0.05",
    }
    return kept | given | more


def served(folder: Path, *options: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command with a stdin that is at its end, and return how it ended."""
    return subprocess.run(
        [sys.executable, "-m", "contracts", "serve", *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(folder, **more),
        timeout=BOUND_S,
        check=False,
    )


# ---------------------------------------------------------------- as a process


async def test_over_stdio_an_open_session_follows_the_registry(pinned: Path):
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "contracts", "serve"],
        cwd=str(ROOT),
        env=environment(pinned),
        encoding_error_handler="replace",
    )
    with anyio.fail_after(BOUND_S):
        async with Client(server) as client, client.listen(tools_list_changed=True) as events:
            before = {each.name.split("_")[0] for each in (await client.list_tools()).tools}
            put(pinned / "tasks", "birds")
            build(pinned / "tasks", pinned / "registry")
            await anext(aiter(events))
            after = {each.name.split("_")[0] for each in (await client.list_tools()).tools}
    assert (before, after) == ({"pets", "stock"}, {"birds", "pets", "stock"})


def test_a_stdin_at_its_end_ends_the_server_with_nothing_on_stdout(pinned: Path):
    ended = served(pinned)
    assert (ended.returncode, ended.stdout) == (0, "")
    assert "Traceback" not in ended.stderr


def test_without_a_registry_it_ends_with_2_and_the_command_that_makes_one(tmp_path: Path):
    (tmp_path / "upstreams.yaml").write_text(UPSTREAMS, encoding="utf-8")
    ended = served(tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "python -m contracts build" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_unknown_profile_ends_it_with_2(pinned: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended, ExitStack() as stack:
        built_or_exit(lambda: stack.enter_context(hosting(settings(pinned), profile="nobody")))
    assert ended.value.code == 2
    assert "There is no profile of that name" in capsys.readouterr().err


# ---------------------------------------------------------------- as the settings say


async def test_the_registry_is_served_as_approved(pinned: Path):
    with hosting(settings(pinned)) as hosted:
        async with Client(hosted.server) as client:
            tools = (await client.list_tools()).tools
    assert len(tools) == 8
    assert hosted.notes == ()
    assert not any("approved" in (each.description or "").lower() for each in tools)


async def test_a_bare_folder_is_served_only_where_it_is_named_and_says_that_nobody_approved_it(pinned: Path):
    with hosting(settings(pinned, contracts_folder=str(pinned / "tasks"))) as hosted:
        async with Client(hosted.server) as client:
            tools = (await client.list_tools()).tools
            [session] = (await client.read_resource("shop://session")).contents
    assert "UNAPPROVED" in hosted.notes[0]
    assert all("Unapproved" in (each.description or "") for each in tools)
    assert "UNAPPROVED" in session.text  # type: ignore[union-attr]


def _edit(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"pets", b"pats", 1))


def _link(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    (path.parent / "elsewhere").write_bytes(content)
    path.symlink_to(path.parent / "elsewhere")


@pytest.mark.parametrize("harm", [_edit, Path.unlink, _link], ids=["edited", "missing", "symlinked"])
async def test_a_task_that_was_tampered_with_is_refused_by_name_and_the_others_are_served(
    pinned: Path, harm: Callable[[Path], None], caplog: pytest.LogCaptureFixture
):
    harm(pinned / "registry" / "tasks" / "pets" / "functions.yaml")
    with caplog.at_level(logging.WARNING), hosting(settings(pinned)) as hosted:
        async with Client(hosted.server) as client:
            seen = {each.name.split("_")[0] for each in (await client.list_tools()).tools}
            refused = await client.call_tool("pets_list", {})
    assert seen == {"stock"}
    assert data(refused)["error"] == "unknown_tool"
    assert "pets/functions.yaml" in caplog.text


@contextmanager
def shipped(monkeypatch: pytest.MonkeyPatch, secret: str, **more: object) -> Iterator[Hosting]:
    """Host what is shipped, where the environment holds the secret and nothing else."""
    for room in ("hosting", "env_credentials"):
        monkeypatch.setattr(f"contracts.{room}.secret_named", lambda _: SecretStr(secret))
    with hosting(ContractsSettings(_env_file=None, **more)) as hosted:  # type: ignore[call-arg]
        yield hosted


async def test_without_a_credential_the_demo_shop_stands_in_and_everything_says_so(
    monkeypatch: pytest.MonkeyPatch,
):
    with shipped(monkeypatch, "") as hosted:
        async with Client(hosted.server) as client:
            [session] = (await client.read_resource("shop://session")).contents
            listed = await client.call_tool("categories_list", {"status": "hidden"})
    assert "SALLA_ACCESS_TOKEN" in hosted.notes[0]
    assert session.text.startswith("demo shop on this machine, for shop")  # type: ignore[union-attr]
    assert not listed.is_error, text(listed)
    assert data(listed)["data"]


@pytest.mark.parametrize(
    ("secret", "more"),
    [("a token", {}), ("", {"contracts_key": Fernet.generate_key().decode()})],
    ids=["a token", "kept tokens"],
)
async def test_with_anything_to_sign_in_by_the_demo_shop_does_not_stand_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, secret: str, more: dict[str, str]
):
    kept = {"contracts_tokens": f"sqlite:///{tmp_path}/tokens.db"}
    with shipped(monkeypatch, secret, **more, **kept) as hosted:
        async with Client(hosted.server) as client:
            [session] = (await client.read_resource("shop://session")).contents
    assert hosted.notes == ()
    assert "demo" not in session.text  # type: ignore[union-attr]


async def test_the_demos_token_is_for_the_servers_own_principal_alone(monkeypatch: pytest.MonkeyPatch):
    with shipped(monkeypatch, "") as hosted:
        async with hosted.engine as engine:
            with pytest.raises(CallFailed) as failed:
                await engine.call(hosted.live.catalog, "categories_list", {}, Principal("alice"))
    assert failed.value.code == "no_credential"


async def test_one_server_serves_one_client_after_the_other(monkeypatch: pytest.MonkeyPatch):
    with shipped(monkeypatch, "") as hosted:
        for _ in range(2):
            async with Client(hosted.server) as client:
                assert not (await client.call_tool("categories_list", {})).is_error


# ---------------------------------------------------------------- the admin API beside it

ADMIN = "a token of these tests, long enough"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_task_that_is_installed_over_http_is_there_in_a_session_that_is_open(pinned: Path, mode: str):
    given = settings(pinned, contracts_admin_token=ADMIN)
    task = {path: content.decode() for path, content in files("birds").items()}
    with anyio.fail_after(5), hosting(given) as hosted:
        app = http_app(hosted.server, None, place_of("127.0.0.1", 8000), beside=admin_of(hosted.live, given))
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(
                transport=httpx2.ASGITransport(app),
                base_url=HERE,
                headers={"Authorization": f"Bearer {ADMIN}"},
            ) as admin,
            session(httpx2.ASGITransport(app), "", mode) as client,
        ):
            before = {each.name.split("_")[0] for each in (await client.list_tools()).tools}
            installed = await admin.post("/admin/tasks", json={"name": "birds", "files": task})
            after = {each.name.split("_")[0] for each in (await client.list_tools()).tools}
            removed = await admin.delete("/admin/tasks/birds")
            refused = await client.call_tool("birds_list", {})
    assert (installed.is_success, removed.is_success) == (True, True), installed.text + removed.text
    assert (before, after) == ({"pets", "stock"}, {"birds", "pets", "stock"})
    assert data(refused)["error"] == "unknown_tool"


def test_without_a_token_there_is_no_admin_api_and_with_a_bare_folder_none_either(pinned: Path):
    with hosting(settings(pinned)) as hosted:
        assert admin_of(hosted.live, settings(pinned)) == ()
        folder = settings(pinned, contracts_admin_token=ADMIN, contracts_folder=str(pinned / "tasks"))
        with pytest.raises(ContractsError, match="CONTRACTS_FOLDER"):
            admin_of(hosted.live, folder)
