"""The imports that a small model forgets: names it uses, and nobody in the file defines.

Knows:    the project's own files, the standard library's modules, and the names everybody writes bare.
Does not: guess: a name that two files define, or none, is left as it is for the tests to find.
"""

import ast
import builtins
import itertools
import sys
from collections.abc import Iterator, Mapping

_BARE = {
    **dict.fromkeys(("Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"), "collections"),
    **dict.fromkeys(("dataclass", "field"), "dataclasses"),
    **dict.fromkeys(("date", "timedelta"), "datetime"),
    **dict.fromkeys(("lru_cache", "reduce", "cmp_to_key"), "functools"),
    **dict.fromkeys(("chain", "combinations", "groupby", "permutations", "product"), "itertools"),
    **dict.fromkeys(("ceil", "factorial", "floor", "gcd", "sqrt"), "math"),
    **dict.fromkeys(("Decimal",), "decimal"),
    **dict.fromkeys(("Fraction",), "fractions"),
    **dict.fromkeys(("Path",), "pathlib"),
    **dict.fromkeys(("Enum",), "enum"),
    **dict.fromkeys(("ABC", "abstractmethod"), "abc"),
    **dict.fromkeys(
        ("Any", "Callable", "Dict", "Iterable", "List", "Optional", "Set", "Tuple", "Union"), "typing"
    ),
}
"""Names that are written without their module -> the module that has them."""


def with_missing_imports(source: str, path: str, others: Mapping[str, str]) -> str:
    """Return the source with an import for each name that it uses, does not define, and is known elsewhere.

    others: the project's other files, path -> source. What does not parse is returned as it is.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    missing = _used(tree) - _bound(tree) - set(dir(builtins)) - {"__file__"}
    if not missing or _imports_everything(tree):
        return source
    lines = sorted(filter(None, (_import_of(name, tree, path, others) for name in missing)))
    return _inserted(source, tree, lines) if lines else source


def _used(tree: ast.AST) -> set[str]:
    return {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _bound(tree: ast.AST) -> set[str]:
    """Return every name that is given a value anywhere; not telling scopes apart errs on the safe side."""
    return {name for node in ast.walk(tree) for name in _bound_by(node)}


def _bound_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names


def _imports_everything(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree))


def _import_of(name: str, tree: ast.AST, path: str, others: Mapping[str, str]) -> str:
    """Return the line that imports a name, "" where it is not plain which."""
    own = [
        _module(other)
        for other, source in others.items()
        if other != path and name in top_names(other, source)
    ]
    if own:
        return f"from {own[0]} import {name}" if len(own) == 1 else ""
    modules = {_module(other) for other in others if other.endswith(".py") and other != path}
    as_module = _is_a_module(name, tree)
    if as_module and (name in modules or name in sys.stdlib_module_names):
        return f"import {name}"
    if name in _BARE:
        return f"from {_BARE[name]} import {name}"
    return ""


def _is_a_module(name: str, tree: ast.AST) -> bool:
    """Say whether a name is only ever used with something after its dot, as a module is."""
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    dotted = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    return all(id(use) in dotted for use in uses)


def top_names(path: str, source: str) -> set[str]:
    """Return the public names that a Python file defines at its top."""
    if not path.endswith(".py"):
        return set()
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    found: set[str] = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {each.id for each in node.targets if isinstance(each, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return {name for name in found if not name.startswith("_") and name != "main"}


def _module(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def _inserted(source: str, tree: ast.Module, lines: list[str]) -> str:
    """Return the source with the lines before its first statement, but after a docstring and `__future__`."""
    head = list(itertools.takewhile(_stays_first, tree.body))
    rest = tree.body[len(head) :]
    end = head[-1].end_lineno or 0 if head else 0
    rows = source.split("\n")
    before = [*rows[:end], ""] if head else []
    after = rows[end:] if rest and isinstance(rest[0], ast.Import | ast.ImportFrom) else ["", *rows[end:]]
    return "\n".join([*before, *lines, *after])


def _stays_first(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__"
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
