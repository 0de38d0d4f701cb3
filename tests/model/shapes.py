"""The ways in which models have written one call as text, each with where it was seen."""

from typing import Any

from model.replies import Schema

NAME, ARGUMENTS = "get_order_status", {"order_id": "4471"}


def function(name: str, properties: dict[str, Any], *required: str) -> Schema:
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


STATUS = function(NAME, {"order_id": {"type": "string", "enum": ["4471", "4468"]}}, "order_id")
TICKET = function(
    "create_ticket",
    {
        "order_id": {"type": "string", "enum": ["4471", "4468"]},
        "category": {"type": "string", "enum": ["damaged", "other"]},
        "summary": {"type": "string", "minLength": 5, "maxLength": 160},
    },
    "order_id",
    "category",
    "summary",
)
HELLO = function("say_hello", {})
TOOLS = [STATUS, TICKET, HELLO]
NAMES = [tool["function"]["name"] for tool in TOOLS]

CALL = '{"name": "get_order_status", "arguments": {"order_id": "4471"}}'

SHAPES = {
    # measured on qwen2.5-coder
    "bare": CALL,
    "doubled braces": '{{"name": "get_order_status", "arguments": {"order_id": "4471"}}}',
    "doubled braces, also inside": '{{"name": "get_order_status", "arguments": {{"order_id": "4471"}}}}',
    "fenced": f"```json\n{CALL}\n```",
    "fenced without a language": f"```\n{CALL}\n```",
    "fenced on one line": f"```json {CALL} ```",
    "spread over lines": '{\n  "name": "get_order_status",\n  "arguments": {\n    "order_id": "4471"\n  }\n}',
    # ollama/ollama #12174, #13968
    "tagged": f"<tool_call>\n{CALL}\n</tool_call>",
    "only opened": f"<tool_call>\n{CALL}",
    "only closed": f"{CALL}\n</tool_call>",
    "closed twice": f"<tool_call>{CALL}}}</tool_call></tool_call>",
    # vllm-project/vllm #32926, ardanlabs/kronk #944
    "tools": f"<tools>{CALL}</tools>",
    "tools, only opened": f"<tools>\n{CALL}\n",
    "function": f"<function>{CALL}</function>",
    "function-call": f"<function-call>{CALL}</function-call>",
    "function_call": f"<function_call>\n{CALL}\n</function_call>",
    "tagged and fenced": f"<tool_call>\n```json\n{CALL}\n```\n</tool_call>",
    # NousResearch/hermes-agent PR #87900, and other forms of the object
    "arguments as text": '{"name": "get_order_status", "arguments": "{\\"order_id\\": \\"4471\\"}"}',
    "parameters": '{"name": "get_order_status", "parameters": {"order_id": "4471"}}',
    "parameters as text": '{"name": "get_order_status", "parameters": "{\\"order_id\\": \\"4471\\"}"}',
    "arguments first": '{"arguments": {"order_id": "4471"}, "name": "get_order_status"}',
    "with an id": f'{{"id": "c1", "type": "function", "function": {CALL}}}',
    "under function": f'{{"function": {CALL}}}',
    "under tool_calls": f'{{"tool_calls": [{CALL}]}}',
    "tool_name": '{"tool_name": "get_order_status", "parameters": {"order_id": "4471"}}',
    "name as key": '{"get_order_status": {"order_id": "4471"}}',
    "name as key, arguments as text": '{"get_order_status": "{\\"order_id\\": \\"4471\\"}"}',
    "list": f"[{CALL}]",
    "list, not closed": f"[{CALL}",
    "list, closed twice": f"[{CALL}]]",
    "outer brace missing": '{"name": "get_order_status", "arguments": {"order_id": "4471"}',
    # other families' marks around the same
    "TOOL_CALLS": f"[TOOL_CALLS] [{CALL}][/TOOL_CALLS]",
    "TOOL_CALLS with a name": '[TOOL_CALLS]get_order_status[ARGS]{"order_id": "4471"}',
    "tool and args": '[tool]get_order_status[args]{"order_id": "4471"}[end]',
    "special tokens": (
        "<|tool▁calls▁begin|><|tool▁call▁begin|>function<|tool▁sep|>get_order_status\n"
        '```json\n{"order_id": "4471"}\n```<|tool▁call▁end|><|tool▁calls▁end|>'
    ),
    "python_tag": f"<|python_tag|>{CALL}",
    "call syntax": 'get_order_status({"order_id": "4471"})',
    "name above a fence": 'get_order_status\n```json\n{"order_id": "4471"}\n```',
    "function tag with a name": '<function=get_order_status>{"order_id": "4471"}</function>',
    "function tag with parameters": (
        "<tool_call>\n<function=get_order_status>\n<parameter=order_id>\n4471\n</parameter>\n</function>\n"
        "</tool_call>"
    ),
    # ollama/ollama #7445, as far as it is a call
    "action": 'Action: get_order_status\nAction Input: {"order_id": "4471"}',
    # a reasoning model
    "after thoughts": f'<think>They want {{"a": 1}}, I think.</think>\n{CALL}',
}
"""Each is the call of NAME with ARGUMENTS."""
