"""Only the code of an answer is kept."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workshop.code import code_of, outline, problem_of

ADD = "def add(a, b):\n    return a + b\n"

WRAPPED = {
    "a fence": f"```python\n{ADD}```",
    "a fence without a language": f"```\n{ADD}```",
    "a fence of tildes": f"~~~python\n{ADD}~~~",
    "a fence that is not closed": f"```python\n{ADD}",
    "a greeting before it": f"Of course, here it is:\n\n```python\n{ADD}```\nHope this helps!",
    "a greeting in Russian": f"Конечно, вот код:\n\n```python\n{ADD}```\n",
    "no fence, words before": f"Here is the code:\n\n{ADD}",
    "no fence, words on both sides": f"Here is the code:\n{ADD}\nThis function adds two numbers.",
    "the commands to run it after": f"```python\n{ADD}```\n\nRun it:\n```bash\npython add.py\n```",
    "Windows line ends": f"```python\n{ADD}```".replace("\n", "\r\n"),
    "a byte order mark": f"\ufeff{ADD}",
    "blank lines around": f"\n\n```python\n\n{ADD}\n\n```\n\n",
    "four marks around a fence of three": f"````python\n{ADD}````",
}


@pytest.mark.parametrize("text", WRAPPED.values(), ids=WRAPPED.keys())
def test_the_code_is_left_and_nothing_around_it(text: str):
    assert code_of(text, "add.py") == ADD


def test_a_second_block_that_defines_something_else_belongs_to_the_file():
    helper = "def twice(a):\n    return add(a, a)\n"
    source = code_of(f"```python\n{ADD}```\nand\n```python\n{helper}```", "add.py")
    assert [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)] == [
        "add",
        "twice",
    ]


def test_a_second_block_that_only_calls_the_first_is_an_example_and_left_out():
    assert code_of(f"```python\n{ADD}```\nUse it:\n```python\nprint(add(1, 2))\n```", "add.py") == ADD


def test_a_second_version_of_the_same_function_does_not_replace_the_first():
    other = "def add(a, b):\n    return sum((a, b))\n"
    assert code_of(f"```python\n{ADD}```\nor\n```python\n{other}```", "add.py") == ADD


def test_a_fence_inside_a_string_of_the_code_stays():
    source = 'TEXT = """\nSee:\n"""\n\n\ndef show():\n    return "`" * 3\n'
    assert code_of(f"```python\n{source}```", "show.py") == source


def test_what_is_no_python_is_kept_as_it_is_for_other_files():
    assert code_of("```html\n<p>Hello</p>\n```", "index.html") == "<p>Hello</p>\n"
    assert code_of("a,b\n1,2", "data.csv") == "a,b\n1,2\n"


@pytest.mark.parametrize("text", ["", "   \n", "```python\n```"])
def test_an_answer_without_code_is_empty(text: str):
    assert code_of(text, "add.py") == ""


def test_a_problem_names_its_line():
    assert problem_of(ADD) == ""
    assert problem_of("def add(a, b)\n    return a\n").startswith("line 1: ")
    assert problem_of("a\0b") != ""


def test_an_outline_has_the_signatures_and_no_body():
    method = "    def total(self, tax: float = 0) -> float:\n        return tax\n"
    source = f"import os\n\n\nclass Cart:\n{method}\n\n{ADD}"
    assert (
        outline(source) == "class Cart:\n    def total(self, tax: float=0) -> float: ...\ndef add(a, b): ..."
    )
    assert outline("def (") == ""


@given(st.text(max_size=400))
def test_any_text_gives_some_text_and_no_fence_is_left_around_it(text: str):
    source = code_of(text, "any.py")
    assert source == "" or source.endswith("\n")
    assert code_of(f"```python\n{ADD}```\n", "any.py") == ADD
