"""The constrained dialect: which actions are allowed, and what becomes a call."""

import pytest
from inline_snapshot import snapshot

from model.constrained import Constrained
from tests.model.desk import SEARCH, actions, called, known, talk, tool, turn
from tests.model.stand_in import EMBEDDED, StandIn, collected, failure, text

pytestmark = pytest.mark.anyio


async def test_the_routing_schema_is_made_from_the_offered_tools():
    _, stand_in = await turn(talk("and now"), known("4471"), '{"action": "reply"}', "Hello.")
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


@pytest.mark.parametrize("said", ["where is 44712?", "A4471 is nice", "and now", "it came broken"])
async def test_an_id_counts_only_as_a_whole_word_and_a_category_never(said: str):
    _, stand_in = await turn(talk(said), known("4471"), '{"action": "reply"}', "Hm.")
    assert actions(stand_in) == ["look_up", "search", "report", "reply"]


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
    items, stand_in = await turn(talk("and now"), known("4471"), wrong, '{"action": "look_up", "id": "4471"}')
    assert items[0].tool_calls[0].name == "look_up" and items[0].requests == 2
    assert stand_in.asked[1]["temperature"] > 0


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


async def test_warming_reads_both_prompts_as_they_will_begin():
    stand_in = StandIn(text("x"), target=EMBEDDED)
    dialect = Constrained(stand_in.endpoint)
    await dialect.warm(talk(), [SEARCH])
    await collected(dialect.stream(talk("and now"), [SEARCH]))
    found = [*talk("when does it come?"), *called("look_up", '{"comes": "today"}', id="4471")]
    await collected(dialect.stream(found, [SEARCH]))
    warmed, asked = stand_in.asked[:2], [stand_in.asked[2], stand_in.asked[-1]]
    assert [body["messages"][0] for body in warmed] == [body["messages"][0] for body in asked]
    assert [body["id_slot"] for body in warmed] == [body["id_slot"] for body in asked] == [0, 1]


async def test_an_endpoint_that_fails_in_the_routing_call_is_an_error_and_not_an_answer():
    from model.errors import Refused

    stand_in = StandIn(failure(400))
    with pytest.raises(Refused):
        await collected(Constrained(stand_in.endpoint).stream(talk("and now"), [SEARCH]))


async def test_a_choice_is_made_from_everything_said_since_the_last_call():
    history = [*talk("how long?"), *called("search", "A week.", words="long")]
    history += talk("it is in pieces", "4471")[1:]
    _, stand_in = await turn(history, [DESCRIBED], REPORT, '{"kind": "broken"}')
    assert '"it is in pieces\n4471"' in stand_in.asked[1]["messages"][0]["content"]
