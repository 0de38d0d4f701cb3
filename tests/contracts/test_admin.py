"""The admin API: behind its token, beside MCP, and what it installs is served at once and pinned."""

from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from pydantic import SecretStr
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.applications import Starlette
from starlette.testclient import TestClient

from common.settings import ROOT
from contracts.admin import BadToken, admin_routes
from contracts.folders import files_of
from contracts.live import Live
from contracts.pinning import build
from contracts.registry import Registry
from tests.contracts.surfacing import files as made

load_all_checks()

TOKEN = "a-token-of-the-admin-api-of-tests"
SIGNED = {"Authorization": f"Bearer {TOKEN}"}


def files() -> dict[str, str]:
    return {path: data.decode() for path, data in files_of(ROOT / "tasks/categories").items()}


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    build(ROOT / "tasks", tmp_path / "registry")
    return tmp_path / "registry"


def served(registry: Path, token: str = TOKEN) -> tuple[TestClient, Live]:
    live = Live(Registry(registry))
    routes = admin_routes(live, registry, SecretStr(token))
    return TestClient(Starlette(routes=routes), headers=SIGNED), live


# ---------------------------------------------------------------- who may


@pytest.mark.parametrize(
    "shown",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": TOKEN},
        {"Authorization": f"Bearer {TOKEN} "},
        {"Authorization": f"Bearer {TOKEN}é".encode()},
    ],
)
def test_without_the_token_nothing_is_told(registry: Path, shown: Any):
    routes = admin_routes(Live(Registry(registry)), registry, SecretStr(TOKEN))
    client = TestClient(Starlette(routes=routes))
    for path in ("/admin/tasks", "/admin/tasks/categories", "/admin/openapi.yaml", "/admin/nothing"):
        answer = client.get(path, headers=shown)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
        assert "categories" not in answer.text


def test_two_tokens_in_one_request_are_none(registry: Path):
    routes = admin_routes(Live(Registry(registry)), registry, SecretStr(TOKEN))
    client = TestClient(Starlette(routes=routes))
    both = [("Authorization", f"Bearer {TOKEN}"), ("Authorization", f"Bearer {TOKEN}")]
    assert client.get("/admin/tasks", headers=both).status_code == 401


@pytest.mark.parametrize("path", ["/admin/tasks", "/admin/openapi.yaml", "/admin/x"])
def test_without_a_token_in_the_settings_there_is_no_admin_api(registry: Path, path: str):
    client, _ = served(registry, "")
    answer = client.get(path)
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


def test_a_short_token_is_refused_with_the_command_that_makes_one(registry: Path):
    with pytest.raises(BadToken, match="token_urlsafe"):
        served(registry, "short")


# ---------------------------------------------------------------- what it does


def test_what_is_installed_is_served_at_once_and_after_a_restart(registry: Path):
    client, live = served(registry)
    assert client.delete("/admin/tasks/categories").status_code == 200
    assert "categories" not in [task.name for task in live.catalog.tasks]
    answer = client.post("/admin/tasks", json={"name": "categories", "files": files()})
    assert (answer.status_code, answer.json()["installed"]) == (201, True)
    assert "categories_list" in live.catalog.functions
    assert "categories_list" in Registry(registry).load().catalog.functions


def test_a_task_that_is_there_is_replaced_only_when_that_is_said(registry: Path):
    client, live = served(registry)
    changed = files()
    changed["task.yaml"] = changed["task.yaml"].replace("title: ", "title: New ")
    answer = client.post("/admin/tasks", json={"name": "categories", "files": changed})
    assert (answer.status_code, answer.json()["error"]) == (409, "already_there")
    sent = {"name": "categories", "files": changed, "replace": True}
    assert client.post("/admin/tasks", json=sent).status_code == 200
    (title,) = [task.file.title for task in live.catalog.tasks if task.name == "categories"]
    assert title.startswith("New ")


@pytest.mark.anyio
async def test_of_two_who_install_at_once_one_is_told_that_it_is_there(registry: Path):
    client, live = served(registry)
    client.delete("/admin/tasks/categories")
    transport = httpx2.ASGITransport(app=client.app)
    statuses: list[int] = []
    async with httpx2.AsyncClient(transport=transport, base_url="http://here", headers=SIGNED) as other:

        async def install() -> None:
            answer = await other.post("/admin/tasks", json={"name": "categories", "files": files()})
            statuses.append(answer.status_code)

        with anyio.fail_after(5):
            async with anyio.create_task_group() as both:
                both.start_soon(install)
                both.start_soon(install)
    assert sorted(statuses) == [201, 409]
    assert "categories_list" in live.catalog.functions


def test_validating_tells_of_a_full_name_that_another_task_has(registry: Path):
    client, _ = served(registry)
    first, second = (
        {path: data.decode() for path, data in made(name).items()} for name in ("pets", "pets_x")
    )
    first = {
        path: text.replace("name: list\n", "name: x_list\n").replace("pets_list", "pets_x_list")
        for path, text in first.items()
    }
    assert client.post("/admin/tasks", json={"name": "pets", "files": first}).status_code == 201
    sent = {"name": "pets_x", "files": {path: second[path] for path in ("task.yaml", "functions.yaml")}}
    for path in ("/admin/tasks/validate", "/admin/tasks"):
        answer = client.post(path, json=sent)
        assert answer.status_code == 422
        assert "pets_x_list has the same full name" in answer.json()["problems"][0]["rule"]


