"""What a line at an approval's question means."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from common.approval import ApprovalRequest
from terminal.answers import is_yes, meaning
from terminal.approver import TerminalApprover
from tests.terminal.desk import request_for
from tests.terminal.typed import Typed, screen_on

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("line", "kind", "reason", "asks"),
    [
        ("y", "yes", None, False),
        (" Y\n", "yes", None, False),
        ("", "no", None, False),
        ("  ", "no", None, False),
        ("n", "no", None, True),
        ("No", "no", None, True),
        ("n because it is the wrong order", "no", "it is the wrong order", False),
        ("no, it is the wrong order", "no", "it is the wrong order", False),
        ("NO: wrong", "no", "wrong", False),
        ("w", "why", None, False),
        ("Why", "why", None, False),
        ("?", "why", None, False),
        ("e", "edit", None, False),
        ("edit", "edit", None, False),
        ("yes", "unclear", None, False),
        ("yes please", "unclear", None, False),
        ("never", "unclear", None, False),
        ("now", "unclear", None, False),
        ("a", "always", None, False),
        (" A ", "always", None, False),
        ("always", "always", None, False),
        ("Always", "unclear", None, False),
        ("a\u200b", "unclear", None, False),
        ("а", "unclear", None, False),
        ("a y", "unclear", None, False),
        ("--yes", "unclear", None, False),
    ],
)
def test_each_key_has_its_meaning(line: str, kind: str, reason: str | None, asks: bool):
    meant = meaning(line)
    assert (meant.kind, meant.reason, meant.asks_reason) == (kind, reason, asks)


@given(line=st.text())
@example(line="y\u200b")
@example(line="\ufeffy")
@example(line="ｙ")
@example(line="y y")
@example(line="а y")
def test_no_line_but_an_exact_y_is_a_yes(line: str):
    exact = line.strip(" \t\r\n") in ("y", "Y")
    assert is_yes(line) is exact
    assert (meaning(line).kind == "yes") is exact


FORM = {"type": "object", "properties": {"size": {"type": "string"}}, "required": []}

LINES = st.lists(
    st.one_of(st.text(max_size=4), st.sampled_from(["a", "always", "yes", "w", "e", "1", "2", "n"]))
)


@given(
    lines=LINES,
    changes=st.sampled_from(
        [
            {},
            {"reversible": True},
            {"always": "Open any ticket"},
            {"always": "Open any ticket", "reversible": True, "warnings": ("It says that it only reads.",)},
            {"always": "Open any t\u0456cket", "reversible": True},
            {"always": "Open any ticket", "reversible": True, "effect": "Opens\u202e a ticket."},
            {"always": "Open any ticket", "reversible": True, "form": FORM},
        ]
    ),
)
async def test_no_keys_approve_a_call_but_an_exact_y_where_no_yes_to_all_is_offered(lines, changes):
    """Nothing else answers for a person, and "a" least of all, where a call may destroy or is odd."""
    request = request_for(**changes)
    approval = await _answered(request, *[each for each in lines if not is_yes(each)])
    assert approval.approved is False


@given(lines=LINES)
async def test_a_yes_to_all_is_an_exact_a_where_it_is_offered(lines: list[str]):
    request = request_for(reversible=True, always="Open any ticket")
    approval = await _answered(request, *lines, "")
    exact = [line.strip(" \t\r\n") for line in lines]
    assert approval.approved <= bool({"a", "A", "always", "y", "Y"} & set(exact))
    assert approval.always <= bool({"a", "A", "always"} & set(exact))


async def test_an_answer_to_one_call_never_answers_the_next():
    terminal = Typed("y")
    approver = TerminalApprover(screen_on(), terminal, lambda: None)
    assert (await approver(request_for())).approved
    assert not (await approver(request_for())).approved


async def _answered(request: ApprovalRequest, *lines: str):
    return await TerminalApprover(screen_on(), Typed(*lines), lambda: None)(request)
