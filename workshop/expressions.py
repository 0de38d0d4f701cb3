"""Python expressions as text: whether one is, which names it calls, and what it needs imported.

Knows:    the syntax tree (`ast`), the built-in names and the standard library's modules.
Does not: run or evaluate anything, or find expressions in a sentence.   (stated.py)
"""

import ast
import builtins
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from workshop.specification import Example
from workshop.syntax import parsed

BUILTINS = frozenset(dir(builtins))
_TAKES_A_FUNCTION = frozenset({"map", "filter", "reduce"})
_ONLY_TRUE_OR_FALSE = frozenset(
    {"all", "any", "bool", "callable", "hasattr", "isclose", "isinstance", "issubclass"}
)
_IN_LIBRARY = {
    "Counter": "collections",
    "Decimal": "decimal",
    "Fraction": "fractions",
    "OrderedDict": "collections",
    "defaultdict": "collections",
    "deque": "collections",
    "timedelta": "datetime",
}
"""Classes of the standard library that people write without their module; any other name is to be written."""


def source_of(text: str, node: ast.expr) -> str:
    """Return the node's own text, in brackets where it runs over several lines and would not stand alone."""
    part = ast.get_source_segment(text, node) or ast.unparse(node)
    return part if parsed(part) else f"({part})"


def called_names(node: ast.AST) -> list[str]:
    """Return the plain names that are called, outermost and leftmost first, each once."""
    names: list[str] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            names.append(part.func.id)
            if part.func.id in _TAKES_A_FUNCTION and part.args and isinstance(part.args[0], ast.Name):
                names.append(part.args[0].id)
    return list(dict.fromkeys(names))


def own_names(node: ast.AST) -> list[str]:
    """Return the called names that neither Python nor its library has."""
    return [name for name in called_names(node) if name not in BUILTINS and name not in _IN_LIBRARY]


def library_modules(node: ast.AST) -> list[str]:
    """Return the standard library's modules that are used by attribute, as in `math.inf`."""
    roots = (
        part.value.id
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
    )
    return [
        name for name in dict.fromkeys(roots) if name in sys.stdlib_module_names and name not in _bound(node)
    ]


def closed(node: ast.AST, modules: Iterable[str] = ()) -> bool:
    """Tell whether nothing is left open: `f(2) + 1` is closed, `f(n) + 1` waits for an n.

    modules: further names that may be used by attribute.
    """
    known = BUILTINS | _bound(node) | set(called_names(node)) | set(library_modules(node)) | set(modules)
    return all(part.id in known for part in ast.walk(node) if isinstance(part, ast.Name))


def calls_something(node: ast.AST, modules: Sequence[str] = ()) -> bool:
    """Tell whether a function that somebody could write is called, by name or as an attribute of a module."""
    if called_names(node):
        return all(_callable(part) for part in ast.walk(node))
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and isinstance(part.func.value, ast.Name)
        and part.func.value.id in modules
        for part in ast.walk(node)
    )


def is_a_type(node: ast.expr) -> bool:
    """Tell whether this is an annotation, such as `int`, `list[int]` or `str | None`, and no value."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return is_a_type(node.left) or is_a_type(node.right)
    if isinstance(node, ast.Subscript):
        return is_a_type(node.value)
    return isinstance(node, ast.Name) and isinstance(getattr(builtins, node.id, None), type)


def without_module(source: str, file: str) -> str:
    """Return the expression with the file's own functions called plainly: `main.f(1)` as `f(1)`."""
    return re.sub(rf"^{re.escape(PurePosixPath(file).stem)}\.(?=[^\W\d]\w*\()", "", source)


def truth(text: str, node: ast.expr) -> str:
    """Return an expression that is True or False by itself and true when the node is."""
    source = source_of(text, node)
    compares = isinstance(node, ast.Compare) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )
    return source if compares or _says_true_or_false(node) else f"bool({source})"


def wanted_names(examples: Iterable[Example]) -> tuple[str, ...]:
    """Return the names that have to be written, in the order of the examples.

    Where every example calls nothing but built-in functions, the outermost is what is to be written anew.
    """
    trees = [(tree, result) for example in examples for tree, result in [_trees(example)] if tree]
    own = [name for tree, result in trees for part in (tree, result) if part for name in own_names(part)]
    replaced = [name for tree, _ in trees for name in called_names(tree)[:1]]
    return tuple(dict.fromkeys(own or replaced))


def imports_of(example: Example) -> tuple[str, ...]:
    """Return the standard library's modules that the example uses by attribute."""
    names = [name for tree in _trees(example) if tree for name in library_modules(tree)]
    if example.raises and "." in example.raises:
        names.append(example.raises.partition(".")[0])
    return tuple(dict.fromkeys(names))


def import_lines(examples: Iterable[Example]) -> tuple[str, ...]:
    """Return the lines that a file with these examples needs at its top, in order of the alphabet."""
    lines: set[str] = set()
    for example in examples:
        lines |= {f"import {name}" for name in imports_of(example)}
        names = [name for tree in _trees(example) if tree for name in called_names(tree)]
        lines |= {f"from {_IN_LIBRARY[name]} import {name}" for name in names if name in _IN_LIBRARY}
    return tuple(sorted(lines))


def _trees(example: Example) -> tuple[ast.expr | None, ast.expr | None]:
    return (
        parsed(example.call) if example.call else None,
        parsed(example.returns) if example.returns else None,
    )


def _bound(node: ast.AST) -> set[str]:
    """Return the names that the expression itself gives a value: of comprehensions, lambdas and `:=`."""
    names = {
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    return names | {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}


def _callable(part: ast.AST) -> bool:
    """Tell whether what is called can be: "2 (3)" is a number with a remark."""
    return not isinstance(part, ast.Call) or isinstance(
        part.func, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Lambda
    )


def _says_true_or_false(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    return name in _ONLY_TRUE_OR_FALSE
