"""The card of a question: whole, at any width, and nothing in it passes for something else."""

import json
import re
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from common.approval import ApprovalRequest
from common.text import unsafe_characters, visible
from guards.approval import sealed
from terminal import Screen
from terminal.approver import Occasion, TerminalApprover
from terminal.card import card_rows, reads_from_the_right
from terminal.odd import oddities
from tests.terminal.desk import TICKET, request_for
from tests.terminal.typed import Typed

pytestmark = pytest.mark.anyio


class Tty(StringIO):
    def isatty(self) -> bool:
        return True


def drawn(request: ApprovalRequest, width: int | None = None, **occasion: object) -> str:
    """Return the card, as on a terminal of that width or in a pipe."""
    page = Tty() if width else StringIO()
    console = Console(file=page, width=width, color_system=None, _environ={"TERM": "xterm"})
    seated = Occasion(**occasion)  # type: ignore[arg-type]
    TerminalApprover(Screen(console, console), Typed(), lambda: None, occasion=seated).show(request)
    return page.getvalue()


def test_the_card_says_who_asks_what_happens_the_exact_call_what_changes_and_whether_it_can_be_undone():
    request = request_for(asked_by="the assistant of this chat, at server.py", audience="staff")
    assert drawn(request, remarks=["Nothing is kept."]) == (
        "Approval needed: Open a ticket\n"
        "  From:    the assistant of this chat, at server.py\n"
        "  Effect:  Opens a ticket for order 4468.\n"
        '  Call:    create_ticket {"order_id": "4468", "category": "damaged", '
        '"summary": "The lamp is broken."}\n'
        "  Changes: It may alter or delete what is there.\n"
        "  Undo:    Nothing known can undo it.\n"
        "  Staff: Only a member of the staff may agree to this.\n"
        "  Nothing is kept.\n"
    )


def test_each_warning_has_a_row_of_its_own():
    request = request_for(
        warnings=("Its name says delete and it says that it only reads.", "It is new\x1b[2J.")
    )
    assert drawn(request).endswith(
        "  Warning: Its name says delete and it says that it only reads.\n  Warning: It is new\\u001b[2J.\n"
    )


def test_what_cannot_be_seen_and_what_passes_for_something_else_is_named_with_its_place():
    request = request_for(
        {
            "order_id": "С-1001",
            "category": "other",
            "summary": "pay раypal\u202e\u2066 now",
            "x\u200b": {"a": ["ｙ"]},
        },
        effect="Opens a ticket.",
    )
    assert [line.strip() for line in drawn(request).splitlines()[5:]] == [
        "Hidden characters: U+202E, U+2066 in summary",
        "Hidden characters: U+200B in x\\u200b",
        "Look-alikes: 'С-1001' looks Latin and is Cyrillic (U+0421) in order_id",
        "Look-alikes: 'раypal' mixes Latin and Cyrillic (U+0440 U+0430) in summary",
        "Look-alikes: 'ｙ' has full-width characters (U+FF59) in x\\u200b.a",
    ]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"title": "Open\u200b a ticket"}, "the title"),
        ({"effect": "Opens\u200b a ticket"}, "the effect"),
        ({"asked_by": "the\u200b assistant"}, "who asks"),
        ({"always": "Open\u200b a ticket"}, "what always covers"),
        ({"form": {"properties": {"a": {"title": "Si\u200bze"}}}}, "the form.properties.a.title"),
    ],
)
def test_every_text_of_the_card_is_looked_at(changes: dict, place: str):
    assert oddities(request_for(**changes)) == [f"Hidden characters: U+200B in {place}"]


def test_many_odd_words_are_counted_and_do_not_push_the_question_off_the_screen():
    summary = " ".join(f"w{number}а" for number in range(1, 500))
    told = oddities(request_for({**TICKET, "summary": summary}))
    assert len(told) == 6
    assert told[-1] == "Look-alikes: 494 more"


@pytest.mark.parametrize(
    "summary",
    [
        "La lámpara llegó rota, ¿la cambian?",
        "المصباح مكسور، طلب رقم ٤٤٦٨",
        "लैंप टूटा हुआ है, iPhoneवाला कवर भी",
        "Лампа разбита, USB-кабель цел",
        "The lamp is broken 😢 👨‍👩‍👧 ☎️\nand more",
    ],
)
def test_an_honest_argument_in_any_of_the_five_languages_is_not_flagged(summary: str):
    assert oddities(request_for({**TICKET, "summary": summary})) == []


