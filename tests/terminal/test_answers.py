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
        ("a", "unclear", None, False),
        ("always", "unclear", None, False),
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


LINES = st.lists(
    st.one_of(st.text(max_size=4), st.sampled_from(["a", "always", "yes", "w", "e", "1", "2", "n"]))
)


@given(lines=LINES, reversible=st.booleans())
async def test_no_keys_approve_a_call_but_an_exact_y_at_the_question(lines: list[str], reversible: bool):
    """Irreversible or not: there is no "always", and nothing else that would answer for a person."""
    approval = await _answered(
        request_for(reversible=reversible), *[each for each in lines if not is_yes(each)]
    )
    assert approval.approved is False


async def test_an_answer_to_one_call_never_answers_the_next():
    terminal = Typed("y")
    approver = TerminalApprover(screen_on(), terminal, lambda: None)
    assert (await approver(request_for())).approved
    assert not (await approver(request_for())).approved


async def _answered(request: ApprovalRequest, *lines: str):
    return await TerminalApprover(screen_on(), Typed(*lines), lambda: None)(request)
