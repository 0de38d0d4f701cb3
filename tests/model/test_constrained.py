"""The constrained dialect: which actions are allowed, what becomes a call, what is said."""

import json
from typing import Any

import pytest
from inline_snapshot import snapshot

from model.constrained import Constrained
from model.replies import Message, Reply, Usage
from tests.model.stand_in import EMBEDDED, StandIn, collected, failure, text

pytestmark = pytest.mark.anyio

SYSTEM = "Be kind.\n\nTools:\n- look_up(id): Look at one thing.\n- search(words): Search the rules."
MISSING = "\n\nNot yet known: thing number. Ask for it."


def tool(name: str, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


SEARCH = tool("search", words={"type": "string", "pattern": r"^\d", "maxLength": 4000})


def known(*ids: str) -> list[dict[str, Any]]:
    one = {"type": "string", "enum": list(ids)}
    kind = {"type": "string", "enum": ["broken", "late"]}
    report = tool("report", id=one, kind=kind, words={"type": "string", "maxLength": 300})
    return [tool("look_up", id=one), SEARCH, report]


def talk(*said: str, missing: bool = False) -> list[Message]:
    system = SYSTEM + MISSING if missing else SYSTEM
    return [{"role": "system", "content": system}, *({"role": "user", "content": text} for text in said)]


def called(name: str, result: str, **arguments: str) -> list[Message]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "c", "content": result},
    ]


async def turn(
    messages: list[Message], tools: list[dict[str, Any]], *answers: str
) -> tuple[list[Any], StandIn]:
    stand_in = StandIn(*[text(answer) for answer in answers], target=EMBEDDED)
    return await collected(Constrained(stand_in.endpoint).stream(messages, tools)), stand_in


def actions(stand_in: StandIn, request: int = 0) -> list[str]:
    """Return the names of the actions that the request's schema allowed."""
    forms = stand_in.asked[request]["response_format"]["json_schema"]["schema"]["anyOf"]
    return [form["properties"]["action"]["const"] for form in forms]


async def test_the_routing_schema_is_made_from_the_offered_tools():
    _, stand_in = await turn(talk("hello"), known("4471"), '{"action": "reply"}', "Hello.")
    assert stand_in.asked[0]["response_format"] == snapshot(
        {
            "type": "json_schema",
            "json_schema": {
                "name": "action",
                "strict": True,
                "schema": {
                    "anyOf": [
                        {
                            "type": "object",
                            "properties": {
                                "action": {"const": "look_up"},
                                "id": {"type": "string", "enum": ["4471"]},
                            },
                            "required": ["action", "id"],
                            "additionalProperties": False,
                        },
                        {
                            "type": "object",
                            "properties": {
                                "action": {"const": "search"},
                                "words": {"type": "string", "maxLength": 160},
                            },
                            "required": ["action", "words"],
                            "additionalProperties": False,
                        },
                        {
                            "type": "object",
                            "properties": {
                                "action": {"const": "report"},
                                "id": {"type": "string", "enum": ["4471"]},
                                "words": {"type": "string", "maxLength": 160},
                                "kind": {"type": "string", "enum": ["broken", "late"]},
                            },
                            "required": ["action", "id", "kind", "words"],
                            "additionalProperties": False,
                        },
                        {
                            "type": "object",
                            "properties": {"action": {"const": "reply"}},
                            "required": ["action"],
                            "additionalProperties": False,
                        },
                    ]
                },
            },
        }
    )


async def test_an_action_becomes_a_call_without_text():
    items, stand_in = await turn(talk("where is 4471?"), known("4471"), '{"action": "look_up", "id": "4471"}')
    assert [(c.name, c.arguments) for c in items[0].tool_calls] == [("look_up", '{"id": "4471"}')]
    assert items[0].content is None and len(items) == 1 and items[0].requests == 1
    assert len(stand_in.asked) == 1


async def test_a_text_takes_a_second_request_without_tools_and_without_a_schema():
    items, stand_in = await turn(talk("hello"), [SEARCH], '{"action": "reply"}', "Hello.")
    assert items == ["Hello.", Reply("Hello.", usage=Usage(14, 6), requests=2)]
    assert "tools" not in stand_in.asked[1] and "response_format" not in stand_in.asked[1]


