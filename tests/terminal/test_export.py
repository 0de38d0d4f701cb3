"""A conversation as Markdown, and as a file that is loaded again."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agent.conversation import Conversation
from llm import ToolCall
from terminal.export import markdown
from terminal.files import FileProblem
from terminal.memory import TalkMemory, loaded_from
from terminal.words import printable


def a_talk() -> Conversation:
    talk = Conversation()
    talk.hear("where is order 4471?\n# and why")
    talk.request(None, [(ToolCall("c1", "get_order_status", ""), {"order_id": "4471"})])
    talk.answer("c1", "get_order_status", {"status": "shipped", "carrier": "DHL"})
    talk.reply("It is on its way with **DHL**.")
    return talk


def test_the_markdown_reads_as_the_conversation_was():
    assert TalkMemory(a_talk()).text(".md") == (
        """\
# A conversation with the shop's support

**You**

> where is order 4471?
> # and why

**Tool call** `get_order_status {"order_id":"4471"}`

**Tool result** of `get_order_status`

> ```
> {
>   "carrier": "DHL",
>   "status": "shipped"
> }
> ```

**Assistant**

> It is on its way with **DHL**.
"""
    )


@given(text=st.text(), result=st.text())
def test_nothing_that_was_said_can_pass_for_another_speaker(text: str, result: str):
    messages = [
        {"role": "user", "content": text},
        {"role": "tool", "tool_call_id": "c", "name": "t", "content": result},
        {"role": "assistant", "content": "Yes."},
    ]
    page = markdown(messages)
    outside = [line for line in page.splitlines() if line and not line.startswith(">")]
    assert outside == [
        "# A conversation with the shop's support",
        "**You**",
        "**Tool result** of `t`",
        "**Assistant**",
    ]
    assert not {"\x1b", "\r", "\u202e"} & set(page)


@given(text=st.text(st.characters(exclude_categories=["C", "Z"])))
def test_a_call_stays_one_piece_of_code_whatever_is_in_it(text: str):
    call = {"id": "c", "type": "function", "function": {"name": "t", "arguments": text}}
    page = markdown([{"role": "assistant", "content": "", "tool_calls": [call]}])
    inline = MarkdownIt().parse(page.split("\n\n")[1])[1].children or []
    assert [token.content for token in inline if token.type == "code_inline"] == [f"t {printable(text)}"]


def test_the_json_of_an_export_is_loaded_again(tmp_path: Path):
    talk = a_talk()
    (tmp_path / "chat.json").write_text(TalkMemory(talk).text(".json") or "", "utf-8")
    assert loaded_from(tmp_path / "chat.json") == talk


def test_a_memory_hears_what_the_customer_said_and_forgets_all_of_it():
    memory = TalkMemory(a_talk())
    before = memory.snapshot()
    assert memory.heard() == ["where is order 4471?\n# and why"]
    memory.clear()
    assert memory.talk == Conversation()
    memory.restore(before)
    assert memory.talk == a_talk()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"schema": ', "cannot be loaded. It is no JSON at line 1, column 12: Expecting value."),
        (b"{}", "cannot be loaded. It is no saved chat at schema: Field required"),
        (b"\xff", "is no UTF-8 text: byte 0 is wrong."),
        (None, "cannot be read (No such file or directory). Check its name."),
    ],
)
def test_a_file_that_cannot_be_loaded_says_what_is_wrong_and_where(
    tmp_path: Path, content: bytes | None, told: str
):
    path = tmp_path / "chat.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileProblem) as refused:
        loaded_from(path)
    assert str(refused.value).startswith(f"{path} {told}")
