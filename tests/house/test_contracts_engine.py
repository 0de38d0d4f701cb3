"""The engine of contracts knows no MCP and no web: the surface is a part of its own, and nothing needs it."""

import subprocess
import sys

from tests.house.test_imports import heads, imported, module_name
from tests.house.tree import ROOT, python_files, shown, syntax

SURFACE = (
    "contracts/surface",
    "contracts/hosting",
    "contracts/admin",
    "contracts/demo/",
    "contracts/commands/",
)
"""What speaks MCP or HTTP to clients, and what people run."""

NEVER = {"mcp", "mcp_types", "starlette", "uvicorn", "sse_starlette"}

ENGINE = [
    path
    for path in python_files()
    if shown(path).startswith("contracts/") and not shown(path).startswith(SURFACE)
]


def test_the_engine_imports_neither_mcp_nor_a_web_server():
    assert {shown(path): heads(path) & NEVER for path in ENGINE if heads(path) & NEVER} == {}


def test_the_engine_imports_nothing_of_the_surface():
    names = tuple(prefix.replace("/", ".").rstrip(".") for prefix in SURFACE)
    wrong = {
        shown(path): [name for name in imported(syntax(path)) if name.startswith(names)]
        for path in ENGINE
        if path.name != "__main__.py"  # it names the commands
    }
    assert {name: found for name, found in wrong.items() if found} == {}


def test_the_whole_engine_is_imported_without_mcp_or_a_web_server_being_loaded():
    modules = sorted(module_name(path) for path in ENGINE)
    assert {"contracts.reading", "contracts.registry", "contracts.engine"} <= set(modules)
    code = (
        "import importlib, sys\n"
        f"for name in {modules!r}:\n    importlib.import_module(name)\n"
        f"print(sorted({NEVER!r} & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert (ran.stdout, ran.stderr) == ("[]\n", "")
