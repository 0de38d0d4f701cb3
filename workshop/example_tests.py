"""Tests out of a specification's examples: one function an example, in the words of the example.

Knows:    what a test file looks like, and which names it imports.
Does not: run a test, or decide whether it counts.   (judging.py)
"""

import ast
from collections.abc import Sequence

from workshop.expressions import BUILTINS, import_lines, parsed, wanted_names
from workshop.specification import Example

TESTS = "tests"
"""The folder of the tests in a project; it is the workshop's, not the developer's."""


def written_tests(examples: Sequence[Example]) -> dict[str, str]:
    """Return the test files, path -> content: one for each file that the examples are about."""
    # By the tests' path, not by the file: `a/b.py` and `a_b.py` have theirs in one place.
    by_path: dict[str, list[tuple[int, Example]]] = {}
    for number, example in enumerate(examples, 1):
        by_path.setdefault(path_of_tests(example.file), []).append((number, example))
    return {path: _test_file(numbered) for path, numbered in by_path.items()}


def named(examples: Sequence[Example]) -> dict[str, Example]:
    """Return the examples by the names of their tests, as a verdict has them: `path::function`."""
    return {
        f"{path_of_tests(each.file)}::{_function(number, each)}": each
        for number, each in enumerate(examples, 1)
    }


def path_of_tests(file: str) -> str:
    """Return where the tests of a file are."""
    flat = file.removesuffix(".py").replace("/", "_").replace("-", "_")
    return f"{TESTS}/test_{flat}.py"


def module_of(file: str) -> str:
    """Return the name by which a file is imported."""
    return file.removesuffix(".py").replace("/", ".")


def _test_file(numbered: Sequence[tuple[int, Example]]) -> str:
    files = " and ".join(dict.fromkeys(example.file for _, example in numbered))
    functions = [_test(number, example) for number, example in numbered]
    return f'"""What must hold of {files}."""\n\n' + "\n\n".join(functions)


def _function(number: int, example: Example) -> str:
    return f"test_{'stated' if example.stated else 'proposed'}_{number}"


def _test(number: int, example: Example) -> str:
    lines = _of_call(example.file, example) if example.call else _of_run(example.file, example)
    lines = [ast.unparse(ast.Expr(ast.Constant(words_of(example)))), *lines]
    return "\n".join(
        [f"def {_function(number, example)}():", *(f"    {line}".rstrip() for line in lines), ""]
    )


def words_of(example: Example) -> str:
    """Return an example in one line."""
    if example.raises is not None:
        return f"{_one_line(example.call)} raises {example.raises}"
    if example.call:
        return f"{_one_line(example.call)} == {_one_line(example.returns or 'None')}"
    given = f"echo {example.input.strip()!r} | " if example.input else ""
    arguments = " ".join(("python", example.file, *example.arguments))
    return f"{given}{arguments} prints {(example.prints or '').strip()!r}"


def _of_call(file: str, example: Example) -> list[str]:
    module = module_of(file)
    wanted, lines = names_in(example)
    lines += [f"from {module} import {', '.join(wanted)}"] if wanted else [f"import {module}"]
    if example.raises is not None:
        return ["import pytest", *lines, "", f"with pytest.raises({example.raises}):", f"    {example.call}"]
    call, value = _one_line(example.call), _one_line(example.returns or "None")
    return [*lines, "", f"assert ({call}) == ({value})"]


def _of_run(file: str, example: Example) -> list[str]:
    command = "".join(f", {word!r}" for word in (file, *example.arguments))
    return [
        "import subprocess",
        "import sys",
        "",
        f"command = [sys.executable{command}]",
        f"ran = subprocess.run(command, input={example.input!r}, capture_output=True, text=True)",
        f"assert (ran.returncode, ran.stdout.strip()) == (0, {(example.prints or '').strip()!r}), ran.stderr",
    ]


def _one_line(expression: str) -> str:
    """Return the expression as it stands, or on one line where it has several."""
    if "\n" not in expression:
        return expression
    try:
        return ast.unparse(ast.parse(expression, mode="eval"))
    except RecursionError:  # it parses, and is too deep to be written anew
        return f"({expression})"


def names_in(example: Example) -> tuple[list[str], list[str]]:
    """Return the names that the program must define, and the lines that import what else the example uses."""
    trees = [tree for text in (example.call, example.returns) if text and (tree := parsed(text))]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    lines = list(import_lines([example]))
    imported = {line.rsplit(" ", 1)[-1] for line in lines}
    # One that calls nothing but what Python has is about the outermost, to be written anew.
    return sorted(read - bound - imported - (BUILTINS - set(wanted_names([example])))), lines
