"""The memory: kept whole or not at all, by several at once, at a cost that does not grow."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workshop.errors import MemoryUnusable
from workshop.memory import Memory
from workshop.messages import Remembered

LINES = st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=30)), max_size=50)
LINES = LINES.map(lambda lines: [(role, text.replace("\0", "\ufffd")) for role, text in lines])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "what is? 100% #1" / "memory.db"


@pytest.fixture(params=["file", "in memory"])
def memory(request: pytest.FixtureRequest, file: Path):
    memory = Memory(file if request.param == "file" else None)
    yield memory
    memory.close()


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "п\u2028", [1, {"a": None}], {"ключ": []}])
def test_a_value_comes_back_as_it_was(memory: Memory, value: object):
    memory.remember("key", value)
    assert memory.recall("key", "default") == value


def test_what_was_never_kept_is_the_default(memory: Memory):
    assert memory.recall("key") is None
    assert memory.recall("key", 7) == 7


def test_the_newest_value_is_kept_and_forgetting_is_the_end_of_it(memory: Memory):
    memory.remember("key", 1)
    memory.remember("key", 2)
    assert memory.recall("key") == 2
    memory.forget("key")
    memory.forget("key")
    assert memory.recall("key", "gone") == "gone"


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}, b"x"])
def test_what_json_cannot_hold_is_refused_and_what_was_kept_stays(memory: Memory, value: object):
    memory.remember("key", "before")
    with pytest.raises(MemoryUnusable, match="The value for 'key' cannot be kept"):
        memory.remember("key", value)
    assert memory.recall("key") == "before"


@settings(max_examples=25)
@given(LINES, st.integers(-3, 300))
def test_the_newest_lines_that_fit_are_returned_oldest_first(lines: list[tuple[str, str]], chars: int):
    memory = Memory(None)
    memory.append_all(lines)
    found = [(each.role, each.content) for each in memory.newest(chars)]
    memory.close()
    assert sum(len(content) for _, content in found) <= max(chars, 0)
    if found and found[-1] != lines[-1]:
        assert len(found) == 1
        assert len(lines[-1][1]) > chars
        assert lines[-1][1].startswith(found[0][1].removesuffix("…"))
        return
    assert found == lines[len(lines) - len(found) :]
    if len(found) < len(lines):
        # One more would not have fitted.
        assert sum(len(content) for _, content in found) + len(lines[-len(found) - 1][1]) > chars


def test_a_line_that_does_not_fit_at_all_is_shown_from_its_beginning(memory: Memory):
    memory.append("user", "a" * 1_000)
    assert memory.newest(10) == (Remembered(role="user", content="aaaaaaaaa…"),)


def test_what_no_database_holds_is_kept_as_a_sign_that_it_was_there(memory: Memory):
    memory.append("user", "a\ud800b\0c")
    memory.remember("k\udfff", "a\ud800b")
    assert memory.newest(10)[0].content == "a?b\ufffdc"
    assert memory.recall("k\udfff") == "a\ud800b"


def test_lines_are_added_all_or_none(memory: Memory):
    with pytest.raises(MemoryUnusable, match="'system' is no role"):
        memory.append_all([("user", "a"), ("system", "b")])
    assert memory.newest(100) == ()


def test_what_is_kept_is_there_at_the_next_start(file: Path):
    memory = Memory(file)
    memory.remember("key", [1])
    memory.append("user", "hello")
    memory.close()
    again = Memory(file)
    assert (again.recall("key"), again.newest(10)[0].content) == ([1], "hello")
    again.close()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_the_file_is_for_its_owner_alone(file: Path):
    memory = Memory(file)
    memory.remember("key", 1)
    assert [stat.S_IMODE(each.stat().st_mode) & 0o077 for each in file.parent.iterdir()] == [0, 0, 0]
    memory.close()


def test_two_memories_on_one_file_see_each_others_values_at_once(file: Path):
    one, other = Memory(file), Memory(file)
    one.remember("key", 1)
    assert other.recall("key") == 1
    other.append("user", "x")
    assert one.newest(10)[0].content == "x"
    one.close()
    other.close()


WRITER = """
import sys
from pathlib import Path
from workshop.memory import Memory
memory = Memory(Path(sys.argv[1]))
for number in range(25):
    memory.append_all([("user", sys.argv[2]), ("assistant", sys.argv[2])])
    memory.remember(sys.argv[2], number)
"""


def test_processes_that_begin_and_write_at_the_same_time_lose_nothing_and_mix_nothing(file: Path):
    command = [sys.executable, "-c", WRITER, str(file)]
    runs = [subprocess.Popen([*command, name]) for name in ("a", "b")]
    assert [run.wait(10) for run in runs] == [0, 0]
    memory = Memory(file)
    said = [each.content for each in memory.newest(1_000)]
    assert said[::2] == said[1::2]
    assert sorted(said) == ["a"] * 50 + ["b"] * 50
    assert (memory.recall("a"), memory.recall("b")) == (24, 24)
    memory.close()


KILLED = WRITER.replace("range(25)", "range(10**9)") + "\n"


def test_a_writer_that_is_killed_leaves_whole_turns(file: Path):
    watching = Memory(file)
    run = subprocess.Popen([sys.executable, "-c", KILLED, str(file), "a"])
    while len(watching.newest(1_000)) < 20:
        assert run.poll() is None
    run.kill()
    run.wait(5)
    said = watching.newest(10**9)
    assert len(said) % 2 == 0
    assert [each.role for each in said[-2:]] == ["user", "assistant"]
    watching.append("user", "goes on")
    watching.close()


def test_a_file_that_is_no_memory_is_told_and_left_as_it_is(file: Path):
    file.parent.mkdir()
    file.write_bytes(b"not a database, only some text that is long enough to be read as a header" * 20)
    before = file.read_bytes()
    with pytest.raises(MemoryUnusable, match=r"memory\.db.* cannot be used: file is not a database"):
        Memory(file)
    assert file.read_bytes() == before


def test_a_memory_of_a_newer_form_is_not_touched(file: Path):
    Memory(file).close()
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version=2")
    connection.close()
    with pytest.raises(MemoryUnusable, match="form 2, newer than this code"):
        Memory(file)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(MemoryUnusable, match="cannot be made"):
        Memory(tmp_path / "file" / "memory.db")


def test_a_memory_may_be_used_from_another_thread(memory: Memory):
    found: list[object] = []
    memory.remember("key", 1)
    thread = threading.Thread(target=lambda: found.append(memory.recall("key")))
    thread.start()
    thread.join(5)
    assert found == [1]


def test_what_is_read_of_the_dialogue_does_not_grow_with_it(file: Path):
    memory = Memory(file)
    steps: list[int] = []
    for _ in range(3):
        memory.append_all([("user", "x" * 100)] * 3_000)
        steps.append(_steps(memory))
    memory.close()
    assert max(steps) <= min(steps) + 1


def _steps(memory: Memory) -> int:
    """Return how many times SQLite reported progress at reading the newest lines: its work."""
    count = 0

    def progress() -> int:
        nonlocal count
        count += 1
        return 0

    with memory._engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.set_progress_handler(progress, 10)
    memory.newest(1_000)
    driver.set_progress_handler(None, 10)
    return count
