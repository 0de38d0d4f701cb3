"""Laws of reading: it never crashes, whatever the bytes are, and what it accepts it accepts again."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.folders import MOST_FILES, MOST_TASK_BYTES
from contracts.problems import BadContracts
from contracts.reading import read_task
from contracts.yaml_text import MOST_BYTES, read_yaml
from tests.contracts.task_files import FUNCTIONS, GOOD

PATHS = (
    st.sampled_from(sorted(GOOD)) | st.text(max_size=30) | st.sampled_from(["\udcff.md", "prompts/\udcff.md"])
)
YAML_SIGNS = st.text(
    alphabet="abc:-[]{}&*!|>'\"#%@`,? \n\t0123456789~=<\u202e\u00e9\ud83d", max_size=200
).map(lambda text: text.encode("utf-8", "surrogatepass"))


def outcome(files: Mapping[str, bytes]) -> str:
    """Return what became of a task; anything but a task or its problems is an error of ours."""
    try:
        return read_task("brands", files).digest
    except BadContracts as refused:
        assert refused.problems
        str(refused).encode("utf-8")
        return str(refused)


@given(st.dictionaries(PATHS, st.binary(max_size=300) | YAML_SIGNS, max_size=6))
def test_any_files_become_a_task_or_problems(files: dict[str, bytes]):
    assert outcome(files) == outcome(files)


@given(st.sampled_from(sorted(GOOD)), st.integers(0, 10_000), st.binary(max_size=6), st.integers(0, 40))
def test_a_good_task_with_any_damage_becomes_a_task_or_problems(path: str, at: int, new: bytes, cut: int):
    data = GOOD[path]
    at %= len(data) + 1
    assert outcome({**GOOD, path: data[:at] + new + data[at + cut :]})


@given(st.lists(st.integers(0, FUNCTIONS.count("\n")), min_size=1, max_size=4))
def test_a_good_task_without_any_of_its_lines_becomes_a_task_or_problems(dropped: list[int]):
    lines = FUNCTIONS.split("\n")
    kept = "\n".join(line for number, line in enumerate(lines) if number not in dropped)
    assert outcome({**GOOD, "functions.yaml": kept.encode()})


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=9))
def test_any_value_in_the_place_of_a_part_becomes_a_task_or_problems(value: object):
    for part in ("params", "request", "response", "failures", "cache", "resolve", "approval", "scopes"):
        text = FUNCTIONS.replace("    effect: read\n", f"    effect: read\n    {part}: {value!r}\n", 1)
        assert outcome({**GOOD, "functions.yaml": text.encode("utf-8", "replace")})


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b"a: {" * 50_000,
        b"- " * 100_000,
        b"a: &a [*a]",
        b"? " * 90_000,
        b"\xff\xfe",
        b"a: \x00",
    ],
    ids=["lists", "mappings", "items", "circle", "keys", "utf16", "null"],
)
def test_a_text_made_to_hurt_is_refused(data: bytes):
    assert read_yaml(data).flaws


def test_a_text_of_many_aliases_is_refused_before_it_grows():
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert {flaw.rule for flaw in read_yaml(bomb.encode()).flaws} >= {"An alias (*name) stands here."}


def test_what_is_too_large_is_refused_by_its_size():
    assert "are allowed" in outcome({**GOOD, "functions.yaml": b"#" * (MOST_BYTES + 1)})
    assert "files" in outcome({**GOOD, **{f"prompts/p{n}.md": b"" for n in range(MOST_FILES)}})
    assert "bytes" in outcome({**GOOD, "README.md": b"#" * (MOST_TASK_BYTES + 1)})


def test_windows_line_ends_and_a_byte_order_mark_are_read():
    files = {
        path: b"\xef\xbb\xbf" * path.endswith("yaml") + data.replace(b"\n", b"\r\n")
        for path, data in GOOD.items()
    }
    assert len(read_task("brands", files).functions) == 4
