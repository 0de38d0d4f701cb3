"""How long files and functions are, from their text and syntax tree."""

import ast
from dataclasses import dataclass
from pathlib import Path

from tests.house.tree import is_test, python_files, read, shown, syntax

MAX_SOURCE_LINES = 400
MAX_TEST_LINES = 800
MAX_FUNCTION_LINES = 60


@dataclass(frozen=True)
class Size:
    """Lines of one file or function, and how many it may have."""

    lines: int
    limit: int
    name: str


def function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count a function's lines from `def` on, without its docstring."""
    first = node.body[0]
    docstring = 0
    if ast.get_docstring(node, clean=False) is not None:
        docstring = (first.end_lineno or first.lineno) - first.lineno + 1
    return (node.end_lineno or node.lineno) - node.lineno + 1 - docstring


def file_size(path: Path) -> Size:
    limit = MAX_TEST_LINES if is_test(path) else MAX_SOURCE_LINES
    return Size(len(read(path).splitlines()), limit, shown(path))


def file_sizes() -> list[Size]:
    """Longest first."""
    return sorted(map(file_size, python_files()), key=lambda size: -size.lines)


def function_sizes() -> list[Size]:
    """Longest first."""
    sizes = [
        Size(function_lines(node), MAX_FUNCTION_LINES, f"{shown(path)}:{node.lineno} {node.name}")
        for path in python_files()
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return sorted(sizes, key=lambda size: -size.lines)
