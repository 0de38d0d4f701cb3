"""Changing one argument before a call is approved."""

from typing import Any

import pytest

from terminal.editing import edited
from tests.terminal.desk import SCHEMA, TICKET, request_for
from tests.terminal.typed import Typed

pytestmark = pytest.mark.anyio

LISTED = [
    "  1  order_id: 4468",
    "  2  category: damaged  (one of: delivery, return, refund, damaged, other)",
    "  3  summary: The lamp is broken.",
    "  4  copies: (left out)",
]


async def change(*lines: str, schema: dict[str, Any] = SCHEMA) -> tuple[Any, list[str], list[str]]:
    """Return the changed arguments, what was told after the list, and what was asked."""
    person, told = Typed(*lines), list[str]()
    changed = await edited(request_for(schema=schema), person.ask, told.append)
    return changed, told[4:] if schema is SCHEMA else told, person.asked


async def test_the_arguments_are_listed_with_their_values_and_those_that_can_be_chosen():
    told: list[str] = []
    await edited(request_for(), Typed("").ask, told.append)
    assert told == LISTED


@pytest.mark.parametrize(
    ("lines", "changes"),
    [
        (["2", "refund"], {"category": "refund"}),
        (["category", " REFUND "], {"category": "refund"}),
        (["3", "It is scratched."], {"summary": "It is scratched."}),
        (["1", "4471"], {"order_id": "4471"}),
        (["4", "3"], {"copies": 3}),
    ],
)
async def test_an_argument_is_chosen_by_number_or_name_and_gets_a_value_of_its_type(
    lines: list[str], changes: dict[str, Any]
):
    assert (await change(*lines))[0] == {**TICKET, **changes}


@pytest.mark.parametrize(
    "lines", [[""], ["2", ""], ["2", "damaged"], ["3", "The lamp is broken."], ["4", " "]]
)
async def test_enter_alone_and_the_value_that_stands_there_change_nothing(lines: list[str]):
    assert (await change(*lines))[0] is None


async def test_a_value_that_is_none_is_said_with_those_that_are_and_asked_again():
    changed, told, asked = await change("2", "exchange", "return")
    assert changed == {**TICKET, "category": "return"}
    assert told == ["category must be one of: delivery, return, refund, damaged, other."]
    assert asked.count("category = ") == 2


async def test_a_value_of_another_type_is_said_and_asked_again():
    changed, told, _ = await change("4", "three", "3")
    assert changed == {**TICKET, "copies": 3}
    assert told == ["copies must be of type integer, written as JSON."]


async def test_an_argument_that_is_not_there_is_said_and_asked_again():
    changed, told, _ = await change("9", "color\x1b", "category", "other")
    assert changed == {**TICKET, "category": "other"}
    assert told == ["There is no argument '9' here.", r"There is no argument 'color\\u001b' here."]


async def test_a_text_can_be_changed_from_what_stands_there():
    _, _, asked = await change("3", "x")
    assert asked[-1] == "summary = The lamp is broken."


async def test_arguments_that_no_schema_declares_can_be_changed_too():
    changed, told, _ = await change("1", "4471", schema={})
    assert changed == {**TICKET, "order_id": "4471"}
    assert told[0] == "  1  order_id: 4468"


async def test_the_end_of_input_leaves_the_change():
    with pytest.raises(EOFError):
        await change("2")


async def test_a_value_with_characters_that_cannot_be_seen_is_not_put_into_the_editor():
    person, told = Typed("3", "The lamp is broken."), list[str]()
    request = request_for({**TICKET, "summary": "fine\u202e"})
    changed = await edited(request, person.ask, told.append)
    assert changed == TICKET
    assert person.asked[-1] == "summary = "
    assert told[2] == "  3  summary: fine\\u202e"
