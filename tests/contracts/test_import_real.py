"""Real descriptions: each operation is in or refused with a reason; what is in sends what was described."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from common.settings import ROOT, load
from contracts.openapi import import_openapi
from evals.settings import EvalSettings
from tests.contracts.described import drafts, problems

PETSTORE = ROOT / "tests/data/openapi/petstore.yaml"
DEMO = ROOT / "contracts/demo/openapi.yaml"
SPREE = load(EvalSettings).exams / "openapi/spree_store.yaml"

SIGNED_IN = {"x-spree-api-key": "pk_key", "Authorization": "Bearer token", "api_key": "key"}


def described(path: Path) -> dict[str, Any]:
    if not path.is_file():
        pytest.skip(f"{path.name} is read from SHOPKART_EXAMS, which is not there")
    return yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def operations(spec: dict[str, Any]) -> set[str]:
    methods = {"get", "head", "post", "put", "patch", "delete", "options", "trace"}
    return {
        f"{verb.upper()} {path}" for path, item in spec["paths"].items() for verb in item if verb in methods
    }


@pytest.mark.parametrize("path", [PETSTORE, SPREE, DEMO], ids=lambda path: path.stem)
def test_every_operation_is_imported_or_refused_with_its_reason(path: Path):
    spec = described(path)
    imported, loaded = drafts(path.read_bytes())
    refused = {each.operation for each in imported.refused}
    assert set(imported.functions) | refused == operations(spec)
    assert not set(imported.functions) & refused
    assert all(len(each.reason) > 10 for each in imported.refused)
    assert set(imported.functions.values()) == set(loaded)


@pytest.mark.filterwarnings("ignore:Unsupported scheme type")  # the library knows no OAuth, and passes it
@pytest.mark.parametrize(
    ("path", "base"),
    [
        (PETSTORE, "https://petstore3.swagger.io/api/v3"),
        (SPREE, "http://localhost:3000"),
        (DEMO, "http://127.0.0.1:8788/admin/v2"),
    ],
    ids=["petstore", "spree", "demo"],
)
def test_what_a_draft_sends_fits_the_operations_own_description(path: Path, base: str):
    spec = described(path)
    _, loaded = drafts(path.read_bytes())
    assert [found for each in loaded.values() if (found := problems(spec, each, base, SIGNED_IN))] == []


@pytest.mark.filterwarnings("ignore:Unsupported scheme type")
@pytest.mark.parametrize(
    ("path", "base"),
    [(PETSTORE, "https://petstore3.swagger.io/api/v3"), (SPREE, "http://localhost:3000")],
    ids=["petstore", "spree"],
)
def test_what_a_draft_sends_without_optional_arguments_fits_too(path: Path, base: str):
    spec = described(path)
    _, loaded = drafts(path.read_bytes())
    found = [problems(spec, each, base, SIGNED_IN, only_required=True) for each in loaded.values()]
    assert [each for each in found if each] == []


def test_the_petstore_is_imported_so_far_and_no_further():
    imported, loaded = drafts(PETSTORE.read_bytes())
    assert {each.operation: each.reason for each in imported.refused} == {
        "POST /pet/{petId}/uploadImage": "it needs a body of application/octet-stream, "
        "which a contract cannot send",
        "GET /user/login": "it is a GET whose name says that it changes something",
        "GET /user/logout": "it is a GET whose name says that it changes something",
    }
    assert "password" not in loaded["user_create_user"].contract.arguments
    assert loaded["pet_delete_pet"].contract.effect == "destructive"
    assert loaded["pet_find_pets_by_status"].contract.effect == "read"
    assert loaded["pet_add_pet"].contract.effect == "write"


def test_a_described_server_is_told_and_never_written_into_a_draft():
    imported, _ = drafts(PETSTORE.read_bytes())
    written = b"".join(data for files in imported.tasks.values() for data in files.values())
    assert b"petstore3" not in written
    assert b"http" not in written
    assert any("petstore3.swagger.io" in note.text for note in imported.notes)


def test_the_same_description_makes_the_same_bytes():
    text = PETSTORE.read_bytes()
    assert import_openapi(text, upstream="shop") == drafts(text)[0]
