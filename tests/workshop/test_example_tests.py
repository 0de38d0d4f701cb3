"""Tests are the examples, word for word, and import what the examples call."""

import ast

import pytest

from workshop.example_tests import names_in, path_of_tests, written_tests
from workshop.specification import Example


def example(call: str, returns: str = "1", **more: object) -> Example:
    return Example.model_validate(
        {"file": "cart.py", "call": call, "returns": returns, "stated": True} | more
    )


def test_each_example_is_one_test_that_says_whose_it_is():
    content = written_tests([example("total([1, 2])", "3"), example("total([])", "0", stated=False)])
    (source,) = content.values()
    assert list(content) == ["tests/test_cart.py"]
    names = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    assert names == ["test_stated_1", "test_proposed_2"]
    assert "from cart import total" in source
    assert "assert (total([1, 2])) == (3)" in source


def test_an_exception_is_expected_where_the_example_says_so():
    source = written_tests([Example(file="cart.py", call="total(None)", raises="TypeError")])[
        "tests/test_cart.py"
    ]
    assert "with pytest.raises(TypeError):\n        total(None)" in source


def test_a_program_is_run_with_its_arguments_and_its_input():
    run = Example(file="main.py", arguments=("3", "4"), input="x\n", prints="7\n", stated=True)
    source = written_tests([run])["tests/test_main.py"]
    assert "[sys.executable, 'main.py', '3', '4']" in source
    assert "input='x\\n'" in source
    assert "(0, '7')" in source


def test_examples_of_two_files_are_two_test_files():
    files = written_tests([example("a()"), Example(file="shop/price.py", call="b()", returns="2")])
    assert list(files) == ["tests/test_cart.py", "tests/test_shop_price.py"]
    assert "from shop.price import b" in files["tests/test_shop_price.py"]


def test_a_function_that_is_called_like_a_test_is_not_collected_as_one():
    source = written_tests([example("test_distinct([1, 2])", "True")])["tests/test_cart.py"]
    top = [node for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert top == []


@pytest.mark.parametrize(
    ("call", "names", "lines"),
    [
        ("total([1])", ["total"], []),
        ("math.isclose(area(2), 12.5)", ["area"], ["import math"]),
        ("set(common([1], [2]))", ["common"], []),
        ("[twice(n) for n in range(3)]", ["twice"], []),
        ("apply(lambda x: x + 1, 2)", ["apply"], []),
        ("count('aab') == Counter(a=2)", ["count"], ["from collections import Counter"]),
        ("apply(square, 2)", ["apply", "square"], []),
        ("Cart().add(Item('tea'))", ["Cart", "Item"], []),
        ("sum_of(re.findall('a', 'aa'))", ["sum_of"], ["import re"]),
    ],
)
def test_the_names_to_import_are_those_that_nobody_else_defines(
    call: str, names: list[str], lines: list[str]
):
    assert names_in(example(call)) == (names, lines)


def test_an_expression_on_several_lines_stands_on_one():
    source = written_tests([example("total(\n    [1,\n     2])", "3")])["tests/test_cart.py"]
    ast.parse(source)
    assert "assert (total([1, 2])) == (3)" in source


def test_a_test_file_has_a_name_that_python_can_import():
    assert path_of_tests("shop/my-price.py") == "tests/test_shop_my_price.py"
