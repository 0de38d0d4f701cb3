"""Every place and style of a parameter, alternatives and unions: what is sent is what was described."""

from typing import Any

import pytest

from contracts.requesting import built
from tests.contracts.described import drafts, problems
from tests.contracts.test_import_odd import body, described, notes, one, op, param, reasons

BASE = "https://shop.example/v1"
LIST = {"type": "array", "items": {"type": "string"}}
NULL = {"type": "null"}


def spec(paths: dict[str, Any], version: str = "3.1.0", **more: Any) -> dict[str, Any]:
    head = {"openapi": version, "info": {"title": "T", "version": "1"}, "servers": [{"url": BASE}]}
    return head | {"paths": paths} | more


OPERATIONS: dict[str, dict[str, Any]] = {
    "/plain/{id}": {"get": op(parameters=[param("id", "path", required=True), param("q")])},
    "/two/{a-b}/{a_b}": {
        "get": op(parameters=[param("a-b", "path", required=True), param("a_b", "path", required=True)])
    },
    "/pair/{x}-{y}": {
        "get": op(parameters=[param("x", "path", required=True), param("y", "path", required=True)])
    },
    "/file/{id}.json": {"get": op(parameters=[param("id", "path", required=True)])},
    "/v1.0/slash/": {"get": op()},
    "/lists": {
        "get": op(
            parameters=[
                param("repeat", schema=LIST),
                param("csv", schema=LIST, explode=False),
                param("bracket[]", schema=LIST),
            ]
        )
    },
    "/fastapi": {
        "get": op(
            parameters=[
                param("maybe", schema={"anyOf": [{"type": "integer"}, NULL]}),
                param("either", schema={"oneOf": [{"type": "string"}, LIST]}),
            ]
        )
    },
    "/deep": {
        "get": op(
            parameters=[
                param(
                    "filter",
                    schema={"type": "object", "properties": {"min": {"type": "integer"}}},
                    style="deepObject",
                    explode=True,
                )
            ]
        )
    },
    "/header": {"get": op(parameters=[param("X-Locale", "header"), param("Idempotency-Key", "header")])},
    "/object": {
        "post": op(
            **body(
                {
                    "type": "object",
                    "required": ["a-b", "A_B"],
                    "properties": {
                        "a-b": {"type": "string"},
                        "A_B": {"type": ["integer", "null"]},
                        "inner": {"type": "object", "properties": {"x": {"type": "boolean"}}},
                    },
                }
            )
        )
    },
    "/union": {
        "put": op(
            **body(
                {
                    "oneOf": [
                        {"type": "object", "required": ["a"], "properties": {"a": {"const": "x"}}},
                        {"type": "object", "required": ["b"], "properties": {"b": {"type": "integer"}}},
                    ]
                },
                required=True,
            )
        )
    },
    "/dotted": {"post": op(**body({"type": "object", "properties": {"a.b": {"type": "string"}}}))},
    "/map": {"post": op(**body({"type": "object", "additionalProperties": {"type": "string"}}))},
    "/all": {
        "patch": op(
            **body(
                {
                    "allOf": [
                        {"type": "object", "properties": {"s": {"type": "string"}}, "required": ["s"]},
                        {"properties": {"s": {"enum": ["on", "off"]}, "n": {"type": "integer"}}},
                    ]
                }
            )
        )
    },
}


@pytest.mark.parametrize("path", OPERATIONS)
@pytest.mark.parametrize("only_required", [False, True])
def test_what_is_sent_is_what_was_described(path: str, only_required: bool):
    whole = spec({path: OPERATIONS[path]})
    imported, loaded = drafts(described({path: OPERATIONS[path]}, openapi="3.1.0"))
    assert imported.refused == ()
    (offered,) = loaded.values()
    assert problems(whole, offered, BASE, {}, only_required=only_required) == ""


def test_a_list_that_may_be_null_is_a_list():  # openapi-core itself reads one item of it as a text
    paths = {"/a": {"get": op(parameters=[param("many", schema={"anyOf": [LIST, NULL]})])}}
    _, loaded = drafts(described(paths))
    (offered,) = loaded.values()
    assert built(offered, {"many": ["a", "b"]}).query == (("many", "a"), ("many", "b"))


def test_null_is_no_value_of_a_parameter():
    schema = {"type": ["string", "null"], "enum": ["a", None]}
    got = one({"/a": {"get": op(parameters=[param("q", schema=schema)])}}).arguments["q"]
    assert (got.types, got.enum) == (("string",), ("a",))


def test_placeholders_of_one_name_in_ours_stay_apart():
    _, loaded = drafts(described({"/two/{a-b}/{a_b}": OPERATIONS["/two/{a-b}/{a_b}"]}))
    (offered,) = loaded.values()
    assert built(offered, {"a_b": "1", "path_a_b": "2"}).path == "/two/1/2"


# ---------------------------------------------------------------- what a contract cannot send


@pytest.mark.parametrize("style", ["label", "matrix"])
def test_a_style_of_a_path_that_cannot_be_sent_is_refused(style: str):
    paths = {"/a/{id}": {"get": op(parameters=[param("id", "path", style=style, required=True)])}}
    assert "style" in reasons(paths)[0]


