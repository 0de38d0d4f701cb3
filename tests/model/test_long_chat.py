"""Sixty turns fit a window of 4096 tokens in both dialects, with the rules and the newest message."""

import json
from typing import Any

import httpx2
import pytest

from model.constrained import Constrained
from model.endpoint import Endpoint
from model.native import Native
from model.replies import Message, Reply
from model.target import Target
from model.tokens import of_messages, of_tools
from tests.model.shapes import TOOLS
from tests.model.stand_in import call, calls, collected, text

pytestmark = pytest.mark.anyio
WINDOW = 4096

RULES = "You are the support of a shop. Answer from tool results alone. " * 12
SYSTEM = {
    "role": "system",
    "content": f"{RULES}\n\n- get_order_status(order_id): what is known of an order\n"
    "- create_ticket(order_id, category, summary): asks staff to look at an order\n- say_hello(): greets",
}
ORDER = json.dumps(
    {
        "order_id": "4471",
        "status": "shipped",
        "carrier": "DHL",
        "placed_at": "2026-11-27T10:22:31Z",
        "eta": "2026-12-02",
        "items": [{"name": f"Desk Lamp {n}", "quantity": 1, "price": "49.99"} for n in range(8)],
        "summary": "Order 4471 was sent with DHL on 2026-11-28 and should arrive on 2026-12-02.",
    }
)
QUESTIONS = (
    "When will my order 4471 arrive, and is there anything I have to do about it before it does?",
    "متى سيصل طلبي 4471 وهل علي أن أفعل شيئا قبل ذلك؟",
    "मेरा ऑर्डर 4471 कब आएगा और क्या मुझे उससे पहले कुछ करना होगा?",
    "Когда придёт мой заказ 4471, и нужно ли мне что-нибудь сделать до этого?",
)


class Window:
    """A stand-in that counts: a request that does not fit its window is refused, as llama.cpp does."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        target = Target("small on Test", "http://test.invalid/v1", "small", context=WINDOW)
        self.endpoint = Endpoint(target, httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        self.asked.append(body)
        sent = of_messages(body["messages"]) + of_tools(body.get("tools", [])) + body["max_tokens"]
        if sent > WINDOW:
            error = {"code": 400, "type": "exceed_context_size_error", "message": f"{sent} of {WINDOW}"}
            return httpx2.Response(400, json={"error": error})
        if "response_format" in body:
            return text('{"action": "get_order_status", "order_id": "4471"}')
        if "tools" in body and body["messages"][-1]["role"] == "user":
            return calls(call("get_order_status", '{"order_id": "4471"}', id=f"c{len(self.asked)}"))
        return text("It was sent with DHL on 2026-11-28 and should arrive on 2026-12-02.")


async def chatted(dialect: Native | Constrained, turns: int) -> list[Message]:
    messages: list[Message] = [SYSTEM]
    for number in range(turns):
        messages.append({"role": "user", "content": f"{number}: {QUESTIONS[number % len(QUESTIONS)]}"})
        reply = await answered(dialect, messages)
        for made in reply.tool_calls:
            function = {"name": made.name, "arguments": made.arguments}
            wanted = {"id": made.id, "type": "function", "function": function}
            messages.append({"role": "assistant", "content": "", "tool_calls": [wanted]})
            messages.append({"role": "tool", "tool_call_id": made.id, "name": made.name, "content": ORDER})
        reply = await answered(dialect, messages)
        messages.append({"role": "assistant", "content": reply.content or "It was sent."})
    return messages


async def answered(dialect: Native | Constrained, messages: list[Message]) -> Reply:
    last = (await collected(dialect.stream(messages, TOOLS)))[-1]
    assert isinstance(last, Reply)
    return last


@pytest.mark.parametrize("dialect", [Native, Constrained])
async def test_sixty_turns_fit_the_window_with_the_rules_and_the_newest_message(
    dialect: type[Native] | type[Constrained],
):
    window = Window()
    messages = await chatted(dialect(window.endpoint), 60)
    assert len(messages) == 1 + 60 * 4  # none was refused, and each question led to one call
    questions = [body["messages"][-1] for body in window.asked if body["messages"][-1]["role"] == "user"]
    for number in range(60):
        assert any(question["content"].startswith(f"{number}: ") for question in questions)
    beginnings = [body["messages"][0]["content"] for body in window.asked]
    assert [text for text in beginnings if "get_order_status" not in text and RULES[:60] not in text] == []
