"""An import that a small model forgot is added where it is plain which."""

import ast

import pytest

from workshop.missing_imports import with_missing_imports

OTHERS = {
    "temperature.py": "def c_to_f(c):\n    return c * 9 / 5 + 32\n\n\nLIMIT = 3\n",
    "shop/price.py": "class Price:\n    pass\n",
    "notes.txt": "def c_to_f",
}


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("print(c_to_f(1))\n", "from temperature import c_to_f"),
        ("print(LIMIT)\n", "from temperature import LIMIT"),
        ("p = Price()\n", "from shop.price import Price"),
        ("print(temperature.c_to_f(1))\n", "import temperature"),
        ("def root(n):\n    return math.sqrt(n)\n", "import math"),
        ("def words(t):\n    return re.findall('a', t)\n", "import re"),
        ("def count(t):\n    return Counter(t)\n", "from collections import Counter"),
        (
            "def f(a: List[int]) -> Optional[int]:\n    return a\n",
            "from typing import List\nfrom typing import Optional",
        ),
        ("import sys\nprint(sys.argv, c_to_f(1))\n", "from temperature import c_to_f"),
    ],
)
def test_what_is_used_and_known_elsewhere_is_imported(source: str, line: str):
    made = with_missing_imports(source, "main.py", OTHERS)
    assert made.startswith(line + "\n")
    assert made.endswith(source)
    ast.parse(made)


@pytest.mark.parametrize(
    "source",
    [
        "from temperature import c_to_f\nprint(c_to_f(1))\n",
        "from temperature import *\nprint(c_to_f(1))\n",
        "def c_to_f(c):\n    return c\n\n\nprint(c_to_f(1))\n",
        "def f(math):\n    return math.sqrt(1)\n",
        "print(unheard_of(1))\n",
        "def f(string):\n    return string\n",
        "print(random)\n",
        "try:\n    pass\nexcept ValueError as re:\n    print(re.args)\n",
        "print(\n",
        "",
    ],
)
def test_what_is_defined_or_not_plain_stays_as_it_is(source: str):
    assert with_missing_imports(source, "main.py", OTHERS) == source


def test_a_name_that_two_files_define_is_left_alone():
    others = {"a.py": "def f():\n    pass\n", "b.py": "def f():\n    pass\n"}
    assert with_missing_imports("f()\n", "main.py", others) == "f()\n"


def test_a_file_does_not_import_from_itself():
    assert with_missing_imports("print(c_to_f(1))\n", "temperature.py", OTHERS) == "print(c_to_f(1))\n"


def test_the_docstring_and_the_future_stay_first():
    source = '"""Convert."""\nfrom __future__ import annotations\n\nprint(c_to_f(1))\n'
    made = with_missing_imports(source, "main.py", OTHERS)
    assert ast.get_docstring(ast.parse(made)) == "Convert."
    compile(made, "main.py", "exec")
    assert made.index("__future__") < made.index("from temperature")
