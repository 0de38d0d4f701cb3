"""What is said: the server's sentences, a fixed one, or a model's short answer that they support."""

import json
from typing import Any

import pytest
from inline_snapshot import snapshot

from model.constrained import Constrained
from model.replies import Message, Reply
from tests.model.desk import SEARCH, called, known, talk, turn
from tests.model.stand_in import EMBEDDED, StandIn, collected, text

pytestmark = pytest.mark.anyio

ROUTED = '{"action": "reply"}'
CAME = json.dumps(
    {"summary": "It came on 3 May with DHL. It could be returned until 2 June.", "data": {"id": "4471"}}
)


FIELDS = json.dumps({"arrived": "3 May", "carrier": "DHL", "id": "4471"})
"""What a server that says no sentence found."""


def looked_up(said: str, result: str = CAME) -> list[Message]:
    return [*talk(said), *called("look_up", result, id="4471")]


async def reply(messages: list[Message], tools: list[dict[str, Any]], *answers: str) -> tuple[Reply, StandIn]:
    items, stand_in = await turn(messages, tools, *answers)
    assert [type(item) for item in items] == [Reply]
    return items[0], stand_in


# ---------------------------------------------------------------- no model is asked


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("hello!", "Hello! This is ShopKart. How can I help you with your order?"),
        ("thank you so much", "You are welcome. Is there anything else that I can help with?"),
        ("are you a robot?", "I am the automatic assistant of ShopKart, not a person."),
        (
            "what are your opening hours?",
            "Our staff can be reached: Monday to Friday, 9:00 to 17:00 (Berlin).",
        ),
        ("can I talk to a real person please", "Our staff can help you: support@shopkart.example."),
        (
            "quiero hablar con una persona",
            "El personal de la tienda puede ayudarle: support@shopkart.example.",
        ),
        ("¡gracias!", "De nada. ¿Puedo ayudarle en algo más?"),
    ],
)
async def test_a_courtesy_is_answered_by_a_fixed_sentence(said: str, told: str):
    answer, stand_in = await reply(talk(said), [SEARCH], "never asked")
    assert (answer.content, answer.requests, stand_in.asked) == (told, 0, [])


async def test_a_refusal_is_told_in_the_servers_words():
    result = json.dumps({"error": "unknown", "message": "No order 4471 was found.", "next": "Ask them."})
    answer, stand_in = await reply(looked_up("where is 4471?", result), known("4471"), "never asked")
    assert (answer.content, answer.requests, stand_in.asked) == ("No order 4471 was found.", 0, [])


async def test_what_an_action_did_is_told_in_the_servers_words():
    result = json.dumps({"summary": "Report R-17 has been filed.", "data": {"report_id": "R-17"}})
    history = [*talk("file one for 4471"), *called("report", result, id="4471", about="it is torn")]
    answer, stand_in = await reply(history, known("4471"), "never asked")
    assert (answer.content, stand_in.asked) == ("Report R-17 has been filed.", [])


async def test_two_results_are_told_one_after_the_other():
    second = called("look_up", json.dumps({"summary": "It is on its way."}), id="4468")
    answer, stand_in = await reply(
        [*looked_up("where are 4471 and 4468?"), *second], known("4471", "4468"), "never asked"
    )
    assert answer.content == "It came on 3 May with DHL. It could be returned until 2 June. It is on its way."
    assert stand_in.asked == []


async def test_a_refusal_beside_a_result_is_told_with_it():
    refusal = json.dumps({"error": "declined", "message": "They said no.", "next": "Tell them."})
    history = [*looked_up("look up 4471 and file one"), *called("report", refusal, id="4471", about="torn")]
    answer, _ = await reply(history, known("4471"), "never asked")
    assert (answer.content or "").endswith("They said no.")


async def test_what_was_looked_up_is_told_in_the_servers_words():
    answer, stand_in = await reply(looked_up("when did 4471 come?"), known("4471"), "never asked")
    assert answer.content == "It came on 3 May with DHL. It could be returned until 2 June."
    assert stand_in.asked == []


