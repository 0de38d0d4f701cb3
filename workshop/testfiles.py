"""Test files, as source: which test functions they have.

Knows:    what pytest takes for a test, as far as the syntax tree shows it.
Does not: run or import them.   (judging.py)
"""

import ast
from collections.abc import Collection, Iterator

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class NotPython(ValueError):
    """A source that has no syntax tree."""


def functions_of(source: str) -> tuple[str, ...]:
    """Return the test functions, `name` or `Class::name`, in their order. Raises: NotPython."""
    return tuple(dict.fromkeys(name for name, _ in _tests(_parsed(source).body)))


def without(source: str, names: Collection[str]) -> str:
    """Return the source without these test functions; what else it holds stays as it is.

    A class that has nothing else loses its body to `pass`. Raises: NotPython.
    """
    lines = source.splitlines(keepends=True)
    for node, within in _bodies(_parsed(source)):
        gone = [each for name, each in _own(node.body, within) if name in names]
        for function in gone:
            first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
            last = function.end_lineno or function.lineno
            lines[first - 1 : last] = [""] * (last - first + 1)
        if isinstance(node, ast.ClassDef) and len(gone) == len(node.body):
            lines[gone[0].lineno - 1] = " " * gone[0].col_offset + "pass\n"
    return "".join(lines)


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotPython(str(error)) from None


def _tests(body: list[ast.stmt], within: str = "") -> Iterator[tuple[str, _Function]]:
    for node in body:
        if isinstance(node, ast.ClassDef) and _holds_tests(node):
            yield from _tests(node.body, f"{within}{node.name}::")
        else:
            yield from _own([node], within)


def _own(body: list[ast.stmt], within: str) -> Iterator[tuple[str, _Function]]:
    for node in body:
        if isinstance(node, _Function) and node.name.startswith("test"):
            yield within + node.name, node


def _bodies(tree: ast.Module) -> Iterator[tuple[ast.Module | ast.ClassDef, str]]:
    todo: list[tuple[ast.Module | ast.ClassDef, str]] = [(tree, "")]
    while todo:
        node, within = todo.pop()
        yield node, within
        inner = [each for each in node.body if isinstance(each, ast.ClassDef) and _holds_tests(each)]
        todo += [(each, f"{within}{each.name}::") for each in inner]


def _holds_tests(node: ast.ClassDef) -> bool:
    bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    return node.name.startswith("Test") or "TestCase" in bases
