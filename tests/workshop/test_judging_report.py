"""The report decides, and only a whole one: whatever is missing, doubled or foreign in it is no pass."""

import json
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from workshop.outcomes import Verdict
from workshop.reported import Report, lines_of
from workshop.sandbox import Ran
from workshop.testfiles import functions_of, without

EXPECTED = ["t.py::test_a", "t.py::test_b"]
_PARTS = ("setup", "call", "teardown")
LAID = {"tests/t.py": "t.py"}


def line(kind: str, **words: object) -> dict[str, object]:
    return {"kind": kind, "nonce": "n", **words}


def whole() -> list[dict[str, object]]:
    lines = [line("collected", test="tests/t.py::test_a"), line("collected", test="tests/t.py::test_b")]
    for name in ("test_a", "test_b"):
        test = f"tests/t.py::{name}"
        lines += [line("outcome", test=test, when=when, result="passed") for when in _PARTS]
    return [*lines, line("end", code=0)]


def verdict(report: bytes, ran_code: int = 0) -> Verdict:
    ran = Ran(ran_code, "exited", "2 passed", report, 0.1)
    return Report(lines_of(report, "n"), LAID).verdict(ran, EXPECTED, ())


def written(lines: Sequence[object]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in lines)


def test_the_whole_report_is_a_pass():
    assert verdict(written(whole())).passed


@given(st.integers(0, 8))
def test_a_report_without_any_one_of_its_lines_is_no_pass(gone: int):
    lines = whole()
    del lines[gone]
    assert not verdict(written(lines)).passed


@given(st.integers(2, 7))
def test_an_outcome_told_twice_is_no_pass(twice: int):
    lines = whole()
    lines.insert(twice, lines[twice])
    assert not verdict(written(lines)).passed


@given(st.integers(2, 7), st.sampled_from(["failed", "skipped", "xfailed", "xpassed", "", "PASSED"]))
def test_any_result_but_passed_is_no_pass(at: int, result: str):
    lines = whole()
    lines[at]["result"] = result
    assert not verdict(written(lines)).passed


@given(st.integers(0, 8), st.sampled_from(["", "m", "N"]))
def test_a_line_with_another_nonce_does_not_count(at: int, nonce: str):
    lines = whole()
    lines[at]["nonce"] = nonce
    assert not verdict(written(lines)).passed


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_what_else_is_on_the_pipe_changes_nothing(garbage: list[bytes]):
    lines = [written([each]) for each in whole()]
    for at, text in enumerate(garbage):
        lines.insert(at, text.replace(b"\n", b"") + b"\n")
    assert verdict(b"".join(lines)).passed


@given(st.binary(max_size=300))
def test_no_report_at_all_is_never_a_pass_and_never_an_error(report: bytes):
    assert verdict(report).status == "broke_off"


def test_a_pytest_that_ended_otherwise_is_no_pass():
    for code in (2, 3, 4, 70):
        assert verdict(written([*whole()[:-1], line("end", code=code)])).status == "broke_off"


# Test files as source


@given(st.sets(st.sampled_from(["test_a", "test_b", "TestC::test_d", "TestC::TestE::test_f"])))
def test_what_is_taken_out_is_gone_and_the_rest_stays(names: set[str]):
    source = (
        "import x\n\n@x.mark\n@x.other(\n    1\n)\ndef test_a():\n    '''a\n    b'''\n\n"
        "async def test_b(): pass\n\nclass TestC:\n    @x\n    def test_d(self): pass\n\n"
        "    class TestE:\n        def test_f(self): pass\n\ndef helper(): return 1\n"
    )
    left = without(source, names)
    every = set(functions_of(source))
    assert set(functions_of(left)) == every - names
    assert "def helper(): return 1" in left