WORDS = st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1, max_size=300)


@given(summary=WORDS, width=st.sampled_from([40, 80, 200]))
def test_no_character_of_a_call_is_cut_at_any_width(summary: str, width: int):
    page = drawn(request_for({**TICKET, "summary": summary}), width)
    shown = visible(json.dumps(summary, ensure_ascii=False))
    assert re.sub(r"\s", "", shown) in re.sub(r"\s", "", page)


@pytest.mark.parametrize("width", [None, 40, 80, 200])
def test_a_long_argument_is_shown_whole_and_its_length_is_told_where_the_question_stands(width: int | None):
    summary = "word " * 40_000
    page = drawn(request_for({**TICKET, "summary": summary}), width)
    assert page.count("word") == 40_000
    assert " ".join(page.split()[-40:]).find("The call has 200,0") >= 0


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_nothing_on_the_card_can_move_the_cursor_turn_text_round_or_begin_a_row(
    title: str, effect: str, text: str
):
    request = request_for(
        {**TICKET, "summary": text}, title=title, effect=effect, asked_by=text, warnings=(text,)
    )
    page = drawn(request)
    assert unsafe_characters(page.replace("\n", "")) == []
    rows = [line for line in page.split("\n") if re.match(r"  (Effect|Changes|Undo):", line)]
    assert [line.split(":")[0] for line in rows] == ["  Effect", "  Changes", "  Undo"]


def test_text_that_is_read_from_the_right_stands_on_lines_of_its_own():
    request = request_for({"order_id": "4468", "names": ["مصباح", 5, "عطل"]}, effect="يفتح تذكرة للطلب 4468.")
    assert drawn(request).splitlines()[1:] == [
        "  Effect:",
        "    يفتح تذكرة للطلب 4468.",
        "  Call:",
        "    create_ticket",
        "    {",
        '      "order_id": "4468",',
        '      "names": [',
        '        "مصباح",',
        "        5,",
        '        "عطل"',
        "      ]",
        "    }",
        "  Changes: It may alter or delete what is there.",
        "  Undo:    Nothing known can undo it.",
    ]


def test_a_title_that_is_read_from_the_right_stands_on_a_line_of_its_own():
    assert drawn(request_for(title="افتح تذكرة")).startswith("Approval needed:\n    افتح تذكرة\n")
    assert not reads_from_the_right("Ω ж न")


def test_the_card_of_a_form_says_who_asks_and_where_it_goes_and_claims_no_call():
    form = {"type": "object", "properties": {"size": {"type": "string"}}, "required": []}
    request = sealed(
        request_for({}, effect="Which size?", form=form, asked_by="the server x, during Open a ticket")
    )
    assert [row.label for row in card_rows(request)] == ["From:", "Asks:", "Sends:"]
    assert drawn(request).startswith("A server asks: Open a ticket\n  From:    the server x, during Open")


ROWS = ("Effect", "Call", "Changes", "Undo", "From", "Warning", "Length", "Hidden characters")


@given(
    st.sampled_from(ROWS),
    st.integers(0, 130),
    st.sampled_from([" ", "  ", "\u00a0", "·", "─", "a ", "\u3000", "\U0001d159", "ا"]),
    st.integers(30, 100),
)
def test_no_text_of_a_server_or_a_model_begins_a_line_where_our_labels_do(
    label: str, count: int, filler: str, width: int
):
    text = f"Add a note{filler * count}{label}:  nothing is lost"
    honest = drawn(request_for(), width)
    hostile = request_for(
        {"order_id": "4468", "summary": text}, title=text, effect=text, asked_by=text, warnings=(text,)
    )
    ours = re.compile(r"^ {0,2}(?=\S)([A-Z][a-z-]+(?: [a-z]+)?):", re.MULTILINE)
    labels = [
        each
        for each in ours.findall(drawn(hostile, width))
        if each not in ("Hidden characters", "Look-alikes")
    ]
    assert labels == ["Approval needed", "From", *ours.findall(honest)[1:], "Warning"]


def test_numbers_in_arabic_digits_stand_on_lines_of_their_own_for_they_change_places():
    assert reads_from_the_right("\u0661\u0660 - \u0662\u0660")
    page = drawn(request_for({"order_id": "4468", "summary": "\u0661\u0660 - \u0662\u0660"}))
    assert '      "summary": "\u0661\u0660 - \u0662\u0660"\n' in page
