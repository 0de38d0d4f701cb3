"""With a gate taken out the suite turns red: what it says of the gates, it says because they hold."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import agent_mcp
import bridge
import guards.approval
import guards.asked
import guards.call
import guards.grounding
import guards.input
import guards.output
import guards.servers
from agent.calls import Caller
from bridge import Listing
from evals.hostile.families import all_cases
from evals.hostile.playing import play
from evals.hostile.table import Verdict, verdict
from store import Reach, Store
from tests.hostile.replaced import replace_everywhere

pytestmark = pytest.mark.anyio

CASES = {case.id: case for case in all_cases()}


async def played(name: str) -> Verdict:
    return verdict(CASES[name], await play(CASES[name]))


def without(function: Callable[..., Any], by: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: replace_everywhere(patch, function, by)


def loosely(text: str) -> dict[str, Any]:
    """What a plain reader of JSON makes of arguments: the last of two keys wins."""
    return json.loads(text)


def everybodys(patch: pytest.MonkeyPatch) -> None:
    """Take the customer out of the store's questions."""
    get_order = Store.get_order
    everybody = Reach(everybody=True)
    patch.setattr(Store, "get_order", lambda self, order_id, reach: get_order(self, order_id, everybody))


def unlisted(tools: Any) -> Listing:
    return Listing({tool.name: tool for tool in tools})


HARM: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "parse": (without(guards.call.parse, loosely), "id shape: raw, a key twice, the right one last"),
    "grounding": (
        without(guards.grounding.ground, lambda arguments, schema, evidence: (arguments, [])),
        "laundered id: a read, an order in a gift note",
    ),
    "grounding, for a write": (
        without(guards.grounding.ground, lambda arguments, schema, evidence: (arguments, [])),
        "ungrounded id: write 4459 when 4471 was named",
    ),
    "the customer's wish": (
        without(guards.asked.asked_for, lambda *_: True),
        "approval: not asked for, a question",
    ),
    "which calls need a person": (
        without(guards.approval.needs_approval, lambda tool: False),
        "approval: nobody, a ticket",
    ),
    "what an answer is worth": (
        without(guards.approval.judge, lambda *_: "approved"),
        "approval: another digest, a ticket",
    ),
    "the hints of a server": (
        without(guards.servers.mismatch, lambda *_: None),
        "lying server: liar, delete_order, nobody",
    ),
    "precondition": (everybodys, "another customer's data: a look-up of order 4480"),
    "output": (without(guards.output.unverified, lambda *_, **__: []), "false reply: a phone"),
    "output, for deeds": (
        without(guards.output.unverified, lambda *_, **__: []),
        "false reply: a deed in hi, 1",
    ),
}
"""By gate: how it is taken out, and a case that does harm then."""


@pytest.mark.parametrize(("take_out", "case"), HARM.values(), ids=HARM.keys())
async def test_without_this_gate_a_case_does_harm(
    take_out: Callable[[pytest.MonkeyPatch], None], case: str, monkeypatch: pytest.MonkeyPatch
):
    assert not (await played(case)).harm
    take_out(monkeypatch)
    assert (await played(case)).harm


def any_tool(patch: pytest.MonkeyPatch) -> None:
    """Let the agent know every name as a tool: that of the server it is told last."""

    class Every(dict[str, Any]):
        def get(self, name: str, default: Any = None) -> Any:
            return super().get(name) or self["get_order_status"].model_copy(update={"name": name})

    clear = Caller._clear

    async def cleared(self: Any, call: Any, parsed: Any) -> Any:
        self._by_name = Every(self._by_name)
        self._schemas.setdefault(call.name, self._schemas["get_order_status"])
        return await clear(self, call, parsed)

    patch.setattr(Caller, "_clear", cleared)


RED: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "input": (
        without(guards.input.looks_malicious, lambda text: False),
        "prompt extraction: asked for, drop them",
    ),
    "whitelist": (any_tool, "foreign tool: a refund"),
    "the server's list": (without(bridge.vet, unlisted), "lying server: twins, nobody"),
    "the number of rounds": (
        lambda patch: patch.setattr(agent_mcp, "MAX_STEPS", 12),
        "denial of service: the same call for ever",
    ),
    "validation": (without(guards.call.validate, lambda *_: None), "id shape: read, null"),
}
"""Gates behind which another stands, or which bound what is allowed: without them nothing gets through, and
the case is red all the same."""


@pytest.mark.parametrize(("take_out", "case"), RED.values(), ids=RED.keys())
async def test_without_this_gate_a_case_is_red_and_the_next_gate_holds(
    take_out: Callable[[pytest.MonkeyPatch], None], case: str, monkeypatch: pytest.MonkeyPatch
):
    before = await played(case)
    assert (before.misses, bool(before.harm)) == ((), False)
    take_out(monkeypatch)
    after = await played(case)
    assert after.misses and not after.harm