def test_a_file_that_stands_twice_in_a_request_is_refused(registry: Path):
    client, _ = served(registry)
    body = b'{"name": "a", "files": {"task.yaml": "good", "task.yaml": "bad"}}'
    answer = client.post("/admin/tasks", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (400, "no_json")


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("PUT", "/admin/tasks", 405, "GET, POST"),
        ("PATCH", "/admin/tasks/categories", 405, "DELETE, GET"),
        ("GET", "/admin/import/openapi", 405, "POST"),
        ("GET", "/admin/tasks/categories/more", 404, None),
    ],
)
def test_another_method_is_told_which_there_are(
    registry: Path, method: str, path: str, status: int, allow: str | None
):
    client, _ = served(registry)
    answer = client.request(method, path)
    assert (answer.status_code, answer.headers.get("allow")) == (status, allow)


def test_a_registry_that_cannot_be_written_is_told_without_its_place(
    registry: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", str(registry))

    monkeypatch.setattr("contracts.admin.install", full)
    client, _ = served(registry)
    answer = client.post("/admin/tasks", json={"name": "categories", "files": files()})
    assert (answer.status_code, answer.json()["error"]) == (500, "registry_unusable")
    assert str(registry) not in answer.text


def test_problems_are_told_as_validate_tells_them_and_nothing_is_installed(registry: Path):
    client, live = served(registry)
    sent = {"name": "brands", "files": {"task.yaml": "name: brands\n", "x.sh": "rm"}}
    for path in ("/admin/tasks/validate", "/admin/tasks"):
        answer = client.post(path, json=sent)
        assert answer.status_code == 422
        told = [problem["text"] for problem in answer.json()["problems"]]
        assert any(text.startswith("brands/x.sh: A task has no file") for text in told)
    assert "brands" not in [task.name for task in live.catalog.tasks]


@pytest.mark.parametrize("path", ["../../evil", "/etc/passwd", "prompts/../../x.md", "skills/a/b/SKILL.md"])
def test_a_file_that_would_leave_the_task_is_refused(registry: Path, path: str):
    client, _ = served(registry)
    answer = client.post(
        "/admin/tasks", json={"name": "categories", "files": files() | {path: "x"}, "replace": True}
    )
    assert answer.status_code == 422
    assert not list(registry.parent.rglob("evil"))


def test_a_difference_is_told_in_words(registry: Path):
    client, _ = served(registry)
    changed = files()
    changed["functions.yaml"] = changed["functions.yaml"].replace("[categories.read]", "[orders.read]", 1)
    answer = client.post("/admin/tasks/diff", json={"name": "categories", "files": changed})
    assert answer.status_code == 200
    assert any("orders.read" in each for each in answer.json()["differences"])
    same = client.post("/admin/tasks/diff", json={"name": "categories", "files": files()})
    assert same.json()["differences"] == []


def test_a_description_comes_back_as_drafts_and_installs_nothing(registry: Path):
    client, live = served(registry)
    before = live.catalog.digest
    text = (ROOT / "tests/data/openapi/petstore.yaml").read_text(encoding="utf-8")
    answer = client.post("/admin/import/openapi", json={"text": text, "upstream": "salla"}).json()
    assert set(answer["tasks"]) == {"pet", "store", "user"}
    assert any(each.startswith("POST /pet/{petId}/uploadImage: ") for each in answer["refused"])
    live.refresh()
    assert live.catalog.digest == before


def test_one_task_is_shown_with_its_files(registry: Path):
    client, _ = served(registry)
    assert client.get("/admin/tasks/categories").json()["files"] == files()
    assert client.get("/admin/tasks/nothing").status_code == 404


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"content": b"{", "headers": {"content-type": "application/json"}}, 400),
        ({"content": b"x", "headers": {"content-type": "text/plain"}}, 415),
        ({"content": b"[" * 100_000, "headers": {"content-type": "application/json"}}, 400),
        ({"content": b" " * 4_000_001, "headers": {"content-type": "application/json"}}, 413),
        ({"json": []}, 422),
        ({"json": {"name": "A B", "files": {}}}, 422),
        (
            {
                "content": rb'{"name": "a", "files": {"task.yaml": "\ud800"}}',
                "headers": {"content-type": "application/json"},
            },
            400,
        ),
        ({"json": {"name": "a", "files": {}, "extra": 1}}, 422),
    ],
)
def test_a_request_of_another_form_is_told_what_is_wrong(registry: Path, sent: Any, status: int):
    client, _ = served(registry)
    answer = client.post("/admin/tasks", **sent)
    assert answer.status_code == status
    assert {"error", "message", "next"} <= set(answer.json())


# ---------------------------------------------------------------- its own description


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Any:
    registry = tmp_path_factory.mktemp("admin") / "registry"
    build(ROOT / "tasks", registry)
    app = Starlette(routes=admin_routes(Live(Registry(registry)), registry, SecretStr(TOKEN)))
    schema = schemathesis.openapi.from_asgi(
        "/admin/openapi.yaml", app, config=SchemathesisConfig.from_dict({}), headers=SIGNED
    )
    found = [each.ok() for each in schema.get_all_operations() if isinstance(each, Ok)]
    return {operation.definition.raw["operationId"]: operation for operation in found}


@pytest.mark.parametrize(
    "name",
    ["listTasks", "installTask", "validateTask", "diffTask", "importOpenapi", "getTask", "uninstallTask"],
)
def test_whatever_is_asked_the_answer_is_one_that_the_description_has(described: Any, name: str):
    @given(described[name].as_strategy())
    @settings(
        max_examples=12,
        deadline=None,
        derandomize=True,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.filter_too_much,
            HealthCheck.data_too_large,
        ],
    )
    def ask(case: schemathesis.Case) -> None:
        # A well-formed request may still hold a task that is none.
        case.call_and_validate(headers=SIGNED, excluded_checks=[positive_data_acceptance])

    ask()
