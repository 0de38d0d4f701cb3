"""The agents of the chain and how each is started.

Knows:    the commands.
Does not: start one.   (orchestrator.py)
"""

import sys

AGENTS: dict[str, list[str]] = {
    name: [sys.executable, "-m", f"workshop.agents.{name}"] for name in ("analyst", "developer", "tester")
}
"""Agent -> command; any program that speaks docs/workshop-protocol.md may stand in its place."""