async def test_the_two_prompts_go_to_two_slots():
    _, stand_in = await turn(talk("hello"), [SEARCH], '{"action": "reply"}', "Hello.")
    assert [body["id_slot"] for body in stand_in.asked] == [0, 1]


async def test_without_tools_only_words_are_asked_for():
    items, stand_in = await turn(talk("hello"), [], "Hello.")
    assert items[-1].requests == 1
    assert "response_format" not in stand_in.asked[0]


async def test_after_a_result_the_answer_is_due():
    history = [*talk("where is 4471?"), *called("look_up", "On its way.", id="4471")]
    _, stand_in = await turn(history, known("4471"), "It is on its way.")
    assert len(stand_in.asked) == 1
    assert stand_in.asked[0]["messages"][-1] == {"role": "system", "content": "Tool result: On its way."}


async def test_a_second_id_of_the_message_is_looked_up_before_the_answer():
    history = [*talk("where are 4471 and 4468?"), *called("look_up", "On its way.", id="4471")]
    items, stand_in = await turn(history, known("4471", "4468"), "unused")
    assert items[0].tool_calls[0].arguments == '{"id": "4468"}'
    assert stand_in.asked == []


async def test_a_second_id_after_a_change_is_chosen_for_by_the_model_among_that_id_only():
    history = [
        *talk("4471 and 4468 are broken"),
        *called("report", "Done.", id="4471", kind="broken", words="x"),
    ]
    _, stand_in = await turn(history, known("4471", "4468"), '{"action": "reply"}', "Done.")
    forms = stand_in.asked[0]["response_format"]["json_schema"]["schema"]["anyOf"]
    assert [form["properties"].get("id", {}).get("enum") for form in forms] == [["4468"], ["4468"], None]


@pytest.mark.parametrize("said", ["where is 4471?", "#4471!", "４４７１", "٤٤٧١"])
async def test_a_message_that_names_an_id_leaves_only_what_takes_it(said: str):
    _, stand_in = await turn(talk(said), known("4471"), '{"action": "look_up", "id": "4471"}')
    assert actions(stand_in) == ["look_up", "report"]


@pytest.mark.parametrize("said", ["where is 44712?", "A4471 is nice", "hello", "it came broken"])
async def test_an_id_counts_only_as_a_whole_word_and_a_category_never(said: str):
    _, stand_in = await turn(talk(said), known("4471"), '{"action": "reply"}', "Hm.")
    assert actions(stand_in) == ["look_up", "search", "report", "reply"]


async def test_ask_is_offered_while_a_detail_is_missing_and_the_answer_asks_for_it():
    _, stand_in = await turn(talk("where is it?", missing=True), [SEARCH], '{"action": "ask"}', "Which?")
    assert actions(stand_in) == ["search", "reply", "ask"]
    assert "for the thing number." in stand_in.asked[1]["messages"][-1]["content"]


async def test_without_any_result_the_answer_is_told_that_it_knows_nothing():
    _, stand_in = await turn(talk("how long?"), [SEARCH], '{"action": "reply"}', "Hm.")
    assert "There is no tool result." in stand_in.asked[1]["messages"][-1]["content"]


async def test_the_start_of_the_routing_prompt_stays_the_same_when_a_detail_becomes_known():
    _, before = await turn(talk("where is it?", missing=True), [SEARCH], '{"action": "ask"}', "Which?")
    _, after = await turn(talk("4471"), known("4471"), '{"action": "look_up", "id": "4471"}')
    first, second = (one.asked[0]["messages"][0]["content"] for one in (before, after))
    assert second.startswith(first)
    assert "4471" not in second


@pytest.mark.parametrize(
    "wrong",
    [
        "no JSON",
        '{"action": "delete"}',
        '{"action": "look_up", "id": "9"}',
        '{"action": "look_up"}',
        "[]",
        "{}",
    ],
)
async def test_what_does_not_fit_the_schema_is_asked_for_again(wrong: str):
    items, stand_in = await turn(talk("hi"), known("4471"), wrong, '{"action": "look_up", "id": "4471"}')
    assert items[0].tool_calls[0].name == "look_up" and items[0].requests == 2
    assert stand_in.asked[1]["temperature"] > 0


