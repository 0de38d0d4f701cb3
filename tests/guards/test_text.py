"""common/text.py: what is compared is one text for all its writings, and what is shown hides nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.text import fold, length_of, shortened, unsafe_characters, visible

ANY_TEXT = st.text(st.characters(), max_size=60)
TRICKY = st.text(
    st.sampled_from("a1é\u0301\u200b\u200c\u200d\ufe0f\u20e3☺م४\u2066\u00ad\u3164\n\x00\ud83d\ude00ﬁ"),
    max_size=12,
)


@given(ANY_TEXT | TRICKY)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(ANY_TEXT | TRICKY)
def test_a_visible_text_holds_no_unsafe_character(text: str) -> None:
    assert unsafe_characters(visible(text)) == []


@given(ANY_TEXT | TRICKY)
def test_a_folded_text_can_be_encoded_and_holds_no_control_but_white_space(text: str) -> None:
    folded = fold(text)
    folded.encode("utf-8")
    assert set(unsafe_characters(folded)) <= {"U+000A", "U+000D", "U+0009"}


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_plain_ascii_is_left_as_it_is(text: str) -> None:
    assert fold(text) == text == visible(text)


@pytest.mark.parametrize(
    "written",
    [
        "4471",
        "４４７１",
        "٤٤٧١",
        "۴۴۷۱",
        "४४७१",
        "𝟒𝟒𝟕𝟏",
        "44\u200b71",
        "4\u2060471",
        "44\u00ad71",
        "44\x0071",
        "44\u202e71",
        "4️⃣4️⃣7️⃣1️⃣",
        "4\u03324\u03327\u03321\u0332",
        "44\U000e003171",
    ],
)
def test_a_number_folds_to_its_ascii_digits_however_it_is_drawn(written: str) -> None:
    assert fold(written) == "4471"


def test_a_lone_surrogate_becomes_the_replacement_character() -> None:
    assert fold("a\ud800b") == "a\ufffdb"


def test_line_breaks_stay_for_comparing_and_are_written_out_for_showing() -> None:
    assert fold("é\n1") == "é\n1"
    assert visible("a\nb") == "a\\nb"


@pytest.mark.parametrize(
    "text", ["نمی\u200cخواهم", "क्\u200dष", "👩\u200d💻", "☎️", "❤️\u200d🔥", "4️⃣", "ℹ️", "©️"]
)
def test_joiners_that_a_script_or_an_emoji_needs_are_no_attack(text: str) -> None:
    assert unsafe_characters(text) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a\u202eb", "U+202E"),
        ("a\u200bb", "U+200B"),
        ("a\u200db", "U+200D"),
        ("па\u200dроль", "U+200D"),
        ("漢\u200c字", "U+200C"),
        ("4\ufe0f", "U+FE0F"),
        ("4\u180b", "U+180B"),
        ("!\U000e0100", "U+E0100"),
        ("☎\U000e0101", "U+E0101"),
        ("\x1b[2J", "U+001B"),
        ("ㅤ", "U+3164"),
        ("\U0001d159", "U+1D159"),
        ("a\ufffcb", "U+FFFC"),
        ("a\u2d7fb", "U+2D7F"),
    ],
)
def test_what_cannot_be_seen_is_named(text: str, named: str) -> None:
    assert unsafe_characters(text) == [named]


def test_a_character_that_stands_for_several_counts_as_them() -> None:
    assert [length_of(text) for text in ("", "abc", "é", "e\u0301", "½", "ﷺ", "\ud800")] == [
        0,
        3,
        1,
        2,
        3,
        18,
        1,
    ]


@given(st.text() | st.text("ﷺ½ﬁ1 e\u0301"), st.integers(0, 40))
def test_what_is_shortened_is_short_however_it_is_read_and_other_texts_stay(text: str, most: int) -> None:
    short = shortened(text, most)
    assert len(short) <= most
    assert short == text or length_of(text) > most
