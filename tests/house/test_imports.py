"""Imports point one way: people -> decisions -> wires, and tools -> shared server parts -> data.

The table is the architecture; docs/architecture.md draws it. A root file and the package that holds its
parts are one room.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import ROOT, python_files, read, shown, syntax

ONE_ROOM = {
    "agent": "agent_mcp",
    "bridge": "mcp_tools",
    "model": "llm",
    "support": "server",
    "terminal": "main",
}
"""Package -> the root file whose parts it holds."""

BELOW_ALL = {"common", "journal"}
SERVER_SIDE = {"server", "serving", "store", "retail", "contracts"}

MAY_IMPORT: dict[str, set[str]] = {
    "common": set(),
    "journal": {"common"},
    "guards": BELOW_ALL,
    "llm": BELOW_ALL,
    "mcp_tools": BELOW_ALL,
    "agent_mcp": {"guards", "mcp_tools", "llm", *BELOW_ALL},
    "main": {"agent_mcp", "guards", "mcp_tools", "llm", *BELOW_ALL},
    "web": {"agent_mcp", "guards", "mcp_tools", "llm", *BELOW_ALL},
    "workshop": {"llm", *BELOW_ALL},
    "store": BELOW_ALL,
    "serving": {"store", *BELOW_ALL},
    "server": {"serving", "store", *BELOW_ALL},
    "retail": {"serving", "store", *BELOW_ALL},
    "contracts": {"serving", "store", *BELOW_ALL},
}
"""Room -> the rooms it may import, itself apart."""

LOOKS_FROM_OUTSIDE = {"tests", "client_test", "test_bridge", "evals", "bench"}
"""These try or measure the rooms, so they may import any of them; no room imports them."""

NEVER_KNOWS = {
    "guards": {"mcp", "mcp_types", "openai", "httpx2", "rich", "prompt_toolkit", "click"},
    "agent_mcp": {"openai", "httpx2", "rich", "prompt_toolkit", "click"},
    "mcp_tools": {"openai", "rich", "prompt_toolkit"},
    "llm": {"mcp", "mcp_types", "prompt_toolkit"},
    "main": {"mcp", "mcp_types", "openai"},
    "store": {"mcp", "mcp_types", "openai", "httpx2", "rich"},
    "serving": {"openai", "rich"},
    "server": {"openai", "rich"},
    "contracts": {"openai", "rich"},
}
"""Room -> packages of others that would tell it what it must not know."""


def room_of(name: str) -> str:
    return ONE_ROOM.get(name, name)


def room_of_file(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return room_of(first.removesuffix(".py"))


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted names that a piece of code imports, those named to importlib too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in (
            "importlib.import_module",
            "__import__",
        ):
            yield from (str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant))


ROOM_NAMES = {*MAY_IMPORT, *ONE_ROOM, *LOOKS_FROM_OUTSIDE}
RULED_FILES = [path for path in python_files() if room_of_file(path) not in LOOKS_FROM_OUTSIDE]


def upward_arrows(room: str, tree: ast.AST) -> list[str]:
    allowed = {room, *MAY_IMPORT.get(room, set())}
    ours = [head for name in imported(tree) if (head := name.split(".")[0]) in ROOM_NAMES]
    return [room_of(head) for head in ours if room_of(head) not in allowed]


def heads(path: Path) -> set[str]:
    """Return the packages that a file imports from, ours and others'."""
    return {name.split(".")[0] for name in imported(syntax(path))}


def test_every_module_stands_in_a_room_that_the_table_names():
    """Otherwise: move it, or give its room a line in MAY_IMPORT."""
    rooms = {*MAY_IMPORT, *LOOKS_FROM_OUTSIDE}
    assert [shown(path) for path in python_files() if room_of_file(path) not in rooms] == []


def test_a_module_imports_only_rooms_below_its_own():
    wrong = {shown(path): upward_arrows(room_of_file(path), syntax(path)) for path in RULED_FILES}
    assert {name: rooms for name, rooms in wrong.items() if rooms} == {}


def test_a_module_does_not_import_what_its_room_never_knows():
    wrong = {shown(path): heads(path) & NEVER_KNOWS.get(room_of_file(path), set()) for path in RULED_FILES}
    assert {name: packages for name, packages in wrong.items() if packages} == {}


def test_the_two_sides_of_the_process_boundary_never_meet_in_the_table():
    for room, below in MAY_IMPORT.items():
        if room in SERVER_SIDE:
            assert below <= SERVER_SIDE | BELOW_ALL, room
        else:
            assert not below & SERVER_SIDE, room


def test_an_upward_arrow_is_found_wherever_it_hides():
    assert upward_arrows("common", ast.parse("from llm import Reply")) == ["llm"]
    assert upward_arrows("agent_mcp", ast.parse("def f():\n    import store.memory")) == ["store"]
    assert upward_arrows("main", ast.parse("import importlib\nimportlib.import_module('server')")) == [
        "server"
    ]
    assert upward_arrows("server", ast.parse("import tests.server.fakes")) == ["tests"]
    assert upward_arrows("server", ast.parse("import serving.tools, store, json")) == []


def loaded_at_start(tree: ast.Module, known: set[str]) -> set[str]:
    """Return our modules that are imported when this one is: not inside functions, not for types alone."""
    found: set[str] = set()
    nodes = list(tree.body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.If):
            continue
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module or ""}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            nodes += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
    return found & known


def first_cycle(graph: dict[str, set[str]]) -> list[str]:
    """Return the modules of one circle of imports, empty when there is none."""
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        for below in sorted(graph.get(name, ())):
            if circle := visit(below, [*path, name]):
                return circle
        done.add(name)
        return []

    return next((circle for name in sorted(graph) if (circle := visit(name, []))), [])


def module_name(path: Path) -> str:
    return shown(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def test_no_two_modules_need_each_other_to_be_imported():
    modules = {module_name(path): path for path in python_files()}
    graph = {name: loaded_at_start(syntax(path), set(modules) - {name}) for name, path in modules.items()}
    assert first_cycle(graph) == []


def test_a_circle_of_imports_is_found():
    assert first_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert first_cycle({"a": {"b", "c"}, "b": {"c"}}) == []


def test_http_is_spoken_with_httpx2_alone():
    others = {"httpx", "requests", "urllib3", "aiohttp"}
    assert [shown(path) for path in python_files() if heads(path) & others] == []


def test_every_module_opens_with_a_docstring():
    written = [path for path in python_files() if read(path).strip()]
    assert [shown(path) for path in written if not ast.get_docstring(syntax(path))] == []