async def test_what_does_not_fit_twice_ends_in_words():
    items, _ = await turn(talk("hi"), known("4471"), "no", "no", "Hello.")
    assert items[-1].content == "Hello." and items[-1].requests == 3


DESCRIBED = tool(
    "report",
    id={"type": "string", "enum": ["4471"]},
    kind={"type": "string", "enum": ["late", "broken"], "description": "late: not there. broken: in pieces."},
)
REPORT = '{"action": "report", "id": "4471", "kind": "late"}'


async def test_a_choice_between_described_values_is_asked_for_alone():
    items, stand_in = await turn(talk("4471 is in pieces"), [DESCRIBED], REPORT, '{"kind": "broken"}')
    assert items[0].tool_calls[0].arguments == '{"id": "4471", "kind": "broken"}'
    assert items[0].requests == 2
    assert stand_in.asked[1]["messages"] == snapshot(
        [
            {
                "role": "user",
                "content": """\
A customer writes:
"4471 is in pieces"

Which kind fits best?
- late: not there
- broken: in pieces

Answer with JSON: {"kind": ...}\
""",
            }
        ]
    )
    assert stand_in.asked[1]["response_format"]["json_schema"]["schema"]["properties"] == {
        "kind": {"enum": ["late", "broken"]}
    }


@pytest.mark.parametrize("wrong", ["no", '{"kind": "stolen"}', "[]", '{"kind": []}'])
async def test_a_choice_that_is_none_of_the_values_leaves_the_first_one(wrong: str):
    items, _ = await turn(talk("4471 is in pieces"), [DESCRIBED], REPORT, wrong)
    assert items[0].tool_calls[0].arguments == '{"id": "4471", "kind": "late"}'


async def test_what_does_not_fit_twice_is_no_call_either_when_only_calls_were_allowed():
    items, _ = await turn(talk("where is 4471?"), known("4471"), "no", "no", "Hm.")
    assert items[-1].content == "Hm." and items[-1].tool_calls == ()


async def test_a_routing_text_is_never_shown():
    items, _ = await turn(talk("hi"), [SEARCH], '{"action": "reply", "text": "invented"}', "no", "Hello.")
    assert "invented" not in repr(items)


@pytest.mark.parametrize(
    "leak",
    [
        '{"name": "x", "arguments": {}}',
        '<tool_call>{"a": 1}',
        'It says {"error": 1}.',
        '```json\n{"a": 1}\n```',
    ],
)
async def test_an_answer_that_is_markup_is_no_answer(leak: str):
    items, _ = await turn(talk("hi"), [], *[leak])
    assert items[-1].content is None
    assert "{" not in "".join(item for item in items if isinstance(item, str))


async def test_calls_are_left_out_of_the_answer_prompt_and_shown_as_actions_to_the_router():
    history = [*talk("where is 4471?"), *called("look_up", "On its way.", id="4471")]
    history += [{"role": "assistant", "content": "It is on its way."}, {"role": "user", "content": "thanks"}]
    _, stand_in = await turn(history, known("4471"), '{"action": "reply"}', "Welcome.")
    assert stand_in.asked[0]["messages"][1:] == snapshot(
        [
            {"role": "user", "content": "where is 4471?"},
            {"role": "assistant", "content": '{"action": "look_up", "id": "4471"}'},
            {"role": "user", "content": "Result: On its way."},
            {"role": "assistant", "content": '{"action": "reply", "text": "It is on its way."}'},
            {"role": "user", "content": "thanks"},
        ]
    )
    assert stand_in.asked[1]["messages"][1:] == snapshot(
        [
            {"role": "user", "content": "where is 4471?"},
            {"role": "system", "content": "Tool result: On its way."},
            {"role": "assistant", "content": "It is on its way."},
            {"role": "user", "content": "thanks"},
        ]
    )


async def test_warming_reads_both_prompts_as_they_will_begin():
    stand_in = StandIn(text("x"), target=EMBEDDED)
    dialect = Constrained(stand_in.endpoint)
    await dialect.warm(talk(), [SEARCH])
    await collected(dialect.stream(talk("hi"), [SEARCH]))
    warmed, asked = stand_in.asked[:2], [stand_in.asked[2], stand_in.asked[-1]]
    assert [body["messages"][0] for body in warmed] == [body["messages"][0] for body in asked]


