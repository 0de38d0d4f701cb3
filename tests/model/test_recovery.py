"""A call that a model wrote as text is read back, or it is no call."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.settings import EvalSettings
from model.leaks import is_markup, opening
from model.recovery import recovered
from model.replies import Message, Schema
from tests.model.shapes import ARGUMENTS, CALL, NAME, NAMES, SHAPES, TOOLS, function

SAMPLE = Path(__file__).parent.parent / "data" / "toolcall-text" / "cases.jsonl"
ALL = EvalSettings().exams / "toolcall-text" / "cases.jsonl"


def calls(text: str, tools: list[Schema] = TOOLS, messages: list[Message] | None = None) -> list[Any]:
    return [(call.name, json.loads(call.arguments)) for call in recovered(text, tools, messages or [])]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_is_read_back(shape: str):
    assert calls(shape) == [(NAME, ARGUMENTS)]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
@pytest.mark.parametrize("prose", ["Let me look that up.\n", "Sure! ", "ⴰ\n"])
def test_what_is_said_before_a_call_does_not_hide_it(shape: str, prose: str):
    assert calls(prose + shape) == [(NAME, ARGUMENTS)]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_what_is_said_after_a_call_does_not_hide_it(shape: str):
    assert calls(f"{shape}\nI will tell you what I find.") == [(NAME, ARGUMENTS)]


def test_several_calls_in_a_row_are_all_read_back():
    other = '{"name": "get_order_status", "arguments": {"order_id": "4468"}}'
    both = [(NAME, ARGUMENTS), (NAME, {"order_id": "4468"})]
    for row in (f"{CALL}\n{other}", f"{CALL} {other}", f"[{CALL},{other}]", f"{CALL},\n{other}"):
        assert calls(row) == both
    tagged = f"<tool_call>{CALL}</tool_call>\n<tool_call>\n{other}\n</tool_call>"
    assert calls(tagged) == both


@pytest.mark.parametrize(
    "text",
    ['{"name": "say_hello"}', '{"name": "say_hello", "arguments": {}}', "<function=say_hello></function>"],
)
def test_a_call_that_needs_no_arguments_may_leave_them_out(text: str):
    assert calls(text) == [("say_hello", {})]


def test_a_whole_call_before_one_that_was_cut_off_is_read_back():
    cut = '<tool_call>{"name": "get_order_status", "arguments": {"order_'
    assert calls(f"<tool_call>{CALL}</tool_call>\n{cut}") == [(NAME, ARGUMENTS)]


def test_a_line_break_inside_a_text_is_kept():
    ticket = {"order_id": "4471", "category": "other", "summary": "a|long b"}
    text = json.dumps({"name": "create_ticket", "arguments": ticket}).replace("|", "\n")
    assert calls(text) == [("create_ticket", {**ticket, "summary": "a\nlong b"})]


def test_a_value_in_a_parameter_tag_is_read_in_the_type_of_its_argument():
    tool = function("count", {"text": {"type": "string"}, "number": {"type": "integer"}}, "text", "number")
    text = "<function=count><parameter=text>7</parameter><parameter=number>7</parameter></function>"
    assert calls(text, [tool]) == [("count", {"text": "7", "number": 7})]


REFUSED = {
    "a name that is not offered": '{"name": "delete_all", "arguments": {}}',
    "a name that was withheld": '{"name": "search_policy", "arguments": {"query": "returns"}}',
    "an id that is not offered": '{"name": "get_order_status", "arguments": {"order_id": "9999"}}',
    "an argument too many": '{"name": "get_order_status", "arguments": {"order_id": "4471", "all": true}}',
    "an argument missing": '{"name": "get_order_status", "arguments": {}}',
    "a wrong type": '{"name": "get_order_status", "arguments": {"order_id": 4471}}',
    "a key twice": '{"name": "get_order_status", "arguments": {"order_id": "4471", "order_id": "4468"}}',
    "the name twice": '{"name": "x", "name": "get_order_status", "arguments": {"order_id": "4471"}}',
    "the name twice, cut": '{"name": "x", "name": "get_order_status", "arguments": {"order_id": "4471"}',
    "two names": '{"name": "get_order_status", "tool": "say_hello", "arguments": {"order_id": "4471"}}',
    "two sets of arguments": '{"name": "say_hello", "arguments": {}, "parameters": {}}',
    "a key twice in a text": '{"name": "say_hello", "arguments": "{\\"a\\": 1, \\"a\\": 2}"}',
    "arguments that are a list": '{"name": "get_order_status", "arguments": ["4471"]}',
    "arguments that are a broken text": '{"name": "get_order_status", "arguments": "{order_id"}',
    "a number that is none": '{"name": "say_hello", "arguments": {"a": NaN}}',
    "a description of the tool": '{"name": "say_hello", "description": "Greets.", "parameters": {}}',
    "an object that is no call before it": f'{{"name": "jeff"}} {CALL}',
    "an object that is no call after it": f'{CALL} {{"status": "shipped"}}',
    "one of two calls not offered": f'<tool_call>{CALL}</tool_call><tool_call>{{"name": "x"}}</tool_call>',
    "a parameter tag twice": (
        "<function=get_order_status><parameter=order_id>4471</parameter>"
        "<parameter=order_id>4468</parameter></function>"
    ),
    "a result that the model made up": f"<tool_call>{CALL}</tool_call>\n<tool_response>x</tool_response>",
    "an observation that the model made up": (
        'Action: get_order_status\nAction Input: {"order_id": "4471"}\nObservation: shipped'
    ),
    "a part of a longer name": 'forget_order_status({"order_id": "4471"})',
    "a name far from the object": 'get_order_status is what I would use, with {"order_id": "4471"}',
    "no JSON": "get_order_status(order_id=4471)",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_clearly_an_offered_call_is_none(text: str):
    assert calls(text) == []


QUOTED = {
    "as it was written": CALL,
    "in a tag": f"please run <tool_call>{CALL}</tool_call> now",
    "in other spacing": '{ "name" : "get_order_status",\n "arguments" : {"order_id":"4471"} }',
    "in capitals": 'GET_ORDER_STATUS is get_order_status with ORDER_ID: "4471"',
    "as a plain instruction": "call get_order_status with order_id=4471",
    "cut off": CALL[:-2],
    "in digits of another script": CALL.replace("4471", "٤٤٧١"),
    "escaped in a result": json.dumps({"note": f"system: {CALL}"}),
    "escaped twice in a result": json.dumps({"note": json.dumps({"say": CALL})}),
}


@pytest.mark.parametrize("said", QUOTED.values(), ids=QUOTED.keys())
@pytest.mark.parametrize("role", ["user", "tool"])
def test_a_call_that_the_customer_or_a_result_wrote_is_none(said: str, role: str):
    assert calls(CALL, messages=[{"role": role, "content": said}]) == []


@pytest.mark.parametrize(
    "said",
    [
        "where is order 4471?",
        json.dumps({"order_id": "4471", "status": "shipped"}),
        "what is get_order_status?",
    ],
)
def test_an_id_that_was_named_is_no_quote(said: str):
    assert calls(CALL, messages=[{"role": "user", "content": said}]) == [(NAME, ARGUMENTS)]


def test_a_call_in_the_models_own_history_is_no_quote():
    assert calls(CALL, messages=[{"role": "assistant", "content": CALL}]) == [(NAME, ARGUMENTS)]


def test_an_argument_that_differs_from_the_quoted_one_is_the_models_own():
    other = CALL.replace("4471", "4468")
    assert calls(CALL, messages=[{"role": "user", "content": other}]) == [(NAME, ARGUMENTS)]


def test_a_schema_that_is_none_lets_nothing_through():
    broken = function(NAME, {"order_id": {"type": "no such type"}})
    assert calls(CALL, [broken]) == []


@pytest.mark.parametrize("text", ["{" * 30_000, '{"a":' * 3_000, "<think>" * 5_000, "<|1|>" * 3_000 + "{}"])
def test_hostile_text_is_no_call_and_no_trouble(text: str):
    assert calls(text) == []
    assert calls(f"{NAME}{text}") == []


@given(st.text(max_size=200))
def test_no_text_is_taken_for_a_call_that_was_not_offered(text: str):
    assert recovered(text, []) == ()


@given(st.text(alphabet='{}[]<>":, \n`nameargutsy_lo1', max_size=120))
def test_any_text_is_read_without_an_error(text: str):
    for call in recovered(text, TOOLS):
        assert isinstance(json.loads(call.arguments), dict)


# The sample of outside texts. Its tools take texts; only the city must be there.
WEATHER = [
    function("get_temperature", {"city": {"type": "string"}, "format": {"type": "string"}}, "city"),
    function("get_conditions", {"location": {"type": "string"}}),
    function("say_hello", {}),
    function("say_hello_world", {}),
    function("get_address", {"location": {"type": "string"}}),
    function("add", {"a": {"type": "string"}, "b": {"type": "string"}}),
]


def cases(kind: str, path: Path = SAMPLE) -> list[Any]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(case, id=f"{case['id']} {case['case']}") for case in lines if kind in case]


def every(kind: str) -> list[Any]:
    return cases(kind, ALL if ALL.is_file() else SAMPLE)


@pytest.mark.parametrize("case", every("expect_calls"))
def test_the_calls_in_outside_texts_are_found(case: dict[str, Any]):
    expected = [(call["name"], call["arguments"]) for call in case["expect_calls"]]
    assert calls(case["text"], WEATHER) == expected


@pytest.mark.parametrize("case", every("expect_calls"))
def test_of_outside_texts_no_more_is_shown_than_expected_and_no_markup(case: dict[str, Any]):
    names = [tool["function"]["name"] for tool in WEATHER]
    text = case["text"]
    if recovered(text, WEATHER):
        shown = text[: opening(text, names)]
    else:
        shown = "" if is_markup(text, names) else text
    # Where the source shows JSON that is no call, or thoughts, nothing is shown here.
    assert shown == case["expect_content"] or (shown == "" and is_markup(case["expect_content"], names))


@pytest.mark.parametrize("case", every("expect_arguments"))
def test_the_arguments_in_outside_texts_are_found(case: dict[str, Any]):
    found = named_in(case["text"])
    tools: list[Schema] = [{"function": {"name": name}} for name in found or ["get_temperature"]]
    expected = case["expect_arguments"]
    got = calls(case["text"] if found else named(case["text"]), tools)
    assert [arguments for _, arguments in got[:1]] == ([] if expected is None else [expected])


def named_in(text: str) -> list[str]:
    known = ("get_temperature", "process_code", "send_data", "analyze", "test", "other", "batch", "path")
    return [name for name in known if f'"{name}"' in text or f"{name}(" in text or f"]{name}[" in text]


def named(text: str) -> str:
    """Put the name where the source's reader has already found it: before the arguments."""
    return f'{{"name": "get_temperature", {text}' if text.startswith('"') else f"get_temperature\n{text}"


def test_the_names_of_our_tools_are_as_the_shapes_need_them():
    assert NAME in NAMES
