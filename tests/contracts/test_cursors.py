"""A list is walked page by page, and a cursor that is none of this very list is refused."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.cursors import BadCursor, Cursors


def walked(cursors: Cursors, items: list[int], bound: str = "tools") -> list[list[int]]:
    pages: list[list[int]] = []
    cursor: str | None = None
    while True:
        page, cursor = cursors.page(items, cursor, bound)
        pages.append(list(page))
        if cursor is None:
            return pages


@given(st.lists(st.integers(), max_size=40), st.integers(1, 12))
def test_the_pages_of_a_list_are_the_list_each_entry_once_and_in_order(items: list[int], size: int):
    pages = walked(Cursors(size), items)
    assert [each for page in pages for each in page] == items
    assert all(len(page) == size for page in pages[:-1])
    assert pages[-1] or not items  # no empty page behind a full one


@given(st.text())
def test_whatever_a_client_writes_as_a_cursor_is_refused(text: str):
    with pytest.raises(BadCursor):
        Cursors(2).page([1, 2, 3], text, "tools")


def test_an_empty_text_is_a_cursor_and_a_bad_one():
    with pytest.raises(BadCursor, match="from the beginning"):
        Cursors(2).page([1, 2, 3], "", "tools")


@pytest.mark.parametrize("bound", ["prompts", "tools of another profile", ""])
def test_a_cursor_of_another_list_is_refused(bound: str):
    cursors = Cursors(2)
    cursor = cursors.page([1, 2, 3], None, "tools")[1]
    with pytest.raises(BadCursor):
        cursors.page([1, 2, 3], cursor, bound)


def test_a_cursor_of_another_process_is_refused():
    cursor = Cursors(2).page([1, 2, 3], None, "tools")[1]
    with pytest.raises(BadCursor):
        Cursors(2).page([1, 2, 3], cursor, "tools")


@given(st.integers(0, 19), st.integers(0, 7))
def test_a_cursor_with_one_bit_changed_is_refused(at: int, bit: int):
    cursors = Cursors(2)
    cursor = cursors.page([1, 2, 3], None, "tools")[1]
    data = bytearray(base64.urlsafe_b64decode(cursor or ""))
    data[at] ^= 1 << bit
    with pytest.raises(BadCursor):
        cursors.page([1, 2, 3], base64.urlsafe_b64encode(bytes(data)).decode(), "tools")


def test_a_cursor_does_not_say_where_it_is_beyond_a_list_that_became_shorter():
    cursors = Cursors(2)
    cursor = cursors.page([1, 2, 3, 4, 5], None, "tools")[1]
    with pytest.raises(BadCursor):
        cursors.page([1], cursor, "tools")
