"""The examples that a person's sentence states."""

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.settings import load
from evals.settings import EvalSettings
from workshop.expressions import import_lines, imports_of, parsed, source_of, wanted_names
from workshop.specification import EXAMPLES_MOST, Example
from workshop.stated import stated_examples


def told(sentence: str) -> list[tuple[str, str | None]]:
    """Return call and result of each example; an exception's name stands with an exclamation mark."""
    examples = stated_examples(sentence, "main.py")
    assert all(example.stated and example.file == "main.py" for example in examples)
    return [(each.call, f"{each.raises}!" if each.raises else each.returns) for each in examples]


@pytest.mark.parametrize(
    "sentence",
    [
        "f(1) == 2",
        "f(1)==2",
        "f(1) === 2",
        "assert f(1) == 2",
        "assert that f(1) == 2",
        'assert f(1) == 2, "f(1) == 3 is wrong"',
        "assert (f(1) == 2)",
        "assert(f(1)==2)",
        "assert 2 == f(1)",
        "f(1) -> 2",
        "f(1) => 2",
        "f(1) → 2",
        "f(1) = 2",
        "f(1) returns 2.",
        "f(1) should return 2!",
        "f(1) must return the number 2",
        "f(1) will give you 2, of course",
        "f(1) gives 2 and that is all",
        "f(1) yields 2",
        "f(1) evaluates to 2",
        "f(1) equals 2",
        "f(1) is 2",
        "f(1) is equal to 2",
        "f(1) should be 2 (two)",
        "f(1) must be equal to 2",
        "calling f(1) returns: 2",
        "`f(1)` returns `2`.",
        "**f(1)** returns **2**",
        "- `f(1) == 2`",
        "1. f(1) == 2",
        "(e.g. f(1) returns 2)",
        "see https://example.org/f/ f(1) returns 2",
        "f(1) returns 2 because of the sum",
        "f(1) возвращает 2",
        "f(1) должно вернуть 2.",
        "f(1) должна возвращать число 2",
        "f(1) вернёт 2, а не 3.5",
        "f(1) даёт 2",
        "f(1) равно 2",
        "f(1) должно быть равно 2",
        "f(1) — это 2",
        ">>> f(1)\n2",
        ">>> f(1)\n2\nThank you",
        ">>> f(1) == 2\nTrue",
        "```python\nf(1)  # 2\n```",
        "f(1)  # => 2",
        "f(1)  # returns 2",
        "self.assertEqual(f(1), 2)",
        "```\nassert f(1) == 2\n```",
        "In the end f(1)\nreturns 2",
        "f(1) ==> 2",
        "f(1) always returns 2",
        "f(1) should always return 2",
        "f(1), expected 2",
        "f(1) (expected: 2)",
        "For f(1) I expect 2.",
        "Input: f(1)\nOutput: 2",
        "| call | result |\n|---|---|\n| `f(1)` | `2` |",
        "print(f(1))  # 2",
        "print(f(1)) should print 2",
        ">>> print(f(1))\n2",
        "f(1) будет 2",
        "f(1), результат: 2",
        "f(1) всегда возвращает 2",
    ],
)
def test_each_way_to_say_what_a_call_returns_is_understood(sentence: str):
    assert told(sentence) == [("f(1)", "2")]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("f(1) returns 2, f(2) returns 3 and f(3) == 4.", [("f(1)", "2"), ("f(2)", "3"), ("f(3)", "4")]),
        ("f(1) is 2\nf(2) is [3,\n 4]", [("f(1)", "2"), ("f(2)", "[3,\n 4]")]),
        ("assert f(1) == 2 and f(2) == 3", [("f(1)", "2"), ("f(2)", "3")]),
        ("assert f(1) == 2; assert f(2) == 3", [("f(1)", "2"), ("f(2)", "3")]),
        ("f(2) == 3, f(1) == 2; f(2) == 3", [("f(2)", "3"), ("f(1)", "2")]),
        ('f("a") даёт "b", а g(h(1)) — {"x": (1,)}', [('f("a")', '"b"'), ("g(h(1))", '{"x": (1,)}')]),
        ('f("returns 3, g(4)") returns "g(1) == 2"', [('f("returns 3, g(4)")', '"g(1) == 2"')]),
        ("f('it''s') returns \"don't\"", [("f('it''s')", '"don\'t"')]),
        ('f("""a\nb""") == 2', [('f("""a\nb""")', "2")]),
        ("assert f([1,  # one\n  2]) == 3", [("f([1,  # one\n  2])", "3")]),
        ("assert set(f([1, 2])) == set([2, 1])", [("set(f([1, 2]))", "set([2, 1])")]),
        ("abs(f(1) - 2) < 0.1", [("abs(f(1) - 2) < 0.1", "True")]),
        ("so that f(1) > 2 holds, f(2) in [3, 4] too", [("f(1) > 2", "True"), ("f(2) in [3, 4]", "True")]),
        ("f(1) != 2", [("f(1) != 2", "True")]),
        (
            "assert math.isclose(f(1), 400., rel_tol=0.001)",
            [("math.isclose(f(1), 400., rel_tol=0.001)", "True")],
        ),
        ("assert f(1)", [("bool(f(1))", "True")]),
        ("assert not f(1)", [("not f(1)", "True")]),
        ("assert f(1) is None", [("f(1) is None", "True")]),
        ("assert f(1) or f(2)", [("bool(f(1) or f(2))", "True")]),
        (
            "f(1) is None. f(2) returns true. f(3) returns истину.",
            [("f(1)", "None"), ("f(2)", "True"), ("f(3)", "True")],
        ),
        ("assert f(2.5) == 3.", [("f(2.5)", "3")]),
        ("f(1) returns 2.5.", [("f(1)", "2.5")]),
        ("[f(1), f(2)] == [3, 4]", [("[f(1), f(2)]", "[3, 4]")]),
        ("list(map(f, [1, 2])) == [2, 4]", [("list(map(f, [1, 2]))", "[2, 4]")]),
        ("all(f(x) for x in [1]) == True", [("all(f(x) for x in [1])", "True")]),
        ("f(1)[0] == 2 and f(1).size == 3", [("f(1)[0]", "2"), ("f(1).size", "3")]),
        ("Stack([1]).pop() == 1", [("Stack([1]).pop()", "1")]),
        ("main.f(1) == 2", [("f(1)", "2")]),
        ("f (1) == 2", [("f (1)", "2")]),
        ("f(a=1, *[2]) == -3", [("f(a=1, *[2])", "-3")]),
        ("sum(10, 15) == 6", [("sum(10, 15)", "6")]),
        ('f("\\d") == 1', [('f("\\d")', "1")]),
        (
            "f('a') raises ValueError and f(-1) should raise a TypeError.",
            [("f('a')", "ValueError!"), ("f(-1)", "TypeError!")],
        ),
        (
            "f('a') вызывает ValueError, f(0) должно вызвать исключение ZeroDivisionError",
            [("f('a')", "ValueError!"), ("f(0)", "ZeroDivisionError!")],
        ),
        ("Raise a ValueError for f(-1).", [("f(-1)", "ValueError!")]),
        ("with pytest.raises(ValueError, match='no'):\n    f('a')", [("f('a')", "ValueError!")]),
        (
            ">>> f('a')\nTraceback (most recent call last):\n  ...\njson.JSONDecodeError: no",
            [("f('a')", "json.JSONDecodeError!")],
        ),
        ("f('a') throws the exception `KeyError`", [("f('a')", "KeyError!")]),
        ("f('a') gives a KeyError; f(-1) -> ValueError", [("f('a')", "KeyError!"), ("f(-1)", "ValueError!")]),
        ("при f(-1) должна быть ошибка ValueError", [("f(-1)", "ValueError!")]),
    ],
)
def test_what_is_said_is_kept_in_its_own_words(sentence: str, expected: list[tuple[str, str]]):
    assert told(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Write a function f(x) that returns 2.",
        "f(n) returns n + 1",
        "f(n) == n",
        "f(1) returns n",
        "f(1) returns 2 apples",
        "f(1) returns 2 or 3",
        "f(1) returns 2, 3 and 4",
        "f(1) returns 2 more than f(0)",
        "f(1) returns 5 times its argument",
        "f(1) returns 2%",
        "f(1) returns 1..3",
        "f(1) returns from 1 to 3",
        "f(1) does not return 2",
        "f(1) should not return 2",
        "f(1) is not 2",
        "f(1) never returns 2",
        "f(1) is called twice",
        "f(1) is a list",
        "f(1) is in the list",
        "x + f(1) == 2",
        "def f(a=1) -> int:",
        "def f() -> None: return 2",
        "f() -> list[int]",
        "f() returns int | None",
        "class F(Base): x = 2",
        "call f(1) and f(2)",
        "f(1)",
        "a function (see above) returns 2",
        "round it (2) is 3",
        "for x in [1, 2]: assert f(x) == x",
        "f(1 == 2",
        "f(1) == ",
        "assert",
        "assert nothing",
        "assert 1 == 1",
        "2 == 2",
        "f('a') raises an error",
        "f('a') raises questions",
        "string.upper() == 'X'",
        "f(1) prints 2",
        "print(f(1))",
        "print(f(1))  # hello",
        "f(1) | 2",
        "f(-1) must not raise ValueError",
        "f(1) returned 2",
    ],
)
def test_what_is_no_closed_example_is_left_alone(sentence: str):
    assert told(sentence) == []


