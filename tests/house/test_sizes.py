"""Small files, one idea each: the caps that hold it so."""

import ast

from tests.house.sizes import Size, file_sizes, function_lines, function_sizes


def too_long(sizes: list[Size]) -> list[str]:
    return [
        f"{size.name}: {size.lines} lines, at most {size.limit}" for size in sizes if size.lines > size.limit
    ]


def test_no_file_is_longer_than_its_cap():
    assert too_long(file_sizes()) == []


def test_no_function_is_longer_than_its_cap():
    assert too_long(function_sizes()) == []


def test_a_docstring_does_not_count_and_everything_else_does():
    node = ast.parse('@decorated\ndef f():\n    """One.\n\n    Two.\n    """\n\n    return 1\n').body[0]
    assert isinstance(node, ast.FunctionDef)
    assert function_lines(node) == 3
