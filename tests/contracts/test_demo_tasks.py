"""The tasks that ship: each request that they make is one that the demo shop's description allows.

Knows: tasks/, and openapi.yaml as openapi-core reads it.
"""

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
import yaml
from openapi_core import OpenAPI
from openapi_core.testing import MockRequest

from common.settings import ROOT
from contracts.catalog import Catalog
from contracts.demo.described import FILE, operations
from contracts.folders import files_of
from contracts.reading import read_task
from contracts.registry import Registry
from contracts.requesting import built

TASKS = ("categories", "orders")
CATALOG = Catalog(tuple(read_task(name, files_of(ROOT / "tasks" / name)) for name in TASKS))
DESCRIPTION = OpenAPI.from_dict(yaml.safe_load(FILE.read_text(encoding="utf-8")))

RESOLVED: list[tuple[str, dict[str, Any]]] = [
    ("categories_list", {}),
    ("categories_list", {"status": "hidden", "page": 2}),
    ("categories_search", {"keyword": "قهوة & more"}),
    ("categories_get", {"category_id": 1101}),
    ("categories_children", {"category_id": 1101, "page": 2}),
    ("categories_products", {"category_id": 1101}),
    ("categories_create", {"name": "حيوانات أليفة"}),
    (
        "categories_create",
        {"name": "Pets", "parent_id": 1101, "status": "hidden", "page_title": "P", "page_description": "D"},
    ),
    (
        "categories_update",
        {"category_id": 1101, "name": "Coffees", "parent_id": 1105, "sort_order": 0, "status": "hidden"},
    ),
    ("categories_delete", {"category_id": 1108}),
    ("orders_list", {}),
    (
        "orders_list",
        {
            "status": 814202285,
            "customer_id": 3101,
            "from_date": "2026-11-01",
            "to_date": "2026-11-30",
            "page": 1,
        },
    ),
    ("orders_get", {"order_number": "218394"}),
    ("orders_statuses", {}),
    ("orders_update_status", {"order_number": 900105, "status": 1723506348, "note": "by post"}),
    ("orders_histories", {"order_number": 900105, "page": 1}),
]
"""Arguments as the request is built from them: words are resolved already."""


def test_the_registry_that_ships_pins_the_tasks_that_ship() -> None:
    loaded = Registry(ROOT / "registry").load()
    assert loaded.problems == ()
    pinned = {task.name: task.digest for task in loaded.catalog.tasks}
    assert pinned == {task.name: task.digest for task in CATALOG.tasks}, "run: python -m contracts build"


def test_every_function_that_ships_is_tried() -> None:
    assert {name for name, _ in RESOLVED} == set(CATALOG.functions)


@pytest.mark.parametrize(("name", "arguments"), RESOLVED)
def test_each_request_is_one_that_the_description_allows(name: str, arguments: dict[str, Any]) -> None:
    offered = CATALOG.functions[name]
    outgoing = built(offered, arguments)
    request = MockRequest(
        "http://127.0.0.1:8788",
        outgoing.method.lower(),
        f"/admin/v2{outgoing.path}",
        args=dict(outgoing.query),
        headers={"Authorization": "Bearer x"},
        data=json.dumps(outgoing.body).encode() if outgoing.has_body else None,
        content_type="application/json",
    )
    DESCRIPTION.validate_request(request)
    assert urlencode(outgoing.query) == urlencode(request.parameters.query)


@pytest.mark.parametrize("name", CATALOG.functions)
def test_each_function_asks_for_the_scopes_that_the_operation_needs_and_no_more(name: str) -> None:
    function = CATALOG.functions[name].contract
    reached = [
        operation
        for operation in operations()
        if (operation.method, _plain(operation.path)) == (function.method, _plain(function.path))
    ]
    assert [operation.scopes for operation in reached] == [set(function.scopes)]


def _plain(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path)
