"""A text on one line: what can be seen stays, what cannot goes."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from common.text import one_line, unsafe_characters


@settings(deadline=None)
@given(st.text())
@example("a\u202eb\x00\n\ud800 c")
def test_it_holds_nothing_that_cannot_be_seen_and_is_one_line_of_itself(text: str):
    line = one_line(text)
    assert unsafe_characters(line) == []
    assert one_line(line) == line


def test_it_keeps_what_can_be_seen():
    assert one_line("  Café\u200b \t Lampe\r\nweiß ") == "Café Lampe weiß"
    assert one_line("می\u200cخواهم") == "می\u200cخواهم"
