"""How an answer is laid out: words whole, nothing lost, nothing renumbered."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from wcwidth import wcswidth

from terminal.flow import Flow, inline, wrapped

WORDS = st.text(st.characters(categories=["L", "N"], max_codepoint=0x1FFFF), min_size=1, max_size=12)
TEXTS = st.lists(st.one_of(WORDS, st.sampled_from([" ", "  ", "\n", "- ", "**", "`", "4471. ", "## "]))).map(
    "".join
)


def laid_out(pieces: list[str], width: int, label: str = "") -> str:
    flow = Flow(lambda: width)
    return flow.label(label, "").plain + "".join(flow.feed(piece).plain for piece in pieces)


@pytest.mark.parametrize(
    ("width", "page"),
    [
        (
            40,
            """\
assistant: Order 4471 was sent with DHL
on 2026-11-27 and costs 49.99 EUR.

Your orders:
• Desk Lamp, delivered to the address
  that you gave
4471. on its way
""",
        ),
        (
            80,
            """\
assistant: Order 4471 was sent with DHL on 2026-11-27 and costs 49.99 EUR.

Your orders:
• Desk Lamp, delivered to the address that you gave
4471. on its way
""",
        ),
    ],
)
def test_an_answer_is_broken_between_words_and_its_marks_are_drawn(width: int, page: str):
    pieces = [
        "Order **4471** was sent with DHL ",
        "on `2026-11-27` and costs *49.99 EUR*.\n\n",
        "### Your orders:\n- Desk Lamp, delivered to the address that you gave\n",
        "4471. on its way\n",
    ]
    assert laid_out(pieces, width, "assistant: ") == page


@given(text=TEXTS, width=st.integers(10, 200))
def test_no_line_is_wider_than_the_terminal_unless_one_word_is(text: str, width: int):
    for line in laid_out([text], width).split("\n"):
        words = line.split()
        assert cell_len(line.rstrip()) <= width or max(map(cell_len, words)) + width // 2 + 1 > width


@given(text=TEXTS, width=st.integers(10, 200))
def test_where_the_pieces_were_cut_cannot_be_seen(text: str, width: int):
    plain = re.sub(r"[*`#.-]", "", text)  # a mark that is cut in two is two characters
    words = re.split(r"(?<=\s)(?=\S)", plain)
    assert laid_out(words, width) == laid_out([plain], width)


@given(text=TEXTS, width=st.integers(10, 200))
def test_no_digit_and_no_letter_is_lost_or_changed(text: str, width: int):
    def kept(shown: str) -> list[str]:
        return re.findall(r"\w", shown)

    assert kept(laid_out([text], width)) == kept(text)
    assert kept(wrapped(text, width)) == kept(text)


@given(text=TEXTS, width=st.integers(10, 200))
def test_text_that_is_no_answer_loses_nothing_but_white_space(text: str, width: int):
    assert "".join(wrapped(text, width, 4).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("**bold** and __bold__", "bold and bold"),
        ("`order_id` and *this*", "order_id and this"),
        ("2 * 3 * 4 = 24", "2 * 3 * 4 = 24"),
        ("an_id_with_lines", "an_id_with_lines"),
        ("&#27;[2J <b>x</b> [a](http://b)", "&#27;[2J <b>x</b> [a](http://b)"),
        ("** not closed", "** not closed"),
        ("5*6 and 7*8", "5*6 and 7*8"),
    ],
)
def test_only_what_is_clearly_a_mark_is_taken_for_one(line: str, plain: str):
    assert inline(line).plain == plain


def test_wide_characters_count_for_what_they_are():
    assert laid_out(["注文 注文 注文 注文"], 10) == "注文 注文\n注文 注文"


def test_a_word_wider_than_the_terminal_is_left_to_the_terminal():
    assert laid_out(["see " + "x" * 25 + " now"], 10) == "see\n" + "x" * 25 + " now"


def test_a_line_of_devanagari_ends_before_a_terminal_that_draws_its_signs_apart_would_break_it():
    text = "पहुँच चुका है: इसकी डिलीवरी 26 नवंबर 2026 को (ट्रैकिंग नंबर 1Z999AA10123456784)"
    lines = wrapped(text, 40).split("\n")
    assert all(wcswidth(line) <= 40 for line in lines)
    assert " ".join(lines) == text and any("1Z999AA10123456784" in line for line in lines)
