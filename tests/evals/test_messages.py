"""The written messages are usable, and a slip in them is refused."""

from collections import Counter
from pathlib import Path

import pytest

from common.language import LANGUAGES
from evals import messages
from evals.messages import BadMessages, Call, Expected
from evals.tongue import languages
from evals.values import plain

TOOLS = {"get_order_status", "search_policy", "create_ticket"}
CATEGORIES = {"delivery", "return", "refund", "damaged", "other"}
ORDER = {"tool": "get_order_status", "order_id": "4471"}


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "messages.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def expectations() -> list[Expected]:
    turns = [turn for dialogue in EVERY for turn in dialogue.turns]
    return [call for turn in turns for calls in (*turn.right, turn.may) for call in calls]


EVERY = [dialogue for path in messages.SETS.values() for dialogue in messages.load(path)]


def test_there_are_150_written_messages_and_three_times_60_by_others() -> None:
    sizes = {
        name: sum(len(dialogue.turns) for dialogue in messages.load(path))
        for name, path in messages.SETS.items()
    }
    assert sizes["written"] >= 150
    assert sizes["second"] == sizes["third"] == sizes["unseen"] == 60


def test_seven_messages_or_more_are_written_in_each_further_language() -> None:
    spoken = Counter(code for dialogue in messages.load() for code in languages(dialogue))
    assert all(spoken[code] >= 7 for code in LANGUAGES)


def test_every_kind_of_message_the_plan_names_is_there() -> None:
    groups = {dialogue.group for dialogue in messages.load()}
    assert groups >= {
        "status",
        "two ids",
        "no id",
        "policy",
        "follow-up",
        "ticket",
        "chat",
        "off topic",
        "unclear",
        "wrong id",
        "number no id",
        "not in the data",
        "hostile data",
    }


def test_no_message_stands_twice() -> None:
    texts = [dialogue.turns[0].text for dialogue in EVERY]
    assert len(texts) == len(set(texts))


def test_every_expected_tool_is_one_the_server_has() -> None:
    assert {call.tool for call in expectations()} == TOOLS


def values_of(rule: str | dict[str, list[str]]) -> list[str]:
    return [rule] if isinstance(rule, str) else rule["in"]


def test_a_ticket_of_every_category_is_asked_for() -> None:
    asked = {
        category
        for call in expectations()
        if call.tool == "create_ticket"
        for category in values_of(call.model_dump(by_alias=True)["category"])
    }
    assert asked == CATEGORIES


def test_every_expected_argument_is_one_the_tools_have() -> None:
    names = {name for call in expectations() for name in (call.model_extra or {})}
    assert names == {"order_id", "query", "category"}


def test_facts_are_named_for_orders_that_the_message_or_an_earlier_one_names() -> None:
    for dialogue in EVERY:
        said = ""
        for turn in dialogue.turns:
            said += plain(turn.text)
            assert all(order in said for order in turn.facts), f"{dialogue.id}: {turn.facts}"


@pytest.mark.parametrize(
    ("rule", "value", "fits"),
    [
        ("4471", "4471", True),
        ("4471", "44711", False),
        ("4471", 4471, False),
        ({"in": ["damaged", "return"]}, "return", True),
        ({"in": ["damaged"]}, "other", False),
        ({"has": ["return", "send back"]}, "Returns: how many days", True),
        ({"has": ["return"]}, "shipping", False),
        ({"has": ["return"]}, None, False),
        ({"has": ["फ़ीस"]}, "फ़ीस कितनी है", True),
        ({"has": ["إرجاع"]}, "سياسة الإرجاع", True),
    ],
)
def test_a_rule_fits_what_it_says_and_nothing_else(rule: object, value: object, fits: bool) -> None:
    expected = Expected.model_validate({"tool": "any", "argument": rule})
    assert expected.fits(Call("any", {"argument": value, "free": "text"})) is fits


def test_another_tool_does_not_fit() -> None:
    assert not Expected.model_validate(ORDER).fits(Call("create_ticket", {"order_id": "4471"}))


def test_two_dialogues_of_one_id_are_refused_by_name(tmp_path: Path) -> None:
    one = "{id: same, group: g, turns: [{text: hi, calls: []}]}"
    with pytest.raises(BadMessages, match="ids stand twice: same"):
        messages.load(written(tmp_path, f"dialogues: [{one}, {one}]"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dialogues: [{id: a, group: g, turns: [{text: hi, calls: [], fact: {}}]}]", "fact"),
        ("dialogues: [{id: a, group: g, turns: [{text: hi}]}]", "calls"),
        ("dialogues: [{id: a, group: g, turns: []}]", "turns"),
        ("dialogues: [{id: a, group: g, language: Spanish, turns: [{text: hi, calls: []}]}]", "language"),
        ("dialogues: [{id: a, group: g, turns: [{text: hi, calls: [{tool: t, x: {is: [1]}}]}]}]", "x"),
        ("dialogues: [", "messages.yaml cannot be used"),
    ],
)
def test_a_slip_is_refused_and_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadMessages, match=said):
        messages.load(written(tmp_path, text))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadMessages, match=r"none\.yaml"):
        messages.load(tmp_path / "none.yaml")
