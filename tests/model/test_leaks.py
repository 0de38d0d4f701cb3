"""What is shown of a reply while it streams, and what of it never is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.leaks import Held, guarded, is_markup
from model.native import Native
from model.replies import Reply
from tests.model.shapes import CALL, NAMES, SHAPES, TOOLS
from tests.model.stand_in import SAY_HELLO, StandIn, collected, text

pytestmark = pytest.mark.anyio

PROSE = ["", "Let me look that up.\n", "Of course, one moment. ", "Yes.\n\n"]


async def shown_of(*pieces: str) -> tuple[str, Reply]:
    """What a person would have seen, and the reply, when the same pieces came again on a second try."""
    items = await collected(Native(StandIn(text(*pieces)).endpoint).stream(SAY_HELLO, TOOLS))
    assert isinstance(items[-1], Reply)
    return "".join(item for item in items if isinstance(item, str)), items[-1]


@st.composite
def cut_calls(draw: st.DrawFn) -> tuple[str, list[str]]:
    """What is said first, and all of it with a call that stops anywhere, in pieces."""
    shape = draw(st.sampled_from([shape for shape in SHAPES.values() if not shape.startswith("<think>")]))
    # A bare name is a call only where a line begins; elsewhere its first letters are a word.
    prose = draw(st.sampled_from([p for p in PROSE if p[-1:] in ("", "\n") or not shape[0].isalpha()]))
    whole = prose + shape[: draw(st.integers(1, len(shape)))]
    cuts = sorted(draw(st.sets(st.integers(0, len(whole)), max_size=8)))
    return prose, [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True) if a < b]


@settings(deadline=None)
@given(cut_calls())
async def test_a_call_cut_at_any_character_never_shows_a_fragment(cut_call: tuple[str, list[str]]):
    prose, pieces = cut_call
    shown, reply = await shown_of(*pieces)
    # A reply that ends so is asked for once more, and may say its prose twice.
    assert shown.replace(prose.strip() or " ", "").strip() == ""
    assert (reply.content or "").strip() in ("", prose.strip())


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
@pytest.mark.parametrize("prose", PROSE)
def test_at_no_character_of_a_call_has_anything_of_it_been_let_through(shape: str, prose: str):
    held = Held(NAMES)
    shown = ""
    for char in prose + shape:
        shown += held.take(char)
        assert prose.startswith(shown)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_a_call_cut_at_any_character_is_markup(shape: str):
    if shape.startswith("<think>"):
        shape = shape[shape.index("</think>") + len("</think>") :].strip()
    assert [cut for cut in range(1, len(shape) + 1) if not is_markup(shape[:cut], NAMES)] == []


@pytest.mark.parametrize(
    "harmless",
    [
        "I <3 this. Bye.",
        "```\nSo it is.\n```",
        "One.\n{two} three",
        "[special delivery]",
        'for { fmt.Println("hello") }',
        "Your order is `4471`.",
        "Your order is `4471`",
        'It is a "Desk Lamp"',
        "Your name is fine.",
        "He said 1 < 2 and 3 > 2.",
        "- one\n- two\n",
        "Thoughts: none. Actions: none.",
        "  Hello.",
        "I'll use the say_hello tool. ",
        "The answer is 42",
        "طلبك في الطريق.",
        "That isn`t so, it`s",
        "1) one {two} [three] (four)",
    ],
)
async def test_text_that_only_looks_like_a_call_is_shown_whole(harmless: str):
    for pieces in ([harmless], list(harmless)):
        shown, reply = await shown_of(*pieces)
        assert shown == reply.content == harmless


@pytest.mark.parametrize(
    "markup",
    [
        CALL,
        "<tool_response>shipped</tool_response>",
        '{"status": "shipped"}',
        "{}",
        '"arguments": {"order_id": "4471"}}</tool_call>',
        "[TOOL_RESULTS] shipped",
        "Thought: I should look.\nAction: get_order_status",
        "It is done.\nObservation: shipped",
        "get_order_status(order_id=4471)",
        "Here you are: <tools>",
        "<think>They want an answer",
        "<｜tool▁outputs▁begin｜>",
    ],
)
def test_what_carries_markup_is_no_reply(markup: str):
    assert is_markup(markup, NAMES)


@pytest.mark.parametrize(("text", "markup"), [("Please add (free) wrapping.", False), ("add({", True)])
def test_a_tool_whose_name_is_a_plain_word_may_stand_in_a_sentence(text: str, markup: bool):
    assert is_markup(text, ["add"]) is markup


async def test_thoughts_are_not_shown_and_the_answer_after_them_is():
    shown, reply = await shown_of(*'<think>They ask {"a": 1}.</think>\n\nYour order is on its way.')
    assert shown == reply.content == "Your order is on its way."


async def test_thoughts_that_never_end_are_no_answer():
    shown, reply = await shown_of("<think>", "They ask for")
    assert (shown, reply.content) == ("", None)


async def test_text_is_let_through_at_once_where_nothing_opens():
    held = Held(NAMES)
    assert [held.take(piece) for piece in ("Good ", "day. ", "Bye.")] == ["Good ", "day. ", "Bye."]


async def test_a_word_that_begins_like_a_tool_waits_for_its_next_letter_only():
    held = Held(["get_order_status"])
    assert [held.take(piece) for piece in ("I ", "ge", "t it.")] == ["I ", "", "get it."]


@given(st.lists(st.text(alphabet='ab {[<`\n"_', max_size=6), max_size=8))
def test_what_is_shown_and_what_is_held_is_the_text(pieces: list[str]):
    held = Held(["ab_a", "b"])
    shown = "".join(held.take(piece) for piece in pieces)
    assert shown + held.rest() == "".join(pieces)


async def test_a_reply_that_was_settled_to_nothing_yields_nothing_more():
    async def items():
        yield "Well. {"
        yield Reply("Well. {")

    got = await collected(guarded(items(), lambda _: Reply(None)))
    assert got == ["Well. ", Reply(None)]
