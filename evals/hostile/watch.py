"""What came to a server, written down where the server stands.

Knows:    calls as the tools' own functions saw them.
Does not: ask the agent: what it says that it did is its word; what arrived is not.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Arrived:
    """A call that reached a tool's own function.

    dry: it was to change nothing. refused: the code of the server's own no. said: what it answered, as text.
    changed: what it changed is there now.
    """

    tool: str
    arguments: dict[str, Any]
    dry: bool = False
    refused: str = ""
    said: str = ""
    changed: bool = False


@dataclass
class Watch:
    """The calls of one case, in order."""

    calls: list[Arrived] = field(default_factory=list[Arrived])

    def arrived(self, tool: str, said: str = "", *, changed: bool = False, **arguments: Any) -> str:
        """Take note of a call and return what it answers."""
        self.calls.append(Arrived(tool, arguments, said=said, changed=changed))
        return said or "done"
