"""guards/approval.py: only a yes, in time, to exactly what was shown lets a call run."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.approval import NOBODY, Approval, ApprovalRequest
from guards.approval import Question, approve_all, approve_none, judge, needs_approval, request_for

pytestmark = pytest.mark.anyio


def tool(read_only: bool | None = None, destructive: bool | None = None, title: str | None = None) -> Any:
    hints = SimpleNamespace(read_only_hint=read_only, destructive_hint=destructive, title=None)
    return SimpleNamespace(name="ticket", title=title, annotations=hints)


def asked(arguments: dict[str, Any] | None = None) -> ApprovalRequest:
    return request_for(
        tool(False, False),
        arguments or {"order_id": "4471"},
        Question("Opens a ticket."),
        now=100.0,
        ttl_s=60.0,
    )


@pytest.mark.parametrize(
    ("read_only", "destructive", "asks"),
    [
        (True, None, False),
        (True, False, False),
        (True, True, True),
        (False, False, True),
        (False, None, True),
        (None, None, True),
        (None, False, True),
    ],
)
def test_only_a_tool_that_says_it_reads_and_does_not_destroy_runs_unasked(
    read_only: bool | None, destructive: bool | None, asks: bool
) -> None:
    assert needs_approval(tool(read_only, destructive)) is asks


def test_a_tool_without_annotations_is_asked_about() -> None:
    assert needs_approval(cast(Any, SimpleNamespace(name="x", annotations=None)))
    bare = cast(Any, SimpleNamespace(name="x"))
    assert needs_approval(bare)


def test_a_yes_in_time_to_this_request_is_a_yes() -> None:
    request = asked()
    assert judge(request, Approval(request.digest, True, "ann"), now=159.9) == "approved"


def test_the_moment_of_expiry_is_too_late() -> None:
    request = asked()
    assert judge(request, Approval(request.digest, True, "ann"), now=160.0) == "expired"


@pytest.mark.parametrize("truthy", [1, "yes", [True], None, 0, False])
def test_anything_but_true_is_no_yes(truthy: Any) -> None:
    request = asked()
    assert judge(request, Approval(request.digest, truthy, "ann"), now=100.0) == "declined"


@pytest.mark.parametrize("answer", [None, True, "y", {"approved": True}])
def test_what_is_no_answer_is_no(answer: object) -> None:
    assert judge(asked(), answer, now=100.0) == "not_possible"


def test_a_yes_to_another_request_is_no() -> None:
    first, second = asked(), asked()
    assert first.digest != second.digest
    assert judge(second, Approval(first.digest, True, "ann"), now=100.0) == "declined"


@pytest.mark.parametrize(
    "change",
    [
        {"effect": "x"},
        {"tool": "x"},
        {"title": "x"},
        {"arguments": {"order_id": "4468"}},
        {"id": "x"},
        {"reversible": False},
        {"expires_at": 161.0},
        {"asked_by": "x"},
        {"audience": "staff"},
        {"warnings": ("x",)},
        {"form": {"type": "object"}},
    ],
)
def test_a_request_that_was_changed_after_it_was_made_cannot_be_approved(change: dict[str, Any]) -> None:
    request = replace(asked(), **change)
    assert judge(request, Approval(request.digest, True, "ann"), now=100.0) == "declined"


def test_arguments_changed_in_place_cannot_be_approved() -> None:
    request = asked()
    request.arguments["order_id"] = "4468"
    assert judge(request, Approval(request.digest, True, "ann"), now=100.0) == "declined"


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5) | st.integers() | st.none(), max_size=3))
def test_what_is_shown_is_what_was_asked_for(arguments: dict[str, Any]) -> None:
    request = request_for(tool(), arguments, Question("effect"), 0.0, 1.0)
    assert request.arguments == arguments
    assert request.arguments is not arguments


def test_only_a_tool_that_says_it_does_not_destroy_is_called_reversible() -> None:
    assert asked().reversible
    for hint in (None, True):
        assert not request_for(tool(False, hint), {}, Question(""), 0.0, 1.0).reversible
    assert not request_for(
        SimpleNamespace(name="x", title="T", annotations=None), {}, Question(""), 0.0, 1.0
    ).reversible


async def test_nobody_says_no_and_that_is_told_apart_from_a_person_who_does() -> None:
    request = asked()
    answer = await approve_none(request)
    assert answer.by == NOBODY
    assert judge(request, answer, now=100.0) == "not_possible"
    assert judge(request, Approval(request.digest, False, "ann"), now=100.0) == "declined"


async def test_approve_all_says_yes_to_this_request() -> None:
    request = asked()
    assert judge(request, await approve_all(request), now=100.0) == "approved"