async def test_a_rule_is_told_in_the_servers_words():
    rule = json.dumps({"summary": 'From the returns policy: "30 days."', "data": {}})
    history = [
        *talk("can I return it within 14 days?"),
        *called("search", rule, words="return within 14 days"),
    ]
    answer, stand_in = await reply(history, known("4471"), "never asked")
    assert (answer.content, stand_in.asked) == ('From the returns policy: "30 days."', [])


async def test_a_question_beyond_the_result_gets_what_is_known_and_that_no_more_is():
    answer, stand_in = await reply(looked_up("what colour is 4471?"), known("4471"), "It is red.")
    assert answer.content == (
        "It came on 3 May with DHL. It could be returned until 2 June. I have no other information about it."
    )
    assert stand_in.asked == []


async def test_another_language_gets_the_servers_sentences():
    result = json.dumps({"summary": "El pedido llegó el 3 de mayo."})
    answer, stand_in = await reply(looked_up("¿cuándo llegó mi pedido 4471?", result), known("4471"), "never")
    assert (answer.content, stand_in.asked) == ("El pedido llegó el 3 de mayo.", [])


async def test_a_rejected_answer_gives_way_to_what_the_server_said():
    back = [{"role": "assistant", "content": "It came on 9 May."}]
    back.append(
        {"role": "user", "content": "(Check of your reply, not from the customer.) Nothing supports: 9 May."}
    )
    answer, stand_in = await reply([*looked_up("when did 4471 come?"), *back], [], "never asked")
    assert answer.content == "It came on 3 May with DHL. It could be returned until 2 June."
    assert stand_in.asked == []


async def test_nothing_to_look_up_is_said_with_what_can_be_helped_with():
    answer, _ = await reply(talk("tell me a joke"), [SEARCH], ROUTED)
    assert answer.content == snapshot(
        "I cannot help with that. I can help with your orders, with the shop's rules and with support "
        "tickets."
    )


async def test_nothing_to_look_up_while_a_number_is_missing_asks_for_it():
    answer, _ = await reply(talk("I want mine changed", missing=True), [SEARCH], ROUTED)
    assert answer.content == snapshot(
        "I can help with your orders, with the shop's rules and with support tickets. To look something up "
        "for you I need the thing number."
    )


async def test_the_question_back_names_what_is_missing_in_the_customers_language():
    answer, stand_in = await reply(talk("where is it?", missing=True), [SEARCH], '{"action": "ask"}')
    assert answer.content == "Please tell me the thing number." and len(stand_in.asked) == 1
    answer, _ = await reply(talk("¿dónde está mi paquete?", missing=True), [SEARCH], '{"action": "ask"}')
    assert answer.content == "Por favor, indíqueme su thing number."


@pytest.mark.parametrize("offered", [[SEARCH], known("4471")])
async def test_what_does_not_fit_twice_ends_in_a_fixed_sentence(offered: list[dict[str, Any]]):
    answer, stand_in = await reply(talk("and now"), offered, "no", "no")
    assert (answer.content or "").startswith("I cannot help with that.") and len(stand_in.asked) == 2


async def test_a_routing_text_is_never_shown():
    answer, _ = await reply(talk("and now"), [SEARCH], '{"action": "reply", "text": "invented"}', "no")
    assert "invented" not in repr(answer)


# ---------------------------------------------------------------- the model answers


async def test_the_answer_prompt_holds_what_was_found_and_no_call():
    _, stand_in = await reply(looked_up("when did 4471 come?", FIELDS), known("4471"), "It arrived on 3 May.")
    assert stand_in.asked[0]["messages"][1:] == [
        {"role": "user", "content": "when did 4471 come?"},
        {"role": "system", "content": f"Tool result: {FIELDS}"},
    ]
    assert "tools" not in stand_in.asked[0] and "response_format" not in stand_in.asked[0]


async def test_a_result_without_a_sentence_is_not_hidden_by_a_refusal_that_has_one():
    refusal = json.dumps({"error": "declined", "message": "They said no.", "next": "Tell them."})
    history = [*looked_up("when did 4471 come? file one", FIELDS)]
    history += called("report", refusal, id="4471", about="torn")
    answer, stand_in = await reply(history, [], "It arrived on 3 May.")
    assert answer.content == "It arrived on 3 May."
    assert FIELDS in stand_in.asked[0]["messages"][-1]["content"]