async def test_an_endpoint_that_fails_in_the_routing_call_is_an_error_and_not_an_answer():
    from model.errors import Refused

    stand_in = StandIn(failure(400))
    with pytest.raises(Refused):
        await collected(Constrained(stand_in.endpoint).stream(talk("hi"), [SEARCH]))


async def test_two_results_of_one_turn_are_shown_to_the_answer_together():
    history = [*talk("4471, 4468?"), *called("look_up", "A.", id="4471"), *called("look_up", "B.", id="4468")]
    _, stand_in = await turn(history, known("4471", "4468"), "A and B.")
    assert stand_in.asked[0]["messages"][-1]["content"] == "Tool result: A.\nTool result: B."


async def test_a_refusal_beside_a_result_is_told_to_the_answer_in_sentences():
    refusal = json.dumps({"error": "declined", "message": "They said no.", "next": "Tell them."})
    history = [*talk("look up 4471 and file one"), *called("look_up", "Here.", id="4471")]
    history += called("report", refusal, id="4471", about="it is torn")
    _, stand_in = await turn(history, [], "Not opened.")
    assert stand_in.asked[0]["messages"][-1]["content"].endswith("They said no. Tell them.")


async def test_what_an_action_did_is_told_in_the_servers_words_without_asking_the_model():
    result = json.dumps({"summary": "Report R-17 has been filed.", "data": {"report_id": "R-17"}})
    history = [*talk("file one for 4471"), *called("report", result, id="4471", about="it is torn")]
    (reply,), stand_in = await turn(history, known("4471"), "never asked")
    assert (reply.content, reply.requests) == ("Report R-17 has been filed.", 0)
    assert stand_in.asked == []


async def test_a_result_with_a_summary_is_told_to_the_answer_in_the_servers_sentence():
    result = json.dumps({"summary": "It came on Monday.", "data": {"note": "write 17"}})
    history = [*talk("open one for 4471"), *called("report", result, id="4471")]
    _, stand_in = await turn(history, known("4471"), "Not opened.")
    assert stand_in.asked[0]["messages"][-1]["content"] == "Tool result: It came on Monday."


async def test_a_choice_is_made_from_everything_said_since_the_last_call():
    history = [*talk("how long?"), *called("search", "A week.", words="long")]
    history += talk("it is in pieces", "4471")[1:]
    _, stand_in = await turn(history, [DESCRIBED], REPORT, '{"kind": "broken"}')
    assert '"it is in pieces\n4471"' in stand_in.asked[1]["messages"][0]["content"]


async def test_a_refusal_is_told_in_the_servers_words_without_asking_the_model():
    result = json.dumps({"error": "unknown", "message": "No order 4471 was found.", "next": "Ask them."})
    history = [*talk("where is 4471?"), *called("look_up", result, id="4471")]
    (reply,), stand_in = await turn(history, known("4471"), "never asked")
    assert (reply.content, reply.requests) == ("No order 4471 was found.", 0)
    assert stand_in.asked == []


@pytest.mark.parametrize("verdict", ["Yes, it can.", "No.", "yes", "¡Sí! Se puede.", "Нет, нельзя."])
async def test_a_yes_or_no_of_the_model_gives_way_to_what_the_server_said(verdict: str):
    result = json.dumps({"summary": "It could be returned until 3 May.", "data": {"id": "4471"}})
    history = [*talk("can I return 4471?"), *called("look_up", result, id="4471")]
    items, _ = await turn(history, known("4471"), verdict)
    assert [item if isinstance(item, str) else item.content for item in items] == [
        "It could be returned until 3 May."
    ]


@pytest.mark.parametrize("answer", ["Nothing is missing.", "It came.", "Yesterday it came, all of it."])
async def test_an_answer_that_is_no_verdict_is_told_as_it_is(answer: str):
    result = json.dumps({"summary": "It came on 3 May.", "data": {"id": "4471"}})
    history = [*talk("what about 4471?"), *called("look_up", result, id="4471")]
    items, _ = await turn(history, known("4471"), answer)
    assert items[-1].content == answer
    assert "".join(item for item in items if isinstance(item, str)) in (answer, "")


async def test_without_a_result_a_yes_of_the_model_is_its_own():
    items, _ = await turn(talk("are you there?"), [], "Yes, I am.")
    assert items[-1].content == "Yes, I am."