def test_remarks_on_built_in_functions_are_no_examples_beside_real_ones():
    assert told("Write f so that f(2) == 3. Note that len('ab') == 2 and round(2.5) is 2.") == [("f(2)", "3")]


@pytest.mark.parametrize(
    ("sentence", "file", "arguments", "given_in", "prints"),
    [
        ("python main.py 3 4 prints 7", "main.py", ("3", "4"), "", "7"),
        ("`python3 main.py 3 4` should print `7`.", "main.py", ("3", "4"), "", "7"),
        ('python main.py "a b" outputs "hi, there\\n2"', "main.py", ("a b",), "", "hi, there\n2"),
        ('echo "x" | python main.py prints y.', "main.py", (), "x\n", "y"),
        ("echo 5 | python src/main.py -v выводит 25, ясно", "src/main.py", ("-v",), "5\n", "25"),
        ("python tool.py 1 должен напечатать «раз»", "tool.py", ("1",), "", "раз"),
        ("$ python main.py 3\n6\n7\n", "main.py", ("3",), "", "6\n7"),
        ('python main.py with input "5" prints 25', "main.py", (), "5\n", "25"),
        ("python main.py 2 -> 4", "main.py", ("2",), "", "4"),
        ("./main.py prints Hello World", "main.py", (), "", "Hello World"),
    ],
)
def test_a_run_of_a_program_is_an_example_of_what_it_prints(
    sentence: str, file: str, arguments: tuple[str, ...], given_in: str, prints: str
):
    expected = Example(file=file, arguments=arguments, input=given_in, prints=prints, stated=True)
    assert stated_examples(sentence, "other.py") == (expected,)


