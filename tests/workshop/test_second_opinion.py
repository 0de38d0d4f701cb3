"""Programs that pass the same tests are compared on calls near the examples."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from workshop.second_opinion import SILENT, Opinion, compared, probes
from workshop.specification import Example

STATED = Example(file="cart.py", call="total([1, 2, 3], 'eur')", returns="6", stated=True)


def test_the_calls_are_like_the_example_and_none_is_the_example_itself():
    calls = probes([STATED])
    assert len(calls) > 8
    assert STATED.call not in calls
    for call in calls:
        node = ast.parse(call, mode="eval").body
        assert isinstance(node, ast.Call)
        assert ast.unparse(node.func) == "total"
        assert len(node.args) == 2


def test_the_same_example_gives_the_same_calls():
    assert probes([STATED]) == probes([STATED])


def test_an_example_without_a_value_gives_no_call():
    assert probes([Example(file="cart.py", call="now()", returns="1")]) == ()


def test_programs_that_answer_alike_agree():
    assert compared(["f(1)", "f(2)"], [["1", "2"], ["1", "2"]]) == Opinion(0, 2, 2)


def test_the_answers_of_most_are_chosen_and_the_call_on_which_they_differ_is_named():
    found = compared(["f(1)", "f(2)"], [["1", "0"], ["1", "2"], ["1", "2"]])
    assert found == Opinion(1, 2, 3, ("f(2)", "2", "0"))


def test_of_as_many_the_first_program_stays():
    assert compared(["f(1)"], [["1"], ["2"]]).chosen == 0


def test_a_call_that_breaks_every_program_says_nothing():
    found = compared(["f(None)"], [["raises TypeError"], ["raises ValueError"]])
    assert found == Opinion(0, 2, 2)


def test_a_program_that_gave_no_answers_agrees_with_no_other():
    assert compared(["f(1)"], [["1"], [SILENT]]).agreeing == 1


@given(st.lists(st.integers() | st.text(max_size=5) | st.booleans() | st.floats(allow_nan=False), max_size=4))
def test_any_literals_give_calls_that_are_python(values: list[object]):
    for call in probes([Example(file="a.py", call=f"f(*{values!r})", returns="1")]):
        ast.parse(call, mode="eval")
