"""Piped input is cut into lines, however it arrives."""

import os
import threading

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terminal import PipedLines

pytestmark = pytest.mark.anyio


async def _messages(chunks: list[bytes]) -> list[str]:
    read, write = os.pipe()

    def feed() -> None:
        for chunk in chunks:
            os.write(write, chunk)
        os.close(write)

    feeder = threading.Thread(target=feed)
    feeder.start()
    lines, messages = PipedLines(read), list[str]()
    try:
        with anyio.fail_after(5):
            while True:
                messages.append(await lines.message())
    except EOFError:
        return messages
    finally:
        feeder.join()
        os.close(read)


_LINES = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=9))


@settings(deadline=None)  # it waits for a thread, on a machine that may be busy
@given(lines=_LINES, size=st.integers(1, 40))
def test_lines_come_out_as_they_went_in_whatever_the_pieces(lines: list[str], size: int):
    data = "\n".join(lines).encode()
    chunks = [data[start : start + size] for start in range(0, len(data), size)]
    expected = [line.strip() for line in lines if line.strip()]
    assert anyio.run(_messages, chunks) == expected


async def test_bytes_that_are_not_utf_8_and_windows_line_ends_are_borne():
    assert await _messages([b"hello\r\n\xff\xfe\r\n"]) == ["hello", "\ufffd\ufffd"]


async def test_a_last_line_without_its_end_counts():
    assert await _messages([b"one\ntwo"]) == ["one", "two"]


async def test_a_regular_file_and_dev_null_can_be_piped(tmp_path):
    (tmp_path / "in").write_bytes(b"one\n")
    for path, expected in ((tmp_path / "in", ["one"]), (os.devnull, [])):
        descriptor = os.open(path, os.O_RDONLY)
        lines, messages = PipedLines(descriptor), list[str]()
        with pytest.raises(EOFError):
            while True:
                messages.append(await lines.message())
        os.close(descriptor)
        assert messages == expected


async def test_an_input_that_cannot_be_read_is_an_error_and_not_the_end():
    read, write = os.pipe()
    os.close(read)
    os.close(write)
    with pytest.raises(OSError, match="Bad file descriptor"):
        await PipedLines(read).message()