@pytest.mark.parametrize(
    "sentence",
    [
        "python main.py prints the sum of its arguments",
        "python main.py --help prints usage information",
        "python main.py выводит сумму чисел",
        "python main.py $(rm x) prints 7",
        "python main.py > out.txt prints 7",
        "run python main.py",
    ],
)
def test_a_description_of_what_is_printed_is_no_example(sentence: str):
    assert stated_examples(sentence, "main.py") == ()


def test_two_runs_in_one_sentence_are_two_examples():
    found = stated_examples('python main.py 3 4 prints 7 and echo "x" | python main.py prints y.', "main.py")
    assert [(each.arguments, each.input, each.prints) for each in found] == [
        (("3", "4"), "", "7"),
        ((), "x\n", "y"),
    ]


def test_no_more_examples_are_taken_than_a_specification_holds():
    assert len(stated_examples("\n".join(f"f({n}) == {n}" for n in range(200)), "main.py")) == EXAMPLES_MOST


def test_an_example_too_long_to_be_one_is_left_out_and_the_others_stay():
    assert told(f"assert f('{'a' * 3000}') == 1\nassert f(2) == 3") == [("f(2)", "3")]


@pytest.mark.parametrize(
    "piece",
    ["f(", "assert f(", "[", "f(1) == ", '"', "f(1,", ">>> f(1)\n", "python a.py ", "`f(1)", "f(1) returns "],
)
def test_a_sentence_of_nothing_but_pieces_is_read_in_time_that_does_not_explode(piece: str):
    assert len(stated_examples(piece * (6_000 // len(piece)), "main.py")) <= 1


@given(st.text(alphabet="f(1) ==2,'\"[]\n>.aи`#\0|$python main.py prints", max_size=80) | st.text())
def test_any_text_gives_examples_whose_expressions_parse(sentence: str):
    for example in stated_examples(sentence, "main.py"):
        assert not example.call or parsed(example.call) is not None


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.tuples(inner, inner),
    )
)
def test_any_value_is_found_whole_in_every_form(value: object):
    for form in (
        "assert f({0}) == {0}",
        "f({0}) returns {0}.",
        "`f({0})` -> `{0}`",
        "f({0}) должно вернуть {0}, да",
    ):
        assert told(form.format(repr(value))) == [(f"f({value!r})", repr(value))]


def test_names_to_write_are_those_that_the_examples_call():
    examples = stated_examples(
        "assert set(f([1], key=len)) == {1}; assert f(1, 2) == g(3); assert h(*[1])", "main.py"
    )
    assert wanted_names(examples) == ("f", "g", "h")


def test_a_built_in_function_that_is_to_be_written_anew_is_wanted():
    assert wanted_names(stated_examples("sum(10, 15) == 6", "main.py")) == ("sum",)


def test_modules_that_an_example_needs_are_named():
    (example,) = stated_examples("assert math.isclose(f(re.I), math.pi)", "main.py")
    assert imports_of(example) == ("math", "re")
    examples = stated_examples('f("aab") == Counter("aab"), f("") raises json.JSONDecodeError', "main.py")
    assert import_lines(examples) == ("from collections import Counter", "import json")
    assert wanted_names(examples) == ("f",)


FORMS = {
    "returns": "{task} For example, {call} returns {value}.",
    "gives": "{task} {call} gives {value} and that is all.",
    "should return": "{task} {call} should return {value}",
    "equals": "{task} So {call} == {value}, please.",
    "arrow": "{task}\n{call} -> {value}\n",
    "is": "{task} {call} is {value}.",
    "sign": "{task} {call} = {value}",
    "backticks": "{task} `{call}` returns `{value}`.",
    "session": "{task}\n\n>>> {call}\n{value}\n",
    "remark": "{task}\n```\n{call}  # {value}\n```",
    "Russian": "{task} {call} должно вернуть {value}, а не что-то иное",
}
ASSERTS = (
    "{task} {test}",
    "{task}\n{test}\nThanks.",
    "{task}\n```python\n{test}\n```",
    "{task} It must satisfy `{test}`.",
    '{task}\n{test}, "no"',
)


@pytest.fixture(scope="module")
def tasks() -> list[tuple[str, str]]:
    path = load(EvalSettings).exams / "code-tasks/mbpp_prompts_tests.jsonl"
    if not path.is_file():
        pytest.skip("SHOPKART_EXAMS has no code-tasks/mbpp_prompts_tests.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [(row["prompt"], test) for row in rows for test in row["test_list"]]


def meaning(source: str | None) -> str:
    return ast.dump(ast.parse(source or "", mode="eval"))


def test_every_assert_of_the_code_benchmark_is_found_whole_in_every_form(tasks: list[tuple[str, str]]):
    for number, (task, test) in enumerate(tasks):
        form = ASSERTS[number % len(ASSERTS)]
        (example,) = stated_examples(form.format(task=task, test=test), "main.py")
        condition = test.removeprefix("assert ")
        said = f"({example.call}) == ({example.returns})"
        forms = [meaning(said), *(meaning(each) for each in (condition, f"bool({condition})"))]
        assert meaning(condition) in forms or meaning(example.call) in forms


def test_every_equality_of_the_code_benchmark_is_found_whole_in_prose(tasks: list[tuple[str, str]]):
    missed: list[tuple[str, str]] = []
    for number, (task, test) in enumerate(tasks):
        condition = test.removeprefix("assert ")
        tree = parsed(condition)
        if not (isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Eq)):
            continue
        call, value = source_of(condition, tree.left), source_of(condition, tree.comparators[0])
        name = list(FORMS)[number % len(FORMS)]
        found = stated_examples(FORMS[name].format(task=task, call=call, value=value), "main.py")
        if [(meaning(each.call), meaning(each.returns)) for each in found] != [
            (meaning(call), meaning(value))
        ]:
            missed.append((name, test))
    assert missed == []


def test_a_task_alone_states_no_example(tasks: list[tuple[str, str]]):
    assert [task for task, _ in tasks if stated_examples(task, "main.py")] == []
