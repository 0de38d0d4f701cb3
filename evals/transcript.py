"""What happened in one turn, gathered from the events of the run.

Knows:    the event stream.
Does not: judge.   (scoring.py, truth.py)
"""

import json
from dataclasses import dataclass, field
from typing import Any, cast

from common.approval import ApprovalRequest
from common.events import (
    ApprovalAsked,
    Done,
    Event,
    GateDecision,
    ModelStarted,
    ToolRequested,
    ToolReturned,
    ToolStarted,
)
from evals.messages import Call

# A call that stopped here was never a usable request: the model has to ask again. One that stopped at a
# business rule or at a person's no was the model's choice, and is judged as such. A permission that was
# refused without anybody being asked is a gate's no: the customer's words did not ask for the action.
UNUSABLE = frozenset({"input", "whitelist", "parse", "validation", "grounding", "limit"})


@dataclass
class Transcript:
    """One turn: filled by `see` while it runs, read afterwards."""

    question: str
    reply: str = ""
    seconds: float = 0.0
    error: str = ""
    events: list[Event] = field(default_factory=list[Event])

    def see(self, event: Event) -> None:
        """Take one event of the run."""
        self.events.append(event)

    @property
    def requested(self) -> list[ToolRequested]:
        """Return the calls that the model asked for."""
        return [event for event in self.events if isinstance(event, ToolRequested)]

    @property
    def started(self) -> list[ToolStarted]:
        """Return the calls that left for the server."""
        return [event for event in self.events if isinstance(event, ToolStarted)]

    @property
    def returned(self) -> list[ToolReturned]:
        """Return the server's answers."""
        return [event for event in self.events if isinstance(event, ToolReturned)]

    @property
    def asked(self) -> list[ApprovalRequest]:
        """Return what the person was asked."""
        return [event.request for event in self.events if isinstance(event, ApprovalAsked)]

    @property
    def refused(self) -> list[GateDecision]:
        """Return the decisions of gates that stopped something."""
        return [event for event in self.events if isinstance(event, GateDecision) and not event.allowed]

    @property
    def model_calls(self) -> int:
        """Return the requests to the model as the agent counted them; of a turn that broke off, its steps."""
        counted = [event.meta.get("llm_calls") for event in self.events if isinstance(event, Done)]
        steps = sum(isinstance(event, ModelStarted) for event in self.events)
        return counted[-1] if counted and isinstance(counted[-1], int) else steps

    @property
    def calls(self) -> list[Call]:
        """Return the calls that count as the model's choice, each once, in order."""
        unusable = {decision.call_id for decision in self.refused if self._unusable(decision)}
        repaired = {event.call_id: event.arguments for event in self.started}
        chosen: list[Call] = []
        for request in self.requested:
            if request.call_id in unusable:
                continue
            arguments = repaired.get(request.call_id)
            call = Call(request.tool, parsed(request.arguments) if arguments is None else arguments)
            if call not in chosen:
                chosen.append(call)
        return chosen

    def _unusable(self, decision: GateDecision) -> bool:
        if decision.call_id is None:
            return False
        return decision.gate in UNUSABLE or (decision.gate == "permission" and not self.asked)


def parsed(arguments: str) -> dict[str, Any]:
    """Return the arguments as an object; text that is none gives an empty one."""
    try:
        value = json.loads(arguments)
    except ValueError:
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