@pytest.mark.parametrize(
    "said",
    [
        {"schema": LIST, "style": "spaceDelimited"},
        {"schema": LIST, "style": "pipeDelimited"},
        {"schema": {"type": "array", "items": LIST}},
        {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}, "explode": False},
        {"schema": {"type": "object", "additionalProperties": {"type": "string"}}},
        {"content": {"application/json": {"schema": {}}}},
    ],
)
def test_a_parameter_that_cannot_be_sent_is_left_out_with_a_note_or_refused_where_it_is_needed(said: Any):
    optional = {"/a": {"get": op(parameters=[{"name": "p", "in": "query", **said}])}}
    needed = {"/a": {"get": op(parameters=[{"name": "p", "in": "query", "required": True, **said}])}}
    assert "p" not in one(optional).arguments
    assert "Left out" in notes(optional)
    assert "cannot send" in reasons(needed)[0]


@pytest.mark.parametrize(
    "said",
    [
        {"parameters": [{"$ref": "other.yaml#/P"}]},
        {"parameters": [{"$ref": "#/components/parameters/None"}]},
        {"requestBody": {"$ref": "https://evil.example/body.json"}},
    ],
)
def test_an_operation_that_is_described_elsewhere_is_refused(said: dict[str, Any]):
    assert "described elsewhere" in reasons({"/a": {"post": op(**said)}})[0]


def test_a_path_that_is_described_elsewhere_is_told():
    assert "/b" in notes({"/a": {"get": op()}, "/b": {"$ref": "other.yaml#/b"}})


def test_a_method_that_is_none_is_told():
    assert "link is no operation" in notes({"/a": {"get": op(), "link": op()}})


def test_a_server_of_its_own_is_told():
    assert "evil.example" in notes({"/a": {"get": op(servers=[{"url": "https://evil.example"}])}})


# ---------------------------------------------------------------- credentials


def test_a_credential_in_a_body_is_left_out_and_an_operation_that_needs_it_is_refused():
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "password": {"type": "string"}}}
    optional = {"/a": {"post": op(**body(schema))}}
    assert set(one(optional).arguments) == {"name"}
    assert "password" in notes(optional)
    assert "credential" in reasons({"/a": {"post": op(**body({**schema, "required": ["password"]}))}})[0]


def test_a_credential_in_an_answer_is_never_returned():
    schema = {"type": "object", "properties": {"id": {"type": "integer"}, "access_token": {"type": "string"}}}
    answer = {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}
    assert set(one({"/a": {"get": op(responses=answer)}}).response.fields.properties or {}) == {"id"}


def test_a_default_that_is_an_address_is_no_part_of_a_contract():
    paths = {
        "/a": {"get": op(parameters=[param("u", schema={"type": "string", "default": "https://e.example"})])}
    }
    assert one(paths).arguments["u"].default is None
    assert "address" in notes(paths)


# ---------------------------------------------------------------- scopes, names, hints


@pytest.mark.parametrize(
    ("method", "declared", "ours"),
    [
        ("get", ["write:pets", "read:pets"], ("pets.read",)),
        ("post", ["write:pets", "read:pets"], ("pets.read_write",)),
        ("get", ["https://api.example/auth/orders.readonly"], ("orders.read",)),
        ("get", ["offers.read_write", "products.read"], ("offers.read", "products.read")),
        ("put", ["admin"], ("a.read_write",)),
        ("get", [], ("a.read",)),
    ],
)
def test_scopes_of_a_description_become_ours_with_no_more_right_than_is_needed(
    method: str, declared: list[str], ours: tuple[str, ...]
):
    schemes = {"securitySchemes": {"o": {"type": "oauth2", "flows": {}}}}
    got = one({"/a": {method: op(security=[{"o": declared}])}}, components=schemes)
    assert got.scopes == ours


def test_a_function_names_those_that_may_be_meant_instead():
    _, loaded = drafts(described({"/orders": {"get": op()}, "/orders/{id}": {"get": op(), "delete": op()}}))
    assert "orders_get" in loaded["orders_list"].contract.when_not
    assert "orders_list" in loaded["orders_get"].contract.when_not
    assert "orders_get" in loaded["orders_delete"].contract.when_not


def test_full_names_stay_apart_where_tasks_and_functions_join_to_one():
    paths = {
        "/1": {"get": op(tags=["a"], operationId="b_c")},
        "/2": {"get": op(tags=["a_b"], operationId="c")},
    }
    imported, loaded = drafts(described(paths))
    assert len(set(imported.functions.values())) == len(loaded) == 2


def test_a_task_that_is_parted_takes_no_name_of_another():
    many = {f"/t{n}": {"get": op(tags=["things"])} for n in range(200)}
    imported, loaded = drafts(described({**many, "/x": {"get": op(tags=["things_2"])}}))
    assert set(imported.tasks) == {"things", "things_2", "things_3"}
    assert len(loaded) == 201


@pytest.mark.parametrize(
    ("said", "effect"),
    [
        ({"operationId": "setState", "summary": "Cancels an order"}, "destructive"),
        ({"operationId": "setState", "summary": "Empties the cart"}, "destructive"),
        ({"operationId": "archiveItem"}, "destructive"),
        ({"operationId": "setState", "summary": "Set the state"}, "write"),
        ({"operationId": "stockVoidance"}, "write"),
    ],
)
def test_a_verb_of_loss_in_an_id_or_a_summary_makes_a_change_destructive(said: Any, effect: str):
    assert one({"/orders/{id}/state": {"post": op(**said)}}).effect == effect


@pytest.mark.parametrize(
    ("path", "said"),
    [("/orders/{id}/refund", {}), ("/a", {"operationId": "getCancelReasons"}), ("/refunds", {})],
)
def test_a_get_that_only_shows_such_a_thing_is_a_read(path: str, said: Any):
    assert one({path: {"get": op(**said)}}).effect == "read"