async def test_an_answer_that_the_result_supports_is_told():
    answer, _ = await reply(looked_up("when did 4471 come?", FIELDS), known("4471"), "It arrived on 3 May.")
    assert (answer.content, answer.requests) == ("It arrived on 3 May.", 1)


@pytest.mark.parametrize(
    "invented",
    [
        "It arrived on 9 May.",
        "It is red.",
        "The driver Paul brought it.",
        "Yes, it arrived.",
        "No.",
        "¡Sí!",
        "",
    ],
)
async def test_an_answer_of_its_own_is_none(invented: str):
    answer, _ = await reply(looked_up("did 4471 come?", FIELDS), known("4471"), invented)
    assert answer.content is None


async def test_an_answer_ends_before_the_first_sentence_that_nothing_supports():
    said = "It arrived on 3 May. It weighs 4 kg. The carrier is DHL."
    answer, _ = await reply(looked_up("when did 4471 come?", FIELDS), known("4471"), said)
    assert answer.content == "It arrived on 3 May."


async def test_a_rejected_answer_about_fields_is_not_tried_again():
    back = [{"role": "assistant", "content": "It arrived on 9 May."}]
    back.append(
        {"role": "user", "content": "(Check of your reply, not from the customer.) Nothing supports: 9 May."}
    )
    answer, stand_in = await reply([*looked_up("when did 4471 come?", FIELDS), *back], [], "never asked")
    assert (answer.content, stand_in.asked) == (None, [])


@pytest.mark.parametrize(
    "leak",
    [
        '{"name": "x", "arguments": {}}',
        '<tool_call>{"a": 1}',
        'It says {"error": 1}.',
        '```json\n{"a": 1}\n```',
    ],
)
async def test_an_answer_that_is_markup_is_none(leak: str):
    answer, _ = await reply(looked_up("when did 4471 come?", FIELDS), known("4471"), leak)
    assert answer.content is None


async def test_a_follow_up_without_a_call_is_answered_from_what_was_found_before():
    history = [*looked_up("when did 4471 come?"), {"role": "assistant", "content": "It came on 3 May."}]
    history += [{"role": "user", "content": "and who with, Paul?"}]
    answer, stand_in = await reply(history, known("4471"), ROUTED, "It came with DHL.")
    assert (answer.content, answer.requests) == ("It came with DHL.", 2)
    assert stand_in.asked[0]["messages"][1:] == snapshot(
        [
            {"role": "user", "content": "when did 4471 come?"},
            {"role": "assistant", "content": '{"action": "look_up", "id": "4471"}'},
            {"role": "user", "content": f"Result: {CAME}"},
            {"role": "assistant", "content": '{"action": "reply", "text": "It came on 3 May."}'},
            {"role": "user", "content": "and who with, Paul?"},
        ]
    )
    answer, _ = await reply(history, known("4471"), ROUTED, "The weather is fine.")
    assert (answer.content or "").startswith("I cannot help with that.")


async def test_a_question_about_what_was_said_last_is_answered_with_it():
    refusal = json.dumps({"error": "declined", "message": "Nothing was changed.", "next": "Tell them."})
    history = [*talk("file one for 4471"), *called("report", refusal, id="4471", about="torn")]
    history += [{"role": "assistant", "content": "Nothing was changed."}]
    history += talk("so did you open one now?")[1:]
    answer, _ = await reply(history, known("4471"), ROUTED, "Yes, I have opened one.")
    assert answer.content == "Nothing was changed."


async def test_two_dialects_of_one_endpoint_keep_their_prompts_in_two_slots():
    stand_in = StandIn(text(ROUTED), text("It came on 3 May."), target=EMBEDDED)
    dialect = Constrained(stand_in.endpoint)
    await collected(dialect.stream(talk("and now"), [SEARCH]))
    await collected(dialect.stream(looked_up("when did 4471 come?", FIELDS), known("4471")))
    assert [body["id_slot"] for body in stand_in.asked] == [0, 1]
