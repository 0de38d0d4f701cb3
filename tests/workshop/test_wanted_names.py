"""A function that differs from the one that is called in its case alone is called as it should be."""

import ast

import pytest

from workshop.wanted_names import with_wanted_names

SOURCE = (
    'def max_abs(n):\n    """max_abs of n."""\n    return max_abs(n - 1) if n > 9 else n.max_abs  # max_abs\n'
)


def test_the_function_and_its_calls_get_the_wanted_name_and_nothing_else_does():
    made = with_wanted_names(SOURCE, ["max_Abs"])
    assert made == (
        'def max_Abs(n):\n    """max_abs of n."""\n'
        "    return max_Abs(n - 1) if n > 9 else n.max_abs  # max_abs\n"
    )


@pytest.mark.parametrize("name", ["maxAbs", "Max_Abs", "max__abs", "MAX_ABS"])
def test_case_and_underscores_are_all_that_may_differ(name: str):
    assert f"def {name}(n)" in with_wanted_names(SOURCE, [name])


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (SOURCE, ["max_abs"]),
        (SOURCE, ["min_abs"]),
        (SOURCE, []),
        ("def max_abs():\n    pass\n\n\ndef maxAbs():\n    pass\n", ["MaxAbs"]),
        ("def a_b():\n    pass\n", ["a_b", "A_B"]),
        ("def broken(\n", ["Broken"]),
        ("class A:\n    def max_abs(self):\n        pass\n", ["max_Abs"]),
        ("", ["f"]),
    ],
)
def test_what_is_not_plainly_meant_stays(source: str, names: list[str]):
    assert with_wanted_names(source, names) == source


def test_a_name_in_an_f_string_is_still_python():
    made = with_wanted_names("def a_b(n):\n    return f'{n}' + str(a_b)\n", ["aB"])
    ast.parse(made)
    assert "def aB(n)" in made
