"""Framing and matching, as laws: however the bytes are cut and the lines mixed, no answer goes astray."""

import itertools
import json
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workshop.asking import Matching
from workshop.lines import BadLine, Lines, line_of, message_of
from workshop.messages import FROM_CORE, AgentFailed, AgentResponse, ModelRequest, Progress, UserInput

MOST = 20
_bytes = st.binary(max_size=60).map(lambda data: data.replace(b"x", b"\n"))


def _cut(data: bytes, at: list[int]) -> list[bytes]:
    places = sorted({min(place, len(data)) for place in at} | {0, len(data)})
    return [data[start:end] for start, end in itertools.pairwise(places)]


@given(_bytes, st.lists(st.integers(0, 60), max_size=8))
def test_lines_are_the_same_however_the_bytes_come(data: bytes, at: list[int]):
    lines = Lines(MOST)
    found = [line for piece in _cut(data, at) for line in lines.fed(piece)]
    *whole, rest = data.split(b"\n")
    assert found == [line if len(line) <= MOST else len(line) for line in whole]
    assert lines.rest() == (rest if len(rest) <= MOST else len(rest))


@given(st.binary(max_size=200))
def test_any_line_is_a_message_or_told_to_be_none(line: bytes):
    with pytest.raises(BadLine, match="it begins"):
        message_of(line)


_values: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_fields = st.sampled_from("type id text tests code message path content call messages seed".split())
_types = st.sampled_from("agent_response agent_failed progress file model_request".split())


@given(st.dictionaries(_fields, _values, max_size=6), _types)
def test_any_object_is_a_message_or_told_to_be_none(value: dict[str, Any], type_: str):
    line = json.dumps({**value, "type": type_}).encode()
    try:
        message = message_of(line)
    except BadLine as bad:
        assert len(str(bad)) < 1_000
        assert all(isinstance(each, str) for each in bad.about.values())
    else:
        assert message.type == type_


@given(st.text(max_size=50).filter(lambda text: text.isprintable()), st.text(max_size=50))
def test_what_the_core_sends_is_one_line_and_reads_back_the_same(text: str, more: str):
    request = UserInput(
        id="1", deadline=1.5, text=text + "\n\r\u2028" + more, memory={"a": [more, None, 1.5]}
    )
    line = line_of(request)
    assert line.count(b"\n") == 1
    assert FROM_CORE.validate_json(line) == request


# What an agent may do, as (what, about the request so many back).
_ACTS = st.lists(
    st.tuples(
        st.sampled_from("answer fail progress model unreadable garbage huge ask end gone".split()),
        st.integers(0, 3),
    ),
    max_size=40,
)


@given(_ACTS)
def test_whatever_is_said_in_whatever_order_only_its_own_answer_answers_a_request(
    acts: list[tuple[str, int]],
):
    run = _Play()
    for what, back in acts:
        run.act(what, back)
    run.end()
    for id_, answers in run.answers.items():
        assert len(answers) <= 1
        assert all(each.id == id_ for each in answers)


class _Play:
    """One agent's side and the core's, without a process between them."""

    def __init__(self) -> None:
        self.matching = Matching()
        self.asked = 0
        self.answers: dict[str, list[Any]] = {}
        self.owed: set[str] = set()
        self.is_gone = False

    def act(self, what: str, back: int) -> None:
        id_ = str(max(self.asked - back, 0))
        if what == "ask":
            self.ask()
        elif what == "end":
            self.end()
        elif what == "gone":
            self.is_gone = True
            self.owed.clear()
            self.matching.forget()
        elif what == "huge":
            self.matching.too_long(5_000_000)
        elif what in ("garbage", "unreadable"):
            about = {} if what == "garbage" else {"type": "agent_response", "id": id_}
            self.matching.unreadable(BadLine("no message", about))
            if what == "unreadable":
                self.owed.discard(id_)
        else:
            self.say(what, id_)
        assert self.matching.settled.is_set() == (not self.owed)

    def say(self, what: str, id_: str) -> None:
        is_open = self.matching.open is not None and self.matching.open.request.id == id_
        was_answered = self.matching.open is not None and self.matching.open.answered
        said = {"role": "user", "content": "x"}
        message = {
            "answer": AgentResponse(id=id_ or "0", text=id_),
            "fail": AgentFailed(id=id_, message=id_),
            "progress": Progress(id=id_, text=id_),
            "model": ModelRequest(id=id_, call="1", messages=[said]),  # type: ignore[arg-type]
        }[what]
        why = self.matching.heard(message)
        assert bool(why) == (not is_open or was_answered)
        if what in ("answer", "fail"):
            self.owed.discard(id_)

    def ask(self) -> None:
        self.end()
        self.asked += 1
        self.matching.begin(UserInput(id=str(self.asked), deadline=0, text="x"))

    def end(self) -> None:
        asking = self.matching.open
        if asking is None:
            return
        id_ = asking.request.id
        self.answers[id_] = []
        while asking.waiting():
            said = asking.coming.receive_nowait()
            if isinstance(said, AgentResponse | AgentFailed):
                self.answers[id_].append(said)
            elif not isinstance(said, Exception):
                assert said.id == id_
        if not asking.answered and not self.is_gone:
            self.owed.add(id_)
        self.matching.end()
        assert self.matching.open is None


def test_an_answer_that_came_while_nobody_looked_is_the_one_that_is_kept():
    matching = Matching()
    asking = matching.begin(UserInput(id="1", deadline=0, text="x"))
    assert not matching.heard(AgentResponse(id="1", text="first"))
    assert "after the answer" in matching.heard(AgentResponse(id="1", text="second"))
    said = asking.coming.receive_nowait()
    assert isinstance(said, AgentResponse)
    assert said.text == "first"
    with pytest.raises(anyio.WouldBlock):
        asking.coming.receive_nowait()
    matching.end()
