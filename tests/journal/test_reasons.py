"""The closed set of reasons holds every code that this house refuses with."""

import ast
from collections.abc import Iterator
from typing import get_args

from journal.entry import REASONS, kept_reason
from store.rules import Reason
from tests.house.tree import ROOT, python_files, syntax

REFUSED_BY = {"Refused": 0, "_refused": 0, "_house": 0, "failure": 0, "Refusal": 1, "CallFailed": 0}
"""Whatever refuses -> at which place of its arguments the code stands."""

ROOMS = {
    "server.py",
    "support",
    "serving",
    "store",
    "agent",
    "agent_mcp.py",
    "bridge",
    "mcp_tools.py",
    "contracts",
}


def codes() -> Iterator[str]:
    for path in python_files():
        parts = path.relative_to(ROOT).parts
        answers_http = parts[-1].startswith("admin") or {"demo", "openapi"} & set(parts)
        if parts[0] in ROOMS and not answers_http:  # the trail hears nothing of those
            yield from codes_in(syntax(path))


def codes_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            place = REFUSED_BY.get(ast.unparse(node.func).split(".")[-1])
            if place is not None and len(node.args) > place and isinstance(node.args[place], ast.Constant):
                yield str(node.args[place].value)  # type: ignore[attr-defined]
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            for key, value in pairs:
                if isinstance(key, ast.Constant) and key.value == "error" and isinstance(value, ast.Constant):
                    yield str(value.value)


def test_every_code_that_is_refused_with_is_kept_as_it_is():
    """Otherwise: add it to REASONS, or the trail would tell "other"."""
    found = {*codes(), *get_args(Reason)}
    assert {"unknown_order", "not_grounded", "unknown_tool", "wrong_state"} <= found
    assert found - REASONS == set()


def test_a_code_is_found_wherever_it_is_written():
    tree = ast.parse('Refused("a", m)\nraise x._refused("b")\nRefusal(gate, "c")\nd = {"error": "e"}')
    assert sorted(codes_in(tree)) == ["a", "b", "c", "e"]


def test_what_is_no_code_of_the_house_is_kept_as_other():
    assert [kept_reason(code) for code in ("", "unknown_order", "kim_lee", "Unknown_Order")] == [
        "",
        "unknown_order",
        "other",
        "other",
    ]
