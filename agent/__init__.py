"""The parts behind agent_mcp.py: what a conversation keeps, what the model is told, what is said when it fails."""

from agent.conversation import Conversation
from agent.fallback import fallback_reply
from agent.settings import AgentSettings

__all__ = ["AgentSettings", "Conversation", "fallback_reply"]
