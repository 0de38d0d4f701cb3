"""What a session remembers of its turns: what they cost, what they did, and how it was before each.

Knows:    sums, events, snapshots.
Does not: show anything, or know what is in a snapshot.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from terminal.words import amount, counted

_MAX_TURNS = 50
"""Turns that can be taken back; each holds a copy of the conversation before it."""


@dataclass
class TurnRecord:
    """One turn. before: the conversation as it was. done: the calls that changed something, in short.

    unsure: calls of which nobody knows whether they were carried out. events: as plain data, with the
    seconds since the turn's beginning.
    """

    message: str
    before: Any = None
    done: list[str] = field(default_factory=list[str])
    unsure: list[str] = field(default_factory=list[str])
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@dataclass
class Ledger:
    """The turns that can be taken back, newest last, and the sums of all.

    kept: how long what was changed in this session is kept, in the servers' words, each once.
    """

    turns: deque[TurnRecord] = field(default_factory=lambda: deque(maxlen=_MAX_TURNS))
    last: TurnRecord | None = None
    kept: dict[str, None] = field(default_factory=dict[str, None])
    finished: int = 0
    unfinished: int = 0
    seconds: float = 0.0
    sums: dict[str, int] = field(default_factory=lambda: {"in": 0, "out": 0, "tools": 0, "calls": 0})

    def begin(self, record: TurnRecord) -> None:
        """Take a turn that begins."""
        self.turns.append(record)
        self.last = record
        self.unfinished += 1

    def finish(self, meta: Mapping[str, Any], seconds: float) -> None:
        """Take what the newest turn has cost."""
        self.unfinished -= 1
        self.finished += 1
        self.seconds += seconds
        usage = meta.get("usage")
        tokens = cast(Mapping[str, int], usage if isinstance(usage, Mapping) else {})
        tools = meta.get("tools_used")
        self.sums["in"] += tokens.get("prompt_tokens", 0)
        self.sums["out"] += tokens.get("completion_tokens", 0)
        self.sums["tools"] += len(cast(list[str], tools)) if isinstance(tools, list) else 0
        self.sums["calls"] += meta.get("llm_calls", 0)

    def told(self) -> str:
        """Return the sums in one line; no price is known, so none is named."""
        parts = [
            counted(self.finished, "turn"),
            f"{amount(self.sums['in'])} in",
            f"{amount(self.sums['out'])} out",
            f"{self.seconds:.1f} s",
            counted(self.sums["tools"], "tool"),
            counted(self.sums["calls"], "model call"),
        ]
        line = " · ".join(parts)
        if self.unfinished:
            line += f"; not counted: {counted(self.unfinished, 'turn')} that did not end with an answer"
        return line
